package main

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"poly/internal/config"
	"poly/internal/discover"
	"poly/internal/gitstate"
	"poly/internal/usererr"
	"poly/internal/worktree"
	"poly/runner"
	"poly/store"
)

// session is one worktree, or plain directory, opened for a command: its
// place, cache, tree and configuration. Close it.
type session struct {
	*app
	root string         // absolute, without symbolic links
	repo *gitstate.Repo // nil outside git
	dirs store.Dirs
	// homeless is why there is no place for poly's files, if there is none: then
	// nothing is cached, recorded or written.
	homeless error
	lock     *worktree.Writer // of the worktree; nil: nothing is written
	cache    *store.Cache     // never nil; knows nothing if the cache is off
	cached   bool
	tree     gitstate.Tree
	config   *config.Set
	prefix   string   // of the working directory below root; "" at root or outside it
	below    string   // "../x/" when the working directory is not below root
	paths    []string // what was named, relative to root
	declined []string // named paths that are there and no files
}

// target says what a session is opened for.
type target struct {
	paths      []string // as typed; none: the working directory
	configFile string
	noCache    bool
	stdinName  string // a file judged by its bytes on stdin
	stdin      []byte
	jobs       int
	write      bool // the worktree is locked before it is looked at
	// staged or commit: what git has recorded is judged instead of the
	// worktree. No file outside of it counts.
	staged bool
	commit string
	here   bool // the root is that around the working directory, whatever is named
}

// recorded reports whether the tree is one that git keeps.
func (t *target) recorded() bool { return t.staged || t.commit != "" }

func (a *app) open(ctx context.Context, t target) (_ *session, err error) {
	s := &session{app: a}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if err := s.locate(ctx, t); err != nil {
		return nil, err
	}
	if t.write {
		if err := s.lockTree(ctx); err != nil {
			return nil, err
		}
	}
	return s, s.load(ctx, t)
}

// load opens the cache, the tree and its configuration. On an error what it
// opened is still the session's.
func (s *session) load(ctx context.Context, t target) error {
	s.openCache(ctx, t.noCache)
	if err := s.openTree(ctx, t); err != nil {
		return err
	}
	o, err := s.configOptions(ctx, t.configFile)
	if err != nil {
		return err
	}
	if t.recorded() {
		o.Local = nil
	}
	if s.config, err = config.Load(ctx, o); err != nil {
		return err
	}
	s.reopenCache(ctx, t.noCache)
	return nil
}

// Close releases the tree, the cache, git's child and the lock.
func (s *session) Close() {
	if s.lock != nil {
		_ = s.lock.Close()
	}
	if s.tree != nil {
		_ = s.tree.Close()
	}
	if s.repo != nil {
		_ = s.repo.Close()
	}
	if s.cache != nil {
		_ = s.cache.Close()
	}
}

// locate finds the root: that of the repository around the working directory
// if a path in it was named, or none, else around the first path named; outside
// git the nearest directory with a poly.toml, else the directory itself.
func (s *session) locate(ctx context.Context, t target) error {
	cwd, err := filepath.EvalSymlinks(s.cwd)
	if err != nil || s.cwd == "" {
		return usererr.New("no-directory", "the working directory does not exist any more", "cd to one that does")
	}
	if err := s.lookAt(t.paths); err != nil {
		return err
	}
	named := make([]string, 0, len(t.paths)+1)
	for _, p := range t.paths {
		named = append(named, unlinked(s.abs(p)))
	}
	if t.stdinName != "" {
		named = []string{unlinked(s.abs(t.stdinName))}
		if fi, err := os.Stat(named[0]); err == nil && fi.IsDir() {
			return wrongUse("--stdin-filename "+t.stdinName+" is a directory", "name the file that standard input stands for")
		}
	}
	if len(named) == 0 {
		named = []string{cwd}
	}
	dir, first := startOf(cwd, named, t.here)
	s.repo, err = s.openRepo(ctx, dir, first)
	switch {
	case errors.Is(err, gitstate.ErrNotRepo):
		s.root = plainRoot(dir)
	case err != nil:
		return err
	case s.repo.Root == "":
		return noWorktree(dir)
	default:
		s.root = s.repo.Root
	}
	if err := s.place(cwd, named, slices.Concat(t.paths, []string{t.stdinName})); err != nil {
		return err
	}
	common := s.root
	if s.repo != nil {
		common = s.repo.CommonDir
	}
	return s.locateDirs(common)
}

