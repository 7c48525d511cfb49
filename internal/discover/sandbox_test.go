package discover

import (
	"context"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"poly/internal/config"
	"poly/internal/gitstate"
)

// sandbox is a repository with a git environment of its own.
type sandbox struct {
	testing.TB
	base, dir string // dir is the worktree that is judged
	env       []string
}

func newSandbox(tb testing.TB, files map[string]string) *sandbox {
	tb.Helper()
	base, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	home := filepath.Join(base, "home")
	s := &sandbox{TB: tb, base: base, dir: filepath.Join(base, "repo"), env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, ".config"), "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + filepath.Join(home, "gitconfig"), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=protocol.file.allow", "GIT_CONFIG_VALUE_0=always",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b",
	}}
	for _, d := range []string{home, s.dir} {
		if err := os.Mkdir(d, 0o777); err != nil {
			tb.Fatal(err)
		}
	}
	s.git("init", "-q", "-b", "main")
	for name, text := range files {
		s.write(name, text)
	}
	return s
}

func (s *sandbox) git(args ...string) {
	s.Helper()
	cmd := exec.CommandContext(s.Context(), "git", args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	if out, err := cmd.CombinedOutput(); err != nil {
		s.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (s *sandbox) commit() {
	s.Helper()
	s.git("add", "-A")
	s.git("commit", "-q", "--allow-empty", "-m", "x")
}

// write writes a file below the worktree, or an absolute one.
func (s *sandbox) write(name, text string) {
	s.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(s.dir, name)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		s.Fatal(err)
	}
}

// tree opens the worktree as poly does.
func (s *sandbox) tree() gitstate.Tree {
	s.Helper()
	repo, err := gitstate.Open(s.Context(), gitstate.OpenOptions{Dir: s.dir, Env: s.env})
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = repo.Close() })
	tree, err := gitstate.Worktree(s.Context(), repo, gitstate.WorktreeOptions{})
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = tree.Close() })
	return tree
}

// request is a request on the worktree under its own configuration.
func (s *sandbox) request(paths ...string) Request {
	s.Helper()
	tree := s.tree()
	return Request{Tree: tree, Config: load(s, tree), Paths: paths, Exists: s.exists}
}

func (s *sandbox) exists(name string) bool {
	_, err := os.Lstat(filepath.Join(s.dir, filepath.FromSlash(name)))
	return err == nil
}

func load(tb testing.TB, tree gitstate.Tree) *config.Set {
	tb.Helper()
	var dirs []string
	for f := range tree.Files() {
		if path.Base(f.Path) == config.FileName {
			dirs = append(dirs, path.Dir(f.Path))
		}
	}
	set, err := config.Load(tb.Context(), config.Options{Tree: gitstate.FS(tb.Context(), tree), Dirs: dirs})
	if err != nil {
		tb.Fatal(err)
	}
	return set
}

// files lists what is in scope, and counts the rest.
func files(tb testing.TB, req Request) ([]string, *Tally) {
	tb.Helper()
	s, err := New(tb.Context(), req)
	if err != nil {
		tb.Fatal(err)
	}
	var tally Tally
	var out []string
	for f, d := range s.Files(&tally) {
		switch {
		case d.Skip != "":
			out = append(out, f.Path+": "+d.Skip)
		case d.Lang == "" && d.Sniff:
			out = append(out, f.Path+"?")
		default:
			out = append(out, f.Path)
		}
	}
	return out, &tally
}

// fake is a tree of names: "a.go", "link@" is a symbolic link, "repo/" a
// submodule, "run*" executable; sizes are those given.
type fake struct {
	gitstate.Tree
	entries []gitstate.File
}

func newFake(names ...string) *fake {
	t := &fake{}
	for _, n := range names {
		t.add(n, 1)
	}
	return t
}

func (t *fake) add(name string, size int64) {
	f := gitstate.File{Path: strings.TrimRight(name, "@/*"), Mode: gitstate.ModeRegular, Size: size}
	switch name[len(name)-1] {
	case '@':
		f.Mode = gitstate.ModeSymlink
	case '/':
		f.Mode = gitstate.ModeGitlink
	case '*':
		f.Mode = gitstate.ModeExec
	}
	t.entries = append(t.entries, f)
	slices.SortFunc(t.entries, func(a, b gitstate.File) int { return strings.Compare(a.Path, b.Path) })
}

func (t *fake) Files() iter.Seq[gitstate.File] { return slices.Values(t.entries) }

func (t *fake) Len() int { return len(t.entries) }

func (t *fake) Lookup(p string) (gitstate.File, bool) {
	i, ok := slices.BinarySearchFunc(t.entries, p, func(f gitstate.File, p string) int { return strings.Compare(f.Path, p) })
	if !ok {
		return gitstate.File{}, false
	}
	return t.entries[i], true
}

func (t *fake) Read(context.Context, gitstate.File) ([]byte, error) { return nil, fs.ErrNotExist }

// globs is a configuration made of exclude lists by directory; a nested list
// adds to the outer ones.
type globs map[string][]string

func (g globs) set() Configs {
	s := fixed{}
	for dir := range g {
		e := &config.Effective{Dir: dir, Discovery: config.Discovery{MaxFileSize: DefaultMaxFileSize}}
		var chain []string
		for d := dir; ; d = path.Dir(d) {
			chain = append(chain, d)
			if d == "." {
				break
			}
		}
		slices.Reverse(chain)
		for _, d := range chain {
			for i, p := range g[d] {
				e.Exclude = append(e.Exclude, config.Pattern{Base: d, Glob: p, Origin: config.Origin{File: path.Join(d, "poly.toml"), Line: i + 1}})
			}
		}
		s[dir] = e
	}
	return s
}

type fixed map[string]*config.Effective

func (f fixed) For(dir string) *config.Effective {
	for ; ; dir = path.Dir(dir) {
		if e, ok := f[dir]; ok {
			return e
		}
		if dir == "." {
			return nil
		}
	}
}

func (s *sandbox) link(target, name string) {
	s.Helper()
	if err := os.Symlink(target, filepath.Join(s.dir, name)); err != nil {
		s.Fatal(err)
	}
}
