package hooks

import (
	"context"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/gitstate"
	"poly/internal/gitstate/index"
	"poly/internal/proc"
	"poly/runner"
	"poly/runner/job"
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
	Log      *slog.Logger
	Owner    *proc.Owner // starts the children of jobs
	Terminal *os.File    // for interactive jobs; nil: there is none
	Build    string      // build identity, part of every key
	// Open opens a tree with its configuration.
	Open func(ctx context.Context, s Source) (*Judged, error)
	// Message judges the file of a commit message, as poly commit does.
	Message func(ctx context.Context, file string) (code int, output []byte, err error)
	// Event is told what jobs do, one call at a time; nil: nobody is.
	Event func(job.Event)
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
	Cache  *store.Cache // never nil
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
	// LastCommit: only what the last commit changed.
	LastCommit bool
	Plan       bool     // tell what would run, and run nothing
	Jobs       []string // names; none: all
	Skip       []string // names and tags, from SKIP and POLY_SKIP
	NoRun      string   // why no command may run, "" if they may
}

// stageRun is one call of Do.
type stageRun struct {
	w       *World
	req     *Request
	out     *Run
	judged  *Judged
	config  *job.Config
	index   index.FileInfo        // of the index before it was read
	ahead   *gitstate.Ahead       // how the index differs from HEAD; nil: nobody asks
	changes []gitstate.Difference // how the tree differs from what was there before
	paths   []string              // the files of the run: regular, in path order
	gone    []string              // those that are deleted
	fixes   *fixes
	place   place
	pushes  []push // of pre-push: the first is what judged is

	mu sync.Mutex
	// reports are those of builtins, by name.
	reports map[string]*diag.Report
}

