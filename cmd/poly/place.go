package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"poly/store"
)

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
