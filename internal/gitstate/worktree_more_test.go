package gitstate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"poly/internal/gitstate/disk"
	"poly/internal/gitstate/entry"
	"poly/internal/gitstate/recall"
	"poly/internal/testutil"
)

// TestIgnoreGit compares ignore files at every level with git check-ignore.
func TestIgnoreGit(t *testing.T) {
	t.Parallel()
	g := newSandbox(t)
	for _, d := range []string{"a/b", "build/b", "e-f/a"} {
		g.Write(d+"/x", "")
	}
	user := filepath.Join(g.Dir, "..", "user")
	g.Git("config", "core.excludesFile", user)
	r := rand.New(rand.NewPCG(3, 4))
	gen := func() string {
		var b strings.Builder
		for range r.IntN(4) {
			b.WriteString(mutIgnore[r.IntN(len(mutIgnore))] + []string{"\n", "\r\n", " \n"}[r.IntN(3)])
		}
		return b.String()
	}
	files := []string{".gitignore", "a/.gitignore", "a/b/.gitignore", "build/.gitignore", "e-f/a/.gitignore", ".git/info/exclude"}
	hits := 0
	for range 120 {
		texts := map[string]string{}
		for _, f := range files {
			texts[f] = gen()
			g.Write(f, texts[f])
		}
		texts[user] = gen()
		g.must(os.WriteFile(user, []byte(texts[user]), 0o666))
		var paths []string
		for range 60 {
			p := make([]string, 1+r.IntN(4))
			for i := range p {
				p[i] = mutNames[r.IntN(len(mutNames))]
			}
			paths = append(paths, strings.Join(p, "/"))
		}
		w := g.worktree(WorktreeOptions{})
		out, err := g.Try(strings.Join(paths, "\x00")+"\x00", "check-ignore", "-v", "-n", "-z", "--stdin", "--no-index")
		if err != nil && out == "" {
			t.Fatal(err)
		}
		for f := strings.Split(out, "\x00"); len(f) > 3; f = f[4:] {
			want := ""
			if f[0] != "" && !strings.HasPrefix(f[2], "!") {
				want = f[0] + ":" + f[1]
				hits++
			}
			fi, err := os.Lstat(g.Path(f[3]))
			got := ""
			if rule, ok := Ignored(w, f[3], err == nil && fi.IsDir()); ok {
				got = rule.Source + ":" + strconv.Itoa(rule.Line)
			}
			if got != want {
				t.Fatalf("%s: ignored by %q, git says %q; files %q", f[3], got, want, texts)
			}
		}
	}
	if hits < 1000 {
		t.Errorf("only %d paths were ignored", hits)
	}
}

// record returns the remembered record of a directory, and a function that
// puts another in its place.
func (n *notes) record(t *testing.T, root, dir string) (recall.Dir, func(recall.Dir)) {
	t.Helper()
	key := string(recall.Key(recall.KeyDirs, root))
	r := recall.OpenDirs(n.m[key])
	var dirs []recall.Dir
	for d, ok := r.Next(); ok; d, ok = r.Next() {
		dirs = append(dirs, d)
	}
	i := slices.IndexFunc(dirs, func(d recall.Dir) bool { return d.Path == dir })
	if i < 0 {
		t.Fatalf("nothing is remembered of %q: %v", dir, dirs)
	}
	return dirs[i], func(d recall.Dir) {
		dirs[i] = d
		n.m[key] = recall.EncodeDirs(r.Index, dirs)
	}
}

