package gitstate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"poly/internal/gitstate/entry"
)

// commit records everything and lets the clock move on.
func (g *sandbox) commit() {
	g.t.Helper()
	g.Git("add", "-A")
	g.Git("commit", "-q", "--allow-empty", "-m", "x")
	tick()
}

// touch gives a file new times and its old content.
func (g *sandbox) touch(name string) {
	g.t.Helper()
	when := time.Now().Add(-time.Hour)
	if err := os.Chtimes(g.Path(name), when, when); err != nil {
		g.t.Fatal(err)
	}
}

func (g *sandbox) must(err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
}

// TestWorktreeMatrix has one test for each row of the matrix of formats and
// settings that concerns worktrees.
func TestWorktreeMatrix(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]func(*sandbox){
		"skip-worktree": rowSkipWorktree, "sparse-checkout": rowSparse, "assume-unchanged": rowAssumeUnchanged,
		"intent-to-add": rowIntentToAdd, "merge conflict": rowConflict, "submodule dirty": rowSubmodule, "nested repository": rowNested,
		"core.autocrlf": rowAutoCRLF, "eol=crlf": rowEOL, "text=auto and CRLF added": rowNormalized, "clean and smudge": rowFilter,
		"LFS": rowLFS, "ident": rowIdent, "working-tree-encoding": rowEncoding, "attributes deleted": rowAttributesDeleted,
		"core.fileMode": rowFileMode, "core.fileMode by include": rowInclude, "core.symlinks": rowSymlinks, "symlink target": rowTarget,
		"symlink to directory": rowThroughLink, "racy edit": rowRacy, "mtime restored": rowRestored, "core.trustCtime": rowTrustCtime,
		"core.checkStat": rowCheckStat, "size 0": rowSmudged, "info/exclude and excludesFile": rowExcludes, "ignore file is a link": rowIgnoreLink,
		"long paths": rowLongPaths, "unborn HEAD": rowUnborn, "odd files": rowOddFiles, "file and directory change places": rowSwap,
		"split index": rowSplit, "sha256": rowSHA256,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newSandbox(t)
			test(g)
		})
	}
	for _, row := range exempt {
		t.Logf("exempt: %s", row)
	}
}

func rowSkipWorktree(g *sandbox) {
	g.Write("a", "a\n")
	g.Write("b", "b\n")
	g.commit()
	g.Git("update-index", "--skip-worktree", "a", "b")
	g.must(os.Remove(g.Path("a")))
	g.Write("b", "changed\n")
	wantLines(g.t, g.worktree(WorktreeOptions{}), "b changed") // a is not wanted there; git is silent on b
}

func rowSparse(g *sandbox) {
	g.Write("in/a", "a\n")
	g.Write("out/.gitignore", "*.o\n")
	g.Write("out/.gitattributes", "* text\n")
	g.Write("out/a", "a\n")
	g.commit()
	g.Git("sparse-checkout", "set", "in")
	wantLines(g.t, g.worktree(WorktreeOptions{}), "in/a")
	g.Write("out/x.o", "")
	g.Write("out/x", "")
	w := g.worktree(WorktreeOptions{}) // the rules come from the index
	wantLines(g.t, w, "in/a", "out/x untracked")
	if got := w.Attr("out/x", "text"); got != "set" {
		g.t.Errorf("Attr(out/x, text) = %q, want set", got)
	}
}

func rowAssumeUnchanged(g *sandbox) {
	g.Write("a", "a\n")
	g.commit()
	g.Git("update-index", "--assume-unchanged", "a")
	g.Write("a", "b\n")
	wantLines(g.t, g.worktree(WorktreeOptions{}), "a changed")
}

func rowIntentToAdd(g *sandbox) {
	g.Write("a", "a\n")
	g.Write("empty", "")
	g.Git("add", "-N", "a", "empty")
	w := g.worktree(WorktreeOptions{})
	wantLines(g.t, w, "a changed", "empty changed")
	if f, _ := w.Lookup("a"); f.ID.String() != g.hashObject([]string{"a"})["a"] {
		g.t.Errorf("a has id %s", f.ID)
	}
}

