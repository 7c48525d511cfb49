// Package config finds, reads and merges poly.toml files and answers what is
// in force for a path, with the origin of each value. It reads through the
// tree being judged, never executes anything and knows no engine: the tables
// of engines are described to it by a [Schema].
package config

import (
	"context"
	"io/fs"
)

// Type is the type of an option's value.
type Type uint8

// The types. The zero value is invalid.
const (
	_ Type = iota
	Bool
	Int
	String
	Strings   // array of strings; a single string is accepted and means one
	StringMap // table of strings
	Table     // free table, undecoded
)

// Option describes one key of a table.
type Option struct {
	Name    string
	Type    Type
	Default any      // of the Go type Values returns; nil: unset
	Enum    []string // for String and Strings: the allowed values; nil: any
	Min     int      // for Int
	Max     int      // for Int; 0: no upper bound
	Doc     string
}

// EngineTable describes what [lint.<lang>.<name>] or [fmt.<lang>.<name>] may hold.
type EngineTable struct {
	Name    string
	Langs   []string // language ids; empty: [lint.<name>], for every language
	Lint    bool
	Fmt     bool
	Options []Option
	Rules   []RuleTable
}

// RuleTable describes rules.<code> of an engine table: `level` and parameters.
type RuleTable struct {
	Code    string
	Options []Option
}

// Schema is what the build knows: languages and engine tables. Known tables of
// engines that are not built in load and are named once as having no effect.
type Schema struct {
	Languages []string
	Engines   []EngineTable
}

// Values are the decoded, validated options of one table, defaults included.
type Values map[string]any

// Options tells Load where to look.
type Options struct {
	Schema Schema
	// Tree is the tree being judged, rooted at the repository (or directory) root.
	Tree fs.FS
	// Dirs lists the directories of Tree that hold a poly.toml ("." for the root).
	Dirs []string
	// Local returns the content of a file of the worktree that need not be in
	// the tree: poly.local.toml. nil: there is none, as for a commit.
	Local func(path string) ([]byte, error)
	// File is --config: an absolute path. Only it, its bases and its local
	// file count; nested files do not.
	File string
	// Outside reads a file outside the tree by absolute path: --config, an
	// extends path that leaves the tree, the cached checkout of a git base.
	Outside func(path string) ([]byte, error)
	// Fetch returns the pinned content of a git base from the cache, without
	// network; an error is exit 2. nil: git bases are refused.
	Fetch func(ctx context.Context, url, oid string) (fs.FS, error)
}

// Bool returns a Bool option.
func (v Values) Bool(name string) bool { b, _ := v[name].(bool); return b }

// Int returns an Int option.
func (v Values) Int(name string) int { i, _ := v[name].(int); return i }

// String returns a String option.
func (v Values) String(name string) string { s, _ := v[name].(string); return s }

// Strings returns a Strings option.
func (v Values) Strings(name string) []string { s, _ := v[name].([]string); return s }

// Map returns a StringMap option.
func (v Values) Map(name string) map[string]string { m, _ := v[name].(map[string]string); return m }
