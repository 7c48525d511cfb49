package gitstate

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/usererr"
)

// clone clones g with the given options and returns the clone.
func (g *sandbox) clone(args ...string) *sandbox {
	g.t.Helper()
	dir := filepath.Join(filepath.Dir(g.Dir), "clone")
	g.Git(append(append([]string{"clone", "-q"}, args...), "file://"+g.Dir, dir)...)
	return g.in(dir)
}

// checkCommit compares Commit with git ls-tree.
func (g *sandbox) checkCommit(rev string) {
	g.t.Helper()
	tree, err := Commit(g.t.Context(), g.open(g.Dir), rev)
	if err != nil {
		g.t.Fatalf("Commit(%q): %v", rev, err)
	}
	closing(g.t, tree)
	var got strings.Builder
	for f := range tree.Files() {
		kind := "blob"
		if f.Mode == ModeGitlink {
			kind = "commit"
		}
		fmt.Fprintf(&got, "%06o %s %s\t%s\x00", f.Mode, kind, f.ID, f.Path)
		if !f.Mode.Regular() {
			continue
		}
		b, err := tree.Read(g.t.Context(), f)
		if err != nil {
			g.t.Errorf("Read(%q): %v", f.Path, err)
		}
		size, err := tree.(Sizer).Stat(g.t.Context(), f)
		if want := g.Git("cat-file", "blob", f.ID.String()); err != nil || want != string(b) || size != int64(len(b)) {
			g.t.Errorf("Read(%q) = %q, size %d, want %q (%v)", f.Path, b, size, want, err)
		}
	}
	want := g.Git("ls-tree", "-r", "-z", rev)
	if diff := cmp.Diff(want, got.String()); diff != "" {
		g.t.Errorf("ls-tree %s (-git +poly):\n%s", rev, diff)
	}
}

func matrixPartialClone(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	g.Git("config", "uploadpack.allowFilter", "true")
	c := g.clone("--filter=blob:none", "--no-checkout")
	c.Git("read-tree", "HEAD")
	c.checkStaged() // git fetches what is missing

	if err := os.RemoveAll(c.Dir); err != nil {
		t.Fatal(err)
	}
	lost := g.clone("--filter=blob:none", "--no-checkout")
	lost.Git("read-tree", "HEAD")
	if err := os.Rename(g.Dir, g.Dir+".gone"); err != nil {
		t.Fatal(err)
	}
	tree := lost.staged()
	f, ok := tree.Lookup("a")
	if !ok {
		t.Fatal("a is not staged")
	}
	b, err := tree.Read(t.Context(), f)
	if err == nil || !strings.Contains(usererr.Hint(err), "git fetch origin") {
		t.Errorf("Read = %q, %v (hint %q), want an error that says to fetch", b, err, usererr.Hint(err))
	}
}

func matrixShallow(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	g.Write("a", "second")
	g.Git("commit", "-q", "-a", "-m", "second")
	c := g.clone("--depth", "1")
	c.checkStaged()
	c.checkCommit("HEAD")
	first := strings.TrimSpace(g.Git("rev-parse", "HEAD~1"))
	for _, rev := range []string{"HEAD~1", first} {
		_, err := Commit(t.Context(), c.open(c.Dir), rev)
		if err == nil || !strings.Contains(usererr.Hint(err), "--unshallow") {
			t.Errorf("Commit(%s) = %v (hint %q), want an error that says to unshallow", rev, err, usererr.Hint(err))
		}
	}
}

func matrixAlternates(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	dir := filepath.Join(filepath.Dir(g.Dir), "shared")
	g.Git("clone", "-q", "--shared", g.Dir, dir)
	g.in(dir).checkStaged()
	g.in(dir).checkCommit("HEAD")
}

func matrixMidx(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	g.Git("repack", "-q", "-d")
	g.Write("more", "more")
	g.Git("add", ".")
	g.Git("commit", "-q", "-m", "more")
	g.Git("repack", "-q", "-d")
	g.Git("multi-pack-index", "write")
	g.Git("commit-graph", "write", "--reachable")
	g.Git("pack-refs", "--all")
	g.checkStaged()
	g.checkCommit("HEAD")
	head, err := g.open(g.Dir).Head(t.Context())
	if want := strings.TrimSpace(g.Git("rev-parse", "HEAD")); err != nil || head.String() != want {
		t.Errorf("Head() from packed refs = %s, %v, want %s", head, err, want)
	}
}