func rowConflict(g *sandbox) {
	for _, f := range []string{"a", "b", "z"} {
		g.Write(f, "base\n")
	}
	g.commit()
	g.Git("checkout", "-q", "-b", "side")
	g.Write("a", "side\n")
	g.must(os.Remove(g.Path("b")))
	g.commit()
	g.Git("checkout", "-q", "main")
	g.Write("a", "main\n")
	g.Write("b", "main\n")
	g.commit()
	_, _ = g.Try("", "merge", "side")
	w := g.worktree(WorktreeOptions{})
	wantLines(g.t, w, "a conflict", "b conflict", "z")
	f, _ := w.Lookup("a")
	if b, err := w.Read(g.t.Context(), f); err != nil || !strings.Contains(string(b), "<<<<<<<") {
		g.t.Errorf("Read(a) = %q, %v", b, err)
	}
	g.must(os.Remove(g.Path("b")))
	wantLines(g.t, g.worktree(WorktreeOptions{}), "a conflict", "z", "b removed")
}

func rowSubmodule(g *sandbox) {
	g.Write("a", "a\n")
	g.commit()
	g.AddSubmodule()
	g.Write("sm/s", "dirty inside")
	g.Write("sm/new", "new")
	wantLines(g.t, g.worktree(WorktreeOptions{}), ".gitmodules", "a", "sm 160000")
	g.must(os.RemoveAll(g.Path("sm")))
	g.Write("sm", "a file now")
	wantLines(g.t, g.worktree(WorktreeOptions{}), ".gitmodules", "a", "sm changed")
	g.must(os.Remove(g.Path("sm")))
	wantLines(g.t, g.worktree(WorktreeOptions{}), ".gitmodules", "a", "sm removed")
}

func rowNested(g *sandbox) {
	g.Write("a", "a\n")
	g.commit()
	g.Git("init", "-q", "d/nested")
	g.Write("d/nested/x", "x")
	g.Write("d/plain/.git/x", "not a repository")
	g.Write("d/plain/y", "y")
	wantLines(g.t, g.worktree(WorktreeOptions{}), "a", "d/nested 160000 untracked", "d/plain/y untracked")
	wantLines(g.t, g.worktree(WorktreeOptions{Paths: []string{"d/nested/x"}}))
}

func rowAutoCRLF(g *sandbox) {
	g.Git("config", "core.autocrlf", "true")
	g.Write("lf", "one\ntwo\n")
	g.Write("bin", "\x00\r\n")
	g.commit()
	g.must(os.Remove(g.Path("lf")))
	g.Git("checkout", "-q", "lf")
	wantLines(g.t, g.worktree(WorktreeOptions{}), "bin", "lf crlf")
	g.touch("lf")
	wantLines(g.t, g.worktree(WorktreeOptions{}), "bin", "lf crlf")
	g.Write("lf", "one\ntwo\n")
	wantLines(g.t, g.worktree(WorktreeOptions{}), "bin", "lf")
}

func rowEOL(g *sandbox) {
	g.Write(".gitattributes", "*.bat eol=crlf\n")
	g.Write("a.bat", "one\r\ntwo\r\n")
	g.Write("b.bat", "one\ntwo\n")
	g.commit()
	for range 2 {
		w := g.worktree(WorktreeOptions{})
		wantLines(g.t, w, ".gitattributes", "a.bat crlf", "b.bat")
		a, _ := w.Lookup("a.bat")
		if b, _ := w.Lookup("b.bat"); a.ID != b.ID {
			g.t.Errorf("ids %s and %s of one blob", a.ID, b.ID)
		}
		g.touch("a.bat")
	}
}

// rowNormalized: git add leaves CRLF in the worktree and the entry clean. The
// bytes must not pass for those of the blob.
func rowNormalized(g *sandbox) {
	g.Write(".gitattributes", "* text=auto\n")
	g.Write("a", "one\r\ntwo\n")
	g.Write("b", "one\r\ntwo\r\n")
	g.Write("c", "one\n")
	g.commit()
	mem := &notes{}
	for range 2 {
		f := map[string]Class{}
		for file := range g.worktree(WorktreeOptions{Memory: mem}).Files() {
			f[file.Path] = file.Class
			if file.Changed {
				g.t.Errorf("%s counts as changed", file.Path)
			}
		}
		if !strings.HasPrefix(string(f["a"]), "raw=") || f["b"] != "crlf" || f["c"] != "" {
			g.t.Errorf("classes %v", f)
		}
	}
	g.must(os.Remove(g.Path("b")))
	g.Git("checkout", "-q", "b")
	if f, _ := g.worktree(WorktreeOptions{Memory: mem}).Lookup("b"); f.Class != "" || f.Changed {
		g.t.Errorf("after checkout b is %+v", f)
	}
}

