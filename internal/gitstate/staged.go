package gitstate

import (
	"context"
)

// Staged returns the tree of the index that git names: in a hook, what is
// about to be committed. Entries with intent to add are not in it, because
// they have no content. A path with merge conflicts is one File with Conflict
// and no ID; reading it fails. Bytes are those of the blobs: the Class of every
// file is "". The tree is one state of the index, also if git writes a new one
// meanwhile. Closing it ends the repository's git child, not the repository.
func Staged(ctx context.Context, r *Repo) (Tree, error) {
	x, err := r.Index(ctx)
	if err != nil {
		return nil, err
	}
	root, _ := x.Root()
	return newEntries(ctx, r, x, root)
}
