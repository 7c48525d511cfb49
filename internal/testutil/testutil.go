// Package testutil makes git repositories for tests. Each has a git
// environment of its own, so that no setting of the machine reaches it. It is
// never linked into the binary.
package testutil

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Repo is a repository in a temporary directory of the test. Its methods end
// the test when something fails.
type Repo struct {
	Dir  string   // of the worktree, without symbolic links
	Home string   // HOME of Env, a directory of its own
	Env  []string // what git and poly are to be started with
	tb   testing.TB
}

// NewRepo makes an empty repository with the branch main. args are further
// arguments of git init.
func NewRepo(tb testing.TB, args ...string) *Repo {
	tb.Helper()
	r := NewDir(tb)
	r.Git(append([]string{"init", "-q", "-b", "main"}, args...)...)
	return r
}

// NewDir makes an empty directory that is no repository yet.
func NewDir(tb testing.TB) *Repo {
	tb.Helper()
	top, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	r := &Repo{tb: tb, Dir: filepath.Join(top, "repo"), Home: filepath.Join(top, "home")}
	for _, d := range []string{r.Dir, r.Home} {
		if err := os.Mkdir(d, 0o777); err != nil {
			tb.Fatal(err)
		}
	}
	r.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + r.Home, "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + filepath.Join(r.Home, "gitconfig"),
		"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.invalid", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.invalid",
	}
	settings := "[core]\n\tfsync = none\n[gc]\n\tauto = 0\n[advice]\n\tdetachedHead = false\n"
	if err := os.WriteFile(r.Getenv("GIT_CONFIG_GLOBAL"), []byte(settings), 0o666); err != nil {
		tb.Fatal(err)
	}
	return r
}

// In returns r with another directory to run git in; Write and Path mean it.
func (r *Repo) In(dir string) *Repo {
	c := *r
	c.Dir = dir
	return &c
}

// With returns r with more variables in its environment.
func (r *Repo) With(env ...string) *Repo {
	c := *r
	c.Env = append(slices.Clone(r.Env), env...)
	return &c
}

// For returns r for another test, a part of the one it was made for.
func (r *Repo) For(tb testing.TB) *Repo {
	tb.Helper()
	c := *r
	c.tb = tb
	return &c
}

// Git runs git in the worktree and returns what it printed.
func (r *Repo) Git(args ...string) string {
	r.tb.Helper()
	return r.Input("", args...)
}

// Input is Git with a standard input.
func (r *Repo) Input(stdin string, args ...string) string {
	r.tb.Helper()
	out, err := r.Try(stdin, args...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		r.tb.Fatalf("git %v: %v\n%s%s", args, err, out, exit.Stderr)
	}
	if err != nil {
		r.tb.Fatalf("git %v: %v", args, err)
	}
	return out
}

// Try is Input for a command that may fail.
func (r *Repo) Try(stdin string, args ...string) (out string, err error) {
	cmd := exec.CommandContext(r.tb.Context(), "git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.Dir, r.Env, strings.NewReader(stdin)
	b, err := cmd.Output()
	return string(b), err
}

// TryGit is Try without a standard input; out has standard error, too.
func (r *Repo) TryGit(args ...string) (out string, err error) {
	cmd := exec.CommandContext(r.tb.Context(), "git", args...)
	cmd.Dir, cmd.Env = r.Dir, r.Env
	b, err := cmd.CombinedOutput()
	return string(b), err
}

// Path returns the path on this machine of a slash-separated name.
func (r *Repo) Path(name string) string { return filepath.Join(r.Dir, filepath.FromSlash(name)) }

// Write makes a file, and the directories above it.
func (r *Repo) Write(name, text string) {
	r.tb.Helper()
	if err := os.MkdirAll(filepath.Dir(r.Path(name)), 0o777); err != nil {
		r.tb.Fatal(err)
	}
	if err := os.WriteFile(r.Path(name), []byte(text), 0o666); err != nil {
		r.tb.Fatal(err)
	}
}

// Read returns the text of a file.
func (r *Repo) Read(name string) string {
	r.tb.Helper()
	text, err := os.ReadFile(r.Path(name))
	if err != nil {
		r.tb.Fatal(err)
	}
	return string(text)
}

// Commit commits everything that is not ignored.
func (r *Repo) Commit(message string) {
	r.tb.Helper()
	r.Git("add", "-A")
	r.Git("commit", "-q", "--allow-empty", "-m", message)
}

// Getenv looks a variable of Env up.
func (r *Repo) Getenv(name string) string {
	for _, e := range r.Env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			return v
		}
	}
	return ""
}
