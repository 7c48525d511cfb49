package filelock

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// TestMain runs the test binary as a process that holds a lock until its
// standard input ends: "hold <path> <mode>".
func TestMain(m *testing.M) {
	if len(os.Args) < 4 || os.Args[1] != "hold" {
		m.Run()
		return
	}
	_, err := Acquire(context.Background(), os.Args[2], Options{Shared: os.Args[3] == "shared", Token: "token", Inherit: os.Args[3] == "inherit"})
	if err != nil {
		panic(err)
	}
	if os.Args[3] == "inherit" {
		// A child that outlives us, and ends with our standard input.
		cmd := exec.CommandContext(context.Background(), "cat")
		cmd.Stdin = os.Stdin
		if err := cmd.Start(); err != nil {
			panic(err)
		}
	}
	fmt.Fprintln(os.Stdout, "held")
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// startHolder starts a process that has the lock. kill kills it and waits for
// its end; release ends it, and its children.
func startHolder(t *testing.T, path, mode string) (pid int, kill, release func()) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "hold", path, mode)
	cmd.Stderr = os.Stderr
	stdin, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin = stdin
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("holder says %q, %v", line, err)
	}
	_ = stdin.Close()
	wait := sync.OnceFunc(func() { _ = cmd.Wait() })
	kill = func() {
		_ = cmd.Process.Kill()
		wait()
	}
	release = func() {
		_ = in.Close()
		wait()
	}
	t.Cleanup(release)
	return cmd.Process.Pid, kill, release
}

func TestHeldByAnotherProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	pid, _, release := startHolder(t, path, "exclusive")
	for _, shared := range []bool{false, true} {
		_, err := Acquire(t.Context(), path, Options{Shared: shared})
		var held *HeldError
		if !errors.As(err, &held) || held.PID != pid || held.Path != path {
			t.Errorf("Acquire(shared %v) = %v, want HeldError of process %d", shared, err, pid)
		}
	}
	start := time.Now()
	if _, err := Acquire(t.Context(), path, Options{Wait: 60 * time.Millisecond}); err == nil || time.Since(start) < 60*time.Millisecond {
		t.Errorf("Acquire = %v after %s", err, time.Since(start))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := Acquire(ctx, path, Options{Wait: time.Hour}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Acquire under a done context = %v", err)
	}
	got := make(chan error)
	go func() {
		l, err := Acquire(t.Context(), path, Options{Wait: time.Minute})
		if err == nil {
			err = l.Close()
		}
		got <- err
	}()
	release()
	if err := <-got; err != nil {
		t.Errorf("a waiting Acquire after the release = %v", err)
	}
}

func TestSharedLocks(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	_, _, release := startHolder(t, path, "shared")
	l, err := Acquire(t.Context(), path, Options{Shared: true})
	if err != nil {
		t.Fatal(err)
	}
	var held *HeldError
	if _, err := Acquire(t.Context(), path, Options{}); !errors.As(err, &held) || held.PID != 0 {
		t.Errorf("exclusive beside shared = %v", err)
	}
	release()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if l, err = Acquire(t.Context(), path, Options{}); err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
}

func TestBorrow(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	_, _, release := startHolder(t, path, "exclusive")
	for _, wrong := range []string{"", "other", "toke"} {
		if _, err := Acquire(t.Context(), path, Options{Borrow: wrong}); err == nil {
			t.Errorf("borrowed with %q", wrong)
		}
	}
	l, err := Acquire(t.Context(), path, Options{Borrow: "token"})
	if err != nil || !l.Borrowed() {
		t.Fatalf("Acquire = %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Acquire(t.Context(), path, Options{}); err == nil {
		t.Error("closing a borrowed lock released it")
	}
	release()
	// Nobody holds it: a token is no lock.
	l, err = Acquire(t.Context(), path, Options{Borrow: "token"})
	if err != nil || l.Borrowed() {
		t.Errorf("Acquire = %v, borrowed from nobody", err)
	}
	_ = l.Close()
}

func TestKilledHolder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	_, kill, _ := startHolder(t, path, "exclusive")
	kill()
	l, err := Acquire(t.Context(), path, Options{Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
}

// TestInherit: the lock outlives its killed holder while a child has it.
func TestInherit(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	_, kill, release := startHolder(t, path, "inherit")
	kill()
	if _, err := Acquire(t.Context(), path, Options{}); err == nil {
		t.Error("the lock ended with its holder, and not with the holder's child")
	}
	release()
	l, err := Acquire(t.Context(), path, Options{Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
}

func TestNoDirectory(t *testing.T) {
	t.Parallel()
	if _, err := Acquire(t.Context(), filepath.Join(t.TempDir(), "a", "lock"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Acquire = %v, want ErrNotExist", err)
	}
}
