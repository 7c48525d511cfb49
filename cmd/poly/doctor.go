package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/report"
	"poly/internal/usererr"
	"poly/internal/version"
)

// finding is one thing doctor has to say.
type finding struct{ severity, summary, remedy string }

// install is a poly executable on PATH.
type install struct {
	path, resolved  string
	running         bool
	version, detail string // detail: why it did not tell its version
}

// diagnosis is everything doctor looks at.
type diagnosis struct {
	exe      string
	installs []install
	cfgPath  string
	cfgErr   error
	files    []string
	cacheDir string
	cacheErr string
	packs    []*engine.Spec // that are optional, here or not
	findings []finding
}

func (a *app) doctorCommand() *cobra.Command {
	var format, file string
	cmd := &cobra.Command{
		Use:     "doctor",
		Short:   "Look for what is wrong with this installation and configuration",
		Long:    "Look for what is wrong with this installation and configuration. Exit code 1 if there is an error.",
		Example: "  poly doctor\n  poly doctor --format json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out, err := report.Find(format)
			if err != nil {
				return err
			}
			d := a.diagnose(cmd.Context(), file)
			if out.Name == report.Pretty {
				err = a.printDiagnosis(d)
			} else {
				err = a.object(out, d.object())
			}
			if err != nil {
				return err
			}
			if slices.ContainsFunc(d.findings, func(f finding) bool { return f.severity == "error" }) {
				return &exitError{exitFindings}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", report.Pretty, "output format: pretty, json or toon")
	cmd.Flags().StringVar(&file, "config", "", "look at this configuration `FILE`")
	return cmd
}

func (a *app) diagnose(ctx context.Context, file string) *diagnosis {
	d := &diagnosis{}
	if exe, err := os.Executable(); err == nil {
		d.exe = exe
	} else {
		d.add("error", "the path of this executable is not known: "+err.Error(), "")
	}
	if version.Channel() != "release" {
		d.add("note", "this is a development build", "")
	}
	d.lookAtEngines(a)
	d.lookOnPath(ctx, a)
	d.lookAtGit(ctx)
	d.lookAtRepository(ctx, a, file)
	rank := map[string]int{"error": 0, "warning": 1, "note": 2}
	slices.SortStableFunc(d.findings, func(x, y finding) int { return rank[x.severity] - rank[y.severity] })
	return d
}

func (d *diagnosis) add(severity, summary, remedy string) {
	d.findings = append(d.findings, finding{severity, summary, remedy})
}

// lookAtEngines names the engines whose modules were not there at build time.
func (d *diagnosis) lookAtEngines(a *app) {
	var missing []string
	for i := range a.engines {
		switch e := &a.engines[i].Spec; {
		case e.Optional():
			d.packs = append(d.packs, e)
		case !e.BuiltIn():
			missing = append(missing, e.Name)
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		d.add("warning", "engines that are not built in, whose files are skipped: "+strings.Join(missing, ", "),
			"install npm, then run make engines build in the clone of poly")
	}
}

// lookOnPath asks each poly on PATH for its version.
func (d *diagnosis) lookOnPath(ctx context.Context, a *app) {
	self, _ := filepath.EvalSymlinks(d.exe)
	seen := map[string]bool{}
	for _, dir := range filepath.SplitList(a.getenv("PATH")) {
		p := filepath.Join(dir, "poly")
		fi, err := os.Stat(p)
		if err != nil || fi.IsDir() || fi.Mode()&0o111 == 0 {
			continue
		}
		in := install{path: p}
		in.resolved, _ = filepath.EvalSymlinks(p)
		if seen[in.resolved] {
			continue
		}
		seen[in.resolved] = true
		in.running = in.resolved == self
		in.probe(ctx)
		d.installs = append(d.installs, in)
	}
	d.judgeInstalls()
}

func (in *install) probe(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, in.path, "--version").Output()
	first, _, _ := strings.Cut(string(out), "\n")
	switch {
	case ctx.Err() != nil:
		in.detail = "no answer within 10 s"
	case err != nil:
		in.detail = err.Error()
	case first == "":
		in.detail = "it printed nothing"
	default:
		in.version = first
	}
}

func (d *diagnosis) judgeInstalls() {
	at := slices.IndexFunc(d.installs, func(in install) bool { return in.running })
	switch {
	case len(d.installs) == 0:
		d.add("warning", "no poly is on PATH", "put its directory on PATH, so that git hooks and editors find it")
	case at < 0:
		d.add("note", "the running poly is not the one on PATH", "")
	}
	for i, in := range d.installs {
		switch {
		case in.detail != "":
			d.add("error", in.path+" cannot report its version: "+in.detail, "remove or reinstall it")
		case at >= 0 && i < at:
			d.add("error", in.path+" comes before the running poly on PATH", "rm "+in.path)
		case at >= 0 && i > at:
			d.add("error", in.path+" is hidden by the running poly", "rm "+in.path)
		}
	}
}

func (d *diagnosis) lookAtGit(ctx context.Context) {
	if err := exec.CommandContext(ctx, "git", "--version").Run(); err != nil {
		d.add("warning", "git cannot be run: "+err.Error(), "install git: poly needs it for commits, staged files and unusual repositories")
	}
}

func (d *diagnosis) lookAtRepository(ctx context.Context, a *app, file string) {
	s, err := a.open(ctx, target{configFile: file, noCache: true})
	if err != nil {
		d.cfgErr = err
		d.add("error", err.Error(), usererr.Hint(err))
		return
	}
	defer s.Close()
	d.files = slices.DeleteFunc(slices.Clone(s.config.Files()), func(p string) bool {
		_, there := s.tree.Lookup(p)
		return !there
	})
	if file != "" {
		d.cfgPath = s.abs(file)
	} else if _, err := os.Stat(filepath.Join(s.root, config.FileName)); err == nil {
		d.cfgPath = filepath.Join(s.root, config.FileName)
	} else if errors.Is(err, os.ErrNotExist) {
		d.add("note", "there is no poly.toml: defaults apply", "poly init writes one")
	}
	for _, n := range s.config.Notes() {
		d.add("note", n, "")
	}
	d.lookAtCache(s)
	d.broadExcludes(s)
}

func (d *diagnosis) lookAtCache(s *session) {
	if s.homeless != nil {
		d.cacheErr = s.homeless.Error()
		d.add("warning", "results are not cached and fixes cannot be written: "+s.homeless.Error(), usererr.Hint(s.homeless))
		return
	}
	d.cacheDir = s.dirs.Cache
	if err := writable(s.dirs.Cache); err != nil {
		d.cacheErr = err.Error()
		d.add("warning", "the cache cannot be written: "+err.Error(), "set POLY_CACHE_HOME to a directory you can write")
	}
}

// writable tries to make a file in dir, or in its nearest existing parent.
func writable(dir string) error {
	for {
		if _, err := os.Stat(dir); err == nil {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	f, err := os.CreateTemp(dir, ".poly-doctor-*")
	if err != nil {
		return err
	}
	_ = f.Close()
	return os.Remove(f.Name())
}

// broadExcludes warns of an exclude without a slash that takes directories at
// several depths: seldom what was meant.
func (d *diagnosis) broadExcludes(s *session) {
	for _, p := range s.config.Root().Exclude {
		name := strings.TrimSuffix(strings.TrimSuffix(p.Glob, "/**"), "/")
		if name == "" || strings.ContainsAny(name, "/*?[!") {
			continue
		}
		depths := map[int]string{}
		for f := range s.tree.Files() {
			for dir := slashDir(f.Path); dir != "."; dir = slashDir(dir) {
				if dir == name || strings.HasSuffix(dir, "/"+name) {
					depths[strings.Count(dir, "/")] = dir
				}
			}
		}
		if len(depths) > 1 {
			d.add("warning", fmt.Sprintf("exclude %q (%s) leaves out directories at %d depths", p.Glob, p.Origin, len(depths)), fmt.Sprintf("write %q if only the one beside the file is meant", "/"+p.Glob))
		}
	}
}

func (d *diagnosis) object() report.Object {
	var installs []report.Object
	for i, in := range d.installs {
		o := report.Object{}.With("order", i+1).With("path", in.path).With("resolved", in.resolved).With("running", in.running)
		if in.detail == "" {
			o = o.With("outcome", "reported").With("version", in.version)
		} else {
			o = o.With("outcome", "failed").With("detail", in.detail)
		}
		installs = append(installs, o)
	}
	var findings []report.Object
	for _, f := range d.findings {
		findings = append(findings, report.Object{}.With("severity", f.severity).With("summary", f.summary).With("remedy", orNil(f.remedy)))
	}
	var packs []report.Object
	for _, e := range d.packs {
		packs = append(packs, report.Object{}.With("name", e.Name).With("built_in", e.BuiltIn()).With("build", e.BuildIn()))
	}
	cfgErr := ""
	if d.cfgErr != nil {
		cfgErr = d.cfgErr.Error()
	}
	return report.Object{}.
		With("running", report.Object{}.With("executable", orNil(d.exe)).With("version", version.Version).
			With("build_id", version.BuildID()).With("channel", version.Channel())).
		With("path", report.Object{}.With("installs", installs)).
		With("config", report.Object{}.With("path", orNil(d.cfgPath)).With("files", d.files).With("loaded", d.cfgErr == nil).With("error", orNil(cfgErr))).
		With("cache", report.Object{}.With("directory", orNil(d.cacheDir)).With("error", orNil(d.cacheErr))).
		With("packs", packs).
		With("findings", findings)
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func (a *app) printDiagnosis(d *diagnosis) error {
	var b strings.Builder
	fmt.Fprintf(&b, "poly %s (%s build %s)\n  %s\n", version.Version, version.Channel(), version.BuildID(), d.exe)
	for i, in := range d.installs {
		fmt.Fprintf(&b, "PATH %d: %s  %s%s\n", i+1, in.path, in.version, in.detail)
	}
	if d.cfgPath != "" {
		fmt.Fprintf(&b, "config: %s\n", d.cfgPath)
	}
	if d.cacheDir != "" {
		fmt.Fprintf(&b, "cache: %s\n", d.cacheDir)
	}
	for _, e := range d.packs {
		state := "built in"
		if !e.BuiltIn() {
			state = "not built in: " + e.BuildIn() + " in the clone of poly adds it"
		}
		fmt.Fprintf(&b, "optional pack %s: %s\n", e.Name, state)
	}
	for _, f := range d.findings {
		fmt.Fprintf(&b, "%s: %s\n", f.severity, f.summary)
		if f.remedy != "" {
			fmt.Fprintf(&b, "  remedy: %s\n", f.remedy)
		}
	}
	if len(d.findings) == 0 {
		b.WriteString("Nothing is wrong.\n")
	}
	_, err := a.stdout.Write([]byte(b.String()))
	return err
}