func rowFilter(g *sandbox) {
	g.Git("config", "filter.rot.clean", "tr a-z n-za-m")
	g.Git("config", "filter.rot.smudge", "tr a-z n-za-m")
	g.Write(".gitattributes", "*.rot filter=rot\n*.none filter=missing\n")
	g.Write("a.rot", "hello\n")
	g.Write("a.none", "hello\n")
	g.commit()
	first, _ := g.worktree(WorktreeOptions{}).Lookup("a.rot")
	if !strings.HasPrefix(string(first.Class), "filter=rot,raw=") || first.Changed {
		g.t.Errorf("a.rot is %+v", first)
	}
	g.touch("a.rot")
	g.touch("a.none")
	w := g.worktree(WorktreeOptions{})
	if f, _ := w.Lookup("a.rot"); f.ID != first.ID || f.Class != first.Class || f.Changed {
		g.t.Errorf("touched, a.rot is %+v, want %+v", f, first)
	}
	if f, _ := w.Lookup("a.none"); f.Class != "" || f.Changed {
		g.t.Errorf("touched, a.none is %+v", f)
	}
	g.Write("a.rot", "other\n")
	if f, _ := g.worktree(WorktreeOptions{}).Lookup("a.rot"); !f.Changed || f.ID.String() != g.hashObject([]string{"a.rot"})["a.rot"] {
		g.t.Errorf("changed, a.rot is %+v", f)
	}
	g.Git("config", "filter.rot.clean", "exit 1")
	g.Git("config", "filter.rot.required", "true")
	f, _ := g.worktree(WorktreeOptions{}).Lookup("a.rot")
	if f.ID != entry.BlobID([]byte("other\n"), 20) || f.Class != "" || !f.Changed {
		g.t.Errorf("with a failing filter, a.rot is %+v", f)
	}
}

func rowLFS(g *sandbox) {
	g.Git("config", "filter.lfs.clean", "head -n 1")
	g.Git("config", "filter.lfs.smudge", "cat")
	g.Write(".gitattributes", "*.bin filter=lfs -text\n")
	g.Write("a.bin", strings.Repeat("big\n", 1000))
	g.commit()
	wantLines(g.t, g.worktree(WorktreeOptions{}), ".gitattributes", "a.bin filter=lfs")
	g.touch("a.bin")
	wantLines(g.t, g.worktree(WorktreeOptions{}), ".gitattributes", "a.bin filter=lfs")
	g.must(os.Remove(g.Path("a.bin"))) // "smudge" leaves the pointer, as GIT_LFS_SKIP_SMUDGE does
	g.Git("checkout", "-q", "a.bin")
	wantLines(g.t, g.worktree(WorktreeOptions{}), ".gitattributes", "a.bin")
}

func rowIdent(g *sandbox) {
	g.Write(".gitattributes", "*.c ident\n")
	g.Write("a.c", "$Id$\n")
	g.Write("b.c", "none\n")
	g.commit()
	g.must(os.Remove(g.Path("a.c")))
	g.Git("checkout", "-q", "a.c")
	for range 2 {
		w := g.worktree(WorktreeOptions{})
		if f, _ := w.Lookup("a.c"); !strings.HasPrefix(string(f.Class), "ident,raw=") || f.Changed {
			g.t.Errorf("a.c is %+v", f)
		}
		if f, _ := w.Lookup("b.c"); f.Class != "" || f.Changed {
			g.t.Errorf("b.c is %+v", f)
		}
		g.touch("a.c")
		g.touch("b.c")
	}
}

