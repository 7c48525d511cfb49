package job

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"poly/internal/proc"
)

// Facts are what guards ask about the repository.
type Facts struct {
	Branch  string // short name; "" if HEAD is detached
	Merge   bool
	Rebase  bool
	Unknown bool // none of it is known, so that a guard that asks fails
}

// EventKind is what an Event tells.
type EventKind uint8

// A job began, said a line, goes on without an end in sight, or ended.
const (
	Began EventKind = 1 + iota
	Said
	Waits
	Ended
)

// Event is one moment of a run.
type Event struct {
	Kind   EventKind
	Job    *Job
	Text   string  // the line; what is waited for
	Result *Result // of Ended
}

// Cache keeps results of jobs that passed. A value is a function of its key.
type Cache interface {
	Get(ctx context.Context, key [32]byte) (value []byte, ok bool)
	Put(ctx context.Context, key [32]byte, value []byte)
}

// Executor runs stages. Set its fields before first use. Start, Root and Env are
// required.
type Executor struct {
	Start func(context.Context, proc.Cmd) proc.Result // [proc.Owner.Run]
	Root  string                                      // absolute directory that the jobs run in
	Env   []string                                    // of children, the whole of it
	// GitEnv is added to Env for jobs with git_env.
	GitEnv []string
	Facts  Facts
	// Files are what the run is about: staged, pushed, or chosen.
	Files []File
	// All lists every file of the tree; nil: there are none but Files.
	All   func(context.Context) ([]File, error)
	Head  func(File) []byte // the first bytes of a file; nil: nobody can tell
	Args  []string          // that git gave to the hook
	Stdin []byte            // what use_stdin gets
	// Terminal is what interactive jobs get; nil: there is none.
	Terminal *os.File
	Jobs     int  // how many run at the same time; 0: GOMAXPROCS
	Fix      bool // run the fix forms
	// NoCommands says why no command may run; "": they may.
	NoCommands string
	Limits     Limits
	// Only limits the run to jobs of these names; none: all.
	Only []string
	// Skip tells why the job of a name is left out; "": it is not.
	Skip func(id string) string
	// Prepare returns the directory for a job in place of Root. whole tells that
	// it may look at every file, else it needs files and what it declares.
	Prepare func(ctx context.Context, j *Job, files []File, whole bool) (root string, err error)
	// After is called when a job has run and before what waits for it goes on.
	// It may change the result, and returns files as they are now.
	After func(ctx context.Context, r *Result) []File
	// Event is told what happens, one call at a time; nil: nobody is.
	Event func(Event)
	Log   *slog.Logger

	Cache     Cache // nil: none
	CacheMode CacheMode
	Build     string   // build identity, part of every key
	Sccache   *Sccache // for jobs that compile; nil: none
	// Verify reports, after a job with declared inputs has run, whether they
	// are still what they were; nil: nobody can have changed them.
	Verify func(ctx context.Context, inputs []File) bool
}

// run is one call of Run.
type run struct {
	*Executor
	ctx   context.Context //nolint:containedctx // of the call
	stage *Stage
	types types
	slots chan struct{}

	events sync.Mutex

	mu    sync.Mutex
	files map[string]File // what jobs made of files
	stop  string          // why what has not begun does not begin

	allOnce sync.Once
	all     []File
	allErr  error

	identity sync.Map // command -> func() string
}

// Run runs a stage. It fails never: what goes wrong is a result.
func (x *Executor) Run(ctx context.Context, st *Stage) Report {
	r := x.begin(ctx, st)
	rep := Report{Stage: st}
	if res, on := r.guarded(st.Skip, st.Only, nil); !on {
		rep.Skipped = res.Reason
		if res.Outcome != Skipped {
			rep.Steps = append(rep.Steps, res)
		}
		return rep
	}
	plans := r.plan()
	if step, ok := r.stageSteps(&rep); !ok {
		for i := range plans {
			rep.Results = append(rep.Results, step(plans[i].job))
		}
		return rep
	}
	rep.Results = r.schedule(plans) //nolint:contextcheck // r holds the context of the call
	if rep.Exit() == 0 && len(st.After) > 0 && r.NoCommands == "" {
		for _, line := range st.After {
			res := r.step(nil, "after", line, r.Limits.step())
			if res.Outcome != Passed {
				rep.Steps = append(rep.Steps, res)
				break
			}
		}
	}
	return rep
}

func (x *Executor) begin(ctx context.Context, st *Stage) *run {
	n := x.Jobs
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	if x.Log == nil {
		x.Log = slog.New(slog.DiscardHandler)
	}
	return &run{Executor: x, ctx: ctx, stage: st, types: types{x.Head}, slots: make(chan struct{}, n), files: map[string]File{}}
}

// stageSteps runs the precondition and the before commands of the stage. If the
// jobs are not to run, it returns what each of them gets.
func (r *run) stageSteps(rep *Report) (each func(*Job) Result, ok bool) {
	if r.NoCommands != "" {
		return nil, true
	}
	st := r.stage
	if st.Precondition != "" {
		res := r.step(nil, "precondition", st.Precondition, r.Limits.precondition())
		switch {
		case res.Outcome == Passed:
		case res.saidNo():
			rep.Skipped = "its precondition said no"
			return func(j *Job) Result { return Result{Job: j, Outcome: Skipped, ExitCode: -1, Reason: rep.Skipped} }, false
		default:
			rep.Steps = append(rep.Steps, res)
			return func(j *Job) Result { return notRun(j, &res) }, false
		}
	}
	for _, line := range st.Before {
		res := r.step(nil, "before", line, r.Limits.step())
		if res.Outcome != Passed {
			res.NoVerdict = true
			rep.Steps = append(rep.Steps, res)
			return func(j *Job) Result { return notRun(j, &res) }, false
		}
	}
	return nil, true
}

