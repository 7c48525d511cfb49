package index

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// repo is a repository made by git for one test.
type repo struct {
	tb  testing.TB
	dir string
	env []string
}

func newRepo(tb testing.TB, args ...string) *repo {
	tb.Helper()
	home := tb.TempDir()
	r := &repo{tb: tb, dir: filepath.Join(home, "r"), env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + filepath.Join(home, "gitconfig"),
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b",
	}}
	if err := os.Mkdir(r.dir, 0o777); err != nil {
		tb.Fatal(err)
	}
	r.git(append([]string{"init", "-q", "-b", "main"}, args...)...)
	return r
}

func (r *repo) git(args ...string) string {
	r.tb.Helper()
	out, err := r.try(args...)
	if err != nil {
		r.tb.Fatalf("git %q: %v", args, err)
	}
	return out
}

func (r *repo) try(args ...string) (string, error) {
	cmd := exec.CommandContext(r.tb.Context(), "git", args...)
	cmd.Dir, cmd.Env = r.dir, r.env
	out, err := cmd.Output()
	return string(out), err
}

func (r *repo) write(name, text string) {
	r.tb.Helper()
	p := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
		r.tb.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
		r.tb.Fatal(err)
	}
}

func (r *repo) index() string { return filepath.Join(r.dir, ".git", "index") }

// closing closes x at the end of the test.
func closing(t *testing.T, x *Index) {
	t.Helper()
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
}

// dump prints an index as `git ls-files -s -z --debug` does.
func dump(x *Index) string {
	var b strings.Builder
	for i := range x.Len() {
		s := x.Stat(i)
		flags := x.Stage(i) << 12
		for f, bit := range map[Flags]int{AssumeValid: 0x8000, Extended: 0x4000, IntentToAdd: 1 << 29, SkipWorktree: 1 << 30} {
			if x.Flags(i)&f != 0 {
				flags |= bit
			}
		}
		fmt.Fprintf(&b, "%06o %s %d\t%s\x00", x.Mode(i), hex.EncodeToString([]byte(x.ID(i))), x.Stage(i), x.Path(i))
		fmt.Fprintf(&b, "  ctime: %d:%d\n  mtime: %d:%d\n  dev: %d\tino: %d\n  uid: %d\tgid: %d\n  size: %d\tflags: %x\n",
			s.CtimeSec, s.CtimeNsec, s.MtimeSec, s.MtimeNsec, s.Dev, s.Ino, s.UID, s.GID, s.Size, flags)
	}
	return b.String()
}

// populate fills a repository with names that are hard to store and with every
// flag git can set.
func populate(r *repo, names int) {
	deep := strings.Repeat("d/", 40) + strings.Repeat("n", 200)
	for _, name := range []string{
		"a-", "a.b", "a/b", "a/c", "a0", "with space", "tab\tnew\nline", "\xff\xfe", "ünï", deep, deep + "x", "z/.gitignore", ".github/x", "...",
		"d/.git-x", strings.Repeat(strings.Repeat("e", 250)+"/", 17) + "more than 0xfff bytes",
	}[:names] {
		hash := strings.TrimSpace(r.git("hash-object", "-w", "-t", "blob", "/dev/null"))
		r.git("update-index", "--add", "--cacheinfo", "100644,"+hash+","+name)
	}
	r.write("exec", "x")
	if err := os.Chmod(filepath.Join(r.dir, "exec"), 0o755); err != nil {
		r.tb.Fatal(err)
	}
	if err := os.Symlink("exec", filepath.Join(r.dir, "link")); err != nil {
		r.tb.Fatal(err)
	}
	r.write("later", "later")
	r.write("skip", "skip")
	r.git("add", "exec", "link", "skip")
	r.git("add", "-N", "later")
	r.git("update-index", "--assume-unchanged", "exec")
	r.git("update-index", "--skip-worktree", "skip")
	r.git("-c", "core.checkStat=default", "write-tree", "--missing-ok")
}

func TestOpenEqualsGit(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		for version := 2; version <= 4; version++ {
			t.Run(fmt.Sprintf("%s/v%d", format, version), func(t *testing.T) {
				t.Parallel()
				r := newRepo(t, "--object-format="+format)
				populate(r, 16)
				r.git("update-index", "--index-version", fmt.Sprint(version))
				x, err := Open(r.index(), map[string]int{"sha1": 20, "sha256": 32}[format])
				if err != nil {
					t.Fatal(err)
				}
				closing(t, x)
				want := r.git("ls-files", "-s", "-z", "--debug")
				if diff := cmp.Diff(want, dump(x)); diff != "" {
					t.Errorf("ls-files -s --debug (-git +poly):\n%s", diff)
				}
				// Version 2 has no extended flags: git writes 3 instead.
				if v := max(version, 3); x.Version() != v {
					t.Errorf("Version() = %d, want %d", x.Version(), v)
				}
				for i := range x.Len() {
					if p := x.Path(i); *x.CPath(i) != p[0] {
						t.Errorf("CPath(%d) does not point to %q", i, p)
					}
					if j, ok := x.Find(x.Path(i)); !ok || j != i {
						t.Errorf("Find(%q) = %d, %v, want %d", x.Path(i), j, ok, i)
					}
				}
			})
		}
	}
}

