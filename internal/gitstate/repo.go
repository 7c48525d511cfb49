package gitstate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"poly/internal/gitstate/attr"
	"poly/internal/gitstate/repo"
	"poly/internal/usererr"
)

// The words of [repo].
type (
	// Repo is a repository, and the worktree it was opened for.
	Repo = repo.Repo
	// OpenOptions say where to look for a repository.
	OpenOptions = repo.OpenOptions
	// Extensions are what extensions.* say about the format of a repository.
	Extensions = repo.Extensions
	// Objects reads objects through one git child.
	Objects = repo.Objects
	// ObjectInfo describes an object.
	ObjectInfo = repo.ObjectInfo
)

// What git's repositories may lack.
var (
	// ErrNotRepo means that a directory is not inside a git repository.
	ErrNotRepo = repo.ErrNotRepo
	// ErrUnborn means that HEAD names a branch without a commit.
	ErrUnborn = repo.ErrUnborn
	// ErrMissing means that the repository has no such object.
	ErrMissing = repo.ErrMissing
)

// Open finds the repository that git would use in o.Dir, by git's own rules.
// The error wraps [ErrNotRepo] if there is none; it is a [usererr.Error] if
// git would refuse to work in the one there is. The caller closes it.
func Open(ctx context.Context, o OpenOptions) (*Repo, error) { return repo.Open(ctx, o) }

// Mirror is a bare repository in the cache that holds pinned commits of one
// remote: the git bases of a configuration. Only Resolve reaches the network,
// by git and with the user's own credentials.
type Mirror repo.Mirror

// Resolve asks the remote for the commit a revision names, and fetches it.
func (m *Mirror) Resolve(ctx context.Context, revision string) (oid string, err error) {
	return (*repo.Mirror)(m).Resolve(ctx, revision)
}

// Tree returns the tree of a commit that was fetched before; it never reaches
// the network. The caller closes the repository and the tree.
func (m *Mirror) Tree(ctx context.Context, oid string) (*Repo, Tree, error) {
	missing := usererr.New("base-not-cached", fmt.Sprintf("%s at %s is not in the cache", m.URL, oid), "run poly config update")
	if _, err := os.Stat(m.Dir); err != nil {
		return nil, nil, missing
	}
	r, err := (*repo.Mirror)(m).Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	tree, err := Commit(ctx, r, oid)
	if err != nil {
		return nil, nil, errors.Join(missing, r.Close())
	}
	return r, tree, nil
}

// The words of [repo] for what differs, and for what is staged.
type (
	// Difference is a path at which two trees differ.
	Difference = repo.Difference
	// Staging is one path of an index that gets another blob.
	Staging = repo.Staging
)

// Ahead is how the index differs from HEAD, which git finds out beside what the
// caller does meanwhile.
type Ahead struct {
	done chan struct{}
	all  []Difference
	err  error
}

// StagedChanges begins to find out how the index that git names differs from
// HEAD. The caller waits for it.
func StagedChanges(ctx context.Context, r *Repo) *Ahead {
	a := &Ahead{done: make(chan struct{})}
	go func() {
		defer close(a.done)
		a.all, a.err = repo.StagedChanges(ctx, r)
	}()
	return a
}

// Wait waits for git's end.
func (a *Ahead) Wait() { <-a.done }

// In returns the differences in path order; everything is new where HEAD has no
// commit. staged is the tree of the index. Paths with intent to add are left
// out.
func (a *Ahead) In(staged Tree) ([]Difference, error) {
	a.Wait()
	return stagedIn(staged, slices.Clone(a.all), a.err)
}

