// Package store keeps what poly remembers, in two SQLite databases: cache.db,
// which may vanish or be wrong at any time and never changes a result, and
// history.db, which is kept. It knows keys and bytes only: what a key names and
// what a value means is the caller's business. It is the one home of SQLite.
//
// Law: whatever is wrong with a database (corrupt, foreign, read-only, full,
// locked, vanished), the run goes on without it. Errors are for the log;
// [Cache.Warnings] has the sentences for people.
package store

import "time"

// FormatVersion is the version of the layout of cache.db. A file with another
// version is set aside and a new one is made.
const FormatVersion = 1

// Namespace says which surface a result belongs to.
type Namespace uint8

// The namespaces.
const (
	Lint Namespace = 1 + iota
	Format
	Hook
	Workspace
)

// Namespaces lists all of them in the order they are reported.
func Namespaces() []Namespace { return []Namespace{Lint, Format, Hook, Workspace} }

func (n Namespace) String() string {
	switch n {
	case Lint:
		return "lint"
	case Format:
		return "fmt"
	case Hook:
		return "hook"
	case Workspace:
		return "workspace"
	default:
		return ""
	}
}

// Cfg names everything a result depends on besides the bytes of the blob.
//
// Invariant: the caller puts every such input into Hash; equal (NS, Hash, oid)
// means an equal value for ever.
type Cfg struct {
	NS   Namespace
	Hash [32]byte
}

// Key names one result: an index into a list of Cfgs, and a raw blob id (20 or
// 32 bytes).
type Key struct {
	Cfg int
	OID string
}

// Result is the answer to a batch of keys. A key in neither list is clean.
type Result struct {
	Missing []int   // indexes into the keys asked for, ascending
	Values  []Value // by Index, ascending
}

// Value is a result that is not clean.
type Value struct {
	Index int // into the keys asked for
	Data  []byte
}

// Row is one result to save; a nil Value means clean.
type Row struct {
	Cfg   int // index into Batch.Cfgs
	OID   string
	Value []byte
}

// Memo is one answer for a whole state. Scope says who asks (worktree, verb,
// configuration), Key which state it was; a scope keeps its newest states only.
type Memo struct {
	Scope, Key, Value []byte
}

// Batch is what one run learned.
type Batch struct {
	Cfgs  []Cfg
	Rows  []Row
	Memos []Memo
}

// CacheOptions tune a Cache. The zero value is right for a run.
type CacheOptions struct {
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// GC bounds the size; zero fields mean the defaults of [GCOptions].
	GC GCOptions
	// NoAutoGC: never collect after a Save.
	NoAutoGC bool

	busy time.Duration // how long to wait for other writers; 0: busyWait
}

// GCOptions say what may be forgotten.
type GCOptions struct {
	MaxAge  time.Duration // configurations not used for this long; 0: 30 days
	MaxSize int64         // bytes; least recently used configurations go first; 0: 512 MiB
}

// Stats describes a cache; it is what `poly cache stats` prints.
type Stats struct {
	FormatVersion int              `json:"format_version"`
	TotalBytes    int64            `json:"total_bytes"` // of the files on disk
	PerNamespace  []NamespaceStats `json:"per_namespace"`
}

// NamespaceStats describes the results of one namespace.
type NamespaceStats struct {
	Namespace     string `json:"namespace"`
	Entries       int64  `json:"entries"`
	Bytes         int64  `json:"bytes"` // of keys and values
	FormatVersion int    `json:"format_version"`
}

// Freed is what a collection or a clean gave back.
type Freed struct {
	FreedBytes int64 `json:"freed_bytes"`
}