func TestDir(t *testing.T) {
	t.Parallel()
	var entries []Entry
	for _, p := range []string{"a", "b-c", "b/a", "b/b/c", "b0", "c/x"} {
		entries = append(entries, Entry{Path: p, Mode: 0o100644, ID: strings.Repeat("i", 20)})
	}
	x, err := FromEntries(20, FileInfo{}, entries)
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string][]string{
		"": {"a", "b-c", "b/a", "b/b/c", "b0", "c/x"}, "b": {"b/a", "b/b/c"}, "b/b": {"b/b/c"}, "c": {"c/x"},
		"a": nil, "b/a": nil, "b0": nil, "zz": nil, "A": nil, "b-": nil,
	} {
		var got []string
		lo, hi := x.Dir(dir)
		for i := lo; i < hi; i++ {
			got = append(got, x.Path(i))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Dir(%q) (-want +got):\n%s", dir, diff)
		}
	}
}

func TestCacheTreeEqualsGit(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	for _, f := range []string{"a", "b/c", "b/d/e", "b/d/f", "g/h"} {
		r.write(f, f)
	}
	r.git("add", ".")
	r.git("commit", "-q", "-m", "x")
	x, err := Open(r.index(), 20)
	if err != nil {
		t.Fatal(err)
	}
	closing(t, x)
	root, ok := x.Tree()
	if !ok {
		t.Fatal("Tree() found none after a commit")
	}
	var walk func(n TreeNode, path string)
	walk = func(n TreeNode, path string) {
		spec := "HEAD^{tree}"
		if path != "" {
			spec = "HEAD:" + strings.TrimSuffix(path, "/")
		}
		if got, want := hex.EncodeToString([]byte(n.ID)), strings.TrimSpace(r.git("rev-parse", spec)); got != want {
			t.Errorf("tree of %q = %s, want %s", path, got, want)
		}
		lo, hi := x.Dir(strings.TrimSuffix(path, "/"))
		if n.Entries != hi-lo {
			t.Errorf("%q has %d entries, want %d", path, n.Entries, hi-lo)
		}
		for _, c := range n.Children {
			walk(c, path+c.Name+"/")
		}
	}
	walk(root, "")
	if id, ok := x.Root(); !ok || id != root.ID {
		t.Errorf("Root() = %x, %v, want %x", id, ok, root.ID)
	}

	r.write("b/d/f", "changed")
	r.git("add", "b/d/f")
	checkInvalidated(t, r, x.Identity())
}

// checkInvalidated looks at the cache tree after git add.
func checkInvalidated(t *testing.T, r *repo, before string) {
	t.Helper()
	y, err := Open(r.index(), 20)
	if err != nil {
		t.Fatal(err)
	}
	closing(t, y)
	if id, ok := y.Root(); ok {
		t.Errorf("Root() = %x after git add, want none", id)
	}
	root, ok := y.Tree()
	if !ok || root.Entries != -1 || len(root.Children) == 0 {
		t.Fatalf("Tree() = %+v, %v after git add, want an invalidated root with children", root, ok)
	}
	if y.Identity() == before {
		t.Error("Identity() is the same after git add")
	}
}

