package snapshot

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/gitstate"
	"poly/internal/gitstate/disk"
	"poly/internal/testutil"
)

// listing tells what lies in a directory: kind, permission to execute, bytes.
func listing(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		switch {
		case d.IsDir():
			out[rel] = "dir"
		case d.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(p)
			out[rel] = "link " + to
			return err
		default:
			b, err := os.ReadFile(p)
			fi, _ := d.Info()
			out[rel] = fmt.Sprintf("file %v %q", fi.Mode().Perm()&0o100 != 0, b)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// world is a repository with its snapshot.
type world struct {
	t   *testing.T
	git *testutil.Repo
	dir string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, git: testutil.NewRepo(t), dir: filepath.Join(t.TempDir(), "snap")}
	return w
}

// update brings a snapshot up to what is staged and compares it with a
// checkout by git.
func (w *world) update(s *Snapshot) {
	w.t.Helper()
	repo, err := gitstate.Open(w.t.Context(), gitstate.OpenOptions{Dir: w.git.Dir, Env: w.git.Env})
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = repo.Close() }()
	tree, err := gitstate.Staged(w.t.Context(), repo)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = tree.Close() }()
	converted, err := gitstate.Converted(repo, tree)
	if err != nil {
		w.t.Fatal(err)
	}
	err = s.Update(w.t.Context(), slices.Collect(tree.Files()), nil, Content{
		Read: tree.Read, Converted: converted,
		Checkout: func(ctx context.Context, dir string, paths []string) error {
			return gitstate.Checkout(ctx, repo, dir, paths)
		},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	want := w.t.TempDir()
	w.git.Git("checkout-index", "-a", "-f", "--prefix="+want+"/")
	if diff := cmp.Diff(listing(w.t, want), listing(w.t, s.Root())); diff != "" {
		w.t.Fatalf("the snapshot differs from a checkout:\n%s", diff)
	}
	if changed, added := s.Changed(nil); len(changed)+len(added) > 0 {
		w.t.Fatalf("Changed right after Update: %q, %q", changed, added)
	}
}

func (w *world) open() *Snapshot {
	w.t.Helper()
	s, err := Open(w.t.Context(), "tree", Options{Dir: w.dir})
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// TestRandom drives a snapshot through random states of an index while
// something meddles with it, in one process and in several.
func TestRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			rnd := rand.New(rand.NewPCG(seed, 6))
			if seed%3 == 1 {
				w.git.Git("config", "core.autocrlf", "true")
			}
			s := w.open()
			for range 8 {
				for range 1 + rnd.IntN(6) {
					edit(t, w.git.Dir, rnd, false)
				}
				w.git.Git("add", "-A")
				w.update(s)
				for range rnd.IntN(5) {
					edit(t, s.Root(), rnd, true)
				}
				if rnd.IntN(2) == 0 {
					if err := s.Close(); err != nil {
						t.Fatal(err)
					}
					s = w.open()
				}
			}
			w.update(s)
			_ = s.Close()
		})
	}
}

// edit changes something below dir.
func edit(t *testing.T, dir string, rnd *rand.Rand, hostile bool) {
	t.Helper()
	names := []string{"a", "b.txt", "d/a", "d/b", "d/e/f", "g", "g/h", ".gitattributes", "x y"}
	name := filepath.Join(dir, names[rnd.IntN(len(names))])
	kind := rnd.IntN(8)
	if kind < 3 {
		_ = os.RemoveAll(name)
	}
	for up := filepath.Dir(name); len(up) > len(dir); up = filepath.Dir(up) {
		if fi, err := os.Lstat(up); err == nil && !fi.IsDir() {
			_ = os.Remove(up)
		}
	}
	_ = os.MkdirAll(filepath.Dir(name), 0o755)
	text := []string{"one\n", "two\n", "one\r\ntwo\r\n", "", "* text eol=crlf\n", "*.txt ident\n"}[rnd.IntN(6)]
	switch {
	case kind == 0:
	case kind == 1:
		_ = os.Symlink([]string{"b.txt", "nowhere", "d"}[rnd.IntN(3)], name)
	case kind == 2:
		_ = os.WriteFile(name, []byte(text), 0o755)
	case kind == 3 && hostile: // same size, same times
		fi, err := os.Lstat(name)
		if err != nil || !fi.Mode().IsRegular() {
			return
		}
		_ = os.WriteFile(name, make([]byte, fi.Size()), 0o644)
		_ = os.Chtimes(name, fi.ModTime(), fi.ModTime())
	case kind == 4 && hostile:
		_ = os.RemoveAll(filepath.Join(dir, "d"))
		_ = os.Symlink(t.TempDir(), filepath.Join(dir, "d"))
	case kind == 5 && hostile:
		_ = os.Chmod(filepath.Dir(name), 0o555)
	default:
		_ = os.WriteFile(name, []byte(text), 0o644)
	}
}

