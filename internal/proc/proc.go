// Package proc runs child processes so that nothing of them outlives poly.
//
// # What is promised
//
// A child is a session and process group of its own, and carries a marker in
// its environment (POLY_JOB) that what it starts inherits. A child that is
// cancelled, or runs past its limit, gets SIGTERM, and SIGKILL after a grace of
// 500 ms; so do its group, its descendants and, on Linux, every process that
// has the marker, wherever it has moved by forking twice and setsid. What is
// left in the group of a child that ended by itself is ended, too; a daemon
// that left the group on purpose, such as a compiler's server, stays then.
//
// A small watcher, a shell that reads a pipe, does the same when poly itself is
// killed or crashes; on Linux the kernel kills the child itself at once.
//
// # What is not
//
// Only Linux shows the environment of processes: elsewhere the group and the
// descendants that can still be seen from the child are ended, and nothing that
// forked twice into a session of its own. On Linux that holds for what in
// addition wiped its environment. Other users' processes cannot be ended.
package proc

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

const (
	// Grace is what a child gets between SIGTERM and SIGKILL.
	Grace = 500 * time.Millisecond
	// Marker is the environment variable that processes of a child carry.
	Marker = "POLY_JOB"
	// reach is how long an end by SIGKILL is waited for.
	reach = 5 * time.Second
)

// Cmd says what to run. Args, Env and Dir are required.
type Cmd struct {
	// Args is the program and its arguments. A name without a slash is looked
	// up in the PATH of Env.
	Args []string
	Env  []string // the whole environment, "NAME=value"; the last of a name wins
	Dir  string   // absolute
	// Stdin is what the child reads; nil: nothing, at once.
	Stdin []byte
	// Terminal, if set, is the user's: the child gets it as standard input,
	// output and error and stays in poly's process group, so that the keys that
	// interrupt and suspend mean both; no output is kept.
	Terminal *os.File
	// Stdout, if set, takes standard output, which is then no part of Output.
	// It is written to by one goroutine, before Run returns.
	Stdout *Output
	// Keep is how much of the output is kept; 0: [KeepDefault].
	Keep int
	// Line, if set, is told of every line of output as it comes, without its
	// end and cut to 400 bytes. It is called by one goroutine at a time and
	// must not block.
	Line func(string)
	// Limit ends the child; 0: none.
	Limit time.Duration
}

// Status is how a child ended.
type Status uint8

// A child ran to its end, was ended by a signal that was not ours, ran into
// its limit, was cancelled, or never started.
const (
	NotStarted Status = iota
	Exited
	Signalled
	TimedOut
	Cancelled
)

func (s Status) String() string {
	names := [...]string{"not started", "exited", "signalled", "timed out", "cancelled"}
	if int(s) < len(names) {
		return names[s]
	}
	return fmt.Sprintf("Status(%d)", s)
}

// Result is what became of a child.
type Result struct {
	Status Status
	Code   int    // the exit code; 128 + number of the signal that ended it; -1 if it did not start
	Signal string // such as "killed"; "" if none ended it
	// Output is standard error and, unless Cmd.Stdout took it, standard
	// output, in the order of writing.
	Output    string
	Truncated bool // a part of the middle of Output is left out
	Duration  time.Duration
	// Err says why it did not start, or what could not be ended; else nil.
	// One that did not start for want of its program has the code
	// "tool-missing".
	Err error
}

// OK reports whether the child ran to its end and said yes.
func (r *Result) OK() bool { return r.Status == Exited && r.Code == 0 && r.Err == nil }

// Owner starts children and answers for their end. Its methods may be called
// concurrently. Make it with [New]; it must be closed.
type Owner struct {
	id   string
	ctx  context.Context //nolint:containedctx // the life of the owner itself
	stop context.CancelFunc

	hurry     chan struct{}
	hurryOnce sync.Once

	mu      sync.Mutex
	count   int
	closed  bool
	running sync.WaitGroup
	watch   *watcher
	live    map[string]int // marker -> process group, 0 before it is known
}

// ErrClosed is the reason of children that a closed owner did not start.
var ErrClosed = errors.New("poly is about to end")

// New returns an owner. It starts nothing.
func New() *Owner {
	ctx, stop := context.WithCancel(context.Background())
	return &Owner{id: rand.Text()[:16], ctx: ctx, stop: stop, hurry: make(chan struct{}), live: map[string]int{}}
}

// Hurry takes the grace between SIGTERM and SIGKILL away from all children,
// those to come too.
func (o *Owner) Hurry() { o.hurryOnce.Do(func() { close(o.hurry) }) }

// Close cancels what runs, waits for its end, and ends the watcher. A second
// call does nothing.
func (o *Owner) Close() error {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.stop()
	o.running.Wait()
	o.mu.Lock()
	w := o.watch
	o.watch = nil
	o.mu.Unlock()
	return w.close()
}

// Run starts a child and returns when it and all that must not outlive it have
// ended.
func (o *Owner) Run(ctx context.Context, c Cmd) Result {
	started := time.Now()
	tag, err := o.enter()
	if err != nil {
		return Result{Code: -1, Err: err}
	}
	defer o.running.Done()
	defer o.leave(tag)
	if err := context.Cause(ctx); err != nil {
		return Result{Status: Cancelled, Code: -1}
	}
	k := &child{owner: o, cmd: &c, tag: tag}
	if err := k.start(); err != nil {
		return Result{Code: -1, Duration: time.Since(started), Err: err}
	}
	r := k.wait(ctx)
	r.Duration = time.Since(started)
	return r
}

// enter counts a child in.
func (o *Owner) enter() (tag string, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return "", ErrClosed
	}
	if o.watch == nil {
		o.watch = startWatcher() // the first child waits for it, a millisecond
	}
	o.count++
	tag = fmt.Sprintf("%s.%d", o.id, o.count)
	o.running.Add(1)
	o.live[tag] = 0
	o.watch.tell(o.live)
	return tag, nil
}

func (o *Owner) leave(tag string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.live, tag)
	o.watch.tell(o.live)
}

// group makes the process group of a child known to the watcher.
func (o *Owner) group(tag string, pgid int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.live[tag] = pgid
	o.watch.tell(o.live)
}
