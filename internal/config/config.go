// Package config finds, reads and merges poly.toml files and answers what is
// in force for a directory, with the origin of each value. It reads through the
// tree being judged, never writes and never executes anything, and knows no
// engine: the tables of engines are described to it by a [Schema].
package config

import (
	"context"
	"io/fs"
	"path"
)

// Names of the files config knows.
const (
	FileName      = "poly.toml"
	LocalFileName = "poly.local.toml"
	LockFileName  = "poly-config.lock"
)

// Options tells Load where to look.
type Options struct {
	Schema Schema
	// Tree is the tree being judged, rooted at the repository (or directory) root.
	Tree fs.FS
	// Root is the absolute path of Tree's root on this machine, with the
	// separators of the platform; "" if it has none, as for a bare repository:
	// then no path may leave the tree. It never joins a digest or a message.
	Root string
	// Dirs lists the directories of Tree that hold a poly.toml ("." for the
	// root), in any order. What lies in a directory that the exclude globs of
	// the files above it exclude is not read: it may be somebody else's.
	Dirs []string
	// Named tells that something in or above an excluded directory was named:
	// then the file in it counts all the same. nil: nothing was.
	Named func(dir string) bool
	// Local returns the content of a file of the worktree that need not be in
	// the tree: poly.local.toml, slash-separated from the root. nil: there is
	// none, as for a commit. A file that is not there is fs.ErrNotExist.
	Local func(path string) ([]byte, error)
	// File is --config: an absolute path. Only it, its bases and its local
	// file count; poly.toml files of the tree do not, and its globs are
	// relative to the root of the tree.
	File string
	// Outside reads a file outside the tree by absolute path: --config, an
	// extends path that leaves the tree. nil: refused.
	Outside func(path string) ([]byte, error)
	// Fetch returns the pinned content of a git base from the cache, without
	// network; an error is exit 2. nil: git bases are refused.
	Fetch func(ctx context.Context, url, oid string) (fs.FS, error)
}

// Set is the configuration of one tree. It may be used by many goroutines.
type Set struct {
	byDir     map[string]*Effective
	root      *Effective
	files     []string
	externals []External
	notes     []string
	bases     []Base
}

// For returns what governs the files of a directory, slash-separated from the
// root of the tree: the nearest registered directory at or above it decides.
func (s *Set) For(dir string) *Effective {
	if len(s.byDir) == 0 {
		return s.root
	}
	for {
		if e, ok := s.byDir[dir]; ok {
			return e
		}
		if dir == "." || dir == "/" || dir == "" {
			return s.root
		}
		dir = path.Dir(dir)
	}
}

// Root returns what governs the root of the tree.
func (s *Set) Root() *Effective { return s.root }

// All returns every distinct Effective, the root's first, then by directory.
func (s *Set) All() []*Effective {
	all := []*Effective{s.root}
	for _, d := range sortedKeys(s.byDir) {
		if e := s.byDir[d]; e != s.root {
			all = append(all, e)
		}
	}
	return all
}

// Files lists the files of the tree that were read or looked for, sorted:
// poly.toml files, bases, poly-config.lock. A run's answer depends on their
// content, or on their absence.
func (s *Set) Files() []string { return s.files }

// Externals lists the files outside the tree that were read or looked for,
// present or not, in a fixed order.
func (s *Set) Externals() []External { return s.externals }

// Notes are warnings, each once, for people: tables and keys that load but
// have no effect in this build.
func (s *Set) Notes() []string { return s.notes }

// Bases lists the `extends` entries of all files, in the order they were met.
func (s *Set) Bases() []Base { return s.bases }

// Base is one `extends` entry.
type Base struct {
	By       string // display name of the file that extends
	Line     int
	Path     string // as written; "" for git
	Git      string // url; "" for a path
	Revision string // as written
	OID      string // what it is pinned to
	File     string // the file read, as shown in messages and origins
}

// External is a file that is not part of the tree, as it was when it was read.
type External struct {
	// Path is slash-separated from the root for a local file, else absolute.
	Path    string
	Local   bool
	Present bool
	Digest  [32]byte // of the content; zero if not Present
}

// Same reports whether the file still is as it was. It reads it again through o.
func (x External) Same(o Options) bool {
	read := o.Outside
	if x.Local {
		read = o.Local
	}
	if read == nil {
		return !x.Present
	}
	text, err := read(x.Path)
	return x == newExternal(x.Path, x.Local, text, err)
}
