package hooks

import (
	"context"
	"fmt"
	"slices"
	"time"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/gitstate"
	"poly/internal/usererr"
	"poly/runner"
	"poly/store"
)

// World is what a run needs of the outside. cmd/poly fills it.
type World struct {
	Repo *gitstate.Repo
	Root string // of the worktree
	Dirs store.Dirs
	// Homeless is why there is no place for poly's files, nil if there is one.
	Homeless error
	Env      []string
	Now      func() time.Time
	// Open opens a tree with its configuration.
	Open func(ctx context.Context, s Source) (*Judged, error)
	// Done is told each result as it comes; nil: nobody is.
	Done func(Result)
}

// Source names the tree that is judged; the zero value is the worktree.
type Source struct {
	Staged bool
	Commit string
}

// String tells people which tree was judged.
func (s Source) String() string {
	switch {
	case s.Staged:
		return "staged content"
	case s.Commit != "":
		return "commit " + s.Commit[:min(len(s.Commit), 12)]
	}
	return "the worktree"
}

// Judged is a tree, opened with the configuration in it.
type Judged struct {
	Tree   gitstate.Tree
	Config *config.Set
	// Run runs engines; the request's configuration is Config.
	Run   func(ctx context.Context, req runner.Request) (diag.Report, error)
	Close func()
}

// Request says what to run.
type Request struct {
	Stage  Stage
	Args   []string // what git handed over
	Stdin  []byte   // for stages that read it
	Source Source
	// Files limits the run to these paths, slash-separated from the root; nil
	// with AllFiles false: what the stage is about.
	Files    []string
	AllFiles bool
	From, To string // only what differs between two commits
	Jobs     []string
	Skip     []string // names and tags, from SKIP and POLY_SKIP
	NoRun    string   // why no command may run, "" if they may
}

// Outcome is what became of one job.
type Outcome string

// The outcomes. Errored, TimedOut and Killed gave no verdict.
const (
	Passed   Outcome = "passed"
	Failed   Outcome = "failed"
	Skipped  Outcome = "skipped"
	Errored  Outcome = "errored"
	TimedOut Outcome = "timed_out"
	Killed   Outcome = "killed"
)

// Result is the outcome of one builtin or job.
type Result struct {
	Name     string
	Outcome  Outcome
	Reason   string // why it was skipped, failed or gave no verdict
	Exit     int
	Duration time.Duration
	Files    int
	Cached   bool
	Fixed    []string // paths it changed, as staged
	Output   []byte
	Report   *diag.Report // of a builtin; nil: Output is all there is
}

// Run is the outcome of a stage.
type Run struct {
	Stage    string
	Judged   string
	Files    int
	Results  []Result
	Notes    []string // what people should know: fixes that were left out, links
	Skipped  string   // why the whole stage did not run
	Fixed    []string // paths whose staged content was replaced
	Duration time.Duration
}

// Code is 0 if everything passed, 1 if something said no, 2 if something gave
// no verdict.
func (r *Run) Code() int {
	code := 0
	for i := range r.Results {
		switch r.Results[i].Outcome {
		case Errored, TimedOut, Killed:
			return 2
		case Failed:
			code = 1
		}
	}
	return code
}

// stageRun is one call of Do.
type stageRun struct {
	w      *World
	req    *Request
	out    *Run
	judged *Judged
	hooks  map[string]any // the section
	staged []gitstate.Difference
	paths  []string // the files of the run
	fixes  *fixes
}

// Do runs a stage. Findings and failures are results; the error is about the
// run itself.
func Do(ctx context.Context, w *World, req Request) (*Run, error) {
	start := w.Now()
	r := &stageRun{w: w, req: &req, out: &Run{Stage: req.Stage.Name, Judged: req.Source.String()}}
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	defer r.judged.Close()
	if err := r.candidates(ctx); err != nil {
		return nil, err
	}
	r.out.Files = len(r.paths)
	if err := r.run(ctx); err != nil {
		return nil, err
	}
	r.out.Duration = w.Now().Sub(start)
	return r.out, ctx.Err()
}