// TestMemoryDirs takes a name out of what is remembered of a directory: as
// long as the file is not seen, the directory has not been read.
func TestMemoryDirs(t *testing.T) {
	t.Parallel()
	g := newSandbox(t)
	g.Write("a/tracked", "")
	g.Write("b/tracked", "")
	g.commit()
	g.Write("a/new", "new\n")
	g.Write("b/new", "new\n")
	g.Write("u/new", "new\n")
	mem := &notes{}
	scan := func() []string {
		t.Helper()
		tick()
		return lines(g.worktree(WorktreeOptions{Memory: mem}))
	}
	all := []string{"a/new untracked", "a/tracked", "b/new untracked", "b/tracked", "u/new untracked"}
	if diff := cmp.Diff(all, scan()); diff != "" {
		t.Fatal(diff)
	}
	for _, dir := range []string{"a", "u"} {
		d, put := mem.record(t, g.Dir, dir)
		d.Names = nil
		put(d)
	}
	if diff := cmp.Diff([]string{"a/tracked", "b/new untracked", "b/tracked"}, scan()); diff != "" {
		t.Errorf("directories that did not change are read:\n%s", diff)
	}
	g.Write("b/newer", "")
	if diff := cmp.Diff([]string{"a/tracked", "b/new untracked", "b/newer untracked", "b/tracked"}, scan()); diff != "" {
		t.Errorf("a change in b has the others read:\n%s", diff)
	}
	g.Write("u/newer", "")
	g.Git("rm", "-q", "--cached", "a/tracked") // no time of a directory moves
	want := []string{"a/new untracked", "a/tracked untracked", "b/new untracked", "b/newer untracked", "b/tracked", "u/new untracked", "u/newer untracked"}
	if diff := cmp.Diff(want, scan()); diff != "" {
		t.Errorf("after rm --cached:\n%s", diff)
	}
	g.Write(".gitignore", "newer\n")
	g.Write("a/.gitignore", "*\n")
	want = []string{".gitignore untracked", "b/new untracked", "b/tracked", "u/new untracked"}
	for range 2 {
		if diff := cmp.Diff(want, scan()); diff != "" {
			t.Errorf("with ignore files:\n%s", diff)
		}
	}
	g.Write("a/.gitignore", "new\n") // in place: no time of a directory moves
	want = []string{".gitignore untracked", "a/.gitignore untracked", "a/tracked untracked", "b/new untracked", "b/tracked", "u/new untracked"}
	if diff := cmp.Diff(want, scan()); diff != "" {
		t.Errorf("with another rule:\n%s", diff)
	}
}

// TestMemoryIndex: what is remembered of directories is of one index. None of
// their times moves when git learns or forgets names.
func TestMemoryIndex(t *testing.T) {
	t.Parallel()
	for _, jobs := range []int{1, 3} {
		g := newSandbox(t)
		g.Write("a/b/tracked", "")
		g.commit()
		g.Write("a/b/c/new", "")
		g.Write("u/v/new", "")
		mem := &notes{}
		scan := func(want ...string) {
			t.Helper()
			for range 2 {
				tick()
				got := lines(g.worktree(WorktreeOptions{Memory: mem, Jobs: jobs}))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			}
		}
		scan("a/b/c/new untracked", "a/b/tracked", "u/v/new untracked")
		g.Git("add", "u", "a/b/c")
		scan("a/b/c/new", "a/b/tracked", "u/v/new")
		g.Git("rm", "-q", "--cached", "a/b/tracked")
		scan("a/b/c/new", "a/b/tracked untracked", "u/v/new")
		g.Git("rm", "-q", "--cached", "u/v/new", "a/b/c/new")
		scan("a/b/c/new untracked", "a/b/tracked untracked", "u/v/new untracked")
		g.Git("add", "a/b")
		scan("a/b/c/new", "a/b/tracked", "u/v/new untracked")
	}
}

// TestMemoryFew: where few of many directories have changed they are read each
// time, and nothing is remembered anew.
func TestMemoryFew(t *testing.T) {
	t.Parallel()
	g := newSandbox(t)
	for i := range 300 {
		g.Write(fmt.Sprintf("d%03d/tracked", i), "")
	}
	g.commit()
	mem := &notes{}
	remembered := func() []byte { return mem.m[string(recall.Key(recall.KeyDirs, g.Dir))] }
	untracked := func() []string {
		t.Helper()
		tick()
		return slices.DeleteFunc(lines(g.worktree(WorktreeOptions{Memory: mem})), func(l string) bool { return strings.HasSuffix(l, "tracked") && !strings.HasSuffix(l, "untracked") })
	}
	if got := untracked(); len(got) > 0 {
		t.Fatal(got)
	}
	if n := recall.OpenDirs(remembered()).Len; n != 301 {
		t.Fatalf("%d directories are remembered, want 301", n)
	}
	first := remembered()
	g.Write("d007/new", "")
	for range 2 {
		if diff := cmp.Diff([]string{"d007/new untracked"}, untracked()); diff != "" {
			t.Error(diff)
		}
	}
	if !bytes.Equal(first, remembered()) {
		t.Error("a single directory has all of them remembered anew")
	}
	g.Write("d008/new", "")
	for range 2 {
		if diff := cmp.Diff([]string{"d007/new untracked", "d008/new untracked"}, untracked()); diff != "" {
			t.Error(diff)
		}
	}
	if bytes.Equal(first, remembered()) {
		t.Error("what was read is not remembered")
	}
}

