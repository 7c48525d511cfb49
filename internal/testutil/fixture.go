package testutil

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Fill makes files of every mode, with odd names among them, and commits them.
func (r *Repo) Fill() {
	r.tb.Helper()
	for _, name := range []string{"a", "b/c", "b/d.txt", "b/e/f", "b-x", "z with space", "\xff"} {
		r.Write(name, "content of "+name+"\n")
	}
	if err := os.Chmod(r.Path("a"), 0o755); err != nil {
		r.tb.Fatal(err)
	}
	if err := os.Symlink("a", r.Path("link")); err != nil {
		r.tb.Fatal(err)
	}
	r.Git("add", ".")
	r.Git("commit", "-q", "-m", "basic")
}

// AddSubmodule makes a repository beside r and commits it as its submodule "sm".
func (r *Repo) AddSubmodule() {
	r.tb.Helper()
	sub := r.In(filepath.Join(filepath.Dir(r.Dir), "sub"))
	if err := os.Mkdir(sub.Dir, 0o777); err != nil {
		r.tb.Fatal(err)
	}
	sub.Git("init", "-q", "-b", "main")
	sub.Write("s", "s")
	sub.Git("add", ".")
	sub.Git("commit", "-q", "-m", "sub")
	r.Git("-c", "protocol.file.allow=always", "submodule", "add", "-q", sub.Dir, "sm")
	r.Git("commit", "-q", "-m", "submodule")
}

// FakeGit returns r with a shell script before git on its PATH, which stands
// for a git of another version.
func (r *Repo) FakeGit(script string) *Repo {
	r.tb.Helper()
	bin := filepath.Join(filepath.Dir(r.Dir), "bin")
	if err := os.MkdirAll(bin, 0o777); err != nil {
		r.tb.Fatal(err)
	}
	Program(r.tb, filepath.Join(bin, "git"), strings.NewReader("#!/bin/sh\n"+script))
	return r.With("PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"))
}

// Program writes a program that can be started at once. Another process writes
// it: what this one has open for writing cannot be started as long as some
// child of a parallel test has it too.
func Program(tb testing.TB, to string, text io.Reader) {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), "sh", "-c", `cat >"$0" && chmod 755 "$0"`, to)
	cmd.Stdin = text
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("write %s: %v: %s", to, err, out)
	}
}

// CopySelf copies the running test binary to a place where another user may
// start it.
func CopySelf(tb testing.TB, to string) {
	tb.Helper()
	self, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	f, err := os.Open(self)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	Program(tb, to, f)
}
