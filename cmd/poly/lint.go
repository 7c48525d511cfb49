package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
	"poly/internal/report"
	"poly/internal/version"
	"poly/internal/wasm"
	"poly/runner"
)

// runFlags are the flags that lint and fmt share.
type runFlags struct {
	format          string
	configFile      string
	exclude         []string
	stdinName       string
	jobs            int
	maxSkips        int
	fix             bool
	check           bool
	diff            bool
	noCache         bool
	noColor         bool
	quiet           bool
	verbose         bool
	debug           bool
	forceExclude    bool
	includeExcluded bool
	fixGenerated    bool
	denySkips       bool
	noWorkspace     bool
	workspace       bool
	noCommands      bool
	covered         []lang.ID // languages that the whole-project phase judges
}

func (a *app) lintCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "lint [PATH]...",
		Short: "Report problems, and mend them with --fix",
		Long: "Lint files and directories; without a path, the current directory.\n" +
			"Exit code 0: clean. 1: an error-severity finding. 2: some file was not verified, or wrong use.",
		Example: "  poly lint .\n  poly lint --fix src docs\n  poly lint --format json . > findings.json",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.check(cmd.Context(), engine.Lint, &f, args)
		},
	}
	f.add(cmd.Flags())
	cmd.Flags().BoolVar(&f.noWorkspace, "no-workspace", false, "leave out the whole-project checks")
	cmd.Flags().BoolVar(&f.workspace, "workspace", false, "run the whole-project checks also if paths are named")
	cmd.Flags().BoolVar(&f.noCommands, "no-commands", false, "run what is built in only, no command of the configuration")
	return cmd
}

func (a *app) fmtCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "fmt [PATH]...",
		Short: "Check the layout of files, and mend it with --fix",
		Long: "Format files and directories; without a path, the current directory. Without --fix nothing is written.\n" +
			"Exit code 0: formatted, or everything was written. 1: something would change. 2: some file was not verified, or wrong use.",
		Example: "  poly fmt --check .\n  poly fmt --fix .\n  poly fmt --diff src | git apply",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.check(cmd.Context(), engine.Format, &f, args)
		},
	}
	f.add(cmd.Flags())
	cmd.Flags().BoolVar(&f.check, "check", false, "only report what would change (the default)")
	return cmd
}

func (f *runFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.format, "format", report.Pretty, "output format: pretty, json or toon")
	fs.StringVar(&f.configFile, "config", "", "use this `FILE` instead of the poly.toml files of the tree")
	fs.StringArrayVar(&f.exclude, "exclude", nil, "leave out what this gitignore-style `GLOB` matches (repeatable)")
	fs.StringVar(&f.stdinName, "stdin-filename", "", "judge standard input as the file `PATH`; with --fix, print the result")
	fs.IntVarP(&f.jobs, "jobs", "j", 0, "worker goroutines; 0: one a core")
	fs.IntVar(&f.maxSkips, "max-skips", -1, "exit 2 if more than `N` files are skipped")
	fs.BoolVar(&f.denySkips, "deny-skips", false, "exit 2 if any file is skipped")
	fs.BoolVar(&f.fix, "fix", false, "write what can be mended")
	fs.BoolVar(&f.diff, "diff", false, "show what --fix would change as a patch")
	fs.BoolVar(&f.fixGenerated, "fix-generated", false, "let --fix write generated files too")
	fs.BoolVar(&f.forceExclude, "force-exclude", false, "apply excludes to named paths too (always so)")
	fs.BoolVar(&f.includeExcluded, "include-excluded", false, "check named paths even if they are excluded")
	fs.BoolVar(&f.noCache, "no-cache", false, "neither read nor write the cache")
	fs.BoolVar(&f.noColor, "no-color", false, "plain text")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "findings and failures only")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "descriptions, links, and each skipped file")
	fs.BoolVar(&f.debug, "debug", false, "what each engine did, and a log on standard error")
}

// validate refuses combinations of flags that contradict each other.
func (f *runFlags) validate(args []string) error {
	for _, c := range []struct {
		wrong     bool
		msg, hint string
	}{
		{f.denySkips && f.maxSkips >= 0, "--deny-skips and --max-skips exclude each other", "--deny-skips is --max-skips 0"},
		{f.maxSkips < -1, "--max-skips must not be negative", ""},
		{f.jobs < 0, "--jobs must not be negative", ""},
		{f.forceExclude && f.includeExcluded, "--force-exclude and --include-excluded exclude each other", ""},
		{f.quiet && f.verbose, "--quiet and --verbose exclude each other", ""},
		{f.stdinName != "" && len(args) > 0, "--stdin-filename judges standard input: name no paths", ""},
		{f.check && f.fix, "--check and --fix exclude each other", "--check is the default"},
		{slices.Contains(args, ""), "a path is empty", "poly takes an unset variable for a mistake; without a path it judges the current directory"},
		{f.workspace && f.noWorkspace, "--workspace and --no-workspace exclude each other", ""},
		{f.diff && f.fix, "--diff and --fix exclude each other", "--diff shows what --fix would change"},
	} {
		if c.wrong {
			return wrongUse(c.msg, c.hint)
		}
	}
	if f.denySkips {
		f.maxSkips = 0
	}
	return nil
}