// notRun is the result of a job that what came before it kept from running.
func notRun(j *Job, cause *Result) Result {
	out := Result{Job: j, Outcome: Failed, NoVerdict: true, ExitCode: -1, Reason: "not run: " + cause.Reason}
	if cause.Outcome == Cancelled {
		out.Outcome, out.Reason = Cancelled, cause.Reason
	}
	return out
}

// emit tells of an event.
func (r *run) emit(e Event) {
	if r.Event == nil {
		return
	}
	r.events.Lock()
	defer r.events.Unlock()
	r.Event(e)
}

// everything lists all files, once.
func (r *run) everything() ([]File, error) {
	r.allOnce.Do(func() {
		if r.All == nil {
			r.all = r.Files
			return
		}
		r.all, r.allErr = r.All(r.ctx)
	})
	return r.all, r.allErr
}

// now returns files as former jobs left them.
func (r *run) now(files []File) []File {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.files) == 0 {
		return files
	}
	out := slices.Clone(files)
	for i, f := range out {
		if g, ok := r.files[f.Path]; ok {
			out[i] = g
		}
	}
	return out
}

// schedule runs the plans, those of the lowest priority first.
func (r *run) schedule(plans []*plan) []Result {
	results := make([]Result, len(plans))
	done := make([]chan struct{}, len(plans))
	var wg sync.WaitGroup
	for _, group := range priorities(plans) {
		before := make([][]int, len(plans))
		for _, i := range group {
			done[i] = make(chan struct{})
			for _, k := range group {
				if k < i && r.inTheWay(plans[k], plans[i]) {
					before[i] = append(before[i], k)
				}
			}
		}
		for _, i := range group {
			wg.Go(func() {
				defer close(done[i])
				for _, k := range before[i] {
					<-done[k]
				}
				results[i] = r.one(plans[i])
			})
		}
		wg.Wait()
	}
	return results
}

// priorities groups the indexes of plans.
func priorities(plans []*plan) [][]int {
	order := make([]int, len(plans))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return plans[a].job.Priority - plans[b].job.Priority })
	var out [][]int
	for n, i := range order {
		if n == 0 || plans[order[n-1]].job.Priority != plans[i].job.Priority {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], i)
	}
	return out
}

// inTheWay reports whether b waits for a, which is written before it.
func (r *run) inTheWay(a, b *plan) bool {
	switch {
	case a.skip != nil || b.skip != nil:
		return false
	case r.stage.Piped, !r.stage.Parallel, a.job.Interactive, b.job.Interactive:
		return true
	case a.job.Serial != "" && a.job.Serial == b.job.Serial:
		return true
	case !a.writes && !b.writes:
		return false
	}
	return a.whole || b.whole || shareFile(a.files, b.files)
}

// shareFile reports whether two lists in path order have a path in common.
func shareFile(a, b []File) bool {
	for i, k := 0, 0; i < len(a) && k < len(b); {
		switch {
		case a[i].Path == b[k].Path:
			return true
		case a[i].Path < b[k].Path:
			i++
		default:
			k++
		}
	}
	return false
}

// one runs a plan, unless something stopped the stage.
func (r *run) one(p *plan) (res Result) {
	if p.skip != nil {
		return r.ended(p, *p.skip)
	}
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-r.ctx.Done():
	}
	if r.ctx.Err() != nil {
		return r.ended(p, Result{Outcome: Cancelled, ExitCode: -1, Reason: "cancelled before it began"})
	}
	r.mu.Lock()
	stop := r.stop
	r.mu.Unlock()
	if stop != "" {
		return r.ended(p, Result{Outcome: Skipped, ExitCode: -1, Reason: stop})
	}
	started := time.Now()
	r.emit(Event{Kind: Began, Job: p.job})
	res = r.perform(p)
	res.Job, res.Files = p.job, p.files
	if res.Duration == 0 {
		res.Duration = time.Since(started)
	}
	r.settle(p, &res)
	return r.ended(p, res)
}

// settle tells the caller of a job that ran, keeps its result, and stops the
// stage if it must.
func (r *run) settle(p *plan, res *Result) {
	ran := res.Outcome != Skipped && res.Outcome != Absent && !res.Cached
	if ran && r.After != nil {
		for _, f := range r.After(r.ctx, res) {
			r.mu.Lock()
			r.files[f.Path] = f
			r.mu.Unlock()
		}
	}
	if ran && p.key != nil && res.Outcome == Passed && len(res.Changed) == 0 {
		r.keep(p, res)
	}
	if r.stage.Piped && res.fails() {
		r.mu.Lock()
		r.stop = fmt.Sprintf("not run: %s failed before it", p.job.ID)
		r.mu.Unlock()
	}
}

func (r *run) ended(p *plan, res Result) Result {
	res.Job, res.Files = p.job, p.files
	r.emit(Event{Kind: Ended, Job: p.job, Result: &res})
	return res
}
