package gitstate

import (
	"context"

	"poly/internal/gitstate/repo"
)

// Commit returns the tree of a revision: any expression of gitrevisions(7)
// that names a commit, a tag or a tree. It works in bare repositories too.
// Bytes are those of the blobs: the Class of every file is "". Closing it ends
// the repository's git child, not the repository.
func Commit(ctx context.Context, r *Repo, rev string) (Tree, error) {
	x, id, err := repo.ReadTree(ctx, r, rev)
	if err != nil {
		return nil, err
	}
	return newEntries(ctx, r, x, string(id))
}
