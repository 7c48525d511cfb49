package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"poly/internal/engine"
	"poly/internal/gitstate"
	"poly/internal/lang"
	"poly/internal/proc"
	"poly/internal/report"
	"poly/internal/version"
	"poly/runner/job"
	"poly/runner/project"
)

// phase is the whole-project phase of one run. The zero value has none.
type phase struct {
	s    *session
	plan *project.Phase
	tree gitstate.Tree // the whole worktree; closed by close, if it is not the session's
	// off says why the tools are not run although they are shown.
	off  string
	note string // why there is no phase, if people should know
}

// planPhase decides whether the run has a whole-project phase, and with which
// tools. It looks at nothing if no hooks are configured.
func (s *session) planPhase(ctx context.Context, verb engine.Verb, f *runFlags, args []string) (*phase, error) {
	p := &phase{s: s}
	switch {
	case verb != engine.Lint, f.noWorkspace, f.stdinName != "", s.config.Root().Section("hooks") == nil:
		return p, nil
	case !s.wholeAsked(args) && !f.workspace:
		if s.config.Root().Workspace && project.Configured(s.config, s.has) {
			p.note = "the whole-project checks were left out, since paths were named; --workspace runs them"
		}
		return p, nil
	case !s.config.Root().Workspace && !f.workspace:
		return p, nil
	}
	if f.workspace && !s.wholeAsked(args) {
		p.note = "the whole-project checks cover the whole repository, whatever was named or excluded"
	}
	return p, p.open(ctx, s.app.noCommands(f.noCommands))
}

// open plans the phase over the whole tree.
func (p *phase) open(ctx context.Context, off string) (err error) {
	s := p.s
	p.off = off
	if !s.config.Root().Workspace {
		p.off = "[lint] workspace = false switches the whole-project phase off"
	}
	p.tree = s.tree
	if len(s.paths) != 1 || s.paths[0] != "." {
		if p.tree, err = s.wholeTree(ctx); err != nil {
			return err
		}
	}
	p.plan, err = project.Plan(s.config, p.tree)
	return err
}

func (p *phase) close() {
	if p.tree != nil && p.tree != p.s.tree {
		_ = p.tree.Close()
	}
}

// wholeTree opens the worktree anew, all of it.
func (s *session) wholeTree(ctx context.Context) (gitstate.Tree, error) {
	o := gitstate.WorktreeOptions{Jobs: scanJobs(0)}
	if s.cached {
		o.Memory = s.cache
	}
	if s.repo == nil {
		return gitstate.Plain(ctx, s.root, o)
	}
	return gitstate.Worktree(ctx, s.repo, o)
}

// wholeAsked reports whether a run is about everything: no path was named, or
// the working directory, or the root.
func (s *session) wholeAsked(args []string) bool {
	if len(args) == 0 {
		return true
	}
	cwd, err := filepath.EvalSymlinks(s.cwd)
	if err != nil {
		cwd = s.cwd
	}
	for _, arg := range args {
		if p, err := filepath.EvalSymlinks(s.abs(arg)); err == nil && (p == cwd || p == s.root) {
			return true
		}
	}
	return false
}

// has reports whether the root has a file of that name.
func (s *session) has(name string) bool {
	fi, err := os.Lstat(filepath.Join(s.root, name))
	return err == nil && fi.Mode().IsRegular()
}

// covers are the languages whose files are judged by the phase.
func (p *phase) covers() []lang.ID {
	if p.off != "" {
		return nil
	}
	return p.plan.Covers(p.s.env, p.s.root)
}

// run runs the phase, nil if there is none.
func (p *phase) run(ctx context.Context, fix, noCache bool, jobs int, event func(job.Event)) (*project.Report, error) {
	if p.plan.Len() == 0 {
		return nil, nil
	}
	s := p.s
	children := proc.New()
	defer func() { _ = children.Close() }()
	q := project.Request{
		Start: children.Run, Root: s.root, Env: s.env, Tree: p.tree, Fix: fix, Jobs: jobs, NoCommands: p.off, Build: version.Identity(),
		Reopen: s.wholeTree, Event: event,
	}
	if s.cached && !noCache {
		q.Cache = s.cache
	}
	if s.repo != nil {
		now := s.repo.Doing(ctx)
		q.Facts = job.Facts{Branch: now.Branch, Merge: now.Merge, Rebase: now.Rebase}
	}
	rep := p.plan.Run(ctx, q)
	for _, w := range rep.Warnings {
		fmt.Fprintf(s.stderr, "poly: warning: %s\n", w)
	}
	return rep, ctx.Err()
}

// finish runs the phase of a command, prints it and returns the exit code of
// the whole run. The report is for people in every format.
func (p *phase) finish(ctx context.Context, f *runFlags, out report.Format, code int) (int, error) {
	s := p.s
	if p.note != "" && (out.Name == report.Pretty || f.workspace) && !f.quiet {
		fmt.Fprintf(s.stderr, "poly: note: %s\n", p.note)
	}
	status := newStatus(s.stderr)
	rep, err := p.run(ctx, f.fix, f.noCache, f.jobs, status.event)
	status.clear()
	if rep == nil || err != nil {
		return code, err
	}
	to := s.stderr
	if out.Name == report.Pretty {
		to = s.stdout
	}
	if _, err := to.Write(rep.Append(nil, f.quiet, s.color(to, f.noColor))); err != nil {
		return code, fmt.Errorf("write the report: %w", err)
	}
	return max(code, rep.Exit()), nil
}

// status shows on one line of a terminal which tools run.
type status struct {
	w       io.Writer // nil: nobody sees it
	running []string
	last    string
	shown   bool
}

func newStatus(w io.Writer) *status {
	if !isTerminal(w) {
		w = nil
	}
	return &status{w: w}
}

// event is called by one goroutine at a time.
func (t *status) event(e job.Event) {
	if t.w == nil {
		return
	}
	switch e.Kind {
	case job.Began:
		t.running = append(t.running, e.Job.ID)
	case job.Ended:
		t.running = slices.DeleteFunc(t.running, func(id string) bool { return id == e.Job.ID })
	case job.Said, job.Waits:
		t.last = project.Plain(e.Text)
	}
	line := strings.Join(t.running, ", ")
	if t.last != "" {
		line += ": " + t.last
	}
	if cols := width(t.w); cols > 0 {
		r := []rune(line)
		line = string(r[:min(len(r), cols-1)])
	}
	t.shown = true
	_, _ = io.WriteString(t.w, "\r\x1b[K"+line)
}

func (t *status) clear() {
	if t.shown {
		t.shown = false
		_, _ = io.WriteString(t.w, "\r\x1b[K")
	}
}

// wholeRequest is a call of the whole-project phase alone.
type wholeRequest struct {
	config     string
	fix        bool
	noCache    bool
	noCommands bool
	jobs       int
	event      func(job.Event) // nil: nobody is told
}

// wholeProject runs the whole-project phase alone, as the workspace tools of
// poly mcp do. Without a tool the report is empty.
func (a *app) wholeProject(ctx context.Context, q wholeRequest) (*project.Report, error) {
	s, err := a.open(ctx, target{configFile: q.config, noCache: q.noCache})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	p := &phase{s: s}
	if err := p.open(ctx, a.noCommands(q.noCommands)); err != nil {
		return nil, err
	}
	defer p.close()
	rep, err := p.run(ctx, q.fix, q.noCache, q.jobs, q.event)
	if rep == nil && err == nil {
		rep = &project.Report{Fix: q.fix}
	}
	return rep, err
}
