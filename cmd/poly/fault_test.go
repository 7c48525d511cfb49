//go:build unix

package main

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"poly/internal/engine/all"
	"poly/internal/filelock"
	"poly/internal/worktree"
	"poly/store"
)

const (
	badGo  = "package a\n\nfunc  f( ){}\n"
	goodGo = "package a\n\nfunc f() {}\n"
	dup    = "a: 1\na: 2\n"
)

// TestReadOnlyTree: what may not be written is errored, and the others are
// written all the same.
func TestReadOnlyTree(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, f := range []string{"open/a.go", "open/locked.go", "shut/b.go", "c.go", "fine.go"} {
		s.Write(f, badGo)
	}
	s.Write("fine.go", goodGo)
	s.Commit("c")
	s.asNobody()
	if s.nobody {
		s.must(os.Chown(s.Path("open/locked.go"), 0, 0), os.Chown(s.Path("shut"), 0, 0))
	}
	s.must(os.Chmod(s.Path("shut"), 0o555), os.Chmod(s.Path("open/locked.go"), 0o444))
	t.Cleanup(func() { _ = os.Chmod(s.Path("shut"), 0o755) })
	before := snapshot(t, s.Dir)
	o := s.poly(2, "fmt", "--fix")
	s.want("stdout", o.stdout, "reformatted c.go\n", "reformatted open/a.go\n", "2 files reformatted",
		"error: open/locked.go: not written: ", "error: shut/b.go: not written: ", "permission denied")
	s.unchanged(before, "c.go", "open/a.go", "open", ".")
	for name, want := range map[string]string{"c.go": goodGo, "open/a.go": goodGo, "shut/b.go": badGo, "open/locked.go": badGo} {
		if got := s.Read(name); got != want {
			t.Errorf("%s = %q", name, got)
		}
	}
	if left := s.temporaries(); len(left) > 0 {
		t.Errorf("temporary files are left: %q", left)
	}
}

// TestUnreadable: a file and a directory that may not be read are errored, and
// the findings of the others are there.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.Write("a.yaml", dup)
	s.Write("hidden.yaml", dup)
	s.Write("dir/b.yaml", dup)
	s.Commit("c")
	s.Write("dir/untracked/c.yaml", dup)
	s.Write("ignored/d.yaml", dup)
	s.Write(".git/info/exclude", "/ignored/\n")
	s.asNobody()
	s.must(os.Chmod(s.Path("hidden.yaml"), 0), os.Chmod(s.Path("dir/untracked"), 0), os.Chmod(s.Path("ignored"), 0))
	t.Cleanup(func() { _, _ = os.Chmod(s.Path("dir/untracked"), 0o755), os.Chmod(s.Path("ignored"), 0o755) })
	for _, extra := range [][]string{nil, nil, {"--no-cache"}, {"--fix"}} {
		o := s.poly(2, append([]string{"lint", "--format", "json"}, extra...)...)
		if err := checkDocument(o.stdout); err != nil {
			t.Error(err)
		}
		s.want("stdout", o.stdout, `{"path":"a.yaml","diagnostics":[{"engine":"yaml","code":"duplicate-key"`, `{"path":"dir/b.yaml","diagnostics":[{`,
			`"errors":[{"path":"dir/untracked","error":"permission denied"},{"path":"hidden.yaml","error":"permission denied"}]`,
			`"summary":{"checked":2,"skipped":0,"errored":2}`)
		s.want("stderr", o.stderr, "error: hidden.yaml: permission denied", "2 files could not be checked")
	}
	o := s.poly(2, "lint", "hidden.yaml", "a.yaml")
	s.want("stdout", o.stdout, "Lint did not complete. 1 issue found.", "error: hidden.yaml: permission denied")
	o = s.poly(2, "lint", "ignored", "a.yaml")
	s.want("stderr", o.stderr, "cannot read ignored: permission denied", "make it readable")
	o = s.poly(2, "lint", "ignored/d.yaml")
	s.want("stderr", o.stderr, "cannot look at ignored/d.yaml: permission denied")
}

