package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"poly/internal/atomicfile"
	"poly/internal/config"
	"poly/internal/usererr"
	"poly/store"
)

// locateDirs finds the places of poly's files. That there is none is no reason
// not to judge: it is kept in s.homeless.
func (s *session) locateDirs(common string) (err error) {
	s.dirs, err = store.Locate(s.getenv, s.goos, common)
	if e, ok := errors.AsType[*usererr.Error](err); ok && e.Code == "no-home" {
		e.Hint = "set HOME, or POLY_CACHE_HOME and POLY_STATE_HOME"
		s.homeless, err = e, nil
		s.dirs.Cache = store.RepoKey(common) // below [cache] dir, if there is one
	}
	return err
}

// openPlace opens the cache of the repository around the working directory and
// nothing else: no tree is scanned, and a cache that does not exist is not
// made. dir overrides where the cache lies.
func (a *app) openPlace(ctx context.Context, dir string) (*session, error) {
	s := &session{app: a}
	if err := s.locate(ctx, target{}); err != nil {
		s.Close()
		return nil, err
	}
	place := peekCache(s.root).Dir
	if dir != "" {
		place = s.abs(dir)
	}
	if place == "" && s.homeless != nil {
		s.Close()
		return nil, s.homeless
	}
	if place != "" && !filepath.IsAbs(place) {
		place = filepath.Join(s.root, place)
	}
	if place != "" {
		s.dirs.Cache = filepath.Join(place, filepath.Base(s.dirs.Cache))
	}
	s.cache = store.NoCache()
	if s.cached = cacheExists(s.dirs.Cache); s.cached {
		s.cache = store.OpenCache(ctx, filepath.Join(s.dirs.Cache, store.CacheFile), store.CacheOptions{Now: s.now})
	}
	return s, nil
}

// cacheExists reports whether dir holds a cache, or what is left of one.
func cacheExists(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err != nil && !errors.Is(err, fs.ErrNotExist) ||
		slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), store.CacheFile) })
}

// openCache opens the cache where the root poly.toml puts it. The whole
// configuration is not known before the tree is, and the tree wants the
// cache's memory, so the table [cache] of that one file is looked at ahead.
func (s *session) openCache(ctx context.Context, off bool) {
	s.cache = store.NoCache()
	peek := peekCache(s.root)
	if !off && peek.Enabled {
		s.useCache(ctx, peek.Dir)
	}
}

func (s *session) useCache(ctx context.Context, dir string) {
	if s.homeless != nil && dir == "" {
		return
	}
	if dir != "" {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(s.root, dir)
		}
		s.dirs.Cache = filepath.Join(dir, filepath.Base(s.dirs.Cache))
		if inside(s.root, dir) {
			keepOutOfGit(s.dirs.Cache)
		}
	}
	s.cache, s.cached = store.OpenCache(ctx, filepath.Join(s.dirs.Cache, store.CacheFile), store.CacheOptions{Now: s.now}), true
}

// warnings are what people should know about the cache.
func (s *session) warnings(f *runFlags) []string {
	if !f.noCache && s.homeless != nil && !s.cached && s.config.Root().Cache.Enabled {
		return append(s.cache.Warnings(), "results are not cached: "+s.homeless.Error())
	}
	return s.cache.Warnings()
}

// keepOutOfGit makes git, and so poly, ignore a cache that lies in the tree. A
// directory that cannot be written is the cache's to warn of.
func keepOutOfGit(dir string) {
	name := filepath.Join(dir, ".gitignore")
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) && os.MkdirAll(dir, 0o700) == nil {
		_ = atomicfile.Write(name, []byte("*\n"), atomicfile.Options{Mode: 0o600})
	}
}

// reopenCache follows the whole configuration where it says something else
// about the cache than the root poly.toml alone.
func (s *session) reopenCache(ctx context.Context, off bool) {
	want := s.config.Root().Cache
	peek := peekCache(s.root)
	if off || want.Enabled == peek.Enabled && want.Dir == peek.Dir {
		return
	}
	_ = s.cache.Close()
	s.cache, s.cached = store.NoCache(), false
	if want.Enabled {
		s.useCache(ctx, want.Dir)
	}
}

// cachePeek is what the root poly.toml alone says about the cache.
type cachePeek struct {
	Enabled bool
	Dir     string
}

func peekCache(root string) cachePeek {
	p := cachePeek{Enabled: true}
	for _, name := range []string{config.FileName, config.LocalFileName} {
		text, err := readRegular(filepath.Join(root, name))
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