// TestMemoryRacy: what changes in the same tick of the clock as the scan is seen.
func TestMemoryRacy(t *testing.T) {
	t.Parallel()
	g := newSandbox(t)
	g.Write("d/a", "")
	g.commit()
	mem := &notes{}
	for i := range 100 {
		name := fmt.Sprintf("d/n%03d", i)
		g.Write(name, "one\n")
		w := g.worktree(WorktreeOptions{Memory: mem})
		if f, ok := w.Lookup(name); !ok || f.ID != entry.BlobID([]byte("one\n"), 20) {
			t.Fatalf("%s: %+v, %v", name, f, ok)
		}
		g.Write(name, "two\n")
		w = g.worktree(WorktreeOptions{Memory: mem})
		if f, ok := w.Lookup(name); !ok || f.ID != entry.BlobID([]byte("two\n"), 20) {
			t.Fatalf("%s, rewritten: %+v, %v", name, f, ok)
		}
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	g := newSandbox(t)
	for _, f := range []string{"a", "d/a", "d/e/b", "d-x/c", "dd/x", "poly.toml"} {
		g.Write(f, f+"\n")
	}
	g.Write("d/.gitignore", "*.o\n")
	g.Write(".gitattributes", "* text=auto\n*.crlf eol=crlf\n")
	g.commit()
	g.Write("poly.toml", "changed\n")
	g.Write("d/e/new", "")
	g.Write("d/e/x.o", "")
	g.Write("u/new", "")
	g.Write("out.crlf", "a\r\n")
	for _, tc := range []struct {
		name  string
		paths []string
		want  []string
	}{
		{"directory", []string{"d"}, []string{"d/.gitignore", "d/a", "d/e/b", "d/e/new untracked"}},
		{"files", []string{"a", "dd/x", "d/e/new", "d/e/x.o"}, []string{"a", "d/e/new untracked", "dd/x"}},
		{"overlapping", []string{"d/e", "d/e/b", "./d/e/"}, []string{"d/e/b", "d/e/new untracked"}},
		{"untracked directory", []string{"u", "missing"}, []string{"u/new untracked"}},
		{"below an ignore file", []string{"d/e"}, []string{"d/e/b", "d/e/new untracked"}},
		{"nothing", []string{}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := g.worktree(WorktreeOptions{Paths: tc.paths})
			got := []string{}
			for _, l := range lines(w) {
				if !strings.HasSuffix(l, "removed") {
					got = append(got, l)
				}
			}
			if diff := cmp.Diff(append([]string{}, tc.want...), got); diff != "" {
				t.Error(diff)
			}
			if w.Len() != len(tc.want) || w.Baseline().State != "" || len(w.Baseline().Deviating) != len(tc.want) {
				t.Errorf("Len %d, baseline %+v", w.Len(), w.Baseline())
			}
			// What lies outside can be looked up all the same.
			for path, content := range map[string]string{"poly.toml": "changed\n", "out.crlf": "a\r\n", "a": "a\n"} {
				f, ok := w.Lookup(path)
				b, err := w.Read(t.Context(), f)
				if !ok || err != nil || string(b) != content {
					t.Errorf("Lookup(%s) = %+v, %v; Read = %q, %v", path, f, ok, b, err)
				}
			}
			if _, ok := w.Lookup("d/e/x.o"); ok {
				t.Error("an ignored file is found")
			}
			if _, ok := w.Lookup("none/x"); ok {
				t.Error("a missing file is found")
			}
		})
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, tracked := range []bool{true, false} {
		for _, attrs := range []string{"", "* text=auto\n"} {
			g := newSandbox(t)
			g.Write(".gitattributes", attrs)
			g.Write("a", "one\r\n")
			if tracked {
				g.commit()
			}
			w := g.worktree(WorktreeOptions{})
			f, _ := w.Lookup("a")
			read := func(want string, wantErr error) {
				t.Helper()
				b, err := w.Read(t.Context(), f)
				if string(b) != want || !errors.Is(err, wantErr) {
					t.Errorf("tracked %v, attributes %q: Read = %q, %v, want %q, %v", tracked, attrs, b, err, want, wantErr)
				}
			}
			read("one\r\n", nil)
			g.touch("a")
			read("one\r\n", nil)
			g.Write("a", "one\n")
			read("", ErrChanged)
			g.Write("a", "two\r\n")
			read("", ErrChanged)
			g.Write("a", "one\r\n")
			read("one\r\n", nil)
			g.must(os.Remove(g.Path("a")))
			read("", fs.ErrNotExist)
			g.must(os.Symlink(".gitattributes", g.Path("a")))
			read("", ErrChanged)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := w.Read(ctx, f); !errors.Is(err, context.Canceled) {
				t.Errorf("Read after cancel: %v", err)
			}
			if _, err := Worktree(ctx, g.repo(), WorktreeOptions{}); !errors.Is(err, context.Canceled) {
				t.Errorf("Worktree after cancel: %v", err)
			}
		}
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	g := newSandbox(t)
	g.must(os.RemoveAll(g.Path(".git")))
	g.Write("a", "a\n")
	g.Write(".gitignore", "*.o\n/build/\n")
	g.Write(".gitattributes", "*.gen linguist-generated\n")
	g.Write("x.o", "")
	g.Write("build/x", "")
	g.Write("d/.git/config", "")
	g.Write("d/b.gen", "b\n")
	g.must(os.Symlink("a", g.Path("l")))
	mem := &notes{}
	for range 3 {
		p, err := Plain(t.Context(), g.Dir, WorktreeOptions{Memory: mem})
		if err != nil {
			t.Fatal(err)
		}
		wantLines(t, p, ".gitattributes", ".gitignore", "a", "d/b.gen", "l 120000")
		f, _ := p.Lookup("a")
		if b, err := p.Read(t.Context(), f); err != nil || string(b) != "a\n" || f.ID != entry.BlobID(b, 20) {
			t.Errorf("Read = %q, %v, id %s", b, err, f.ID)
		}
		if b := p.Baseline(); b.State != "" || len(b.Deviating) != 5 || p.Len() != 5 {
			t.Errorf("baseline %+v", b)
		}
		if got := p.Attr("d/b.gen", "linguist-generated"); got != "set" {
			t.Errorf("Attr = %q", got)
		}
		g.must(p.Close())
		tick()
	}
}

func TestOverlay(t *testing.T) {
	t.Parallel()
	g := newSandbox(t)
	for _, f := range []string{"a", "b", "c", "d"} {
		g.Write(f, f+"\n")
	}
	g.commit()
	g.must(os.Remove(g.Path("d")))
	g.Write("c", "dirty\n")
	w := g.worktree(WorktreeOptions{})
	o := Overlay(w, map[string][]byte{"a": []byte("new\n"), "a/x": []byte(""), "b": nil, "d": []byte("d\n"), "z": nil})
	var got []string
	for f := range o.Files() {
		b, err := o.Read(t.Context(), f)
		if err != nil || f.ID != entry.BlobID(b, 20) {
			t.Errorf("%s: %v, id %s of %q", f.Path, err, f.ID, b)
		}
		if l, ok := o.Lookup(f.Path); !ok || l != f {
			t.Errorf("Lookup(%s) = %+v, %v", f.Path, l, ok)
		}
		got = append(got, fmt.Sprintf("%s %v %q", f.Path, f.Changed, b))
	}
	want := []string{`a true "new\n"`, `a/x true ""`, `c true "dirty\n"`, `d true "d\n"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	b := o.Baseline()
	var dev []string
	for _, f := range b.Deviating {
		dev = append(dev, f.Path)
	}
	if diff := cmp.Diff([]any{[]string{"a", "a/x", "c", "d"}, []string{"b"}, w.Baseline().State}, []any{dev, b.Removed, b.State}); diff != "" {
		t.Error(diff)
	}
	if _, ok := o.Lookup("b"); ok || o.Len() != 4 {
		t.Errorf("b is found: %v; Len %d", ok, o.Len())
	}
	f, _ := w.Lookup("a")
	if _, err := o.Read(t.Context(), f); !errors.Is(err, ErrChanged) {
		t.Errorf("the replaced file is read: %v", err)
	}
}

func TestFS(t *testing.T) {
	t.Parallel()
	g := newSandbox(t)
	for _, f := range []string{"a", "d/b", "d/e/c"} {
		g.Write(f, f+"\n")
	}
	g.must(os.Symlink("a", g.Path("l")))
	g.commit()
	g.Write("d/e/new", "new\n")
	w := g.worktree(WorktreeOptions{})
	if err := fstest.TestFS(FS(t.Context(), w), "a", "d/b", "d/e/c", "d/e/new"); err != nil {
		t.Error(err)
	}
	if _, err := fs.Stat(FS(t.Context(), w), "l"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Stat of a link: %v", err)
	}
}

// nobody is the user TestUnreadable becomes. It needs to be root for that, as
// it is in CI.
const nobody = 65534

// TestUnreadable runs a scan as a user who may not see everything.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	base := filepath.Dir(t.TempDir()) // others may not enter t.TempDir itself
	g := newSandbox(t)
	g.Write("closed/tracked", "")
	g.Write("nolist/tracked", "")
	g.Write("open/tracked", "")
	g.commit()
	g.Write("nolist/new", "")
	g.Write("open/new", "secret")
	g.must(os.Chmod(g.Path("open/new"), 0))
	g.Write("open/deep/x", "")
	g.must(os.Chmod(g.Path("open/deep"), 0))
	at := filepath.Join(base, "repo")
	g.must(exec.CommandContext(t.Context(), "cp", "-a", g.Dir, at).Run())
	g.must(filepath.WalkDir(base, func(p string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(p, nobody, nobody)
	}))
	g.must(os.Chmod(base, 0o755))
	g.must(os.Chmod(filepath.Join(at, "closed"), 0))
	g.must(os.Chmod(filepath.Join(at, "nolist"), 0o300))
	bin := filepath.Join(base, "bin")
	testutil.CopySelf(t, bin)
	cmd := exec.CommandContext(t.Context(), bin)
	cmd.Dir = at
	cmd.Env = append(slices.Clone(g.Env), "GITSTATE_CHILD=worktree", "HOME="+base, "GIT_CONFIG_GLOBAL=/dev/null")
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"nolist/tracked", "open/tracked", "closed/tracked removed", "closed problem", "closed/tracked problem", "nolist problem", "open/deep problem", "open/new problem"}
	if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(string(out)), "\n")); diff != "" {
		t.Error(diff)
	}
}

// childWorktree prints the worktree of the current directory.
func childWorktree() {
	ctx := context.Background()
	dir, err := filepath.Abs(".")
	if err != nil {
		panic(err)
	}
	r, err := Open(ctx, OpenOptions{Dir: dir, Env: os.Environ()})
	if err != nil {
		panic(err)
	}
	w, err := Worktree(ctx, r, WorktreeOptions{})
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(os.Stdout, strings.Join(lines(w), "\n"))
}

// BenchmarkWorktree scans 5,000 files in 500 directories that have not changed;
// "lstat" is what looking at them costs by itself.
func BenchmarkWorktree(b *testing.B) {
	g := newSandbox(b)
	for i := range 5000 {
		g.Write(fmt.Sprintf("d%02d/e%02d/f%d.go", i/100, i/10%10, i), strconv.Itoa(i))
	}
	g.Write(".gitignore", "*.o\nbin/\n")
	g.commit()
	g.Write("last", "") // all but this one are older than the index
	g.Git("add", "last")
	r, mem := g.repo(), &notes{}
	tick()
	scan := func() Tree {
		t, err := Worktree(b.Context(), r, WorktreeOptions{Memory: mem})
		if err != nil {
			b.Fatal(err)
		}
		return t
	}
	first := scan().(*worktree)
	b.Run("scan", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = scan().Close()
		}
	})
	b.Run("lstat", func(b *testing.B) {
		var st disk.Stat
		for b.Loop() {
			for i := range first.x.Len() {
				_ = first.root.Lstat(first.x.CPath(i), &st)
			}
			for i := range first.dirs {
				_ = first.root.LstatPath(first.dirs[i].Path, &st)
			}
		}
	})
	_ = first.Close()
}