// TestForeignRepository: git's rule about owners is ours.
func TestForeignRepository(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.Write("a.go", badGo)
	s.Commit("c")
	s.asNobody()
	if s.nobody {
		s.must(os.Chown(s.Dir, 0, 0), os.Chown(s.Path(".git"), 0, 0))
	} else {
		s.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER=1")
	}
	before := snapshot(t, s.Dir)
	for _, args := range [][]string{{"lint"}, {"lint", "a.go"}, {"fmt", "--fix"}, {"config", "show"}, {"init"}, {"cache", "clean"}, {"history"}} {
		o := s.poly(2, args...)
		s.want("stderr", o.stderr, "poly: error: detected dubious ownership in repository at '"+s.Dir+"'", "poly: hint: to trust it, run: git config --global --add safe.directory "+s.Dir)
		if o.stdout != "" {
			t.Errorf("%v prints %q", args, o.stdout)
		}
	}
	s.unchanged(before)
	git := s.exec("git", "config", "--global", "--add", "safe.directory", s.Dir)
	s.finish(0, git)
	s.want("stdout", s.poly(1, "fmt").stdout, "would reformat a.go")
}

// TestNoPlace: a cache or state directory that cannot be used costs a warning
// and speed, never the run.
func TestNoPlace(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.Write("a.yaml", dup)
	s.Write("b.go", badGo)
	s.Commit("c")
	s.asNobody()
	want := s.poly(1, "lint", "--format", "json").stdout
	shut := filepath.Join(s.Home, "shut")
	s.must(os.Mkdir(shut, 0o555))
	file := filepath.Join(s.Home, "file")
	s.must(os.WriteFile(file, nil, 0o444))
	for _, tc := range []struct {
		name    string
		env     []string
		warning string
		fix     int
	}{
		{"cache unwritable", []string{"POLY_CACHE_HOME=" + shut}, "results are not cached", 0},
		{"cache is a file", []string{"POLY_CACHE_HOME=" + file}, "results are not cached", 0},
		{"state unwritable", []string{"POLY_STATE_HOME=" + shut}, "", 2},
		{"state is a file", []string{"POLY_STATE_HOME=" + file}, "", 2},
		{"both unwritable", []string{"POLY_CACHE_HOME=" + shut, "POLY_STATE_HOME=" + shut}, "results are not cached", 2},
		{"no home", []string{"POLY_CACHE_HOME", "POLY_STATE_HOME", "HOME"}, "results are not cached: no place for poly's files: HOME is not set", 2},
		{"home does not exist", []string{"POLY_CACHE_HOME", "POLY_STATE_HOME", "HOME=/nonexistent/home"}, "results are not cached", 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := *s.Repo
			r.Env = slices.Clone(s.Env)
			s := &site{Repo: &r, tb: t, nobody: s.nobody}
			s.setenv(tc.env...)
			o := s.poly(1, "lint", "--format", "json")
			if o.stdout != want {
				t.Errorf("stdout = %s, want %s", o.stdout, want)
			}
			s.want("stderr", o.stderr, tc.warning)
			if tc.warning == "" && o.stderr != "" {
				t.Errorf("stderr = %q", o.stderr)
			}
			before := snapshot(t, s.Dir)
			s.poly(1, "fmt")
			o = s.poly(tc.fix, "fmt", "--fix")
			if tc.fix == 0 {
				s.Write("b.go", badGo)
				return
			}
			s.want("stderr", o.stderr, "poly: error: ", "poly: hint: ", "POLY_STATE_HOME")
			s.unchanged(before)
		})
	}
}

