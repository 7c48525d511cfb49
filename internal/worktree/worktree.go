// Package worktree is the only writer of worktrees. It replaces regular files
// that still hold the bytes the caller saw, under one lock a worktree, so that
// a file is at every moment, and after every kind of end, wholly old or wholly
// new. It creates no files but its own temporaries, deletes none but those,
// never writes through a symlink and never leaves its root. It knows bytes, not git.
package worktree

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"poly/internal/atomicfile"
	"poly/internal/filelock"
	"poly/internal/usererr"
)

// TokenEnv is the environment variable in which a process hands
// [Writer.Token] to the children it waits for.
const TokenEnv = "POLY_WORKTREE_LOCK"

const defaultWait = 10 * time.Second

// Errors a caller may want to tell apart; all are wrapped with the path.
var (
	// ErrPreimage means that the file is no longer what the caller saw: the
	// user's edit won and nothing was written.
	ErrPreimage = errors.New("the file was changed meanwhile")
	// ErrNotRegular means that the path, or one of its parents, is a symlink
	// or something else that is never written to.
	ErrNotRegular = errors.New("not a regular file in regular directories")
	// ErrPath means that the path names nothing that may be written.
	ErrPath = errors.New("not a path inside the worktree")
)

// Options say which worktree to write to.
type Options struct {
	Root     string // of the worktree
	StateDir string // for the lock and the journal; created with mode 0700
	// Wait is how long to wait for another writer; 0: 10 s.
	Wait time.Duration
	// Borrow is the value of [TokenEnv], or "". A child of the process that
	// has the lock writes under its parent's lock.
	Borrow string
}

// Change is one file to replace. Path is slash-separated and relative to the
// root. Before must equal the bytes in the file now; After are the new ones.
type Change struct {
	Path   string
	Before []byte
	After  []byte
}

// Writer holds the lock of a worktree. It may be used by many goroutines,
// which write one after the other.
type Writer struct {
	root        *os.Root
	lock        *filelock.Lock
	token       string
	interrupted []Interrupted

	mu      sync.Mutex
	journal *journal
}

// Open takes the worktree's lock and mends what a killed process left. If
// another process has the lock for longer than Wait it fails with a
// [*usererr.Error] that names the process.
func Open(ctx context.Context, opt Options) (*Writer, error) {
	root, err := os.OpenRoot(opt.Root)
	if err != nil {
		return nil, fmt.Errorf("open worktree: %w", err)
	}
	w := &Writer{root: root}
	if err := w.open(ctx, opt); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return w, nil
}

func (w *Writer) open(ctx context.Context, opt Options) error {
	if err := os.MkdirAll(opt.StateDir, 0o700); err != nil {
		return unusable(opt.StateDir, err)
	}
	base := filepath.Join(opt.StateDir, "worktree-"+key(opt.Root))
	wait := opt.Wait
	if wait == 0 {
		wait = defaultWait
	}
	var nonce [12]byte
	_, _ = rand.Read(nonce[:]) // never fails
	w.token = hex.EncodeToString(nonce[:])
	lock, err := filelock.Acquire(ctx, base+".lock", filelock.Options{Wait: wait, Token: w.token, Borrow: opt.Borrow})
	if held, ok := errors.AsType[*filelock.HeldError](err); ok {
		return lockedError(opt.Root, held.PID, wait)
	}
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		return unusable(opt.StateDir, err)
	}
	w.lock = lock
	if lock.Borrowed() {
		w.token = opt.Borrow
	} else {
		// Only the holder mends: a borrower would take its parent's work for a wreck.
		w.interrupted, err = w.recoverAll(base)
	}
	if err == nil {
		w.journal, err = newJournal(base)
	}
	if err != nil {
		return errors.Join(unusable(opt.StateDir, err), lock.Close())
	}
	return nil
}

// key tells the worktrees of one repository apart.
func key(root string) string {
	if p, err := filepath.EvalSymlinks(root); err == nil {
		root = p
	}
	sum := sha256.Sum256([]byte(filepath.ToSlash(filepath.Clean(root))))
	return hex.EncodeToString(sum[:8])
}

func lockedError(root string, pid int, wait time.Duration) error {
	who := "another process"
	if pid != 0 {
		who = "process " + strconv.Itoa(pid)
	}
	return usererr.New("worktree-locked",
		fmt.Sprintf("%s has been writing to %s for more than %s", who, root, wait), "wait for it to end, or end it, and try again")
}

func unusable(dir string, err error) error {
	return &usererr.Error{
		Code: "state-dir", Msg: "the worktree cannot be locked", Err: err,
		Hint: "nothing is written without a lock and a journal in " + dir + "; set POLY_STATE_HOME to a directory you may write to",
	}
}

// Token lets children of this process write under its lock: hand it to them as
// [TokenEnv] and wait for them before Close.
func (w *Writer) Token() string { return w.token }

// Interrupted lists the files an earlier process was writing when it was
// killed, found by Open.
func (w *Writer) Interrupted() []Interrupted { return w.interrupted }

// Close releases the lock.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return errors.Join(w.journal.close(), w.lock.Close(), w.root.Close())
}

// Write replaces one file. On an error the file is as it was. Each call waits
// for the disk once: see [Writer.WriteAll].
func (w *Writer) Write(ctx context.Context, c Change) error {
	return w.WriteAll(ctx, []Change{c})[0]
}

