package peers

import (
	"crypto/sha256"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"poly/internal/gen/proof/lab"
)

func TestCut(t *testing.T) {
	t.Parallel()
	var es []entry
	for _, p := range []string{"a/1", "a/2", "b/1", "b/2", "c/1", "c/2"} {
		es = append(es, entry{path: p, rank: sha256.Sum256([]byte(p))})
	}
	names := func(c *corpus, es []entry) []string {
		var out []string
		for _, e := range c.cut(slices.Clone(es)) {
			out = append(out, e.path)
		}
		return out
	}
	c := &corpus{each: 1}
	got := names(c, es)
	if len(got) != 2 {
		t.Errorf("cut keeps %q, want 2", got)
	}
	back := slices.Clone(es)
	slices.Reverse(back)
	if d := cmp.Diff(got, names(c, back)); d != "" {
		t.Errorf("cut depends on the order:\n%s", d)
	}
	c.group = filepath.Dir
	if got := names(c, es); len(got) != 2 || filepath.Dir(got[0]) != filepath.Dir(got[1]) {
		t.Errorf("cut of groups = %q, want one whole group", got)
	}
}

func TestDraw(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := &lab.Lab{Dir: dir, Repos: filepath.Join(dir, "mirror"), Log: io.Discard}
	source := filepath.Join(l.Repos, "o+n")
	for name, text := range map[string]string{
		"x.sh": "a\n", "copy/x.sh": "a\n", "vendor/y.sh": "b\n", "run": "#!/bin/sh\n", "bin": "ELF", "empty.sh": "", "z.go": "c\n",
	} {
		if err := writeFile(filepath.Join(source, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []string{"run", "bin"} {
		if err := os.Chmod(filepath.Join(source, n), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "-m", "x"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = source
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	lib, err := open(t.Context(), l, "o/n not/there")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"not/there"}, lib.absent); d != "" {
		t.Error(d)
	}
	trees, err := lib.draw(t.Context(), &corpus{name: "s", each: 9, total: 9, want: shellNames, look: shebang.Match})
	if err != nil || len(trees) != 1 {
		t.Fatalf("draw = %v, %v", trees, err)
	}
	want := []string{"o+n/copy/x.sh", "o+n/run"}
	if d := cmp.Diff(want, trees[0].files); d != "" {
		t.Errorf("drawn (-want +got):\n%s", d)
	}
	if got := trees[0].repositories(); got != 1 {
		t.Errorf("repositories = %d, want 1", got)
	}
}

func TestExt(t *testing.T) {
	t.Parallel()
	want := ext(".tf", ".tftest.hcl")
	for p, w := range map[string]bool{"a/b.tf": true, "a.tftest.hcl": true, "a.hcl": false, ".tf": false, "tf": false} {
		if got := want(p); got != w {
			t.Errorf("ext(%q) = %v, want %v", p, got, w)
		}
	}
}