// startOf returns from where the root is looked for: from the working directory
// if a path in it was named, else from the first path; and from where, if there
// is none. here says that it is the working directory in any case.
func startOf(cwd string, named []string, here bool) (dir, first string) {
	first = existingDir(named[0])
	switch {
	case here:
		return cwd, cwd
	case slices.ContainsFunc(named, func(p string) bool { return inside(cwd, p) }):
		return cwd, first
	}
	return first, first
}

// place finds out how the working directory and the named paths lie to the
// root. typed are the paths as they were typed.
func (s *session) place(cwd string, named, typed []string) error {
	if rel, ok := relative(s.root, cwd); ok {
		if rel != "." {
			s.prefix = rel
		}
	} else if up, err := filepath.Rel(cwd, s.root); err == nil {
		s.below = filepath.ToSlash(up) + "/"
	}
	var out []string
	for i, p := range named {
		rel, ok := relative(s.root, p)
		if !ok {
			out = append(out, typed[i])
		}
		s.paths = append(s.paths, rel)
	}
	if len(out) > 0 {
		return usererr.New("outside-path", "outside "+s.root+": "+strings.Join(out, ", "), "run poly once for each repository")
	}
	return nil
}

func noWorktree(dir string) error {
	msg := "this is a bare repository: it has no worktree to check"
	if slices.Contains(strings.Split(filepath.ToSlash(dir), "/"), ".git") {
		msg = "this is inside of a git directory: there is nothing to check"
	}
	return usererr.New("bare-repository", msg, "run poly in a worktree of it")
}

// lookAt fails if a path that was typed does not exist or cannot be reached.
func (s *session) lookAt(typed []string) error {
	var gone []string
	for _, p := range typed {
		_, err := os.Lstat(s.abs(p))
		switch {
		case err == nil:
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
			gone = append(gone, p)
		default:
			return &usererr.Error{Code: "unreadable-path", Msg: "cannot look at " + p, Err: cause(err), Hint: "nothing was checked; make it readable, or leave it out"}
		}
	}
	if len(gone) > 0 {
		return usererr.New("missing-path", "no such file or directory: "+strings.Join(gone, ", "), "nothing was checked; mend the path, or leave it out")
	}
	return nil
}

// cause is err without the path it names.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// openRepo opens the repository around dir; if there is none, that around
// first, which was named in a working directory outside of any.
func (s *session) openRepo(ctx context.Context, dir, first string) (*gitstate.Repo, error) {
	repo, err := gitstate.Open(ctx, gitstate.OpenOptions{Dir: dir, Env: s.env})
	if !errors.Is(err, gitstate.ErrNotRepo) {
		return repo, err
	}
	if named := s.getenv("GIT_DIR"); named != "" {
		return nil, usererr.New("git-dir", "GIT_DIR names no repository: "+named, "unset GIT_DIR, or let it name one")
	}
	if first == dir {
		return nil, err
	}
	return gitstate.Open(ctx, gitstate.OpenOptions{Dir: first, Env: s.env})
}

// unlinked resolves the symbolic links of a path but for its last element, which
// is judged as what it is.
func unlinked(p string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(p))
	if err != nil {
		return p
	}
	return filepath.Join(dir, filepath.Base(p))
}

func existingDir(p string) string {
	for {
		if fi, err := os.Stat(p); err == nil && fi.IsDir() {
			return p
		}
		up := filepath.Dir(p)
		if up == p {
			return p
		}
		p = up
	}
}

func plainRoot(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, config.FileName)); err == nil {
			return d
		}
		if d == filepath.Dir(d) {
			return dir
		}
	}
}

