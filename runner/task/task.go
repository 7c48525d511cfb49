// Package task tracks work that outlives the request that started it: it gives
// it a number nobody can guess, remembers what became of it, and ends it.
package task

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
)

// Task is the state of one piece of work at one moment.
type Task struct {
	ID      string // 26 letters and digits of chance
	Name    string
	State   State
	Status  string // the last line of progress, for people; "" before the first
	Started time.Time
	Updated time.Time // when State or Status changed last
	Ended   time.Time // zero while working
	Result  any       // what the work returned, also beside an error
	Err     error     // nil unless Failed or Cancelled
	Stack   string    // where it panicked; for a log, never for a client
}

// State is where a task stands.
type State uint8

// A task is Working until it is one of the others, for good.
const (
	Working State = iota
	Done
	Failed
	Cancelled
)

func (s State) String() string {
	names := [...]string{"working", "completed", "failed", "cancelled"}
	if int(s) < len(names) {
		return names[s]
	}
	return fmt.Sprintf("State(%d)", s)
}

// Func does the work. It must return soon after ctx is done. It may call status
// at any time, from any goroutine; calls after it returned do nothing.
type Func func(ctx context.Context, status func(string)) (any, error)

var (
	// ErrClosed is the error of a task that a closed tracker did not start, and
	// the cause of the end of those it had started.
	ErrClosed = errors.New("poly is about to end")
	// ErrCancelled is the cause of the end of a task that was cancelled.
	ErrCancelled = errors.New("cancelled")
	// ErrUnknown is what Wait returns for an id that is no task's.
	ErrUnknown = errors.New("no such task")
)

// Options tune a Tracker. The zero value is right.
type Options struct {
	// Record is told of each task when it starts and when it has ended, one
	// call at a time; nil: nobody is. It gets a context with the values of
	// that of Start, which is not done.
	Record func(context.Context, Task)
	Now    func() time.Time // nil: time.Now
}

// Tracker runs tasks and owns their goroutines: none outlives Close. What it
// remembers of a task it never forgets. Its methods may be called concurrently.
type Tracker struct {
	opt    Options
	record sync.Mutex // held while Record is called

	mu      sync.Mutex
	closed  bool
	tasks   map[string]*entry
	running sync.WaitGroup
}

// entry is a task and the means to end it.
type entry struct {
	task   Task
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when the task has ended and was recorded
}

// New returns a tracker.
func New(opt Options) *Tracker {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Tracker{opt: opt, tasks: map[string]*entry{}}
}

// Start runs fn under a context that keeps the values of ctx but not its
// cancellation, and returns at once. After Close the task is one that was
// cancelled before it began.
func (t *Tracker) Start(ctx context.Context, name string, fn Func) (id string) {
	ctx = context.WithoutCancel(ctx)
	run, cancel := context.WithCancelCause(ctx)
	now := t.opt.Now()
	e := &entry{task: Task{ID: rand.Text(), Name: name, Started: now, Updated: now}, cancel: cancel, done: make(chan struct{})}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tasks[e.task.ID] = e
	if t.closed {
		cancel(ErrClosed)
		e.task.State, e.task.Ended, e.task.Err = Cancelled, now, ErrClosed
		close(e.done)
		return e.task.ID
	}
	t.running.Go(func() { t.run(ctx, run, e, fn) })
	return e.task.ID
}

// run does the work of a task; ctx is never done, work is when it is cancelled.
func (t *Tracker) run(ctx, work context.Context, e *entry, fn Func) {
	defer close(e.done)
	defer e.cancel(nil)
	t.put(ctx, e)
	result, err, stack := guarded(work, fn, func(s string) { t.status(e, s) })
	t.mu.Lock()
	now := t.opt.Now()
	e.task.Result, e.task.Err, e.task.Stack, e.task.Ended, e.task.Updated = result, err, stack, now, now
	switch {
	case err == nil:
		e.task.State = Done
	case work.Err() != nil && stack == "":
		e.task.State, e.task.Err = Cancelled, context.Cause(work)
	default:
		e.task.State = Failed
	}
	t.mu.Unlock()
	t.put(ctx, e)
}

// guarded calls fn and makes an error of a panic.
func guarded(ctx context.Context, fn Func, status func(string)) (result any, err error, stack string) { //nolint:staticcheck // the stack goes with the error
	defer func() {
		if p := recover(); p != nil {
			result, err, stack = nil, fmt.Errorf("panic: %v", p), string(debug.Stack())
		}
	}()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx), ""
	}
	result, err = fn(ctx, status)
	return result, err, ""
}

func (t *Tracker) status(e *entry, s string) {
	s = strings.TrimSpace(s)
	t.mu.Lock()
	defer t.mu.Unlock()
	if e.task.State == Working && e.task.Ended.IsZero() {
		e.task.Status, e.task.Updated = s, t.opt.Now()
	}
}

func (t *Tracker) put(ctx context.Context, e *entry) {
	if t.opt.Record == nil {
		return
	}
	t.record.Lock()
	defer t.record.Unlock()
	t.mu.Lock()
	task := e.task
	t.mu.Unlock()
	t.opt.Record(ctx, task)
}

// Get returns a task as it is now.
func (t *Tracker) Get(id string) (Task, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.tasks[id]
	if !ok {
		return Task{}, false
	}
	return e.task, true
}

// List returns all tasks as they are now, oldest first.
func (t *Tracker) List() []Task {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make([]Task, 0, len(t.tasks))
	for _, e := range t.tasks {
		out = append(out, e.task)
	}
	slices.SortFunc(out, func(a, b Task) int {
		if c := a.Started.Compare(b.Started); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out
}

// Done returns a channel that is closed once the task has ended; nil if there
// is no such task.
func (t *Tracker) Done(id string) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e, ok := t.tasks[id]; ok {
		return e.done
	}
	return nil
}

// Wait returns the task once it has ended. If ctx is done before, it returns
// the task as it is and the error of ctx; the task goes on.
func (t *Tracker) Wait(ctx context.Context, id string) (Task, error) {
	done := t.Done(id)
	if done == nil {
		return Task{}, ErrUnknown
	}
	var err error
	select {
	case <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	task, _ := t.Get(id)
	return task, err
}

// Cancel asks a task to end and returns at once. It reports whether the task
// was still working.
func (t *Tracker) Cancel(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.tasks[id]
	if !ok || e.task.State != Working {
		return false
	}
	e.cancel(ErrCancelled)
	return true
}

// Close cancels all tasks, refuses new ones, and waits for the end of those
// that run. If ctx is done before, the error names those that did not end.
func (t *Tracker) Close(ctx context.Context) error {
	t.mu.Lock()
	t.closed = true
	var open []*entry
	for _, e := range t.tasks {
		if e.task.State == Working {
			e.cancel(ErrClosed)
		}
		open = append(open, e)
	}
	t.mu.Unlock()
	var late []string
	for _, e := range open {
		select {
		case <-e.done:
			continue
		default:
		}
		select {
		case <-e.done:
		case <-ctx.Done():
			late = append(late, e.task.Name)
		}
	}
	if len(late) > 0 {
		slices.Sort(late)
		return fmt.Errorf("%w: still at work: %s", ctx.Err(), strings.Join(late, ", "))
	}
	t.running.Wait()
	return nil
}
