package gitstate

import (
	"context"
	"errors"
	"fmt"
	"os"

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