// TestFullDisk: files that do not fit are errored and stay as they are, the
// others are written; a cache that does not fit costs a warning.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.Write("big.yaml", strings.Repeat("# a long comment about nothing in particular\n", 400)+"a:   1\n")
	s.Write("small.yaml", "a:   1\n")
	s.Commit("c")
	before := snapshot(t, s.Dir)
	want := s.poly(0, "lint", "--format", "json").stdout
	s.must(os.RemoveAll(filepath.Join(s.Home, "cache")))
	limited := func(code int, args ...string) outcome {
		t.Helper()
		return s.finish(code, s.exec("sh", append([]string{"-c", `ulimit -f 8 && exec poly "$@"`, "sh"}, args...)...))
	}
	o := limited(2, "fmt", "--fix")
	s.want("output", o.stdout, "reformatted small.yaml", "error: big.yaml: not written: ", "file too large")
	s.unchanged(before, "small.yaml", ".")
	if got := s.Read("small.yaml"); got != "a: 1\n" {
		t.Errorf("small.yaml = %q", got)
	}
	if left := s.temporaries(); len(left) > 0 {
		t.Errorf("temporary files are left: %q", left)
	}
	s.must(os.RemoveAll(filepath.Join(s.Home, "cache")), os.RemoveAll(filepath.Join(s.Home, "state")))
	s.Write("small.yaml", "a:   1\n")
	for range 2 {
		if o := limited(0, "lint", "--format", "json"); o.stdout != want || o.stderr == "" {
			t.Errorf("with a full disk lint prints %s and %q, want %s and a warning", o.stdout, o.stderr, want)
		}
	}
	// With room again everything is as if nothing had been.
	if o := s.poly(0, "lint", "--format", "json"); o.stdout != want {
		t.Errorf("afterwards lint prints %s, want %s", o.stdout, want)
	}
	s.want("stdout", s.poly(0, "fmt", "--fix").stdout, "2 files reformatted")
}

// TestFullFileSystem is TestFullDisk with a file system that is full, where
// one can be mounted.
func TestFullFileSystem(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	mount := s.exec("mount", "-t", "tmpfs", "-o", "size=256k,mode=777", "tmpfs", s.Home)
	if out, err := mount.CombinedOutput(); err != nil {
		t.Logf("no file system can be mounted here, a limit on files has to do: %s", out)
		s.setenv("POLY_CACHE_HOME=/dev/full/x", "POLY_STATE_HOME=/dev/full/x")
	} else {
		t.Cleanup(func() { s.must(exec.CommandContext(context.Background(), "umount", s.Home).Run()) })
		s.must(os.WriteFile(filepath.Join(s.Home, "fill"), bytes.Repeat([]byte("x"), 250<<10), 0o600))
	}
	s.Write("a.yaml", dup)
	s.Write("b.go", badGo)
	s.Git("-c", "core.fsync=none", "add", "-A")
	before := snapshot(t, s.Dir)
	o := s.poly(1, "lint", "--format", "json")
	s.want("stdout", o.stdout, `"code":"duplicate-key"`, `"summary":{"checked":2,"skipped":0,"errored":0}`)
	s.want("stderr", o.stderr, "warning: ")
	o = s.poly(1, "fmt")
	s.want("stdout", o.stdout, "would reformat b.go", "warning: ")
	s.unchanged(before)
}

// inProcess runs poly in this process.
func (s *site) inProcess(a app, args ...string) outcome {
	s.tb.Helper()
	var stdout, stderr bytes.Buffer
	a.stdin, a.stdout, a.stderr = strings.NewReader(""), &stdout, &stderr
	a.env, a.args, a.cwd, a.goos, a.uid = s.Env, args, s.Dir, runtime.GOOS, os.Getuid()
	a.now, a.log, a.engines = time.Now, slog.New(slog.DiscardHandler), all.Engines()
	code := run(s.tb.Context(), &a)
	return outcome{code, stdout.String(), stderr.String()}
}

