// Package filelock holds locks between processes on files that exist for
// nothing else. A lock ends with the process that holds it, however it ends.
// Lock files are never removed: removing one would let two processes lock two
// files of one name.
package filelock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Options say how to lock. The zero value asks once for an exclusive lock.
type Options struct {
	// Wait is how long to wait for other holders; 0: do not wait.
	Wait time.Duration
	// Shared allows other shared holders. They leave no pid.
	Shared bool
	// Token, if not empty, is written to the file for the time the lock is
	// held. A process that is given the token by the holder (see [Borrow])
	// works under the holder's lock.
	Token string
	// Borrow is a token of a holder that waits for this process, or "". If
	// that holder has the lock, Acquire succeeds without taking it.
	Borrow string
	// Inherit keeps the lock's descriptor open in child processes, so that if
	// this process is killed the lock lasts until the last of them ends. Trap: a
	// child that stays behind as a daemon keeps it too. Close releases it at once.
	Inherit bool
}

// HeldError means that another process has the lock and did not let go in time.
type HeldError struct {
	Path string
	PID  int // 0 if not known
}

func (e *HeldError) Error() string {
	if e.PID == 0 {
		return "lock " + e.Path + " is held by another process"
	}
	return "lock " + e.Path + " is held by process " + strconv.Itoa(e.PID)
}

// Lock is a lock that is held, or borrowed.
type Lock struct {
	f        *os.File // nil if borrowed
	shared   bool
	borrowed bool
}

// Acquire locks the file at path, which it creates with mode 0600 if needed;
// its directory must exist. It fails with a [*HeldError] after opt.Wait, with
// ctx's error when ctx is done, and otherwise if the file cannot be opened.
func Acquire(ctx context.Context, path string, opt Options) (*Lock, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	l, err := wait(ctx, f, path, opt)
	if err != nil || l.borrowed {
		_ = f.Close()
		return l, err
	}
	if opt.Inherit {
		if err := inherit(f); err != nil {
			_ = f.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
	}
	if !opt.Shared {
		// The note is for messages and borrowers; without it (a full disk)
		// the lock is as good.
		_ = note(f, strconv.Itoa(os.Getpid())+" "+opt.Token+"\n")
	}
	return l, nil
}

func wait(ctx context.Context, f *os.File, path string, opt Options) (*Lock, error) {
	deadline := time.Now().Add(opt.Wait)
	pause := time.Millisecond
	for {
		err := tryLock(f, opt.Shared)
		if err == nil {
			return &Lock{f: f, shared: opt.Shared}, nil
		}
		if !errors.Is(err, errWouldBlock) {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		pid, token := holder(f)
		if opt.Borrow != "" && token == opt.Borrow {
			return &Lock{borrowed: true}, nil
		}
		left := time.Until(deadline)
		if left <= 0 {
			return nil, &HeldError{Path: path, PID: pid}
		}
		t := time.NewTimer(min(pause, left))
		select {
		case <-ctx.Done():
			t.Stop()
			return nil, ctx.Err()
		case <-t.C:
		}
		pause = min(2*pause, 25*time.Millisecond)
	}
}

// Borrowed reports whether the lock is another process's, which lent it.
func (l *Lock) Borrowed() bool { return l.borrowed }

// Close releases the lock; a borrowed one stays with its holder.
func (l *Lock) Close() error {
	if l.f == nil {
		return nil
	}
	f := l.f
	l.f = nil
	if !l.shared {
		_ = f.Truncate(0)
	}
	// Without an explicit unlock, children that inherited f would go on holding.
	return errors.Join(unlock(f), f.Close())
}

// open opens the lock file, read-only if that is all the process may: locking
// needs no right to write.
func open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		return f, nil
	}
	if r, rerr := os.Open(path); rerr == nil {
		return r, nil
	}
	return nil, err
}

func note(f *os.File, text string) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(text), 0)
	return err
}

// holder reads who holds the lock: zero values if the file does not say.
func holder(f *os.File) (pid int, token string) {
	var buf [256]byte
	n, _ := f.ReadAt(buf[:], 0)
	line, _, whole := strings.Cut(string(buf[:n]), "\n")
	if !whole {
		return 0, ""
	}
	p, token, _ := strings.Cut(line, " ")
	pid, err := strconv.Atoi(p)
	if err != nil {
		return 0, ""
	}
	return pid, token
}