func (r *stageRun) open(ctx context.Context) (err error) {
	if r.judged, err = r.w.Open(ctx, r.req.Source); err != nil {
		return err
	}
	r.hooks = r.judged.Config.Root().Section("hooks")
	r.fixes = newFixes(r.judged.Tree)
	return nil
}

// run executes builtins, then jobs, and writes what fixes made if all passed.
func (r *stageRun) run(ctx context.Context) error {
	for _, b := range builtins {
		if !r.runsHere(b.name) || !r.chosen(b.name) {
			continue
		}
		start := r.w.Now()
		res, err := b.run(ctx, r, r.builtin(b.name))
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			res = Result{Outcome: Errored, Reason: err.Error()}
		}
		res.Name, res.Duration = b.name, r.w.Now().Sub(start)
		r.add(res)
	}
	if r.out.Code() != 0 {
		return nil
	}
	return r.applyFixes(ctx)
}

func (r *stageRun) add(res Result) {
	r.out.Results = append(r.out.Results, res)
	if r.w.Done != nil {
		r.w.Done(res)
	}
}

// chosen reports whether a job was asked for; one that SKIP names is reported.
func (r *stageRun) chosen(name string) bool {
	if len(r.req.Jobs) > 0 && !slices.Contains(r.req.Jobs, name) {
		return false
	}
	if slices.Contains(r.req.Skip, name) {
		r.add(Result{Name: name, Outcome: Skipped, Reason: "SKIP names it"})
		return false
	}
	return true
}

// candidates finds the files the run is about.
func (r *stageRun) candidates(ctx context.Context) (err error) {
	switch {
	case r.req.Stage.Kind == Message || r.req.Stage.Kind == Events:
		return nil
	case r.req.Files != nil:
		for _, p := range r.req.Files {
			if f, ok := r.judged.Tree.Lookup(p); ok && f.Mode.Regular() {
				r.paths = append(r.paths, p)
			}
		}
		return nil
	case r.req.AllFiles:
		for f := range r.judged.Tree.Files() {
			if f.Mode.Regular() && !f.Untracked && !f.Conflict {
				r.paths = append(r.paths, f.Path)
			}
		}
		return nil
	case r.req.To != "":
		return r.between(ctx)
	case r.req.Source.Staged:
		r.staged, err = gitstate.StagedChanges(ctx, r.w.Repo, r.judged.Tree)
		if err != nil {
			return err
		}
		return r.take(r.staged)
	}
	return nil
}

// between takes what differs between two commits, as a pull request shows it.
func (r *stageRun) between(ctx context.Context) error {
	from := r.req.From
	if from != "" {
		base, err := gitstate.MergeBase(ctx, r.w.Repo, from, r.req.To)
		if err != nil {
			return err
		}
		if base != "" {
			from = base
		}
	}
	changes, err := gitstate.TreeChanges(ctx, r.w.Repo, from, r.req.To)
	if err != nil {
		return err
	}
	return r.take(changes)
}

// take keeps the regular files of changes that are in the tree.
func (r *stageRun) take(changes []gitstate.Difference) error {
	for _, d := range changes {
		if d.Unmerged {
			return usererr.New("unmerged", d.Path+" has merge conflicts", "resolve them and git add the file")
		}
		if f, ok := r.judged.Tree.Lookup(d.Path); ok && f.Mode.Regular() {
			r.paths = append(r.paths, d.Path)
		}
	}
	return nil
}

// builtin returns the table of a builtin, empty for a plain "true".
func (r *stageRun) builtin(name string) map[string]any {
	all, _ := r.hooks["builtin"].(map[string]any)
	t, _ := all[name].(map[string]any)
	return t
}

// runsHere reports whether a builtin is on for the stage. The stage "manual"
// runs what names it.
func (r *stageRun) runsHere(name string) bool {
	f, ok := r.judged.Tree.Lookup("Cargo.toml")
	stages := builtinStages(r.hooks, name, ok && f.Mode.Regular())
	return slices.Contains(stages, r.req.Stage.Name) || slices.Contains(stages, "always")
}

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