// TestTwoWriters: a second --fix waits for the first, and gives up in the end
// with the number of the process.
func TestTwoWriters(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.Write("a.go", badGo)
	s.Commit("c")
	dirs, err := store.Locate(s.Getenv, runtime.GOOS, s.Path(".git"))
	s.must(err)
	opt := worktree.Options{Root: s.Dir, StateDir: filepath.Join(dirs.State, "worktrees")}
	first, err := worktree.Open(t.Context(), opt)
	s.must(err)
	before := snapshot(t, s.Dir)

	o := s.inProcess(app{lockWait: 50 * time.Millisecond}, "fmt", "--fix")
	if o.code != 2 || o.stdout != "" {
		t.Errorf("while another writes: exit code %d, %q", o.code, o.stdout)
	}
	s.want("stderr", o.stderr, "poly: error: process "+strconv.Itoa(os.Getpid())+" has been writing to "+s.Dir+" for more than 50ms", "poly: hint: wait for it to end")
	s.unchanged(before)
	s.poly(1, "fmt") // who only looks needs no lock
	s.poly(0, "lint")

	// Interrupted while it waits: it ends at once, and nothing was written.
	waiting := s.command("fmt", "--fix")
	var stderr bytes.Buffer
	waiting.Stderr = &stderr
	s.must(waiting.Start())
	<-time.After(300 * time.Millisecond)
	s.must(waiting.Process.Signal(os.Interrupt))
	if _ = waiting.Wait(); waiting.ProcessState.ExitCode() != 130 {
		t.Errorf("interrupted while waiting: %v", waiting.ProcessState)
	}
	s.want("stderr", stderr.String(), "poly: interrupted")
	s.unchanged(before)

	// The second waits, and then judges what the first has left.
	second := s.command("fmt", "--fix")
	var out bytes.Buffer
	second.Stdout = &out
	s.must(second.Start())
	<-time.After(300 * time.Millisecond)
	s.unchanged(before)
	s.must(first.Write(t.Context(), worktree.Change{Path: "a.go", Before: []byte(badGo), After: []byte(badGo + "\n// new\n")}))
	s.must(first.Close())
	s.must(second.Wait())
	s.want("stdout", out.String(), "reformatted a.go")
	if got := s.Read("a.go"); got != goodGo+"\n// new\n" {
		t.Errorf("a.go = %q", got)
	}
	if d := cmp.Diff(before[".git/index"], snapshot(t, s.Dir)[".git/index"]); d != "" {
		t.Error(d)
	}
	// The lock is free again.
	l, err := filelock.Acquire(context.Background(), lockOf(t, opt.StateDir), filelock.Options{})
	s.must(err)
	s.must(l.Close())
}

func lockOf(t *testing.T, dir string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*.lock"))
	if err != nil || len(found) != 1 {
		t.Fatalf("locks %q, %v", found, err)
	}
	return found[0]
}

// TestClosedOutput: an answer that cannot be printed is a failure.
func TestClosedOutput(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.Write("a.yaml", dup)
	if _, err := os.Stat("/dev/full"); err == nil { // not everywhere
		s.fullOutput()
	}
	// Whoever reads no further ends poly quietly.
	r, w, err := os.Pipe()
	s.must(err, r.Close())
	cmd := s.command("lint")
	cmd.Stdout = w
	_ = cmd.Run()
	if cmd.ProcessState.Success() {
		t.Error("an answer to a closed pipe is a success")
	}
}

func (s *site) fullOutput() {
	s.tb.Helper()
	for _, args := range [][]string{{"lint"}, {"lint", "--format", "json"}, {"--version"}, {"docs", "git"}, {"config", "show"}, {"cache", "stats"}} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		s.must(err)
		cmd := s.command(args...)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &stderr
		_ = cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != 2 {
			s.tb.Errorf("%v to a full disk: exit code %d, want 2; %s", args, code, stderr.String())
		}
		_ = full.Close()
	}
}