func inside(dir, p string) bool {
	_, ok := relative(dir, p)
	return ok
}

// relative returns p from root, slash-separated, "." for root itself.
func relative(root, p string) (string, bool) {
	rel, err := filepath.Rel(root, p)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

func (s *session) openTree(ctx context.Context, t target) (err error) {
	var mem gitstate.Memory
	if s.cached {
		mem = s.cache
	}
	switch {
	case t.recorded() && s.repo == nil:
		return usererr.New("no-repository", "this is not a git repository", "run poly in one")
	case t.staged:
		s.tree, err = gitstate.Staged(ctx, s.repo)
		s.paths = []string{"."}
		return err
	case t.commit != "":
		s.tree, err = gitstate.Commit(ctx, s.repo, t.commit)
		s.paths = []string{"."}
		return err
	}
	if s.repo != nil {
		s.tree, err = gitstate.Worktree(ctx, s.repo, gitstate.WorktreeOptions{Memory: mem, Jobs: scanJobs(t.jobs), Paths: s.paths})
	} else {
		s.tree, err = gitstate.Plain(ctx, s.root, gitstate.WorktreeOptions{Memory: mem, Jobs: scanJobs(t.jobs), Paths: s.paths})
	}
	if err != nil {
		return err
	}
	if t.stdinName != "" {
		s.tree = gitstate.Overlay(s.tree, map[string][]byte{s.paths[0]: t.stdin})
		return nil
	}
	return s.addIgnored(ctx)
}

// scanJobs is how many goroutines look at files. System calls on two hardware
// threads of one core hinder each other: half as many cost less in sum and are
// hardly later.
func scanJobs(jobs int) int {
	if jobs > 0 {
		return jobs
	}
	return max(1, runtime.GOMAXPROCS(0)/2)
}

func (s *session) configOptions(ctx context.Context, file string) (config.Options, error) {
	o := config.Options{
		Schema: runner.Schema(s.engines), Tree: gitstate.FS(ctx, s.tree), Root: s.root,
		Local: func(p string) ([]byte, error) { return readRegular(filepath.Join(s.root, filepath.FromSlash(p))) },
		Fetch: s.bases().fetched, Named: s.around,
	}
	if file != "" {
		o.File = s.abs(file)
	}
	o.Outside = func(p string) ([]byte, error) {
		if p == o.File { // may be a pipe that a shell made
			return os.ReadFile(p)
		}
		return readRegular(p)
	}
	var err error
	o.Dirs, err = s.configDirs()
	return o, err
}

// configDirs lists the directories of the tree that hold a poly.toml. A tree
// limited to what was named yields none of those above: they are looked up.
// One in a directory that is never entered, such as node_modules, is somebody
// else's.
func (s *session) configDirs() ([]string, error) {
	has := map[string]bool{}
	found := gitstate.Named(s.tree, config.FileName)
	seen := map[string]bool{".": true}
	for _, p := range s.paths {
		for dir := p; !seen[dir]; {
			seen[dir] = true
			dir = path.Dir(dir)
			if f, ok := s.tree.Lookup(path.Join(dir, config.FileName)); ok {
				found = append(found, f)
			}
		}
	}
	for _, f := range found {
		dir := path.Dir(f.Path)
		switch {
		case discover.PrunedDir(dir) && !s.named(dir):
		case f.Mode == gitstate.ModeSymlink:
			return nil, usererr.New("config-link", f.Path+" is a symbolic link, which is not read", "write a "+config.FileName+" there that extends the other file")
		case f.Mode.Regular():
			has[dir] = true
		}
	}
	return slices.Sorted(maps.Keys(has)), nil
}

// around reports whether dir, or something in or above it, was named.
func (s *session) around(dir string) bool {
	return s.named(dir) || slices.ContainsFunc(s.paths, func(p string) bool { return inside(p, dir) && p != "." })
}

// named reports whether dir, or something below it, was named.
func (s *session) named(dir string) bool {
	return slices.ContainsFunc(s.paths, func(p string) bool { return inside(dir, p) && p != "." })
}