func matrixIntentToAdd(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	want := g.Git("ls-files", "-s", "-z")
	g.Write("aa new", "not staged")
	g.Git("add", "-N", "aa new")
	tree := g.staged()
	if diff := cmp.Diff(want, dumpTree(tree)); diff != "" {
		t.Errorf("intent to add is staged content:\n%s", diff)
	}
	if f, ok := tree.Lookup("aa new"); ok {
		t.Errorf("Lookup finds %+v", f)
	}
	if _, ok := tree.Lookup("b-x"); !ok || tree.Len() != strings.Count(want, "\x00") {
		t.Errorf("the other entries: Lookup %v, Len %d", ok, tree.Len())
	}
}

func matrixAssumeUnchanged(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	g.Git("update-index", "--assume-unchanged", "a")
	g.Write("a", "changed behind git's back")
	g.checkStaged()
}

func matrixConflict(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	names := []string{"a", "b/c", "b/d.txt", "b/e/f"}
	change := func(side string) {
		for _, n := range names {
			g.Write(n, side)
		}
		g.Git("commit", "-q", "-a", "-m", side)
	}
	g.Git("checkout", "-q", "-b", "side")
	change("side")
	g.Git("checkout", "-q", "main")
	change("main")
	if _, err := g.Try("", "merge", "-q", "side"); err == nil {
		t.Fatal("the merge has no conflicts")
	}
	if n := strings.Count(g.Git("ls-files", "-u"), "\n"); n != 12 {
		t.Fatalf("%d unmerged entries, want 12", n)
	}
	tree := g.staged()
	var conflicts []string
	for f := range tree.Files() {
		if !f.Conflict {
			continue
		}
		conflicts = append(conflicts, f.Path)
		if b, err := tree.Read(t.Context(), f); err == nil {
			t.Errorf("Read(%q) = %q, want an error", f.Path, b)
		}
		if got, ok := tree.Lookup(f.Path); !ok || !got.Conflict {
			t.Errorf("Lookup(%q) = %+v, %v", f.Path, got, ok)
		}
	}
	if diff := cmp.Diff(names, conflicts); diff != "" {
		t.Errorf("conflicts (-want +got):\n%s", diff)
	}
	if want := strings.Count(g.Git("ls-files", "-s"), "\n") - 8; tree.Len() != want {
		t.Errorf("Len() = %d, want %d", tree.Len(), want)
	}
}

func matrixUnborn(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	r := g.open(g.Dir)
	if id, err := r.Head(t.Context()); !errors.Is(err, ErrUnborn) {
		t.Errorf("Head() = %s, %v, want ErrUnborn", id, err)
	}
	g.checkStaged() // without an index file
	if _, err := Commit(t.Context(), r, "HEAD"); err == nil {
		t.Error("Commit(HEAD) succeeds")
	}
	g.Write("a", "a")
	g.Git("add", "a")
	g.checkStaged()
}

func matrixLongPaths(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Write("a", "a")
	g.Git("add", "a")
	id := strings.TrimSpace(g.Git("hash-object", "a"))
	long := strings.Repeat(strings.Repeat("d", 200)+"/", 25) + "f"
	g.Git("update-index", "--add", "--cacheinfo", "100644,"+id+","+long)
	g.checkStaged()
}