func rowEncoding(g *sandbox) {
	g.Write(".gitattributes", "*.u text working-tree-encoding=UTF-16LE\n")
	g.Write("a.u", "a\x00\n\x00")
	g.commit()
	for range 2 {
		w := g.worktree(WorktreeOptions{})
		f, _ := w.Lookup("a.u")
		if !strings.HasPrefix(string(f.Class), "encoding=UTF-16LE,raw=") || f.Changed {
			g.t.Errorf("a.u is %+v", f)
		}
		if b, err := w.Read(g.t.Context(), f); err != nil || len(b) != 4 {
			g.t.Errorf("Read = %q, %v", b, err)
		}
		g.touch("a.u")
	}
}

func rowAttributesDeleted(g *sandbox) {
	g.Write(".gitattributes", "*.x mine\n")
	g.Write("a.x", "")
	g.commit()
	g.must(os.Remove(g.Path(".gitattributes")))
	if got := g.worktree(WorktreeOptions{}).Attr("a.x", "mine"); got != "set" { // git takes the index's
		g.t.Errorf("Attr = %q, want set", got)
	}
	g.Write("d/.gitattributes", "*.x other\n")
	g.Write("d/a.x", "")
	g.Write(".gitignore", ".gitattributes\n")
	w := g.worktree(WorktreeOptions{})
	if got := w.Attr("d/a.x", "other"); got != "set" {
		g.t.Errorf("Attr by an ignored file = %q, want set", got)
	}
	state := w.Baseline().State
	g.Write("d/.gitattributes", "*.x else\n")
	if g.worktree(WorktreeOptions{}).Baseline().State == state {
		g.t.Error("the state does not tell of an ignored .gitattributes")
	}
}

func rowFileMode(g *sandbox) {
	g.Write("a", "a\n")
	g.commit()
	g.must(os.Chmod(g.Path("a"), 0o755))
	wantLines(g.t, g.worktree(WorktreeOptions{}), "a 100755 changed")
	g.Git("config", "core.fileMode", "false")
	wantLines(g.t, g.worktree(WorktreeOptions{}), "a")
}

func rowInclude(g *sandbox) {
	g.Write("a", "a\n")
	g.commit()
	g.must(os.Chmod(g.Path("a"), 0o755))
	g.must(os.WriteFile(filepath.Join(g.Dir, "..", "more"), []byte("[core]\n\tfileMode = false\n"), 0o666))
	g.Git("config", "--unset", "core.fileMode")
	g.Git("config", "include.path", filepath.Join(g.Dir, "..", "more"))
	wantLines(g.t, g.worktree(WorktreeOptions{}), "a")
}

func rowSymlinks(g *sandbox) {
	g.must(os.Symlink("target", g.Path("l")))
	g.commit()
	g.Git("config", "core.symlinks", "false")
	g.must(os.Remove(g.Path("l")))
	g.Git("checkout", "-q", "l")
	wantLines(g.t, g.worktree(WorktreeOptions{}), "l 120000")
	g.touch("l")
	wantLines(g.t, g.worktree(WorktreeOptions{}), "l 120000")
}

func rowTarget(g *sandbox) {
	g.must(os.Symlink("one", g.Path("l")))
	g.commit()
	g.must(os.Remove(g.Path("l")))
	g.must(os.Symlink("two", g.Path("l")))
	w := g.worktree(WorktreeOptions{})
	wantLines(g.t, w, "l 120000 changed")
	f, _ := w.Lookup("l")
	if f.ID != entry.BlobID([]byte("two"), 20) {
		g.t.Errorf("id %s", f.ID)
	}
	if _, err := w.Read(g.t.Context(), f); err == nil {
		g.t.Error("a link is read")
	}
}

func rowThroughLink(g *sandbox) {
	g.Write("d/e/a", "a\n")
	g.Write("z", "z\n")
	g.commit()
	g.must(os.Rename(g.Path("d"), g.Path("real")))
	g.must(os.Symlink("real", g.Path("d")))
	wantLines(g.t, g.worktree(WorktreeOptions{}), "d 120000 untracked", "real/e/a untracked", "z", "d/e/a removed")
	wantLines(g.t, g.worktree(WorktreeOptions{Paths: []string{"d/e/a"}}))
}

