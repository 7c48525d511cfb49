package gitstate

import (
	"context"
	"crypto/sha1" //nolint:gosec // git's object ids
	"errors"
	"path/filepath"

	"poly/internal/gitstate/disk"
	"poly/internal/gitstate/index"
)

// Plain returns the tree of a directory that is in no repository: every file
// below it, except those in a ".git" and those that its own .gitignore files
// name. Ids are those git would give in a sha1 repository without settings.
// The caller closes it.
func Plain(ctx context.Context, dir string, o WorktreeOptions) (Tree, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	root, err := disk.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	x, err := index.FromEntries(sha1.Size, index.FileInfo{}, nil)
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	t := &worktree{scan: &scan{root: root, x: x}, sizes: &sizes{}}
	if err := t.open(ctx, o); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}
