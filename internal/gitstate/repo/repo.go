// Package repo finds a repository by git's own rules, and reads what git keeps
// there: refs, objects, the index, settings. It is the one room that starts
// git, and only where a guess would be needed otherwise; it writes to a
// repository only in [Stage] and [WriteFiles], and to a [Mirror] that is its own.
//
// What only trees need is in functions, because [Repo] is handed on by gitstate.
package repo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"poly/internal/gitstate/gitconf"
	"poly/internal/glob"
	"poly/internal/usererr"
)

// ErrNotRepo means that a directory is not inside a git repository.
var ErrNotRepo = errors.New("not a git repository")

// OpenOptions say where to look for a repository.
type OpenOptions struct {
	Dir string // absolute; the search starts here
	// Env is the environment as [os.Environ] gives it. Git's variables in it
	// (GIT_DIR, GIT_INDEX_FILE, ...) count as they do for git, and git's
	// processes inherit it.
	Env []string
}

// Repo is a repository, and the worktree it was opened for. Opening it reads a
// few small files and starts no process, unless the repository has extensions
// that are not known here. It may be used by many goroutines.
type Repo struct {
	Root      string // of the worktree: absolute, without symbolic links; "" if there is none
	Prefix    string // of the directory it was opened for, below Root: slash-separated, "" at the top
	GitDir    string // absolute; per worktree
	CommonDir string // absolute; shared by linked worktrees
	IndexPath string // absolute: GIT_INDEX_FILE, or the worktree's own
	ObjectDir string // absolute
	HashLen   int    // of object ids in bytes: 20 or 32
	Config    *gitconf.Config
	Ext       Extensions
	// AskGit: some part of the format is not known here, and git said that it
	// knows it. Index and refs are read through git's own commands.
	AskGit bool

	env     environ
	mu      sync.Mutex
	objects *Objects
}

// Extensions are what extensions.* say about the format of a repository.
type Extensions struct {
	Version           int    // core.repositoryFormatVersion
	ObjectFormat      string // "sha1" or "sha256"
	RefStorage        string // "files" or "reftable"
	PartialClone      string // name of the promisor remote, or ""
	WorktreeConfig    bool
	RelativeWorktrees bool
	Unknown           []string
}

// Open finds the repository that git would use in o.Dir, by git's own rules:
// environment, .git files, linked worktrees, bare repositories, ceilings,
// ownership. The error wraps [ErrNotRepo] if there is none; it is a
// [usererr.Error] if git would refuse to work in the one there is.
func Open(ctx context.Context, o OpenOptions) (*Repo, error) {
	dir, err := filepath.EvalSymlinks(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	if !filepath.IsAbs(dir) {
		return nil, fmt.Errorf("open repository: %q is not absolute", o.Dir)
	}
	d := &discovery{env: environ(o.Env), dir: dir}
	found, err := d.find()
	if err != nil {
		return nil, err
	}
	return d.open(ctx, found)
}

// Close ends the repository's git child, if there is one. Trees read from it
// must be closed before.
func (r *Repo) Close() error {
	r.mu.Lock()
	o := r.objects
	r.mu.Unlock()
	if o == nil {
		return nil
	}
	return o.Close()
}

// Objects returns the reader of the repository's objects.
func (r *Repo) Objects() *Objects {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.objects == nil {
		r.objects = &Objects{repo: r}
	}
	return r.objects
}

// Env returns a variable of the environment the repository was opened with.
func (r *Repo) Env(name string) string { return r.env.get(name) }

// environ is an environment as os.Environ gives it.
type environ []string

func (e environ) get(name string) string {
	for _, kv := range slices.Backward(e) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}

// bool reads a variable that git takes as a boolean.
func (e environ) bool(name string, def bool) bool {
	v := e.get(name)
	if v == "" {
		return def
	}
	b, ok := gitconf.Value{Text: v, Valued: true}.Bool()
	return ok && b
}

// open completes a repository whose git directory and place are known.
func (d *discovery) open(ctx context.Context, f *location) (*Repo, error) {
	r := &Repo{GitDir: f.gitDir, CommonDir: f.commonDir, env: d.env}
	format, err := d.format(f)
	if err != nil {
		return nil, err
	}
	r.Ext, r.HashLen = format.ext, 20
	if r.Ext.ObjectFormat == "sha256" {
		r.HashLen = 32
	}
	cwd, err := d.place(r, f, format)
	if err != nil {
		return nil, err
	}
	r.IndexPath = filepath.Join(r.GitDir, "index")
	if v := d.env.get("GIT_INDEX_FILE"); v != "" {
		r.IndexPath = absolute(cwd, v)
	}
	r.ObjectDir = filepath.Join(r.CommonDir, "objects")
	if v := d.env.get("GIT_OBJECT_DIRECTORY"); v != "" {
		r.ObjectDir = absolute(cwd, v)
	}
	if len(r.Ext.Unknown) > 0 || format.refused != "" {
		if err := r.askGit(ctx, format.refused); err != nil {
			return nil, err
		}
	}
	r.Config, err = gitconf.Load(gitconf.Options{
		Env: d.env.get, SystemFile: gitconf.SystemFile(d.env.get("PATH")),
		GitDir: r.GitDir, CommonDir: r.CommonDir, WorktreeConfig: r.Ext.WorktreeConfig,
		Branch: func() string { return r.branch(ctx) }, Match: wildmatch,
	})
	if err != nil {
		return nil, &usererr.Error{Code: "git-config", Msg: "git's configuration cannot be read", Err: err}
	}
	return r, nil
}

// place finds the worktree, and the directory relative paths in the
// environment refer to: git goes to the top of the worktree if it starts below.
func (d *discovery) place(r *Repo, f *location, format *format) (cwd string, err error) {
	root := f.root
	env := d.env.get("GIT_WORK_TREE")
	switch {
	case env != "":
		root = absolute(d.dir, env)
	case format.bare: // also if core.worktree contradicts it
		root = ""
	case format.worktree != "":
		root = absolute(r.GitDir, format.worktree)
	case f.explicit && !d.env.bool("GIT_IMPLICIT_WORK_TREE", true):
		root = ""
	}
	if root == "" {
		return d.dir, nil
	}
	if r.Root, err = filepath.EvalSymlinks(root); err != nil {
		return "", &usererr.Error{Code: "git-worktree", Msg: "the worktree of " + r.GitDir + " cannot be entered", Err: err}
	}
	prefix, ok := below(r.Root, d.dir)
	if !ok {
		return d.dir, nil
	}
	r.Prefix = filepath.ToSlash(prefix)
	return r.Root, nil
}

// below returns dir relative to root; ok is false if it lies elsewhere.
func below(root, dir string) (rel string, ok bool) {
	if dir == root {
		return "", true
	}
	if root != "/" {
		root += "/"
	}
	return strings.CutPrefix(dir, root)
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// wildmatch matches one whole relative path, branch or URL.
func wildmatch(pattern, text string, fold bool) bool {
	l := glob.NewList([]glob.Rule{{Pattern: "/" + pattern}}, glob.Options{FoldCase: fold, NoNegation: true})
	return l.Match(text, true).Rule >= 0
}

// isMissing reports whether a path does not exist, or cannot.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotDir) }