func TestEscapes(t *testing.T) {
	t.Parallel()
	links := map[string]string{"p/q/l": "../../a", "loop": "loop", "abs": "/etc", "up": "d/up2", "d/up2": "../.."}
	lookup := func(p string) (string, bool) { to, ok := links[p]; return to, ok }
	for _, tc := range []struct {
		at, target string
		want       bool
	}{
		{"x", "y", false},
		{"x", "../y", true},
		{"d/x", "../y", false},
		{"d/x", "../../y", true},
		{"x", "/etc/passwd", true},
		{"x", "d/../..", true},
		{"x", "p/q/l/..", false},
		{"x", "p/q/l/../..", true}, // lexically it stays
		{"x", "loop", false},
		{"x", "abs", true},
		{"x", "abs/passwd", true},
		{"x", "up", true},
		{"x", "", false},
		{"x", ".", false},
	} {
		if got := Escapes(tc.at, tc.target, lookup); got != tc.want {
			t.Errorf("Escapes(%q, %q) = %v, want %v", tc.at, tc.target, got, tc.want)
		}
	}
}

// TestConversions: a file whose attributes say another conversion than before is
// written anew, though its blob is the same.
func TestConversions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.git.Write("a.txt", "a $Id$\nb\n")
	w.git.Git("config", "filter.q.clean", "cat")
	for n, say := range []string{
		"*.txt text eol=crlf", "*.txt ident", "*.txt text working-tree-encoding=UTF-16LE", "*.txt filter=q", "*.txt filter=q", "*.txt ident eol=crlf",
	} {
		w.git.Write(".gitattributes", say+"\n")
		w.git.Git("add", ".gitattributes")
		w.git.Git("config", "filter.q.smudge", fmt.Sprintf("sed s/b/%d/", n)) // another one each time
		if n == 0 {
			w.git.Git("add", "a.txt")
		}
		s := w.open()
		w.update(s)
		for i := range s.have.entries { // until a change would show
			for !s.have.entries[i].stat.Settled(disk.CoarseNow()) {
				runtime.Gosched()
			}
		}
		w.update(s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSlots: runs at the same time get directories of their own.
func TestSlots(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	seen := map[string]bool{}
	for range slots {
		s, err := Open(t.Context(), "tree", Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		if seen[s.Root()] {
			t.Fatalf("two runs have %s", s.Root())
		}
		seen[s.Root()] = true
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, "tree", Options{Dir: dir}); err == nil {
		t.Fatal("a run more than there are snapshots got one")
	}
}

// TestClean: what is in use stays.
func TestClean(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	used, err := Open(t.Context(), "tree", Options{Dir: filepath.Join(top, "a")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = used.Close() }()
	idle, err := Open(t.Context(), "tree", Options{Dir: filepath.Join(top, "b")})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(idle.Root(), "f"), make([]byte, 100), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := idle.Close(); err != nil {
		t.Fatal(err)
	}
	n, err := Clean(t.Context(), top)
	if err != nil || n < 100 {
		t.Errorf("Clean = %d, %v", n, err)
	}
	if _, err := os.Stat(used.Root()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(idle.Root()); err == nil {
		t.Error("an idle snapshot is left")
	}
}
