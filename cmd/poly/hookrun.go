package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"poly/hooks"
	"poly/internal/diag"
	"poly/internal/proc"
	"poly/internal/report"
	"poly/internal/usererr"
	"poly/internal/version"
	"poly/runner"
)

// hookFlags are those of poly hooks run.
type hookFlags struct {
	format     string
	allFiles   bool
	files      []string
	filesFrom  string
	from, to   string
	lastCommit bool
	jobs       []string
	noColor    bool
	noCommands bool
	plan, why  bool
}

func (a *app) hooksRun() *cobra.Command {
	var f hookFlags
	cmd := &cobra.Command{
		Use:   "run [STAGE] [-- ARG...]",
		Short: "Run a stage, as the hook would",
		Long: "Run a stage; without one, pre-commit. The commit stages judge what is staged.\n" +
			"Exit code 0: all passed. 1: a check said no. 2: one gave no verdict, or wrong use.",
		Example: "  poly hooks run pre-commit\n  poly hooks run --all-files --job lint",
		RunE: func(cmd *cobra.Command, args []string) error {
			name := "pre-commit"
			if len(args) > 0 {
				name, args = args[0], args[1:]
			}
			stage, ok := hooks.Find(name)
			if !ok {
				return wrongUse(fmt.Sprintf("%q is no stage", name), "the stages are "+hooks.Names())
			}
			return a.runStage(cmd.Context(), stage, args, &f)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.format, "format", report.Pretty, "output format: pretty, json or jsonl")
	fs.BoolVarP(&f.allFiles, "all-files", "a", false, "judge every tracked file, as it is in the worktree")
	fs.StringArrayVar(&f.files, "files", nil, "judge this `FILE` of the worktree (repeatable)")
	fs.StringVar(&f.filesFrom, "files0-from", "", "judge the files that `FILE` names, each with a NUL behind it; - is standard input")
	fs.StringVar(&f.from, "from-ref", "", "judge what differs between this `COMMIT` and --to-ref")
	fs.StringVar(&f.to, "to-ref", "", "the other `COMMIT`; without it, HEAD")
	fs.BoolVar(&f.lastCommit, "last-commit", false, "judge what the last commit changed")
	fs.StringArrayVar(&f.jobs, "job", nil, "run this `JOB` only (repeatable)")
	fs.BoolVar(&f.noColor, "no-color", false, "plain text")
	fs.BoolVar(&f.plan, "plan", false, "show what would run, and run nothing")
	fs.BoolVar(&f.why, "why", false, "as --plan, with the files of each job and why")
	fs.BoolVar(&f.noCommands, "no-commands", false, "run what is built in only, no command of the configuration")
	return cmd
}

// hookImpl is what installed hooks call.
func (a *app) hookImpl() *cobra.Command {
	var f hookFlags
	var name string
	cmd := &cobra.Command{
		Use:    "hook-impl",
		Hidden: true,
		Short:  "Run as a git hook",
		RunE: func(cmd *cobra.Command, args []string) error {
			stage, ok := hooks.Find(name)
			if !ok || stage.Name == hooks.Manual {
				return wrongUse(fmt.Sprintf("%q is no stage with a hook", name), "run poly hooks install")
			}
			if len(args) < stage.MinArgs || len(args) > stage.MaxArgs {
				return wrongUse(fmt.Sprintf("the %s hook was called with %d arguments", stage.Name, len(args)), "git calls it with other ones")
			}
			f.format = report.Pretty
			return a.runStage(cmd.Context(), stage, args, &f)
		},
	}
	cmd.Flags().StringVar(&name, "hook-type", "", "the `STAGE`")
	return cmd
}

func (f *hookFlags) validate() error {
	ways := 0
	for _, on := range []bool{f.allFiles, len(f.files) > 0 || f.filesFrom != "", f.from != "" || f.to != "", f.lastCommit} {
		if on {
			ways++
		}
	}
	switch {
	case ways > 1:
		return wrongUse("--all-files, --files, --from-ref and --last-commit exclude each other", "")
	case f.to != "" && f.from == "":
		return wrongUse("--to-ref needs --from-ref", "")
	case !slices.Contains([]string{report.Pretty, "json", "jsonl"}, f.format):
		return wrongUse(fmt.Sprintf("unknown format %q", f.format), "the formats are pretty, json and jsonl")
	}
	return nil
}

// runStage runs a stage and prints what became of it.
func (a *app) runStage(ctx context.Context, stage hooks.Stage, args []string, f *hookFlags) error {
	if a.getenv("POLY_HOOKS") == "0" {
		a.log.Debug("hooks are switched off")
		return nil
	}
	if err := f.validate(); err != nil {
		return err
	}
	req, err := a.hookRequest(ctx, stage, args, f)
	if err != nil {
		return err
	}
	s, err := a.locateHooks(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	if req.Files, err = s.fileList(ctx, f); err != nil {
		return err
	}
	// A terminal that goes away, and Ctrl-\, end a hook as Ctrl-C does.
	ctx, stop := signal.NotifyContext(ctx, ends()...)
	defer stop()
	owner := proc.New()
	defer func() { _ = owner.Close() }()
	defer hurry(owner)()
	live := newLive(a, stage.Name)
	w := &hooks.World{
		Repo: s.repo, Root: s.root, Dirs: s.dirs, Homeless: s.homeless, Env: a.env, Now: a.now, Log: a.log, Owner: owner,
		Terminal: a.terminal(), Build: version.Identity(), Open: s.openSource, Message: a.judgeMessage, Event: live.event,
	}
	if f.format == "jsonl" {
		w.Done = func(r hooks.Result) { _ = a.jsonLine(r.Object()) }
	}
	run, err := hooks.Do(ctx, w, *req)
	live.clear()
	if err != nil {
		if errors.Is(err, context.Canceled) && ctx.Err() != nil {
			fmt.Fprintln(a.stderr, "poly: interrupted")
			return &exitError{exitInterrupted}
		}
		return err
	}
	if err := a.printRun(run, f); err != nil {
		return err
	}
	if code := run.Code(); code != exitClean {
		return &exitError{code}
	}
	return nil
}

func (a *app) hookRequest(ctx context.Context, stage hooks.Stage, args []string, f *hookFlags) (*hooks.Request, error) {
	req := &hooks.Request{Stage: stage, Args: args, AllFiles: f.allFiles, Jobs: f.jobs, From: f.from, To: f.to, LastCommit: f.lastCommit, Skip: a.skipped(), Plan: f.plan || f.why}
	req.NoRun = a.noCommands(f.noCommands)
	if f.from != "" && f.to == "" {
		req.To = "HEAD"
	}
	named := f.allFiles || len(f.files) > 0 || f.filesFrom != ""
	switch {
	case f.lastCommit:
		req.Source.Commit = "HEAD"
	case req.To != "":
		req.Source.Commit = req.To
	case stage.Kind == hooks.Files && !named:
		req.AllFiles = true
	case stage.Kind == hooks.Index && !named:
		req.Source.Staged = true
	}
	if !stage.Stdin || f.filesFrom == "-" || typed(a.stdin) {
		return req, nil
	}
	var err error
	req.Stdin, err = a.readStdin(ctx)
	return req, err
}

// noCommands is why no command of the configuration may run, "" if they may.
func (a *app) noCommands(flag bool) string {
	switch {
	case flag:
		return "--no-commands"
	case a.getenv("POLY_NO_COMMANDS") == "1":
		return "POLY_NO_COMMANDS=1"
	}
	return ""
}

// skipped returns the names and tags that SKIP and POLY_SKIP list.
func (a *app) skipped() []string {
	var out []string
	for s := range strings.SplitSeq(a.getenv("SKIP")+","+a.getenv("POLY_SKIP"), ",") {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// typed reports whether standard input is a terminal: somebody runs the stage by
// hand, and git writes nothing.
func typed(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && isTerminal(f)
}

// locateHooks finds the repository and the places of poly's files; no tree is
// opened yet.
func (a *app) locateHooks(ctx context.Context) (*session, error) {
	s := &session{app: a}
	if err := s.locate(ctx, target{}); err != nil {
		s.Close()
		return nil, err
	}
	if s.repo == nil {
		return nil, noRepository()
	}
	return s, nil
}

// openSource opens a tree in the repository of s, which stays the owner of it
// and of the places.
func (s *session) openSource(ctx context.Context, src hooks.Source) (*hooks.Judged, error) {
	t := target{staged: src.Staged, commit: src.Commit}
	j := &session{app: s.app, root: s.root, repo: s.repo, dirs: s.dirs, homeless: s.homeless, paths: []string{"."}}
	closeAll := func() {
		if j.tree != nil {
			_ = j.tree.Close()
		}
		if j.cache != nil {
			_ = j.cache.Close()
		}
	}
	if err := j.load(ctx, t); err != nil {
		closeAll()
		return nil, err
	}
	host := j.host(nil)
	run := &runner.Runner{Engines: s.engines, Build: version.Identity(), Log: s.log, Wasm: host}
	if j.cached {
		run.Cache = j.cache
	}
	return &hooks.Judged{
		Tree: j.tree, Config: j.config, Cache: j.cache, Close: closeAll,
		Run: func(ctx context.Context, req runner.Request) (diag.Report, error) { return run.Run(ctx, req) },
	}, nil
}

// fileList returns the files that were named, relative to the root; nil if
// none were.
func (s *session) fileList(ctx context.Context, f *hookFlags) ([]string, error) {
	names := f.files
	if f.filesFrom != "" {
		text, err := s.readList(ctx, f.filesFrom)
		if err != nil {
			return nil, err
		}
		for n := range bytes.SplitSeq(text, []byte{0}) {
			if len(n) > 0 {
				names = append(names, string(n))
			}
		}
		if names == nil {
			return []string{}, nil
		}
	}
	if names == nil {
		return nil, nil
	}
	if err := s.lookAt(names); err != nil {
		return nil, err
	}
	out := make([]string, 0, len(names))
	for _, n := range names {
		rel, ok := relative(s.root, unlinked(s.abs(n)))
		if !ok {
			return nil, usererr.New("outside-path", "outside "+s.root+": "+n, "run poly once for each repository")
		}
		out = append(out, rel)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func (s *session) readList(ctx context.Context, name string) ([]byte, error) {
	if name == "-" {
		return s.readStdin(ctx)
	}
	f, err := os.Open(s.abs(name))
	if err != nil {
		return nil, wrongUse("--files0-from: "+err.Error(), "")
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(f)
}

func (a *app) printRun(run *hooks.Run, f *hookFlags) error {
	switch f.format {
	case "json":
		out, err := report.Find("json")
		if err != nil {
			return err
		}
		return a.object(out, run.Object())
	case "jsonl":
		o := slices.DeleteFunc(run.Object(), func(m report.Member) bool { return m.Key == "jobs" })
		return a.jsonLine(o)
	}
	text, err := run.Pretty(nil, report.Options{Color: a.color(a.stdout, f.noColor), Width: width(a.stdout), Verbose: f.why})
	if err != nil {
		return err
	}
	if _, err := a.stdout.Write(text); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

func (a *app) jsonLine(o report.Object) error {
	doc, err := report.AppendObject(nil, o)
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(append(doc, '\n'))
	return err
}