func rowRacy(g *sandbox) {
	for range 20 {
		g.Write("a", "one\n")
		g.Git("add", "a")
		g.Write("a", "two\n")
		w := g.worktree(WorktreeOptions{})
		if f, _ := w.Lookup("a"); !f.Changed {
			g.t.Fatalf("an edit right after git add is missed: %+v", f)
		}
	}
}

func rowRestored(g *sandbox) {
	g.Write("a", "one\n")
	g.commit()
	fi, err := os.Lstat(g.Path("a"))
	g.must(err)
	g.Write("a", "two\n")
	g.must(os.Chtimes(g.Path("a"), fi.ModTime(), fi.ModTime()))
	wantLines(g.t, g.worktree(WorktreeOptions{}), "a changed")
}

// settled makes an index whose entry "a" is not racy, and puts other content
// with the same size and mtime in its place. It returns the content git knows.
func (g *sandbox) settled() {
	g.t.Helper()
	g.Write("a", "one\n")
	when := time.Now().Add(-time.Hour)
	g.must(os.Chtimes(g.Path("a"), when, when))
	g.commit()
	g.Write("a.new", "two\n")
	g.must(os.Chtimes(g.Path("a.new"), when, when))
}

func rowTrustCtime(g *sandbox) {
	g.settled()
	g.Git("config", "core.trustCtime", "false")
	g.must(os.WriteFile(g.Path("a"), []byte("two\n"), 0o666))
	when := time.Now().Add(-time.Hour)
	g.must(os.Chtimes(g.Path("a"), when, when))
	g.must(os.Remove(g.Path("a.new")))
	wantLines(g.t, g.worktree(WorktreeOptions{}), "a changed") // the mtime tells
	g.Write("a", "one\n")
	g.Git("add", "a")
	tick()
	g.Write("other", "")
	g.Git("add", "other")
	g.must(os.Chmod(g.Path("a"), 0o600)) // moves the ctime alone
	f, _ := g.worktree(WorktreeOptions{}).Lookup("a")
	if f.Changed {
		g.t.Errorf("a is %+v", f)
	}
}

func rowCheckStat(g *sandbox) {
	g.settled()
	fi, err := os.Lstat(g.Path("a"))
	g.must(err)
	g.must(os.Chtimes(g.Path("a.new"), fi.ModTime(), fi.ModTime()))
	g.must(os.Rename(g.Path("a.new"), g.Path("a")))
	wantLines(g.t, g.worktree(WorktreeOptions{}), "a changed") // inode and ctime tell
	g.Git("config", "core.checkStat", "minimal")
	wantLines(g.t, g.worktree(WorktreeOptions{}), "a") // as git: they do not count
}

// rowSmudged: an entry without stat data, as git read-tree leaves it.
func rowSmudged(g *sandbox) {
	g.Write("a", "one\n")
	g.commit()
	g.Git("read-tree", "HEAD")
	w := g.worktree(WorktreeOptions{})
	wantLines(g.t, w, "a")
	g.must(os.WriteFile(g.Path("a"), nil, 0o666))
	wantLines(g.t, g.worktree(WorktreeOptions{}), "a changed")
}

func rowExcludes(g *sandbox) {
	g.Write("home/x", "") // the user's file lies anywhere
	g.Write(".git/info/exclude", "*.info\n!keep.user\n")
	g.must(os.MkdirAll(filepath.Join(g.Getenv("HOME"), ".config", "git"), 0o777))
	g.must(os.WriteFile(filepath.Join(g.Getenv("HOME"), ".config", "git", "ignore"), []byte("*.user\nhome/\n"), 0o666))
	for _, f := range []string{"a.info", "a.user", "keep.user", "d/.gitignore", "d/b.user", "d/b.info", "e"} {
		g.Write(f, "")
	}
	g.Write("d/.gitignore", "!b.user\n")
	w := g.worktree(WorktreeOptions{})
	wantLines(g.t, w, "d/.gitignore untracked", "d/b.user untracked", "e untracked", "keep.user untracked")
	if r, ok := Ignored(w, "home/x", false); !ok || r.Line != 2 || r.Pattern != "home/" {
		g.t.Errorf("Ignored(home/x) = %+v, %v", r, ok)
	}
	other := filepath.Join(g.Dir, "..", "other")
	g.must(os.WriteFile(other, []byte("e\n"), 0o666))
	g.Git("config", "core.excludesFile", other)
	wantLines(g.t, g.worktree(WorktreeOptions{}), "a.user untracked", "d/.gitignore untracked", "d/b.user untracked", "home/x untracked", "keep.user untracked")
}

