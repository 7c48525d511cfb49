package gitstate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/gitstate/index"
	"poly/internal/usererr"
)

// open opens the repository of a directory of g.
func (g *sandbox) open(dir string) *Repo {
	g.t.Helper()
	r, err := Open(g.t.Context(), OpenOptions{Dir: dir, Env: g.Env})
	if err != nil {
		g.t.Fatalf("Open(%s): %v", dir, err)
	}
	g.t.Cleanup(func() { _ = r.Close() })
	return r
}

func (g *sandbox) staged() Tree {
	g.t.Helper()
	tree, err := Staged(g.t.Context(), g.open(g.Dir))
	if err != nil {
		g.t.Fatalf("Staged: %v", err)
	}
	g.t.Cleanup(func() { _ = tree.Close() })
	return tree
}

// checkStaged compares Staged with git: the entries, and the bytes of each.
func (g *sandbox) checkStaged() {
	g.t.Helper()
	tree := g.staged()
	want := g.Git("ls-files", "-s", "-z")
	if diff := cmp.Diff(want, dumpTree(tree)); diff != "" {
		g.t.Errorf("ls-files -s (-git +poly):\n%s", diff)
	}
	n := 0
	for f := range tree.Files() {
		n++
		if got, ok := tree.Lookup(f.Path); !ok || got != f {
			g.t.Errorf("Lookup(%q) = %v, %v, want %v", f.Path, got, ok, f)
		}
		if !f.Mode.Regular() {
			continue
		}
		b, err := tree.Read(g.t.Context(), f)
		if err != nil {
			g.t.Errorf("Read(%q): %v", f.Path, err)
		}
		if blob := g.Git("cat-file", "blob", f.ID.String()); blob != string(b) {
			g.t.Errorf("Read(%q) = %q, want %q", f.Path, b, blob)
		}
	}
	if n != tree.Len() {
		g.t.Errorf("Len() = %d, but Files yields %d", tree.Len(), n)
	}
}

// indexOf opens the index file of g itself.
func (g *sandbox) indexOf() *index.Index {
	g.t.Helper()
	x, err := index.Open(g.Path(".git/index"), 20)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = x.Close() })
	return x
}

// exempt are the rows of the matrix that need another file system or
// operating system. They are listed so that nobody thinks they were forgotten.
var exempt = []string{"case-insensitive file system", "macOS", "Windows", "NFS"}

// TestMatrix has one test for each row of the matrix of index and repository
// formats that concerns reading an index, refs or objects.
func TestMatrix(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]func(*testing.T){
		"index v2": matrixVersion("2"), "index v3": matrixVersion("3"), "index v4": matrixVersion("4"),
		"split index": matrixSplit, "sparse index": matrixSparse, "sparse-checkout": matrixSparseCheckout,
		"skip-worktree": matrixSkipWorktree, "untracked cache": matrixUntrackedCache, "fsmonitor": matrixFSMonitor,
		"index.skipHash": matrixSkipHash, "linked worktree": matrixLinkedWorktree, "relativeWorktrees": matrixRelativeWorktrees,
		"submodule": matrixSubmodule, "inside submodule": matrixInsideSubmodule, "sha256": matrixSHA256, "reftable": matrixReftable,
		"partial clone": matrixPartialClone, "shallow": matrixShallow, "alternates": matrixAlternates, "midx and commit-graph": matrixMidx,
		"intent-to-add": matrixIntentToAdd, "assume-unchanged": matrixAssumeUnchanged, "merge conflict": matrixConflict,
		"unborn HEAD": matrixUnborn, "long paths": matrixLongPaths, "concurrent writers": matrixConcurrent, "gc during run": matrixGC,
		"index mtime": matrixMtime, "unknown extension": matrixUnknownExtension, "format version 2": matrixVersion2, "corrupt index": matrixCorrupt,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t)
		})
	}
	for _, row := range exempt {
		t.Logf("exempt: %s", row)
	}
}