// stagedIn completes what git said by what the tree has.
func stagedIn(staged Tree, all []Difference, err error) ([]Difference, error) {
	if errors.Is(err, ErrUnborn) {
		for f := range staged.Files() {
			all = append(all, Difference{Path: f.Path, Is: f.Mode, IsID: f.ID, Unmerged: f.Conflict})
		}
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	out := all[:0]
	for _, d := range all {
		if d.Is != 0 {
			f, ok := staged.Lookup(d.Path)
			if !ok { // intent to add
				continue
			}
			d.Is, d.IsID, d.Unmerged = f.Mode, f.ID, f.Conflict
		}
		out = append(out, d)
	}
	return out, nil
}

// TreeChanges returns how one commit or tree differs from another; from "" is
// the empty tree.
func TreeChanges(ctx context.Context, r *Repo, from, to string) ([]Difference, error) {
	return repo.TreeChanges(ctx, r, from, to)
}

// Pushed returns the commits at the border of what a push would bring: see
// [repo.Pushed].
func Pushed(ctx context.Context, r *Repo, remote, known, local string) (border []string, ok bool, err error) {
	return repo.Pushed(ctx, r, remote, known, local)
}

// MergeBase returns the best common ancestor of two commits, "" if there is none.
func MergeBase(ctx context.Context, r *Repo, a, b string) (string, error) {
	return repo.MergeBase(ctx, r, a, b)
}

// Branch returns the short name of the branch HEAD names, "" if it names none.
func Branch(ctx context.Context, r *Repo) string { return repo.Branch(ctx, r) }

// ChildEnv is an environment in which git commands work on r alone.
func ChildEnv(r *Repo) []string { return repo.ChildEnv(r) }

// Converted returns a function that tells how a checkout makes other bytes of
// the blob of a path of t, which is a tree of Staged or Commit: "" if it writes
// the blob's, else a text that differs for different conversions. What a filter
// does is known by the commands that are configured for it.
func Converted(r *Repo, t Tree) (func(path string) string, error) {
	e, ok := t.(*entries)
	if !ok {
		return nil, fmt.Errorf("conversions of a %T are not known", t)
	}
	c, err := attr.NewConverter(r.Config, e.attrs)
	if err != nil {
		return nil, err
	}
	return func(path string) string {
		conv := c.Of(path)
		if !conv.OnCheckout() {
			return ""
		}
		if conv.Filter == "" {
			return conv.Key()
		}
		command := func(name string) string { return r.Config.String("filter." + conv.Filter + "." + name) }
		return strings.Join([]string{conv.Key(), command("smudge"), command("process")}, "\x00")
	}, nil
}

// CheckedOut returns t, a tree of Staged or Commit, with files in the form in
// which a checkout writes their line ends: engines then judge what people see.
// toWork and toBlob bring texts of a path from one form into the other; staged
// is the blob the path has. The tree shares what t has, and is not closed.
func CheckedOut(r *Repo, t Tree) (tree Tree, toWork func(path string, blob []byte) []byte, toBlob func(path string, text, staged []byte) []byte, err error) {
	e, ok := t.(*entries)
	if !ok {
		return nil, nil, nil, fmt.Errorf("conversions of a %T are not known", t)
	}
	c, err := attr.NewConverter(r.Config, e.attrs)
	if err != nil {
		return nil, nil, nil, err
	}
	out := *e
	out.conv = c
	toWork = func(path string, blob []byte) []byte { return attr.ToCheckout(c.Of(path).CheckoutClass(), blob) }
	toBlob = func(path string, text, staged []byte) []byte {
		if conv := c.Of(path); conv.CheckoutClass() != "" {
			return conv.ToGit(text, func() []byte { return staged })
		}
		return text
	}
	return &out, toWork, toBlob, nil
}

// WriteFiles makes blobs of files: see [repo.WriteFiles].
func WriteFiles(ctx context.Context, r *Repo, dir string, paths []string, filtered bool) ([]ID, error) {
	return repo.WriteFiles(ctx, r, dir, paths, filtered)
}

// HashFiles lets git convert and hash files of the worktree: see [repo.HashFiles].
func HashFiles(ctx context.Context, r *Repo, paths []string) ([]ID, error) {
	return repo.HashFiles(ctx, r, paths)
}

// Stage gives paths of an index other blobs: see [repo.Stage].
func Stage(ctx context.Context, r *Repo, file string, changes []Staging) (done []Staging, err error) {
	return repo.Stage(ctx, r, file, changes)
}

// Checkout writes paths of the index below dir: see [repo.Checkout].
func Checkout(ctx context.Context, r *Repo, dir string, paths []string) error {
	return repo.Checkout(ctx, r, dir, paths)
}

// Smudged returns what a checkout of a blob as a path would write.
func Smudged(ctx context.Context, r *Repo, id ID, path string) ([]byte, error) {
	return repo.Smudged(ctx, r, id, path)
}

// Merge merges two changes of one file: see [repo.Merge].
func Merge(ctx context.Context, r *Repo, ours, base, theirs string) (merged []byte, clean bool, err error) {
	return repo.Merge(ctx, r, ours, base, theirs)
}