// zeroTrailer does what index.skipHash does.
func zeroTrailer(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	clear(b[len(b)-20:])
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestIdentityWithoutTrailer(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("a", "a")
	r.write("b", "b")
	r.write("c", "c")
	r.git("add", ".")
	identity := func() string {
		zeroTrailer(t, r.index())
		x, err := Open(r.index(), 20)
		if err != nil {
			t.Fatal(err)
		}
		closing(t, x)
		if strings.Trim(x.Trailer(), "\x00") != "" {
			t.Fatalf("Trailer() = %x, want zero", x.Trailer())
		}
		return x.Identity()
	}
	seen := map[string]string{identity(): "first"}
	for _, step := range [][]string{
		{"update-index", "--chmod=+x", "a"},
		{"update-index", "--assume-unchanged", "a"},
		{"update-index", "--skip-worktree", "b"},
		{"update-index", "--force-remove", "b"},
	} {
		r.git(step...)
		id := identity()
		if before, ok := seen[id]; ok {
			t.Errorf("Identity() after %q is that after %q", step, before)
		}
		seen[id] = strings.Join(step, " ")
	}
	// New times alone are no new state.
	before := identity()
	if err := os.Chtimes(filepath.Join(r.dir, "c"), time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	_, _ = r.try("update-index", "--refresh") // it reports the changed mode
	if identity() != before {
		t.Error("Identity() changed by a refresh")
	}
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	if _, err := Open(r.index(), 20); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open of a missing file: %v, want fs.ErrNotExist", err)
	}
	if _, err := Open(r.dir, 20); err == nil {
		t.Error("Open of a directory succeeds")
	}
	for _, f := range []string{"a", "b/c", "b/d"} {
		r.write(f, f)
	}
	r.git("add", ".")
	split := func() { r.git("update-index", "--split-index") }
	sparse := func() {
		r.git("commit", "-q", "-m", "x")
		r.git("sparse-checkout", "set", "--cone", "--sparse-index", "nothing")
	}
	for _, step := range []struct {
		name string
		do   func()
	}{{"split", split}, {"sparse", sparse}} {
		step.do()
		if _, err := Open(r.index(), 20); !errors.Is(err, ErrUnsupported) {
			t.Errorf("Open of a %s index: %v, want ErrUnsupported", step.name, err)
		}
		r.git("update-index", "--no-split-index")
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	const id = "01234567890123456789"
	build := func(version byte, entries ...string) []byte {
		b := []byte("DIRC\x00\x00\x00" + string(version) + "\x00\x00\x00" + string(rune(len(entries))))
		for _, e := range entries {
			b = append(b, e...)
		}
		return append(b, id...)
	}
	entry := func(path string, flags, mode int) string {
		var stat [statLen]byte
		stat[26], stat[27] = byte(mode>>8), byte(mode)
		b := append(stat[:], id...)
		b = append(b, byte(flags>>8), byte(flags|len(path)))
		b = append(b, path...)
		return string(append(b, make([]byte, 8-len(b)%8)...))
	}
	ok := entry("b", 0, 0o100644)
	for _, tc := range []struct {
		name string
		data []byte
		want error
	}{
		{"no error", build(2, ok), nil},
		{"stages", build(2, entry("a", 1<<12, 0o100644), entry("a", 2<<12, 0o100644)), nil},
		{"version 1", build(1, ok), ErrUnsupported},
		{"version 5", build(5, ok), ErrUnsupported},
		{"empty", nil, ErrCorrupt},
		{"signature", append([]byte("DIRX"), build(2, ok)[4:]...), ErrCorrupt},
		{"count", append([]byte("DIRC\x00\x00\x00\x02\xff\xff\xff\xff"), build(2, ok)[12:]...), ErrCorrupt},
		{"count of two", append([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x02"), build(2, ok)[12:]...), ErrCorrupt},
		{"order", build(2, ok, entry("a", 0, 0o100644)), ErrCorrupt},
		{"prefix order", build(2, entry("bb", 0, 0o100644), ok), ErrCorrupt},
		{"twice", build(2, ok, ok), ErrCorrupt},
		{"stage order", build(2, entry("a", 2<<12, 0o100644), entry("a", 1<<12, 0o100644)), ErrCorrupt},
		{"stage after 0", build(2, ok, entry("b", 1<<12, 0o100644)), ErrCorrupt},
		{"empty path", build(2, entry("", 0, 0o100644)), ErrCorrupt},
		{"parent", build(2, entry("a/../b", 0, 0o100644)), ErrCorrupt},
		{"only parent", build(2, entry("..", 0, 0o100644)), ErrCorrupt},
		{"dot", build(2, entry("a/.", 0, 0o100644)), ErrCorrupt},
		{"git dir", build(2, entry(".git/config", 0, 0o100644)), ErrCorrupt},
		{"nested git dir", build(2, entry("a/.GiT/hooks/x", 0, 0o100644)), ErrCorrupt},
		{"absolute", build(2, entry("/etc/passwd", 0, 0o100644)), ErrCorrupt},
		{"double slash", build(2, entry("a//b", 0, 0o100644)), ErrCorrupt},
		{"trailing slash", build(2, entry("a/", 0, 0o100644)), ErrCorrupt},
		{"NUL", build(2, entry("a\x00b", 0, 0o100644)), ErrCorrupt},
		{"shared parent", build(2, entry("a", 0, 0o100644), entry("a/..", 0, 0o100644)), ErrCorrupt},
		{"mode", build(2, entry("a", 0, 0o060000)), ErrCorrupt},
		{"directory", build(2, entry("a/", 0, 0o040000)), ErrCorrupt},
		{"v4 strip", build(4, ok[:62]+"\x05"+"b\x00"), ErrCorrupt},
		{"v4 huge strip", build(4, ok[:62]+"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"+"b\x00"), ErrCorrupt},
		{"extension", build(2, ok, "zzzz\x00\x00\x00\x00")[:len(build(2, ok, "zzzz\x00\x00\x00\x00"))], nil},
	} {
		if tc.name == "extension" { // the second "entry" is an extension
			tc.data[11], tc.want = 1, ErrUnsupported
		}
		_, err := Parse(tc.data, 20)
		if !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) {
			t.Errorf("%s: Parse = %v, want %v", tc.name, err, tc.want)
		}
	}
}

// TestBuilderEqualsFile rebuilds an index from its entries.
func TestBuilderEqualsFile(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	populate(r, 16)
	x, err := Open(r.index(), 20)
	if err != nil {
		t.Fatal(err)
	}
	closing(t, x)
	var all []Entry
	for i := range x.Len() {
		all = append(all, Entry{Path: x.Path(i), ID: x.ID(i), Mode: x.Mode(i), Stage: x.Stage(i), Flags: x.Flags(i), Stat: x.Stat(i)})
	}
	y, err := FromEntries(20, x.File(), all)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(dump(x), dump(y)); diff != "" {
		t.Errorf("FromEntries (-file +built):\n%s", diff)
	}
	if y.Trailer() != "" || !strings.HasPrefix(y.Identity(), "entries:") || y.File() != x.File() {
		t.Errorf("built index: trailer %q, identity %q, file %v", y.Trailer(), y.Identity(), y.File())
	}
	all[0], all[1] = all[1], all[0]
	if _, err := FromEntries(20, FileInfo{}, all); !errors.Is(err, ErrCorrupt) {
		t.Errorf("FromEntries of unsorted entries: %v, want ErrCorrupt", err)
	}
}

// FuzzIndex mutates real indexes: whatever is accepted must be what git reads.
func FuzzIndex(f *testing.F) {
	r := newRepo(f)
	populate(r, 9)
	for version := 2; version <= 4; version++ {
		r.git("update-index", "--index-version", fmt.Sprint(version))
		b, err := os.ReadFile(r.index())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, uint32(len(b)/2), byte(0x55), uint32(len(b)))
		f.Add(b, uint32(12+24+3), byte(1), uint32(len(b)))
		f.Add(b, uint32(len(b)-30), byte(0x20), uint32(len(b)))
		f.Add(b, uint32(0), byte(0), uint32(len(b)-1))
		for at := 12; at < min(len(b), 500); at += 7 {
			f.Add(b, uint32(at), byte(at*37), uint32(len(b)))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, at uint32, xor byte, size uint32) {
		b = bytes.Clone(b)
		b = b[:min(len(b), int(size))]
		if int(at) < len(b) {
			b[at] ^= xor
		}
		x, err := Parse(b, 20)
		if err != nil {
			return
		}
		_, _ = x.Tree()
		_, _ = x.Root()
		_ = x.Identity()
		got := dump(x)
		file := filepath.Join(t.TempDir(), "index")
		if err := os.WriteFile(file, b, 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "git", "ls-files", "-s", "-z", "--debug")
		cmd.Dir, cmd.Env = r.dir, append([]string{"GIT_INDEX_FILE=" + file}, r.env...)
		want, err := cmd.Output()
		if err != nil {
			return // git refuses it; being read by us does no harm
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("ls-files -s --debug (-git +poly):\n%s", diff)
		}
	})
}

// BenchmarkOpen reads an index of 100,000 entries.
func BenchmarkOpen(b *testing.B) {
	r := newRepo(b)
	var in strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&in, "100644 %040x\tsrc/pkg%04d/sub%d/component%05d.go\n", i+1, i/40, i%4, i)
	}
	cmd := exec.CommandContext(b.Context(), "git", "update-index", "--index-info")
	cmd.Dir, cmd.Env, cmd.Stdin = r.dir, r.env, strings.NewReader(in.String())
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
	for _, version := range []string{"2", "4"} {
		r.git("update-index", "--index-version", version)
		b.Run("v"+version, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x, err := Open(r.index(), 20)
				if err != nil {
					b.Fatal(err)
				}
				if x.Len() != 100_000 {
					b.Fatal(x.Len())
				}
				_ = x.Close()
			}
		})
	}
}
