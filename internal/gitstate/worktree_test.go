package gitstate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"poly/internal/gitstate/disk"
)

// notes is a Memory.
type notes struct {
	mu sync.Mutex
	m  map[string][]byte
}

func (n *notes) Recall(_ context.Context, key []byte) []byte {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.m[string(key)]
}

func (n *notes) Remember(key, value []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.m == nil {
		n.m = map[string][]byte{}
	}
	n.m[string(key)] = slices.Clone(value)
}

// repo opens the repository of g.
func (g *sandbox) repo() *Repo {
	g.t.Helper()
	r, err := Open(g.t.Context(), OpenOptions{Dir: g.Dir, Env: g.Env})
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = r.Close() })
	return r
}

// worktree scans the worktree of g.
func (g *sandbox) worktree(o WorktreeOptions) Tree {
	g.t.Helper()
	t, err := Worktree(g.t.Context(), g.repo(), o)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = t.Close() })
	return t
}

// lines describes a tree, one line a file, in a form a test can write down.
func lines(t Tree) []string {
	out := []string{}
	for f := range t.Files() {
		s := f.Path
		if f.Mode != ModeRegular {
			s += fmt.Sprintf(" %o", f.Mode)
		}
		if f.Class != "" {
			s += " " + string(f.Class)
		}
		switch {
		case f.Conflict:
			s += " conflict"
		case f.Untracked:
			s += " untracked"
		case f.Changed:
			s += " changed"
		}
		out = append(out, s)
	}
	for _, p := range t.Baseline().Removed {
		out = append(out, p+" removed")
	}
	for _, p := range t.Problems() {
		out = append(out, p.Path+" problem")
	}
	return out
}

func wantLines(tb testing.TB, tree Tree, want ...string) {
	tb.Helper()
	if diff := cmp.Diff(append([]string{}, want...), lines(tree)); diff != "" {
		tb.Errorf("tree (-want +got):\n%s", diff)
	}
}

// gitLines describes the worktree as git status sees it: changed, untracked,
// conflicting and removed paths.
func (g *sandbox) gitLines() map[string]string {
	g.t.Helper()
	out := map[string]string{}
	list := strings.TrimSuffix(g.Git("--no-optional-locks", "status", "--porcelain", "-z", "-uall", "--no-renames"), "\x00")
	for e := range strings.SplitSeq(list, "\x00") {
		if e == "" {
			continue
		}
		xy, path := e[:2], e[3:]
		switch {
		case xy == "??":
			out[strings.TrimSuffix(path, "/")] = "untracked"
		case slices.Contains([]string{"DD", "AU", "UD", "UA", "DU", "AA", "UU"}, xy):
			out[path] = "conflict"
			if _, err := os.Lstat(g.Path(path)); err != nil {
				out[path] = "removed"
			}
		case xy[1] == 'D':
			out[path] = "removed"
		case xy[1] != ' ':
			out[path] = "changed"
		}
	}
	return out
}

// ourLines is the same from a tree.
func ourLines(t Tree) map[string]string {
	out := map[string]string{}
	for f := range t.Files() {
		switch {
		case f.Untracked:
			out[f.Path] = "untracked"
		case f.Conflict:
			out[f.Path] = "conflict"
		case f.Changed:
			out[f.Path] = "changed"
		}
	}
	for _, p := range t.Baseline().Removed {
		out[p] = "removed"
	}
	return out
}

// hashObject asks git for the ids of files.
func (g *sandbox) hashObject(paths []string) map[string]string {
	g.t.Helper()
	ids := strings.Fields(g.Input(strings.Join(paths, "\n")+"\n", "hash-object", "--stdin-paths"))
	out := map[string]string{}
	for i, p := range paths {
		out[p] = ids[i]
	}
	return out
}

