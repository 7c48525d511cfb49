package store

import (
	"encoding/hex"
	"path/filepath"

	"poly/internal/blake3"

	"poly/internal/usererr"
)

// Names of files in [Dirs]. The lock beside the cache serialises its creation.
const (
	CacheFile   = "cache.db"
	HistoryFile = "history.db"
)

// Dirs are the places poly keeps things. They are made, with mode 0700, by
// whoever first writes to them.
type Dirs struct {
	CacheHome string // shared by all repositories: wasm/ lives here
	Cache     string // CacheHome/<key>: cache.db, staged/
	StateHome string
	State     string // StateHome/<key>: history.db, locks, journals
}

// RepoKey names a repository: 16 hex digits of blake3 of its common git directory
// (or, outside git, of the root of the tree), symlinks resolved. Linked
// worktrees share it.
func RepoKey(commonDir string) string {
	if p, err := filepath.EvalSymlinks(commonDir); err == nil {
		commonDir = p
	}
	sum := blake3.Sum256([]byte(filepath.ToSlash(filepath.Clean(commonDir))))
	return hex.EncodeToString(sum[:8])
}

// Locate computes the directories from the environment alone: POLY_CACHE_HOME,
// XDG_CACHE_HOME or the platform's place, and POLY_STATE_HOME, XDG_STATE_HOME
// or the platform's place. goos is runtime.GOOS. commonDir must be absolute.
// XDG values that are not absolute are ignored, as their specification asks;
// POLY values that are not are an error.
func Locate(env func(string) string, goos, commonDir string) (Dirs, error) {
	cache, err := home(env, goos, place{
		own: "POLY_CACHE_HOME", xdg: "XDG_CACHE_HOME", unix: ".cache", mac: "Library/Caches",
	})
	if err != nil {
		return Dirs{}, err
	}
	state, err := home(env, goos, place{
		own: "POLY_STATE_HOME", xdg: "XDG_STATE_HOME", unix: ".local/state", mac: "Library/Application Support",
	})
	if err != nil {
		return Dirs{}, err
	}
	key := RepoKey(commonDir)
	return Dirs{
		CacheHome: cache, Cache: filepath.Join(cache, key),
		StateHome: state, State: filepath.Join(state, key),
	}, nil
}

// place is where one kind of directory may be configured or found.
type place struct{ own, xdg, unix, mac string }

func home(env func(string) string, goos string, p place) (string, error) {
	if v := env(p.own); v != "" {
		if !filepath.IsAbs(v) {
			return "", usererr.New("relative-home", p.own+" is not an absolute path: "+v, "give it a path that starts at the root")
		}
		return filepath.Clean(v), nil
	}
	if v := env(p.xdg); filepath.IsAbs(v) {
		return filepath.Join(v, "poly"), nil
	}
	h := env("HOME")
	if !filepath.IsAbs(h) {
		return "", usererr.New("no-home", "no place for poly's files: HOME is not set", "set HOME, or "+p.own)
	}
	if goos == "darwin" {
		return filepath.Join(h, filepath.FromSlash(p.mac), "poly"), nil
	}
	return filepath.Join(h, filepath.FromSlash(p.unix), "poly"), nil
}
