package main

import (
	"context"
	"path/filepath"

	"poly/store"
)

// openPlace opens the cache of the repository around the working directory and
// nothing else: no tree is scanned. dir overrides where the cache lies.
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
	s.cache = store.OpenCache(ctx, filepath.Join(s.dirs.Cache, store.CacheFile), store.CacheOptions{Now: s.now})
	return s, nil
}