// check compares a tree with git and with the disk. bytesOf is what each id
// and class has stood for so far.
func (g *sandbox) check(t Tree, bytesOf map[string]string) {
	g.t.Helper()
	want, got := g.gitLines(), ourLines(t)
	for p, state := range want {
		if state == "changed" && got[p] == "" && g.vouched(p) {
			delete(want, p)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		g.t.Errorf("status (-git +ours):\n%s", diff)
	}
	var paths []string
	last, n := "", 0
	for f := range t.Files() {
		if n++; f.Path <= last {
			g.t.Errorf("%q comes after %q", f.Path, last)
		}
		last = f.Path
		if got, ok := t.Lookup(f.Path); !ok || got != f {
			g.t.Errorf("Lookup(%q) = %v, %v, want %v", f.Path, got, ok, f)
		}
		if !f.Mode.Regular() {
			continue
		}
		paths = append(paths, f.Path)
		disk, err := os.ReadFile(g.Path(f.Path))
		if err != nil {
			g.t.Fatal(err)
		}
		b, err := t.Read(g.t.Context(), f)
		if errors.Is(err, ErrChanged) {
			// Settings changed since git saw the file: now it has a class.
			f, _ = t.Lookup(f.Path)
			b, err = t.Read(g.t.Context(), f)
		}
		if err != nil || string(b) != string(disk) {
			g.t.Errorf("Read(%q) = %q, %v, want %q", f.Path, b, err, disk)
		}
		if f.Size >= 0 && f.Size != int64(len(disk)) {
			g.t.Errorf("%s has size %d, want %d", f.Path, f.Size, len(disk))
		}
		key := string(f.ID) + "/" + string(f.Class)
		if was, ok := bytesOf[key]; ok && was != string(disk) {
			g.t.Errorf("%s: id %s and class %q stand for %q and %q", f.Path, f.ID, f.Class, was, disk)
		}
		bytesOf[key] = string(disk)
	}
	if n != t.Len() {
		g.t.Errorf("Len() = %d, but %d files", t.Len(), n)
	}
	if len(paths) == 0 {
		return
	}
	ids := g.hashObject(paths)
	for f := range t.Files() {
		if f.Mode.Regular() && ids[f.Path] != f.ID.String() && !g.committedCRLF(f) && !g.vouched(f.Path) {
			g.t.Errorf("%s has id %s, git says %s", f.Path, f.ID, ids[f.Path])
		}
	}
}

// committedCRLF reports whether f keeps its bytes because the index has the
// path with CRLF already: git add knows that rule, git hash-object does not.
func (g *sandbox) committedCRLF(f File) bool {
	g.t.Helper()
	staged, err := g.Try("", "cat-file", "blob", ":"+f.Path)
	raw := strings.TrimSpace(g.Git("hash-object", "--no-filters", "--", f.Path))
	return err == nil && strings.Contains(staged, "\r\n") && raw == f.ID.String()
}

// vouched reports whether the index has the times of a file to the
// nanosecond. Then it is clean, whatever settings have changed since; git
// looks again if seconds alone do not tell, and may differ.
func (g *sandbox) vouched(name string) bool {
	g.t.Helper()
	fi, err := os.Lstat(g.Path(name))
	if err != nil || g.Git("ls-files", "-s", "--", name) == "" {
		return false
	}
	debug := g.Git("ls-files", "--debug", "--", name)
	return strings.Contains(debug, fmt.Sprintf("mtime: %d:%d\n", fi.ModTime().Unix(), fi.ModTime().Nanosecond()))
}

// mutator changes a repository at random.
type mutator struct {
	*sandbox
	r     *rand.Rand
	crlf  bool // contents with CRLF, and attributes about them
	steps []string
}

var (
	mutNames  = []string{"a", "b", "c.txt", "d.go", "e-f", "build", "x.o"}
	mutIgnore = []string{"*.o", "build", "build/", "/a", "!x.o", "a/b", "**/c.txt", "*", "!*/", "b*", "e-?", "", "# x"}
	mutAttrs  = []string{"* text=auto", "*.txt text", "*.txt eol=crlf", "*.go -text", "d.go eol=lf", "* text", "*.txt binary", "", "a crlf=input"}
)

func (m *mutator) pick(list []string) string { return list[m.r.IntN(len(list))] }

func (m *mutator) somePath() string {
	parts := make([]string, 1+m.r.IntN(3))
	for i := range parts {
		parts[i] = m.pick(mutNames)
	}
	return strings.Join(parts, "/")
}

// anyPath is a path that exists, mostly.
func (m *mutator) anyPath() string {
	var all []string
	_ = filepath.WalkDir(m.Dir, func(p string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if err == nil && p != m.Dir {
			all = append(all, strings.TrimPrefix(p, m.Dir+"/"))
		}
		return nil
	})
	if len(all) == 0 {
		return m.somePath()
	}
	return all[m.r.IntN(len(all))]
}

func (m *mutator) text() string {
	if !m.crlf {
		return []string{"", "one\n", "two\n", "six\n", "some text\nmore\n"}[m.r.IntN(5)]
	}
	return []string{"", "one\n", "one\r\n", "two\r\nmixed\n", "two\r\nmixed\r\n", "lone\rcr\r\n", "nul\x00\r\n"}[m.r.IntN(7)]
}

func (m *mutator) step() {
	p := m.anyPath()
	abs := m.Path(p)
	ops := []struct {
		name string
		do   func()
	}{
		{"write", func() { p = m.somePath(); m.put(p, m.text()) }},
		{"write", func() { p = m.somePath(); m.put(p, m.text()) }},
		{"rewrite", func() { m.put(p, m.text()) }},
		{"delete", func() { _ = os.RemoveAll(abs) }},
		{"rename", func() {
			to := m.Path(m.somePath())
			_ = os.MkdirAll(filepath.Dir(to), 0o777)
			_ = os.Rename(abs, to)
		}},
		{"chmod", func() { _ = os.Chmod(abs, []os.FileMode{0o644, 0o755}[m.r.IntN(2)]|0o111&os.FileMode(dirBits(abs))) }},
		{"touch", func() { now := time.Now(); _ = os.Chtimes(abs, now, now) }},
		{"same size, old mtime", func() {
			fi, err := os.Lstat(abs)
			if err == nil && fi.Mode().IsRegular() {
				_ = os.WriteFile(abs, []byte(strings.Repeat("z", int(fi.Size()))), 0o666)
				_ = os.Chtimes(abs, fi.ModTime(), fi.ModTime())
			}
		}},
		{"symlink", func() {
			p = m.somePath()
			_ = os.MkdirAll(filepath.Dir(m.Path(p)), 0o777)
			_ = os.Symlink(m.pick([]string{"a", ".", "nowhere"}), m.Path(p))
		}},
		{"dir to link", func() {
			if fi, err := os.Lstat(abs); err == nil && fi.IsDir() {
				_ = os.Rename(abs, abs+".moved")
				_ = os.Symlink(filepath.Base(abs)+".moved", abs)
			}
		}},
		{"ignore", func() { m.put(m.someDir(p)+".gitignore", m.pick(mutIgnore)+"\n"+m.pick(mutIgnore)+"\n") }},
		{"exclude", func() { m.put(".git/info/exclude", m.pick(mutIgnore)+"\n") }},
		{"add", func() { _, _ = m.Try("", "add", "-f", "--", p) }},
		{"add all", func() { _, _ = m.Try("", "add", "-A") }},
		{"add -N", func() { _, _ = m.Try("", "add", "-N", "-f", "--", p) }},
		{"rm --cached", func() { _, _ = m.Try("", "rm", "-r", "--cached", "-q", "-f", "--", p) }},
		{"commit", func() { _, _ = m.Try("", "commit", "-q", "-m", "x", "--allow-empty") }},
		{"checkout", func() { _, _ = m.Try("", "checkout", "-q", "-f", "HEAD") }},
		{"refresh", func() { _, _ = m.Try("", "status") }},
		{"nested", func() { p = m.somePath(); _, _ = m.Try("", "init", "-q", p) }},
		{"index v4", func() { _, _ = m.Try("", "update-index", "--index-version", m.pick([]string{"2", "4"})) }},
	}
	if m.crlf {
		ops = append(ops, []struct {
			name string
			do   func()
		}{
			{"attributes", func() { m.put(m.someDir(p)+".gitattributes", m.pick(mutAttrs)+"\n"+m.pick(mutAttrs)+"\n") }},
			{"autocrlf", func() { m.Git("config", "core.autocrlf", m.pick([]string{"true", "false", "input"})) }},
			{"eol", func() { m.Git("config", "core.eol", m.pick([]string{"lf", "crlf", "native"})) }},
		}...)
	}
	op := ops[m.r.IntN(len(ops))]
	op.do()
	m.steps = append(m.steps, op.name+" "+p)
}

func dirBits(abs string) int {
	if fi, err := os.Lstat(abs); err == nil && fi.IsDir() {
		return 0o111
	}
	return 0
}

func (m *mutator) someDir(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 && m.r.IntN(3) > 0 {
		return p[:i+1]
	}
	return ""
}

// put writes a file where that is possible.
func (m *mutator) put(name, text string) {
	abs := m.Path(name)
	if os.MkdirAll(filepath.Dir(abs), 0o777) == nil {
		_ = os.WriteFile(abs, []byte(text), 0o666)
	}
}

// seeds is the number of random repositories.
const seeds = 6

// TestWorktreeGit changes random repositories and compares each state with git,
// and a scan that remembers with one that does not.
func TestWorktreeGit(t *testing.T) {
	t.Parallel()
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			g := newSandbox(t)
			m := &mutator{sandbox: g, r: rand.New(rand.NewPCG(seed, 1)), crlf: seed%3 == 2}
			mem := &notes{}
			bytesOf := map[string]string{}
			for range 25 {
				for range 1 + m.r.IntN(4) {
					m.step()
				}
				if m.r.IntN(4) == 0 {
					tick()
				}
				cold := g.worktree(WorktreeOptions{})
				g.check(cold, bytesOf)
				for _, jobs := range []int{1, 3} {
					warm := g.worktree(WorktreeOptions{Memory: mem, Jobs: jobs})
					if m.crlf {
						g.check(warm, bytesOf)
					}
					if diff := cmp.Diff(describe(cold), describe(warm)); diff != "" {
						t.Errorf("scan that remembers (-cold +warm):\n%s", diff)
					}
				}
				if t.Failed() {
					t.Fatalf("seed %d after %q", seed, m.steps)
				}
			}
		})
	}
}

// tick waits until the clock that stamps files has moved on: what changed
// before is no longer racy.
func tick() {
	// The kernel may stamp a file with a finer clock than this one.
	for start := time.Now().UnixNano(); disk.CoarseNow() <= start; {
		runtime.Gosched()
	}
}

// describe is all that a tree says.
func describe(t Tree) any {
	type all struct {
		Files    []File
		Baseline Baseline
		Problems []string
	}
	a := all{Files: slices.Collect(t.Files()), Baseline: t.Baseline()}
	for _, p := range t.Problems() {
		a.Problems = append(a.Problems, p.Path)
	}
	return a
}