// WriteAll replaces files one by one and waits for the disk once. errs[i]
// belongs to changes[i]; after an error the others are still written, unless
// ctx is done. A change that changes nothing is checked all the same.
func (w *Writer) WriteAll(ctx context.Context, changes []Change) (errs []error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	errs = make([]error, len(changes))
	temps := make([]string, len(changes))
	for i, c := range changes {
		if errs[i] = checkPath(c.Path); errs[i] == nil {
			temps[i] = atomicfile.TempName(c.Path[strings.LastIndexByte(c.Path, '/')+1:])
		}
	}
	jerr := w.journal.begin(changes, temps)
	clean := true
	for i, c := range changes {
		switch {
		case errs[i] != nil:
		case ctx.Err() != nil:
			errs[i] = ctx.Err()
		case jerr != nil:
			errs[i] = jerr
		default:
			errs[i] = w.replace(c, temps[i])
			clean = clean && !errors.Is(errs[i], errLeftover)
		}
		if errs[i] != nil {
			errs[i] = fmt.Errorf("write %s: %w", c.Path, errs[i])
		}
	}
	if clean {
		w.journal.end()
	}
	return errs
}

// checkPath refuses what no caller should ask for; git's own directory is not
// part of a worktree, however it is spelt on a case-insensitive file system.
func checkPath(path string) error {
	if path == "" || strings.IndexByte(path, 0) >= 0 {
		return ErrPath
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") {
			return ErrPath
		}
	}
	if !filepath.IsLocal(filepath.FromSlash(path)) {
		return ErrPath
	}
	return nil
}

// errLeftover means that a temporary file could not be removed: the journal
// keeps its name for the next Open.
var errLeftover = errors.New("a temporary file is left")

func (w *Writer) replace(c Change, tmp string) error {
	dir, name, err := w.parent(c.Path)
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }()
	// Opened for writing although it is never written to: whoever may not
	// write to the file shall not replace it either.
	f, old, err := openRegular(dir, name, os.O_RDWR)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if old.Size() != int64(len(c.Before)) {
		return ErrPreimage
	}
	check := func() error { return w.unchanged(c, dir, name, f, old) }
	if bytes.Equal(c.Before, c.After) {
		return check()
	}
	p, err := atomicfile.Prepare(dir, name, tmp, c.After, atomicfile.Options{})
	if err == nil {
		err = p.Commit(check)
	}
	if err != nil {
		if _, serr := dir.Lstat(tmp); serr == nil {
			err = errors.Join(err, errLeftover)
		}
	}
	return err
}

// unchanged checks, right before the rename, that the path still leads to the
// file f, which is as it was when it was opened as old and holds c.Before.
func (w *Writer) unchanged(c Change, dir *os.Root, name string, f *os.File, old fs.FileInfo) error {
	same, err := holds(f, c.Before)
	if err != nil {
		return err
	}
	now, err := dir.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return ErrPreimage
	}
	if err != nil {
		return err
	}
	if !same || !os.SameFile(old, now) || now.Size() != old.Size() || !now.ModTime().Equal(old.ModTime()) || now.Mode() != old.Mode() {
		return ErrPreimage
	}
	again, _, err := w.parent(c.Path)
	if err != nil {
		return err
	}
	defer func() { _ = again.Close() }()
	a, aerr := dir.Stat(".")
	b, berr := again.Stat(".")
	if err := errors.Join(aerr, berr); err != nil {
		return err
	}
	if !os.SameFile(a, b) {
		return ErrPreimage
	}
	return nil
}

// holds reports whether f holds exactly want.
func holds(f *os.File, want []byte) (bool, error) {
	buf := make([]byte, 64<<10)
	for off := 0; ; {
		n, err := f.ReadAt(buf, int64(off))
		if n > len(want)-off || !bytes.Equal(buf[:n], want[off:off+n]) {
			return false, nil
		}
		off += n
		if errors.Is(err, io.EOF) {
			return off == len(want), nil
		}
		if err != nil {
			return false, err
		}
	}
}

// parent opens the directory of path, following no symlink. The caller closes it.
func (w *Writer) parent(path string) (dir *os.Root, name string, err error) {
	dir, err = w.root.OpenRoot(".")
	for err == nil {
		part, rest, more := strings.Cut(path, "/")
		if !more {
			return dir, part, nil
		}
		var next *os.Root
		next, err = openDir(dir, part)
		_ = dir.Close()
		dir, path = next, rest
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrPreimage
	}
	return nil, "", err
}

// openDir opens a directory that is one, and not a symlink to one. os.Root
// follows links inside its root; that what was opened is what Lstat saw rules
// it out, whatever happens in between.
func openDir(dir *os.Root, name string) (*os.Root, error) {
	fi, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !fi.IsDir() {
		return nil, ErrNotRegular
	}
	next, err := dir.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	got, err := next.Stat(".")
	if err == nil && !os.SameFile(fi, got) {
		err = ErrNotRegular
	}
	if err != nil {
		_ = next.Close()
		return nil, err
	}
	return next, nil
}

// openRegular opens a file that is regular, and not a symlink to one.
func openRegular(dir *os.Root, name string, flag int) (*os.File, fs.FileInfo, error) {
	fi, err := dir.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, ErrPreimage
	}
	if err != nil {
		return nil, nil, err
	}
	if !fi.Mode().IsRegular() {
		return nil, nil, ErrNotRegular
	}
	f, err := dir.OpenFile(name, flag|nonblock, 0)
	if err != nil {
		return nil, nil, err
	}
	got, err := f.Stat()
	if err == nil && !os.SameFile(fi, got) {
		err = ErrPreimage
	}
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, got, nil
}