// Do runs a stage. Findings and failures are results; the error is about the
// run itself.
func Do(ctx context.Context, w *World, req Request) (*Run, error) {
	if req.Stage.Kind == Message && len(req.Args) > 0 && !filepath.IsAbs(req.Args[0]) {
		req.Args = slices.Clone(req.Args) // jobs may run elsewhere
		req.Args[0] = filepath.Join(w.Root, req.Args[0])
	}
	r := &stageRun{w: w, req: &req, reports: map[string]*diag.Report{}}
	start := w.Now()
	defer r.close()
	done, err := r.open(ctx)
	if err != nil || done {
		return r.out, err
	}
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

// open opens the tree. done tells that there is nothing to run.
func (r *stageRun) open(ctx context.Context) (done bool, err error) {
	r.out = &Run{Stage: r.req.Stage.Name}
	if r.req.Stage.Kind == Push && r.req.usual() {
		if r.pushes, err = r.pushed(ctx); err != nil {
			return false, err
		}
		if len(r.pushes) == 0 {
			r.out.Skipped = "nothing new is pushed"
			return true, nil
		}
		r.req.Source.Commit = r.pushes[0].commit
	}
	r.out.Judged = r.req.Source.String()
	if r.req.Source.Staged {
		r.index, _ = index.StatFile(r.w.Repo.IndexPath)
		r.ahead = gitstate.StagedChanges(ctx, r.w.Repo)
	}
	if r.judged, err = r.w.Open(ctx, r.req.Source); err != nil {
		return false, err
	}
	root := r.judged.Config.Root()
	if r.config, err = job.Decode(root.Section("hooks"), func(keys ...string) string { return root.Origin(keys...).String() }); err != nil {
		return false, err
	}
	if r.fixes, err = newFixes(r.w.Repo, r.judged.Tree, r.req.Source != (Source{})); err != nil {
		return false, err
	}
	if r.isolated() {
		r.place = &isolation{r: r, links: r.config.Link, linksSet: r.config.LinkSet}
	} else {
		r.place = &openPlace{r: r}
	}
	return false, nil
}

// usual reports whether the run is about what its stage is about.
func (q *Request) usual() bool { return q.Files == nil && !q.AllFiles && q.To == "" && !q.LastCommit }

// isolated reports whether jobs see the staged content only.
func (r *stageRun) isolated() bool { return r.req.Source.Staged && r.config.Isolate }

func (r *stageRun) close() {
	if r.ahead != nil {
		r.ahead.Wait()
	}
	if r.place != nil {
		r.place.close()
	}
	if r.judged != nil {
		r.judged.Close()
	}
}

// run executes builtins and jobs, and writes what fixes made if all passed.
func (r *stageRun) run(ctx context.Context) error {
	x, st := r.executor(ctx), r.stage()
	if len(st.Jobs) == 0 && len(st.Before)+len(st.After) == 0 {
		r.out.Skipped = "the poly.toml of what is judged has no hook for it"
		return nil
	}
	plans := x.Plan(ctx, st)
	if r.req.Plan {
		r.out.Planned = r.planned(plans)
		return nil
	}
	if err := r.place.plan(ctx, plans); err != nil {
		return err
	}
	x.GitEnv = r.gitEnv()
	rep := x.Run(ctx, st)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.out.Skipped = rep.Skipped
	for i := range rep.Steps {
		r.out.Results = append(r.out.Results, r.result(&rep.Steps[i]))
	}
	for i := range rep.Results {
		if !r.unasked(&rep.Results[i]) {
			r.out.Results = append(r.out.Results, r.result(&rep.Results[i]))
		}
	}
	r.out.Notes = append(r.out.Notes, r.place.notes()...)
	if r.out.Code() != 0 {
		return nil
	}
	if err := r.moved(ctx); err != nil || r.out.Code() != 0 {
		return err
	}
	return r.applyFixes(ctx)
}

// unasked reports whether a job is only missing because others were named.
func (r *stageRun) unasked(res *job.Result) bool {
	return len(r.req.Jobs) > 0 && !slices.Contains(r.req.Jobs, res.Job.ID)
}

// stage returns what runs: builtins first, then the jobs of the configuration.
func (r *stageRun) stage() *job.Stage {
	st := r.config.Stage(r.req.Stage.Name)
	var mine []job.Job
	for _, b := range builtins {
		if c := r.config.Builtins[b.name]; r.runsHere(b.name) {
			mine = append(mine, job.Job{
				ID: b.name, Files: c.Files, Exclude: c.Exclude, StageFixed: r.fixing(c),
				// It judges entries that are no files, too.
				Workspace: b.name == "file_safety",
				Do: func(ctx context.Context, files []job.File, _ func(string)) job.Result {
					res, err := b.run(ctx, r, c, paths(files))
					if err != nil {
						return job.Result{Outcome: job.Failed, NoVerdict: true, Reason: err.Error()}
					}
					return res
				},
			})
		}
	}
	mine = append(mine, r.groups()...)
	for i := range st.Jobs {
		if st.Jobs[i].GitEnv { // what git says of is the whole tree
			st.Jobs[i].Needs = append(slices.Clone(st.Jobs[i].Needs), "**")
		}
	}
	st.Jobs = append(mine, st.Jobs...)
	return st
}

// groups are the tools of cargo and go that run at the stage.
func (r *stageRun) groups() []job.Job {
	dirs := func(name string) (out []string) {
		for _, f := range gitstate.Named(r.judged.Tree, name) {
			if f.Mode.Regular() {
				out = append(out, path.Dir(strings.Clone(f.Path)))
			}
		}
		return out
	}
	var out []job.Job
	for _, g := range r.config.Groups(job.Manifests{Cargo: dirs(job.CargoManifest), Go: dirs(job.GoManifest)}) {
		if slices.Contains(g.Stages, r.req.Stage.Name) || slices.Contains(g.Stages, "always") {
			out = append(out, g.Job)
		}
	}
	return out
}

func (r *stageRun) executor(ctx context.Context) *job.Executor {
	limits, warnings := job.LimitsFrom(r.w.Env)
	r.out.Notes = append(r.out.Notes, warnings...)
	w := r.judged.Config.Root().Cache.SCCache
	x := &job.Executor{
		Sccache: job.SccacheOf(w.Enabled, w.Bin, w.Dir, w.MaxSize),
		Start:   r.w.Owner.Run, Root: r.w.Root, Env: r.childEnv(), Facts: r.facts(ctx), Files: r.files(),
		All: r.everything, Head: r.head, Args: r.req.Args, Stdin: r.req.Stdin, Terminal: r.w.Terminal,
		NoCommands: r.req.NoRun, Limits: limits, Only: r.req.Jobs, Skip: r.skip,
		Prepare: r.place.prepare, After: r.place.after, Event: r.event, Log: r.w.Log,
		Cache: &results{r.judged.Cache}, CacheMode: job.ParseCacheMode(r.judged.Config.Root().Cache.Hooks), Build: r.w.Build,
	}
	return x
}

// event passes on what jobs do, and the results of those that were asked for.
func (r *stageRun) event(e job.Event) {
	if r.w.Event != nil {
		r.w.Event(e)
	}
	if r.w.Done != nil && e.Kind == job.Ended && !r.unasked(e.Result) {
		r.w.Done(r.result(e.Result))
	}
}

// skip tells why a job is left out.
func (r *stageRun) skip(id string) string {
	if slices.Contains(r.req.Skip, id) {
		return "SKIP names it"
	}
	for _, j := range r.config.Stage(r.req.Stage.Name).Jobs {
		if j.ID != id {
			continue
		}
		for _, tag := range j.Tags {
			if slices.Contains(r.req.Skip, tag) {
				return "SKIP names its tag " + tag
			}
		}
	}
	return ""
}

// runsHere reports whether a builtin is on for the stage.
func (r *stageRun) runsHere(name string) bool {
	f, ok := r.judged.Tree.Lookup("Cargo.toml")
	stages := builtinStages(r.judged.Config.Root().Section("hooks"), name, ok && f.Mode.Regular())
	return slices.Contains(stages, r.req.Stage.Name) || slices.Contains(stages, "always")
}

// results keeps results of jobs in the cache of the repository.
type results struct{ cache *store.Cache }

func (c *results) Get(ctx context.Context, key [32]byte) ([]byte, bool) {
	found, err := c.cache.Lookup(ctx, []store.Cfg{{NS: store.Hook, Hash: key}}, []store.Key{{OID: string(key[:20])}})
	if err != nil || len(found.Values) != 1 {
		return nil, false
	}
	return found.Values[0].Data, true
}

func (c *results) Put(ctx context.Context, key [32]byte, value []byte) {
	_ = c.cache.Save(context.WithoutCancel(ctx), store.Batch{
		Cfgs: []store.Cfg{{NS: store.Hook, Hash: key}}, Rows: []store.Row{{OID: string(key[:20]), Value: value}},
	})
}

// place is where jobs run.
type place interface {
	// plan is told what is going to run.
	plan(ctx context.Context, jobs []job.Planned) error
	prepare(ctx context.Context, j *job.Job, files []job.File, whole bool) (root string, err error)
	after(ctx context.Context, res *job.Result) []job.File
	// root is where jobs run; "" if it is not known yet.
	root() string
	notes() []string
	close()
}
