package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"poly/internal/usererr"
)

// drain is how long output is read on after the child and its group ended: a
// daemon may hold the pipe for ever.
const drain = 500 * time.Millisecond

// child is one run of a Cmd.
type child struct {
	owner *Owner
	cmd   *Cmd
	tag   string

	exec    *exec.Cmd
	out     Output
	lines   lines
	pipes   []*os.File // ends that poly reads or writes
	readers sync.WaitGroup
	writers sync.WaitGroup
	pgid    int           // its process group; 0: that of poly
	ended   chan struct{} // closed when it has been reaped
	err     error         // of reaping
}

func (k *child) start() error {
	path, err := Look(k.cmd.Args[0], k.cmd.Env, k.cmd.Dir)
	if err != nil {
		return err
	}
	// A poly that is a child itself leaves the marker of the outer one in place.
	mark := Marker + "=" + Getenv(k.cmd.Env, Marker) + k.tag + ":"
	k.exec = &exec.Cmd{
		Path: path, Args: k.cmd.Args, Dir: k.cmd.Dir, Env: Setenv(k.cmd.Env, mark), SysProcAttr: attributes(k.cmd.Terminal == nil),
	}
	k.out.Keep, k.lines.fn = k.cmd.Keep, k.cmd.Line
	theirs, err := k.connect()
	defer func() {
		for _, f := range theirs {
			_ = f.Close()
		}
	}()
	if err == nil {
		err = k.exec.Start()
	}
	if err != nil {
		for _, f := range k.pipes {
			_ = f.Close()
		}
		return notStarted(k.cmd, err)
	}
	if k.cmd.Terminal == nil {
		k.pgid = k.exec.Process.Pid
		k.owner.group(k.tag, k.pgid)
	}
	return nil
}

// notStarted says why the system refused to start c.
func notStarted(c *Cmd, err error) error {
	e := &usererr.Error{Code: "tool-unusable", Msg: "cannot start " + c.Args[0], Err: err}
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		e.Err = errno
	}
	fi, statErr := os.Stat(c.Dir)
	switch {
	case statErr != nil || !fi.IsDir():
		e.Err, e.Hint = errors.New("its directory does not exist"), "create it, or mend root"
	case errors.Is(err, syscall.ENOEXEC):
		e.Hint = `begin the script with a line such as "#!/bin/sh", or name a runner`
	case errors.Is(err, syscall.ENOENT):
		e.Err, e.Hint = errors.New("the interpreter its first line names does not exist"), "mend the line that begins with #!"
	case errors.Is(err, syscall.E2BIG):
		e.Hint = "its arguments are too long"
	}
	return e
}

// connect makes the pipes; theirs are the child's ends.
func (k *child) connect() (theirs []*os.File, err error) {
	if t := k.cmd.Terminal; t != nil {
		k.exec.Stdin, k.exec.Stdout, k.exec.Stderr = t, t, t
		return nil, nil
	}
	if k.cmd.Stdin != nil {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		theirs, k.pipes = append(theirs, r), append(k.pipes, w)
		k.exec.Stdin = r
	}
	streams := []io.Writer{io.MultiWriter(&k.out, &k.lines)}
	if k.cmd.Stdout != nil {
		streams = append(streams, k.cmd.Stdout)
	}
	for i, to := range streams {
		r, w, err := os.Pipe()
		if err != nil {
			return theirs, err
		}
		theirs, k.pipes = append(theirs, w), append(k.pipes, r)
		if i == 0 {
			k.exec.Stderr = w
		}
		k.exec.Stdout = w // the last one
		k.readers.Go(func() { _, _ = io.Copy(to, r) })
	}
	return theirs, nil
}

// wait returns when the child has ended, or was ended.
func (k *child) wait(ctx context.Context) Result {
	k.ended = make(chan struct{})
	k.writers.Go(func() {
		defer close(k.ended)
		k.err = k.exec.Wait()
	})
	if k.cmd.Stdin != nil {
		w := k.pipes[0]
		k.writers.Go(func() { _, _ = w.Write(k.cmd.Stdin); _ = w.Close() })
	}
	status, left := k.watch(ctx)
	k.finish()
	r := Result{Status: status, Output: k.out.String(), Truncated: k.out.Truncated()}
	k.tell(&r)
	if left > 0 && r.Err == nil {
		r.Err = fmt.Errorf("%d of its processes could not be ended", left)
	}
	return r
}

// watch waits for the end of the child and brings it about if need be.
func (k *child) watch(ctx context.Context) (status Status, left int) {
	var limit <-chan time.Time
	if k.cmd.Limit > 0 {
		t := time.NewTimer(k.cmd.Limit)
		defer t.Stop()
		limit = t.C
	}
	status = Cancelled
	select {
	case <-k.ended:
		return Exited, k.sweep()
	case <-ctx.Done():
	case <-k.owner.ctx.Done():
	case <-limit:
		status = TimedOut
	}
	select {
	case <-k.ended: // by itself, just now
		return Exited, k.sweep()
	default:
	}
	return status, k.end()
}

// finish lets the goroutines of the child end.
func (k *child) finish() {
	deadline := time.Now().Add(drain)
	for _, f := range k.pipes {
		_ = f.SetDeadline(deadline)
	}
	k.readers.Wait()
	k.writers.Wait()
	for _, f := range k.pipes {
		_ = f.Close()
	}
	k.lines.end()
}

// tell fills in how the child ended.
func (k *child) tell(r *Result) {
	ws, ok := k.exec.ProcessState.Sys().(syscall.WaitStatus)
	switch {
	case !ok:
		r.Code, r.Err = -1, k.err
	case ws.Signaled():
		r.Code, r.Signal = 128+int(ws.Signal()), ws.Signal().String()
		if r.Status == Exited {
			r.Status = Signalled
		}
	default:
		r.Code = ws.ExitStatus()
	}
}