func rowIgnoreLink(g *sandbox) {
	g.Write("rules", "*\n")
	g.must(os.Symlink("rules", g.Path(".gitignore")))
	wantLines(g.t, g.worktree(WorktreeOptions{}), ".gitignore 120000 untracked", "rules untracked") // git refuses to follow it
}

func rowLongPaths(g *sandbox) {
	g.Write("a", "a\n")
	g.Git("add", "a")
	id := strings.TrimSpace(g.Git("hash-object", "a"))
	long := strings.Repeat(strings.Repeat("d", 200)+"/", 25) + "f"
	g.Git("update-index", "--add", "--cacheinfo", "100644,"+id+","+long)
	// The same tree on disk, made step by step.
	at := g.Dir
	fd, err := unix.Open(at, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	g.must(err)
	for range 25 {
		g.must(unix.Mkdirat(fd, strings.Repeat("d", 200), 0o777))
		next, err := unix.Openat(fd, strings.Repeat("d", 200), unix.O_RDONLY|unix.O_DIRECTORY, 0)
		g.must(err)
		g.must(unix.Close(fd))
		fd = next
	}
	g.must(unix.Close(fd))
	w := g.worktree(WorktreeOptions{})
	if len(w.Problems()) == 0 || w.Problems()[len(w.Problems())-1].Path != long {
		g.t.Errorf("problems %v", w.Problems())
	}
	if w.Len() != 1 {
		g.t.Errorf("%d files, want a alone", w.Len())
	}
}

func rowUnborn(g *sandbox) {
	wantLines(g.t, g.worktree(WorktreeOptions{}))
	g.Write("a", "a\n")
	wantLines(g.t, g.worktree(WorktreeOptions{}), "a untracked")
	g.Git("add", "a")
	wantLines(g.t, g.worktree(WorktreeOptions{}), "a")
}

func rowOddFiles(g *sandbox) {
	g.Write("tracked", "")
	g.commit()
	g.must(os.Remove(g.Path("tracked")))
	g.must(unix.Mkfifo(g.Path("tracked"), 0o666))
	g.must(unix.Mkfifo(g.Path("pipe"), 0o666))
	g.Write("odd\nname\xff", "x\n")
	g.Write(" ", "x\n")
	w := g.worktree(WorktreeOptions{})
	wantLines(g.t, w, "  untracked", "odd\nname\xff untracked", "tracked removed")
}

func rowSwap(g *sandbox) {
	g.Write("a", "a\n")
	g.Write("d/x", "x\n")
	g.Write("d/y/z", "z\n")
	g.commit()
	g.must(os.Remove(g.Path("a")))
	g.Write("a/b", "b\n")
	g.must(os.RemoveAll(g.Path("d")))
	g.Write("d", "d\n")
	wantLines(g.t, g.worktree(WorktreeOptions{}), "a/b untracked", "d untracked", "a removed", "d/x removed", "d/y/z removed")
}

func rowSplit(g *sandbox) {
	g.Write("a", "a\n")
	g.Write("b", "b\n")
	g.commit()
	g.Git("update-index", "--split-index")
	g.Write("b", "c\n")
	g.Write("c", "c\n")
	wantLines(g.t, g.worktree(WorktreeOptions{}), "a", "b changed", "c untracked")
}

func rowSHA256(g *sandbox) {
	g.must(os.RemoveAll(g.Path(".git")))
	g.Git("init", "-q", "--object-format=sha256")
	g.Write("a", "a\n")
	g.Write("b", "b\n")
	g.Git("add", "a")
	g.Write("a", "b\n")
	w := g.worktree(WorktreeOptions{})
	wantLines(g.t, w, "a changed", "b untracked")
	if f, _ := w.Lookup("b"); f.ID.String() != strings.TrimSpace(g.Git("hash-object", "b")) {
		g.t.Errorf("id %s", f.ID)
	}
}
