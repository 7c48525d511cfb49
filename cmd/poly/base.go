package main

import (
	"context"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"

	"lukechampine.com/blake3"

	"poly/internal/config"
	"poly/internal/gitstate"
)

// bases keeps the git bases of configurations, one mirror a remote, under the
// cache home.
type bases struct {
	home string
	env  []string
}

func (s *session) bases() *bases {
	return &bases{home: filepath.Join(s.dirs.CacheHome, "bases"), env: s.env}
}

func (b *bases) mirror(url string) *gitstate.Mirror {
	sum := blake3.Sum256([]byte(url))
	return &gitstate.Mirror{Dir: filepath.Join(b.home, hex.EncodeToString(sum[:8])), URL: url, Env: b.env}
}

// fetched is config.Options.Fetch: what the cache holds, without network.
func (b *bases) fetched(ctx context.Context, url, oid string) (fs.FS, error) {
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
	return b.mirror(url).Resolve(ctx, revision)
}

// cachePeek is what the root poly.toml alone says about the cache.
type cachePeek struct {
	Enabled bool
	Dir     string
}

func peekCache(root string) cachePeek {
	p := cachePeek{Enabled: true}
	for _, name := range []string{config.FileName, config.LocalFileName} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue
		}
		doc, err := config.DecodeTOML(name, text)
		if err != nil {
			continue
		}
		t, _ := doc["cache"].(map[string]any)
		if on, ok := t["enabled"].(bool); ok {
			p.Enabled = on
		}
		if dir, ok := t["dir"].(string); ok {
			p.Dir = dir
		}
	}
	return p
}