func matrixVersion(version string) func(*testing.T) {
	return func(t *testing.T) {
		t.Helper()
		g := newSandbox(t)
		g.Fill()
		if version == "3" { // git writes 3 where an entry has extended flags
			g.Git("update-index", "--skip-worktree", "a")
		} else {
			g.Git("update-index", "--index-version", version)
		}
		if got := fmt.Sprint(g.indexOf().Version()); got != version {
			t.Fatalf("the index has version %s, want %s", got, version)
		}
		g.checkStaged()
	}
}

func matrixSplit(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	g.Git("update-index", "--split-index")
	g.Write("b/c", "changed")
	g.Write("new", "new")
	g.Git("add", "b/c", "new")
	if _, err := index.Open(g.Path(".git/index"), 20); !errors.Is(err, index.ErrUnsupported) {
		t.Fatalf("index.Open: %v, want ErrUnsupported", err)
	}
	before := g.Git("rev-parse", "--shared-index-path")
	g.checkStaged()
	if after := g.Git("rev-parse", "--shared-index-path"); after != before {
		t.Errorf("shared index was %q and is %q: it was written", before, after)
	}
	// Stat data and flags come through as well.
	g.Git("update-index", "--skip-worktree", "a")
	g.Git("update-index", "--assume-unchanged", "b-x")
	x, err := g.open(g.Dir).Index(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	closing(t, x)
	a, _ := x.Find("a")
	bx, _ := x.Find("b-x")
	if x.Flags(a)&index.SkipWorktree == 0 || x.Flags(bx)&index.AssumeValid == 0 || x.Stat(bx).Size != uint32(len("content of b-x\n")) {
		t.Errorf("flags %v and %v, size %d", x.Flags(a), x.Flags(bx), x.Stat(bx).Size)
	}
	fi, err := os.Stat(g.Path(".git/index"))
	if err != nil || x.File().MtimeNano != fi.ModTime().UnixNano() {
		t.Errorf("File().MtimeNano = %d, want that of the index", x.File().MtimeNano)
	}
}

func matrixSparse(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	want := g.Git("ls-files", "-s", "-z")
	g.Git("sparse-checkout", "set", "--cone", "--sparse-index", "nothing")
	if sparse := g.Git("ls-files", "--sparse"); !strings.Contains(sparse, "b/\n") {
		t.Fatalf("the index is not sparse: %q", sparse)
	}
	if diff := cmp.Diff(want, dumpTree(g.staged())); diff != "" {
		t.Errorf("before and after sparse-checkout:\n%s", diff)
	}
	g.checkStaged()
	x, err := g.open(g.Dir).Index(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	closing(t, x)
	if i, ok := x.Find("b/e/f"); !ok || x.Flags(i)&index.SkipWorktree == 0 {
		t.Error("b/e/f is not marked as outside the sparse checkout")
	}
}

func matrixSparseCheckout(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	g.Git("sparse-checkout", "set", "--no-cone", "b/c")
	r := g.open(g.Dir)
	if !r.Ext.WorktreeConfig || r.Config.String("core.sparseCheckout") != "true" {
		t.Errorf("worktreeConfig %v, core.sparseCheckout %q", r.Ext.WorktreeConfig, r.Config.String("core.sparseCheckout"))
	}
	g.checkStaged()
}

func matrixSkipWorktree(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	g.Git("update-index", "--skip-worktree", "b/c")
	if err := os.Remove(g.Path("b/c")); err != nil {
		t.Fatal(err)
	}
	g.checkStaged() // what is staged does not depend on the worktree
}

func matrixUntrackedCache(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	g.Git("update-index", "--force-untracked-cache")
	g.Git("status")
	if ext := g.indexOf().Extensions(); !strings.Contains(fmt.Sprint(ext), "UNTR") {
		t.Fatalf("extensions %v, want UNTR", ext)
	}
	g.checkStaged()
}

func matrixFSMonitor(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	hook := g.Path(".git/fsmonitor")
	g.Write(".git/fsmonitor", "#!/bin/sh\nprintf 'token\\0/\\0'\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	g.Git("config", "core.fsmonitor", hook)
	g.Git("update-index", "--fsmonitor")
	g.Git("status")
	if ext := g.indexOf().Extensions(); !strings.Contains(fmt.Sprint(ext), "FSMN") {
		t.Fatalf("extensions %v, want FSMN", ext)
	}
	g.checkStaged()
}

func matrixSkipHash(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	baseline := g.staged().Baseline()
	zero := func() {
		b, err := os.ReadFile(g.Path(".git/index"))
		if err != nil {
			t.Fatal(err)
		}
		clear(b[len(b)-20:])
		if err := os.WriteFile(g.Path(".git/index"), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	zero()
	g.checkStaged()
	if got := g.staged().Baseline(); got.State != baseline.State {
		t.Error("the state of a fully recorded tree depends on the trailer")
	}
	seen := map[ID]bool{}
	for _, text := range []string{"1", "2"} {
		g.Write("a", text)
		g.Git("add", "a")
		zero()
		seen[g.staged().Baseline().State] = true
	}
	if len(seen) != 2 {
		t.Error("two indexes with zero trailers have one state")
	}
}

func matrixLinkedWorktree(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	dir := filepath.Join(filepath.Dir(g.Dir), "linked")
	g.Git("worktree", "add", "-q", "-b", "other", dir)
	l := g.in(dir)
	l.Write("only here", "x")
	l.Git("add", ".")
	l.Git("commit", "-q", "-m", "other")
	l.checkStaged()
	g.checkStaged()
	r := l.open(dir)
	if r.CommonDir != g.Path(".git") || r.GitDir != g.Path(".git/worktrees/linked") || r.Root != dir {
		t.Errorf("Root %s, GitDir %s, CommonDir %s", r.Root, r.GitDir, r.CommonDir)
	}
	head, err := r.Head(t.Context())
	if want := strings.TrimSpace(l.Git("rev-parse", "HEAD")); err != nil || head.String() != want {
		t.Errorf("Head() = %s, %v, want %s", head, err, want)
	}
}

// matrixRelativeWorktrees: git 2.39 refuses the extension, later ones write it.
func matrixRelativeWorktrees(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	dir := filepath.Join(filepath.Dir(g.Dir), "linked")
	g.Git("worktree", "add", "-q", dir)
	want := g.in(dir).Git("ls-files", "-s", "-z")
	g.Write("../linked/.git", "gitdir: ../repo/.git/worktrees/linked\n")
	g.Write(".git/worktrees/linked/gitdir", "../../../../linked/.git\n")
	g.Git("config", "core.repositoryFormatVersion", "1")
	g.Git("config", "extensions.relativeWorktrees", "true")
	l := g.in(dir)
	r := l.open(dir)
	if !r.Ext.RelativeWorktrees || r.AskGit || r.Root != dir {
		t.Errorf("Ext %+v, AskGit %v, Root %s", r.Ext, r.AskGit, r.Root)
	}
	if diff := cmp.Diff(want, dumpTree(l.staged())); diff != "" {
		t.Errorf("ls-files -s (-git +poly):\n%s", diff)
	}
}

func matrixSubmodule(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	g.AddSubmodule()
	g.Write("sm/s", "dirty inside")
	g.checkStaged()
	f, ok := g.staged().Lookup("sm")
	if !ok || f.Mode != ModeGitlink {
		t.Fatalf("Lookup(sm) = %+v, %v, want a gitlink", f, ok)
	}
	if b, err := g.staged().Read(t.Context(), f); err == nil {
		t.Errorf("Read of a gitlink = %q, want an error", b)
	}
}

func matrixInsideSubmodule(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	g.AddSubmodule()
	s := g.in(g.Path("sm"))
	s.Write("new/x", "x")
	s.Git("add", ".")
	s.checkStaged()
	if r := s.open(s.Path("new")); r.Root != s.Dir || r.GitDir != g.Path(".git/modules/sm") || r.Prefix != "new" {
		t.Errorf("Root %s, GitDir %s, Prefix %s", r.Root, r.GitDir, r.Prefix)
	}
}

func matrixSHA256(t *testing.T) {
	t.Helper()
	g := newSandbox(t, "--object-format=sha256")
	g.Fill()
	g.checkStaged()
	r := g.open(g.Dir)
	head, err := r.Head(t.Context())
	if want := strings.TrimSpace(g.Git("rev-parse", "HEAD")); err != nil || head.String() != want || r.HashLen != 32 {
		t.Errorf("Head() = %s, %v, want %s; HashLen %d", head, err, want, r.HashLen)
	}
	g.checkCommit("HEAD")
}

// matrixReftable: git 2.39 has no reftable. The index is read all the same;
// refs are asked for, and git's refusal is passed on.
func matrixReftable(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	want := g.Git("ls-files", "-s", "-z")
	head := strings.TrimSpace(g.Git("rev-parse", "HEAD"))
	g.Git("config", "core.repositoryFormatVersion", "1")
	g.Git("config", "extensions.refStorage", "reftable")
	g.Write(".git/HEAD", "ref: refs/heads/.invalid\n")
	if diff := cmp.Diff(want, dumpTree(g.staged())); diff != "" {
		t.Errorf("ls-files -s (-before +poly):\n%s", diff)
	}
	if id, err := g.open(g.Dir).Head(t.Context()); err == nil || !strings.Contains(err.Error(), "extension") {
		t.Errorf("Head() = %s, %v, want git's refusal of the extension", id, err)
	}
	later := g.fakeGit(`case "$*" in *rev-parse*) echo ` + head + `;; *symbolic-ref*) echo refs/heads/main;; *) exit 7;; esac`)
	r := later.open(g.Dir)
	if id, err := r.Head(t.Context()); err != nil || id.String() != head {
		t.Errorf("Head() = %s, %v, want %s", id, err, head)
	}
}

func matrixUnknownExtension(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	g.Git("config", "core.repositoryFormatVersion", "1")
	g.Git("config", "extensions.quantum", "true")
	_, err := Open(t.Context(), OpenOptions{Dir: g.Dir, Env: g.Env})
	if _, ok := errors.AsType[*usererr.Error](err); !ok || !strings.Contains(err.Error(), "quantum") {
		t.Errorf("Open = %v, want git's refusal", err)
	}
	// A git that knows it decides; then everything is read through it.
	later := g.fakeGit(`case "$*" in *rev-parse*) exit 0;; *ls-files*) printf '100644 %040d 0\tasked\0' 7
printf '  ctime: 1:2\n  mtime: 3:4\n  dev: 5\tino: 6\n  uid: 7\tgid: 8\n  size: 9\tflags: 0\n';; esac`)
	r := later.open(g.Dir)
	if !r.AskGit {
		t.Error("AskGit is false")
	}
	tree, err := Staged(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	closing(t, tree)
	if want := fmt.Sprintf("100644 %040d 0\tasked\x00", 7); dumpTree(tree) != want {
		t.Errorf("Staged = %q, want %q", dumpTree(tree), want)
	}
	// In a version 0 repository git ignores it, and so do we.
	g.Git("config", "--file", ".git/config", "core.repositoryFormatVersion", "0")
	g.checkStaged()
}

func matrixVersion2(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	g.Git("config", "core.repositoryFormatVersion", "2")
	if _, err := Open(t.Context(), OpenOptions{Dir: g.Dir, Env: g.Env}); err == nil || !strings.Contains(err.Error(), "Expected git repo version <= 1, found 2") {
		t.Errorf("Open = %v, want git's refusal", err)
	}
}

func matrixCorrupt(t *testing.T) {
	t.Helper()
	g := newSandbox(t)
	g.Fill()
	b, err := os.ReadFile(g.Path(".git/index"))
	if err != nil {
		t.Fatal(err)
	}
	g.Write(".git/index", string(b[:len(b)/3]))
	_, err = Staged(t.Context(), g.open(g.Dir))
	if err == nil || usererr.Hint(err) == "" {
		t.Errorf("Staged = %v, want an error with a hint", err)
	}
}