// matrixConcurrent reads the index 120 times while git writes it.
func matrixConcurrent(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	done := make(chan error)
	go func() {
		var err error
		for i := 0; i < 60 && err == nil; i++ {
			name := fmt.Sprintf("new%d", i)
			if err = os.WriteFile(g.Path(name), []byte(name), 0o666); err == nil {
				_, err = g.Try("", "add", name)
			}
		}
		done <- err
	}()
	r := g.open(g.Dir)
	last := 0
	for range 120 {
		tree, err := Staged(t.Context(), r)
		if err != nil {
			t.Errorf("Staged: %v", err)
			break
		}
		n := 0
		for f := range tree.Files() {
			n += min(1, len(f.Path))
		}
		if n != tree.Len() || n < last {
			t.Errorf("%d entries of %d, after %d", n, tree.Len(), last)
		}
		last = n
		if err := tree.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	g.checkStaged()
}

// matrixGC packs the objects away while the child has seen them loose.
func matrixGC(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	g.Git("repack", "-q", "-d")
	tree := g.staged()
	g.Write("late", "late")
	g.Git("add", "late")
	late := g.staged()
	f, _ := tree.Lookup("a")
	if _, err := tree.Read(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	g.Git("commit", "-q", "-m", "late")
	g.Git("gc", "-q", "--prune=now", "--aggressive")
	for _, tree := range []Tree{tree, late} {
		for f := range tree.Files() {
			if !f.Mode.Regular() {
				continue
			}
			b, err := tree.Read(t.Context(), f)
			if err != nil || !bytes.Contains(b, []byte(f.Path)) {
				t.Errorf("Read(%q) after gc = %q, %v", f.Path, b, err)
			}
		}
	}
}

func matrixMtime(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	x, err := g.open(g.Dir).Index(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	closing(t, x)
	before, err := os.Stat(g.Path(".git/index"))
	if err != nil {
		t.Fatal(err)
	}
	g.Write("a", "new")
	g.Git("add", "a") // another file has the name now
	if got := x.File(); got.MtimeNano != before.ModTime().UnixNano() || got.Size != before.Size() {
		t.Errorf("File() = %+v, want the times of the file that was read", got)
	}
}

// TestCommit covers revisions of every kind, in a bare repository too.
func TestCommit(t *testing.T) {
	t.Parallel()
	g := newSandbox(t)
	g.Fill()
	g.Git("tag", "-a", "-m", "annotated", "v1")
	g.Write("a", "second")
	g.Git("commit", "-q", "-a", "-m", "second")
	bare := filepath.Join(filepath.Dir(g.Dir), "bare")
	g.Git("clone", "-q", "--bare", g.Dir, bare)
	for _, g := range []*sandbox{g, g.in(bare)} {
		for _, rev := range []string{"HEAD", "v1", "main~1", "HEAD^{tree}", "HEAD:b", strings.TrimSpace(g.Git("rev-parse", "HEAD")), ":/second", "main^{/basic}"} {
			g.checkCommit(rev)
		}
		for _, rev := range []string{"", "-h", "--output=x", "nothing", "HEAD:a", "HEAD\nmain", "0000000000000000000000000000000000000001"} {
			_, err := Commit(t.Context(), g.open(g.Dir), rev)
			if _, ok := errors.AsType[*usererr.Error](err); !ok {
				t.Errorf("Commit(%q) = %v, want a usererr.Error", rev, err)
			}
		}
	}
	if r := g.open(bare); r.Root != "" || r.GitDir != bare {
		t.Errorf("bare: Root %q, GitDir %q", r.Root, r.GitDir)
	}
}

// TestStates: the index and the commit that is made of it are one state.
func TestStates(t *testing.T) {
	t.Parallel()
	g := newSandbox(t)
	g.Fill()
	state := func(tree Tree, err error) ID {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		closing(t, tree)
		return tree.Baseline().State
	}
	r := g.open(g.Dir)
	head := state(Commit(t.Context(), r, "HEAD"))
	if staged := state(Staged(t.Context(), r)); staged != head {
		t.Error("the index right after a commit and the commit differ")
	}
	g.Write("a", "x")
	g.Git("add", "a")
	dirty := state(Staged(t.Context(), r))
	if dirty == head {
		t.Error("git add leaves the state as it was")
	}
	g.Write(".git/info/attributes", "* linguist-generated\n")
	if state(Staged(t.Context(), r)) == dirty {
		t.Error("info/attributes leave the state as it was")
	}
}

// TestTreeAttributes: a tree is judged by its own .gitattributes.
func TestTreeAttributes(t *testing.T) {
	t.Parallel()
	g := newSandbox(t)
	g.Fill()
	g.Write(".gitattributes", "*.txt linguist-generated=true text\n")
	g.Write("b/.gitattributes", "c eol=lf\n")
	g.Git("add", ".")
	g.Git("commit", "-q", "-m", "attributes")
	g.Write(".gitattributes", "* linguist-generated=worktree\n")
	g.Write(".git/info/attributes", "a info\n")
	commit, err := Commit(t.Context(), g.open(g.Dir), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	closing(t, commit)
	for _, tree := range []Tree{commit, g.staged()} {
		for _, q := range [][3]string{
			{"b/d.txt", "linguist-generated", "true"}, {"b/d.txt", "text", "set"}, {"b/c", "eol", "lf"}, {"a", "linguist-generated", ""}, {"a", "info", "set"},
		} {
			if got := tree.Attr(q[0], q[1]); got != q[2] {
				t.Errorf("Attr(%q, %q) = %q, want %q", q[0], q[1], got, q[2])
			}
		}
	}
}
