package gitstate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hooked makes a repository whose pre-commit hook starts this test binary,
// and returns a function that gives back what the hook saw.
func hooked(t *testing.T) (g *sandbox, saw func() (got, want, indexFile string)) {
	t.Helper()
	g = newSandbox(t)
	g.Fill()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	g.Write(".git/hooks/pre-commit", "#!/bin/sh\nGITSTATE_CHILD=hook GITSTATE_OUT='"+out+"' exec '"+exe+"'\n")
	if err := os.Chmod(g.Path(".git/hooks/pre-commit"), 0o755); err != nil {
		t.Fatal(err)
	}
	return g, func() (string, string, string) {
		t.Helper()
		var text [3]string
		for i, name := range []string{"got", "want", "index"} {
			b, err := os.ReadFile(filepath.Join(out, name))
			if err != nil {
				t.Fatalf("the hook did not run: %v", err)
			}
			text[i] = string(b)
			if err := os.Remove(filepath.Join(out, name)); err != nil {
				t.Fatal(err)
			}
		}
		return text[0], text[1], text[2]
	}
}

// TestHooks commits in every way that gives the hook another index, with
// staged, unstaged and partially staged changes, and compares what Staged sees
// there with what git sees.
func TestHooks(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		dir   string // below the root
		args  []string
		index string // what GIT_INDEX_FILE ends with
		stdin string
		has   []string // contents that must be staged in the hook, by path=text
	}{
		{name: "commit", args: []string{"commit", "-q", "-m", "x"}, index: ".git/index", has: []string{"a=staged a", "b/c=content of b/c\n"}},
		{name: "amend", args: []string{"commit", "-q", "--amend", "-m", "x"}, index: ".git/index", has: []string{"a=staged a"}},
		{name: "subdirectory", dir: "b", args: []string{"commit", "-q", "-m", "x"}, index: ".git/index", has: []string{"a=staged a"}},
		{name: "git -C", args: []string{"-C", "b/e", "commit", "-q", "-m", "x"}, index: ".git/index", has: []string{"a=staged a"}},
		{name: "commit -a", args: []string{"commit", "-q", "-a", "-m", "x"}, index: ".git/index.lock", has: []string{"a=worktree a", "b/c=worktree c"}},
		{name: "commit -i", args: []string{"commit", "-q", "-m", "x", "-i", "b/c"}, index: ".git/index.lock", has: []string{"a=staged a", "b/c=worktree c"}},
		{name: "commit -p", args: []string{"commit", "-q", "-m", "x", "-p"}, stdin: "n\ny\n", index: ".git/index.lock", has: []string{"a=staged a", "b/c=worktree c"}},
		{name: "commit path", args: []string{"commit", "-q", "-m", "x", "b/c"}, index: ".lock", has: []string{"a=content of a\n", "b/c=worktree c"}},
	} {
		for _, linked := range []bool{false, true} {
			name := tc.name
			if linked {
				name += " in a linked worktree"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				g, saw := hooked(t)
				if linked {
					dir := filepath.Join(filepath.Dir(g.Dir), "linked")
					g.Git("worktree", "add", "-q", "-b", "other", dir)
					g = g.in(dir)
				}
				g.Write("a", "staged a")
				g.Write("new", "new")
				g.Git("add", "a", "new")
				g.Write("a", "worktree a")
				g.Write("b/c", "worktree c")
				g.in(g.Path(tc.dir)).Input(tc.stdin, tc.args...)
				got, want, indexFile := saw()
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("in the hook, ls-files -s (-git +poly):\n%s", diff)
				}
				if suffix := strings.TrimPrefix(tc.index, ".git"); !strings.HasSuffix(indexFile, suffix) {
					t.Errorf("GIT_INDEX_FILE was %q, want it to end with %q", indexFile, suffix)
				}
				for _, h := range tc.has {
					path, text, _ := strings.Cut(h, "=")
					id := strings.TrimSpace(g.Input(text, "hash-object", "--stdin"))
					if !strings.Contains(got, id+" 0\t"+path+"\x00") {
						t.Errorf("%s is not staged as %q", path, text)
					}
				}
			})
		}
	}
}

// TestHookInSubmodule: the hook of a submodule sees the submodule.
func TestHookInSubmodule(t *testing.T) {
	t.Parallel()
	g, saw := hooked(t)
	g.AddSubmodule()
	saw() // of the commit that added it
	hook, err := os.ReadFile(g.Path(".git/hooks/pre-commit"))
	if err != nil {
		t.Fatal(err)
	}
	g.Write(".git/modules/sm/hooks/pre-commit", string(hook))
	if err := os.Chmod(g.Path(".git/modules/sm/hooks/pre-commit"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := g.in(g.Path("sm"))
	s.Write("t", "t")
	s.Git("add", "t")
	s.Git("commit", "-q", "-m", "in the submodule")
	got, want, _ := saw()
	if got != want || !strings.Contains(got, "\tt\x00") || strings.Contains(got, "b/c") {
		t.Errorf("in the hook: %q, git %q", got, want)
	}
}
