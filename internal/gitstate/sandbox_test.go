package gitstate

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sandbox is a repository for tests, with a git environment of its own.
type sandbox struct {
	t   testing.TB
	dir string
	env []string
}

// newSandbox makes an empty repository.
func newSandbox(tb testing.TB, args ...string) *sandbox {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	home := filepath.Join(dir, "home")
	g := &sandbox{t: tb, dir: filepath.Join(dir, "repo"), env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + filepath.Join(home, "config"),
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b",
	}}
	for _, d := range []string{home, g.dir} {
		if err := os.Mkdir(d, 0o777); err != nil {
			tb.Fatal(err)
		}
	}
	g.run(append([]string{"init", "-q", "-b", "main"}, args...)...)
	return g
}

func (g *sandbox) run(args ...string) string {
	g.t.Helper()
	return g.input("", args...)
}

func (g *sandbox) input(stdin string, args ...string) string {
	g.t.Helper()
	out, err := g.try(stdin, args...)
	if err != nil {
		g.t.Fatalf("git %v: %v", args, err)
	}
	return out
}

func (g *sandbox) try(stdin string, args ...string) (string, error) {
	cmd := exec.CommandContext(g.t.Context(), "git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = g.dir, g.env, strings.NewReader(stdin)
	out, err := cmd.Output()
	return string(out), err
}

// getenv is the environment of g as a function.
func (g *sandbox) getenv(name string) string {
	for _, e := range g.env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			return v
		}
	}
	return ""
}

func (g *sandbox) path(name string) string { return filepath.Join(g.dir, name) }

func (g *sandbox) write(name, text string) {
	g.t.Helper()
	p := g.path(name)
	if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
		g.t.Fatal(err)
	}
}
