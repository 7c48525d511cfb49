package repo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"poly/internal/gitstate/entry"
	"poly/internal/usererr"
)

// ErrMissing means that the repository has no such object.
var ErrMissing = errors.New("object not found")

// ObjectInfo describes an object.
type ObjectInfo struct {
	ID   entry.ID
	Type string // "blob", "tree", "commit" or "tag"
	Size int64
}

// Objects reads objects through one `git cat-file` child, which it starts at
// the first request and ends in Close. Requests of several goroutines are
// served one after the other. A request after Close starts a new child.
type Objects struct {
	repo *Repo

	mu    sync.Mutex
	child *catFile
	old   bool // git is older than 2.36: no --batch-command
}

// Contents returns the type and the bytes of an object. A missing one is
// looked for once more in a new child, because gc may have moved it.
func (o *Objects) Contents(ctx context.Context, id entry.ID) (typ string, b []byte, err error) {
	err = o.retry(ctx, id.String(), func(c *catFile) error {
		info, err := c.ask("contents", id.String())
		if err != nil {
			return err
		}
		typ = info.Type
		b, err = c.body(info.Size)
		return err
	})
	return typ, b, err
}

// Info describes the object that a name stands for: a hex id, or any
// expression of gitrevisions(7) in one line.
func (o *Objects) Info(ctx context.Context, name string) (info ObjectInfo, err error) {
	if name == "" || strings.ContainsAny(name, "\n\x00") {
		return ObjectInfo{}, fmt.Errorf("%q: %w", name, ErrMissing)
	}
	err = o.retry(ctx, name, func(c *catFile) error {
		info, err = c.ask("info", name)
		if err == nil && c.old {
			_, err = c.body(info.Size)
		}
		return err
	})
	return info, err
}

// Close ends the child, if there is one.
func (o *Objects) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stop()
	return nil
}

// stop ends the child; o.mu is held.
func (o *Objects) stop() {
	if o.child != nil {
		o.child.close()
		o.child = nil
	}
}

// retry runs one exchange with the child, and once more with a new child if
// the object is missing or the child died.
func (o *Objects) retry(ctx context.Context, name string, exchange func(*catFile) error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	var err error
	for range 2 {
		fresh := o.child == nil
		if err = o.once(ctx, exchange); err == nil || ctx.Err() != nil {
			return err
		}
		missing := errors.Is(err, ErrMissing)
		if missing && fresh {
			break // a new child has seen the newest packs
		}
		o.stop()
	}
	if errors.Is(err, errUsage) && !o.old {
		o.old = true
		o.stop()
		return o.once(ctx, exchange)
	}
	return o.explain(name, err)
}

func (o *Objects) once(ctx context.Context, exchange func(*catFile) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if o.child == nil {
		c, err := o.start(ctx)
		if err != nil {
			return err
		}
		o.child = c
	}
	c := o.child
	// A cancelled request kills the child: it may be fetching from a remote.
	done := context.AfterFunc(ctx, func() { _ = c.cmd.Process.Kill() })
	err := exchange(c)
	if !done() || err != nil && !errors.Is(err, ErrMissing) {
		o.stop()
		err = errors.Join(ctx.Err(), c.died(err))
	}
	return err
}

func (o *Objects) start(ctx context.Context) (*catFile, error) {
	mode := "--batch-command"
	if o.old {
		mode = "--batch"
	}
	// The child outlives the request that starts it.
	cmd := o.repo.command(context.WithoutCancel(ctx), "cat-file", mode)
	c := &catFile{cmd: cmd, old: o.old}
	cmd.Stderr = &c.errs
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, gitError(cmd.Args[1:], nil, err)
	}
	c.in, c.out = in, bufio.NewReaderSize(out, 1<<16)
	return c, nil
}

// explain adds why an object may be missing and what to do about it.
func (o *Objects) explain(name string, err error) error {
	if !errors.Is(err, ErrMissing) && !errors.Is(err, errDied) {
		return err
	}
	r := o.repo
	e := &usererr.Error{Code: "missing-object", Msg: "cannot read git object " + name, Err: err}
	_, shallow := os.Stat(filepath.Join(r.CommonDir, "shallow"))
	switch {
	case r.promisor() != "":
		e.Hint = "this is a partial clone; git fetch " + r.promisor() + " gets missing objects"
	case shallow == nil:
		e.Hint = "this is a shallow clone; git fetch --unshallow gets the whole history"
	default:
		e.Hint = "git fsck tells what is wrong with the repository"
	}
	return e
}

// promisor returns the name of the remote that a partial clone came from.
func (r *Repo) promisor() string {
	if r.Ext.PartialClone != "" {
		return r.Ext.PartialClone
	}
	for _, v := range r.Config.List() {
		if on, ok := v.Bool(); ok && on && strings.HasPrefix(v.Key, "remote.") && strings.HasSuffix(v.Key, ".promisor") {
			return strings.TrimSuffix(strings.TrimPrefix(v.Key, "remote."), ".promisor")
		}
	}
	return ""
}

// catFile is one child process.
type catFile struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs tail
	old  bool // --batch: answers every request with the contents
}

var (
	errDied  = errors.New("git cat-file ended")
	errUsage = errors.New("git cat-file does not know --batch-command")
)

// ask sends a request and reads the first line of the answer.
func (c *catFile) ask(verb, name string) (ObjectInfo, error) {
	line := verb + " " + name + "\n"
	if c.old {
		line = name + "\n"
	}
	if _, err := io.WriteString(c.in, line); err != nil {
		return ObjectInfo{}, err
	}
	head, err := c.out.ReadString('\n')
	if err != nil {
		return ObjectInfo{}, err
	}
	f := strings.Fields(head)
	// "<name> missing", "<name> ambiguous": a name may hold spaces.
	if n := len(f); n == 0 || f[n-1] == "missing" || f[n-1] == "ambiguous" {
		return ObjectInfo{}, fmt.Errorf("%s: %w", strings.TrimSpace(head), ErrMissing)
	}
	if len(f) == 3 {
		id, ok := entry.ParseID(f[0])
		size, err := strconv.ParseInt(f[2], 10, 64)
		if ok && err == nil && size >= 0 {
			return ObjectInfo{ID: id, Type: f[1], Size: size}, nil
		}
	}
	return ObjectInfo{}, fmt.Errorf("unexpected answer %q", head)
}

// body reads the bytes that follow an answer, and the line end after them.
func (c *catFile) body(size int64) ([]byte, error) {
	b := make([]byte, size)
	if _, err := io.ReadFull(c.out, b); err != nil {
		return nil, err
	}
	if end, err := c.out.ReadByte(); err != nil || end != '\n' {
		return nil, errors.Join(err, errors.New("answer is longer than announced"))
	}
	return b, nil
}

// close ends the child and waits for it.
func (c *catFile) close() {
	_ = c.in.Close()
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
}

// died explains err of an exchange with a child that was closed since.
func (c *catFile) died(err error) error {
	msg := c.errs.String()
	if strings.Contains(msg, "usage:") || strings.Contains(msg, "unknown option") {
		return errUsage
	}
	if msg == "" {
		return fmt.Errorf("%w: %w", errDied, err)
	}
	return fmt.Errorf("%w: %s", errDied, msg)
}

// tail keeps the last few kilobytes written to it.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, b...)
	if n := len(t.b) - 4096; n > 0 {
		t.b = append(t.b[:0], t.b[n:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.b))
}