// check is poly lint and poly fmt.
func (a *app) check(ctx context.Context, verb engine.Verb, f *runFlags, args []string) error {
	out, err := report.Find(f.format)
	if err != nil {
		return err
	}
	if err := f.validate(args); err != nil {
		return err
	}
	if f.debug {
		a.debug()
	}
	t := target{paths: args, configFile: f.configFile, noCache: f.noCache, stdinName: f.stdinName, jobs: f.jobs, write: f.fix && f.stdinName == ""}
	if f.stdinName != "" {
		if t.stdin, err = a.readStdin(ctx); err != nil {
			return err
		}
	}
	started := a.now()
	s, err := a.open(ctx, t)
	if err != nil {
		return err
	}
	defer s.Close()
	w, err := s.writer(ctx, f)
	if err != nil {
		return err
	}
	ph, err := s.planPhase(ctx, verb, f, args)
	if err != nil {
		return err
	}
	defer ph.close()
	progress := report.NewProgress(a.stderr, map[engine.Verb]string{engine.Lint: "linting", engine.Format: "formatting"}[verb], a.now)
	f.covered = ph.covers()
	rep, err := s.examine(ctx, verb, f, w, s.host(progress), progress.Set)
	progress.Clear()
	if err != nil {
		return err
	}
	rep.Stats.Micros = a.now().Sub(started).Microseconds() // what was waited for: the look at the tree, too
	code := verdict(&rep, f.maxSkips)
	if err := s.print(&rep, out, f, w); err != nil {
		return err
	}
	if code, err = ph.finish(ctx, f, out, code); err != nil {
		return err
	}
	s.record(ctx, &rep, verb, started, code)
	if code != exitClean {
		return &exitError{code}
	}
	return nil
}

// examine runs the engines over what s was opened for. progress may be nil.
func (s *session) examine(ctx context.Context, verb engine.Verb, f *runFlags, w *writer, host *wasm.Host, progress func(done, total int)) (diag.Report, error) {
	run := runner.Runner{Engines: s.engines, Build: version.Identity(), Log: s.log, Wasm: host}
	if s.cached {
		run.Cache = s.cache
	}
	rep, err := run.Run(ctx, s.request(verb, f, w.fix(), progress))
	if err != nil {
		return rep, err
	}
	rep.Notes.Warnings = append(rep.Notes.Warnings, slices.Concat(s.warnings(f), host.Warnings())...)
	return rep, nil
}

// readStdin reads standard input to its end, unless the user interrupts it: a
// terminal may never end. The goroutine is left behind then, as is the process.
func (a *app) readStdin(ctx context.Context) ([]byte, error) {
	type input struct {
		text []byte
		err  error
	}
	in := make(chan input, 1)
	go func() {
		text, err := io.ReadAll(a.stdin)
		in <- input{text, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case i := <-in:
		return i.text, i.err
	}
}

func (s *session) request(verb engine.Verb, f *runFlags, fix runner.Writer, progress func(done, total int)) runner.Request {
	return runner.Request{
		Verb: verb, Tree: s.tree, Config: s.config, Paths: s.paths, Exclude: f.exclude, ExcludeBase: s.prefix,
		IncludeExcluded: f.includeExcluded, Exists: s.exists, Declined: s.declined, Fix: fix, FixGenerated: f.fixGenerated, Diff: f.diff, Debug: f.debug,
		Jobs: f.jobs, Scope: s.scope(f), Progress: progress, Covered: f.covered,
	}
}

// scope names the worktree for the memo; stdin has none.
func (s *session) scope(f *runFlags) string {
	if f.stdinName != "" {
		return ""
	}
	return s.root
}

func (s *session) exists(p string) bool {
	_, err := os.Lstat(filepath.Join(s.root, filepath.FromSlash(p)))
	return err == nil
}

// fromHere names the files as seen from a working directory that is not below
// the root.
func (s *session) fromHere(rep *diag.Report) {
	if s.below == "" {
		return
	}
	for i := range rep.Files {
		rep.Files[i].Path = s.below + rep.Files[i].Path
	}
}

// print writes the document to stdout, and what is only for people to stderr.
func (s *session) print(rep *diag.Report, out report.Format, f *runFlags, w *writer) error {
	s.fromHere(rep)
	o := report.Options{Prefix: s.prefix, Quiet: f.quiet, Verbose: f.verbose, Debug: f.debug, Diff: f.diff}
	errOptions := o
	errOptions.Color = s.color(s.stderr, f.noColor)
	if out.Name == report.Pretty {
		o.Color, o.Width = s.color(s.stdout, f.noColor), width(s.stdout)
	}
	if w.stdin != nil {
		if _, err := s.stdout.Write(w.stdin.text); err != nil {
			return err
		}
		_, _ = s.stderr.Write(report.AppendNotes(nil, rep, errOptions))
		return nil
	}
	doc, err := out.Report(nil, rep, o)
	if err != nil {
		return err
	}
	if _, err := s.stdout.Write(line(doc)); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	if out.Structured() || f.diff {
		_, _ = s.stderr.Write(report.AppendNotes(nil, rep, errOptions))
	}
	if f.maxSkips >= 0 {
		_, _ = s.stderr.Write(report.AppendOverBudget(nil, rep, f.maxSkips, errOptions))
	}
	return nil
}
