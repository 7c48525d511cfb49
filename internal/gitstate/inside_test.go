package gitstate

import (
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestInside: a tree that was limited finds what lies in other directories, in
// its view as a file system too.
func TestInside(t *testing.T) {
	t.Parallel()
	g := newSandbox(t)
	for _, name := range []string{"a/x", "rules/r1", "rules/deep/r2", "rulesx/no", "z"} {
		g.Write(name, name+"\n")
	}
	g.Git("add", "-A")
	g.Git("commit", "-qm", "c")
	g.Write("rules/r1", "changed\n")
	g.Write("rules/new", "new\n")
	r, err := Open(t.Context(), OpenOptions{Dir: g.Dir, Env: g.Env})
	if err != nil {
		t.Fatal(err)
	}
	closing(t, r)
	for _, paths := range [][]string{nil, {"a"}, {"rules/deep"}, {"rules", "z"}} {
		w, err := Worktree(t.Context(), r, WorktreeOptions{Paths: paths})
		if err != nil {
			t.Fatal(err)
		}
		for name, tree := range map[string]Tree{"worktree": w, "overlay": Overlay(w, map[string][]byte{"rules/over": []byte("o"), "rules/new": nil, "a/x": []byte("y")})} {
			want := map[string]string{"rules/r1": "changed\n", "rules/deep/r2": "rules/deep/r2\n", "rules/new": "new\n"}
			top := []string{"deep", "new", "r1"}
			if name == "overlay" {
				delete(want, "rules/new")
				want["rules/over"] = "o"
				top = []string{"deep", "over", "r1"}
			}
			got := map[string]string{}
			for _, f := range Inside(tree, "rules") {
				b, err := tree.Read(t.Context(), f)
				if err != nil {
					t.Errorf("%s limited to %v: %v", name, paths, err)
				}
				got[f.Path] = string(b)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s limited to %v: -want +got:\n%s", name, paths, d)
			}
			view := FS(t.Context(), tree)
			list, err := fs.ReadDir(view, "rules")
			var names []string
			for _, e := range list {
				names = append(names, e.Name())
			}
			if d := cmp.Diff(top, names); d != "" || err != nil {
				t.Errorf("%s limited to %v: %v, -want +got:\n%s", name, paths, err, d)
			}
			walked := map[string]string{}
			err = fs.WalkDir(view, "rules", func(p string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				b, err := fs.ReadFile(view, p)
				walked[p] = string(b)
				return err
			})
			if d := cmp.Diff(want, walked); d != "" || err != nil {
				t.Errorf("%s limited to %v: %v, walked -want +got:\n%s", name, paths, err, d)
			}
			if _, err := fs.ReadDir(view, "nothing"); err == nil {
				t.Errorf("%s limited to %v: there is no such directory", name, paths)
			}
			if n := len(Inside(tree, ".")); n != 6 {
				t.Errorf("%s limited to %v: %d files in all, want 6", name, paths, n)
			}
		}
		closing(t, w)
	}
}
