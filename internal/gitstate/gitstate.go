// Package gitstate knows git: it and its rooms are the only packages that read
// the index, git configuration, attributes, ignore rules and objects, and the
// only ones beside proc that start processes (git's own, in [repo], and only
// where a guess would be needed otherwise). They never write to a worktree, and
// to an index or a repository only in [Stage] and [WriteFiles], which git does.
// This package makes trees of what the rooms know.
package gitstate

import (
	"context"
	"errors"
	"iter"

	"poly/internal/gitstate/entry"
)

// The words of [entry] that trees are described with.
type (
	// ID is a git object id as raw bytes, "" if it is unset. It may point into
	// a mapped index: it is valid until its Tree is closed.
	ID = entry.ID
	// Mode is a git file mode.
	Mode = entry.Mode
	// Class says how worktree bytes relate to blob bytes: "" if they are the same.
	Class = entry.Class
)

// The modes git records.
const (
	ModeRegular = entry.ModeRegular
	ModeExec    = entry.ModeExec
	ModeSymlink = entry.ModeSymlink
	ModeGitlink = entry.ModeGitlink
	ModeDir     = entry.ModeDir
)

// File is one entry of a Tree. Path is slash-separated, relative to the root of
// the tree, never empty, may hold any byte but NUL. Like ID it may point into a
// mapped index.
type File struct {
	Path  string
	Mode  Mode
	ID    ID    // the blob id of the bytes Read returns, as git would hash them with Class
	Class Class // conversion class
	Size  int64 // bytes; -1 if not known without reading
	// Changed: the worktree differs from the index here: modified, untracked,
	// or with intent to add.
	Changed   bool
	Untracked bool
	// Conflict: the index has no stage 0 for the path. The worktree bytes are judged.
	Conflict bool
}

// Tree is one fixed state of a repository or directory. Opening one reads no
// file content that need not be hashed. A Tree may be used by many goroutines.
type Tree interface {
	// Files yields the entries in path order (byte order of full paths).
	// Symlinks and gitlinks are yielded with their modes; directories are not.
	Files() iter.Seq[File]
	// Len is the number of entries Files yields.
	Len() int
	// Lookup finds one entry.
	Lookup(path string) (File, bool)
	// Read returns the bytes of a regular file. It fails with ErrChanged if
	// they are no longer what f.ID names, with fs.ErrNotExist if the file is
	// gone. The caller owns the slice.
	Read(ctx context.Context, f File) ([]byte, error)
	// Baseline describes the tree as a known state and what differs from it,
	// so that a run can be answered from one row.
	Baseline() Baseline
	// Attr returns the value of a gitattribute for a path: "set", "unset", a
	// value, or "" if unspecified.
	Attr(path, name string) string
	// Problems lists paths that could not be looked at (unreadable directory,
	// name too long), in path order. They are errored, never dropped.
	Problems() []Problem
	// Close releases mapped memory and ends git children.
	Close() error
}

// Baseline splits a tree into a state that has an identity and the deviations
// from it. Equal State, and equal deviations, means equal names, modes, blob
// ids and classes.
type Baseline struct {
	State     ID     // digest of the baseline; "" if the tree has none (then everything is in Deviating)
	Deviating []File // entries that differ from the baseline or are not in it, in path order
	Removed   []string
	// Was are the entries of the baseline at the paths of Deviating and
	// Removed, in path order. A path that deviates whatever its file is like
	// (untracked, in conflict, with intent to add, skip-worktree) is not in
	// the baseline.
	Was   []File
	Total int // entries of the baseline itself
}

// Problem is a path that could not be looked at, and why.
type Problem struct {
	Path string
	Err  error
}

// ErrChanged means that a file's bytes are no longer those the tree recorded.
var ErrChanged = errors.New("file changed while it was being read")

// Memory keeps what a worktree scan wants to remember between runs (directory
// times, untracked names, ids of files git has not hashed). It may forget at
// any time; nil is allowed. Implemented by store, wired by cmd/poly.
type Memory interface {
	// Recall returns the value saved under key, or nil.
	Recall(ctx context.Context, key []byte) []byte
	// Remember saves value under key, later, if it can.
	Remember(key, value []byte)
}
