package main

import (
	"context"
	"encoding/hex"
	"io/fs"
	"path/filepath"

	"poly/internal/blake3"

	"poly/internal/gitstate"
)

// bases keeps the git bases of configurations, one mirror a remote, under the
// cache home.
type bases struct {
	home string
	env  []string
	none error // why there is no home
}

func (s *session) bases() *bases {
	return &bases{home: filepath.Join(s.dirs.CacheHome, "bases"), env: s.env, none: s.homeless}
}

func (b *bases) mirror(url string) *gitstate.Mirror {
	sum := blake3.Sum256([]byte(url))
	return &gitstate.Mirror{Dir: filepath.Join(b.home, hex.EncodeToString(sum[:8])), URL: url, Env: b.env}
}

// fetched is config.Options.Fetch: what the cache holds, without network.
func (b *bases) fetched(ctx context.Context, url, oid string) (fs.FS, error) {
	if b.none != nil {
		return nil, b.none
	}
	repo, tree, err := b.mirror(url).Tree(ctx, oid)
	if err != nil {
		return nil, err
	}
	// The file system outlives this call; the process ends the git child.
	_ = repo
	return gitstate.FS(ctx, tree), nil
}

// fetch is the Fetcher of poly config update.
func (b *bases) fetch(ctx context.Context, url, oid string) (fs.FS, error) {
	if fsys, err := b.fetched(ctx, url, oid); err == nil {
		return fsys, nil
	}
	if _, err := b.mirror(url).Resolve(ctx, oid); err != nil {
		return nil, err
	}
	return b.fetched(ctx, url, oid)
}

func (b *bases) resolve(ctx context.Context, url, revision string) (string, error) {
	if b.none != nil {
		return "", b.none
	}
	return b.mirror(url).Resolve(ctx, revision)
}
