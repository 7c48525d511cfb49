package gitstate

import (
	"context"
	"errors"
	"fmt"
	"os"

	"poly/internal/usererr"
)

// Mirror is a bare repository in the cache that holds pinned commits of one
// remote: the git bases of a configuration. Only Resolve reaches the network,
// by git and with the user's own credentials.
type Mirror mirror

// Resolve asks the remote for the commit a revision names, and fetches it.
func (m *Mirror) Resolve(ctx context.Context, revision string) (oid string, err error) {
	return (*mirror)(m).resolve(ctx, revision)
}

// Tree returns the tree of a commit that was fetched before; it never reaches
// the network. The caller closes the repository and the tree.
func (m *Mirror) Tree(ctx context.Context, oid string) (*Repo, Tree, error) {
	missing := usererr.New("base-not-cached", fmt.Sprintf("%s at %s is not in the cache", m.URL, oid), "run poly config update")
	if _, err := os.Stat(m.Dir); err != nil {
		return nil, nil, missing
	}
	repo, err := (*mirror)(m).open(ctx)
	if err != nil {
		return nil, nil, err
	}
	tree, err := Commit(ctx, repo, oid)
	if err != nil {
		return nil, nil, errors.Join(missing, repo.Close())
	}
	return repo, tree, nil
}
