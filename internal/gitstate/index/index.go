// Package index reads git's index file, versions 2 to 4, by mapping it into
// memory. It writes nothing, starts no process and knows no other file.
package index

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"sort"
	"strings"
	"unsafe"
)

// ErrUnsupported means that the file is, or may be, a valid index of a kind
// this package does not read: another version, a split or a sparse index, or
// a required extension it does not know. Git itself must be asked.
var ErrUnsupported = errors.New("unsupported index")

// ErrCorrupt means that the bytes are no valid index.
var ErrCorrupt = errors.New("corrupt index")

// Flags are the bits git keeps with an entry, besides its stage.
type Flags uint16

// The flags.
const (
	AssumeValid  Flags = 1 << iota // git update-index --assume-unchanged
	SkipWorktree                   // outside the sparse checkout
	IntentToAdd                    // git add -N: no staged content
	Extended                       // the entry has a second flags word on disk
)

// Stat is what git remembered of a file when it was last seen to be equal to
// its entry: the low 32 bits of each field. All zero means "never seen".
type Stat struct {
	CtimeSec, CtimeNsec uint32
	MtimeSec, MtimeNsec uint32
	Dev, Ino            uint32
	UID, GID            uint32
	Size                uint32
}

// FileInfo describes the index file itself, by fstat of the descriptor that
// was read. It is zero for an index that was never a file.
type FileInfo struct {
	Dev, Ino  uint64
	Size      int64
	MtimeNano int64 // nanoseconds since 1970
	CtimeNano int64
}

// Index is one state of an index file.
//
// Invariant: entries are in order of (path, stage); a path occurs once at
// stage 0 or up to once at each of the stages 1 to 3, or more often if git
// wrote it so. Paths are relative and have no empty, ".", ".." or ".git"
// component and no NUL.
//
// Strings returned by it point into the mapped file: they are valid until
// Close. It is safe for concurrent use, except for Close.
type Index struct {
	data    []byte // the file, or a buffer of the same layout
	names   []byte // version 4 only: NUL-terminated paths
	entries []entry
	hashLen int
	version int
	exts    []extension
	file    FileInfo
	unmap   func() error
}

// entry is kept small: 16 bytes for each of maybe 100,000.
type entry struct {
	off  uint32 // of the fixed part in data
	name uint32 // of the path in names (version 4) or data
	len  uint32 // of the path
	bits uint16 // Flags, and the stage in the two highest bits
	_    uint16
}

type extension struct {
	sig      string
	off, len uint32
}

const (
	headerLen = 12
	statLen   = 40 // nine stat words and the mode
	stageBits = 14
)

// Len returns the number of entries, counting every stage.
func (x *Index) Len() int { return len(x.entries) }

// Version returns the format version; 0 if it was never a file.
func (x *Index) Version() int { return x.version }

// HashLen returns the length of object ids in bytes: 20 or 32.
func (x *Index) HashLen() int { return x.hashLen }

// File returns what fstat said of the file that was read.
func (x *Index) File() FileInfo { return x.file }

// Path returns the path of entry i. A NUL byte follows it in memory.
func (x *Index) Path(i int) string {
	e := &x.entries[i]
	return unsafe.String(x.at(e), int(e.len))
}

// CPath returns a pointer to the NUL-terminated path of entry i, for system
// calls that must not copy it.
func (x *Index) CPath(i int) *byte { return x.at(&x.entries[i]) }

func (x *Index) at(e *entry) *byte {
	if x.names != nil {
		return &x.names[e.name]
	}
	return &x.data[e.name]
}

// ID returns the object id of entry i as raw bytes.
func (x *Index) ID(i int) string {
	off := int(x.entries[i].off) + statLen
	return unsafe.String(&x.data[off], x.hashLen)
}

// Mode returns the file mode of entry i as it is written in the index.
func (x *Index) Mode(i int) uint32 { return x.Record(i).Mode() }

// Stage returns 0, or 1 to 3 for the sides of a merge conflict.
func (x *Index) Stage(i int) int { return int(x.entries[i].bits >> stageBits) }

// Flags returns the flags of entry i.
func (x *Index) Flags(i int) Flags { return Flags(x.entries[i].bits &^ (3 << stageBits)) }

// Stat returns the remembered stat data of entry i.
func (x *Index) Stat(i int) Stat {
	r := x.Record(i)
	return Stat{
		CtimeSec: r.CtimeSec(), CtimeNsec: r.CtimeNsec(), MtimeSec: r.MtimeSec(), MtimeNsec: r.MtimeNsec(),
		Dev: binary.BigEndian.Uint32(r[16:]), Ino: r.Ino(),
		UID: binary.BigEndian.Uint32(r[28:]), GID: binary.BigEndian.Uint32(r[32:]), Size: r.Size(),
	}
}

// Record returns the stat data and the mode of entry i where they lie. Its
// methods read one number: that is faster than [Index.Stat] for a scan, which
// compares a few of them.
func (x *Index) Record(i int) *Record { return (*Record)(x.data[x.entries[i].off:]) }

// Record is the part of fixed size at the start of an entry.
type Record [statLen]byte

// CtimeSec is that of [Stat].
func (r *Record) CtimeSec() uint32 { return binary.BigEndian.Uint32(r[0:]) }

// CtimeNsec is that of [Stat].
func (r *Record) CtimeNsec() uint32 { return binary.BigEndian.Uint32(r[4:]) }

// MtimeSec is that of [Stat].
func (r *Record) MtimeSec() uint32 { return binary.BigEndian.Uint32(r[8:]) }

// MtimeNsec is that of [Stat].
func (r *Record) MtimeNsec() uint32 { return binary.BigEndian.Uint32(r[12:]) }

// Ino is that of [Stat].
func (r *Record) Ino() uint32 { return binary.BigEndian.Uint32(r[20:]) }

// Mode is the file mode as it is written in the index.
func (r *Record) Mode() uint32 { return binary.BigEndian.Uint32(r[24:]) }

// Size is that of [Stat].
func (r *Record) Size() uint32 { return binary.BigEndian.Uint32(r[36:]) }

// Find returns the position of the first entry whose path is not less than
// path, and whether its path is equal.
func (x *Index) Find(path string) (i int, ok bool) {
	i = sort.Search(len(x.entries), func(i int) bool { return x.Path(i) >= path })
	return i, i < len(x.entries) && x.Path(i) == path
}

// Dir returns the entries below a directory as the half-open range [lo, hi).
// dir has no trailing slash; "" is the root.
func (x *Index) Dir(dir string) (lo, hi int) {
	if dir == "" {
		return 0, len(x.entries)
	}
	n := len(x.entries)
	lo = sort.Search(n, func(i int) bool { return compareDir(x.Path(i), dir) >= 0 })
	hi = lo + sort.Search(n-lo, func(i int) bool { return compareDir(x.Path(lo+i), dir) > 0 })
	return lo, hi
}

// compareDir tells whether path lies before, below or after the directory dir.
func compareDir(path, dir string) int {
	if len(path) > len(dir) && path[:len(dir)] == dir {
		return int(path[len(dir)]) - '/'
	}
	return strings.Compare(path, dir+"/")
}

// Extensions returns the signatures of the extensions, in file order.
func (x *Index) Extensions() []string {
	sigs := make([]string, len(x.exts))
	for i, e := range x.exts {
		sigs[i] = e.sig
	}
	return sigs
}

// Trailer returns the checksum at the end of the file: all zero if git was
// told not to compute it (index.skipHash), "" if it was never a file.
func (x *Index) Trailer() string {
	if x.version == 0 {
		return ""
	}
	return string(x.data[len(x.data)-x.hashLen:])
}

// Identity returns bytes that are equal only for indexes with equal entries:
// the trailer, or, where that is zero, a digest of paths, modes, ids, stages
// and flags. It is not verified: git trusts the trailer as well.
func (x *Index) Identity() string {
	t := x.Trailer()
	if strings.Trim(t, "\x00") != "" {
		return t
	}
	h := sha256.New()
	var b []byte
	for i := range x.entries {
		e := &x.entries[i]
		b = binary.BigEndian.AppendUint32(b, x.Mode(i))
		b = binary.BigEndian.AppendUint16(b, e.bits&^uint16(Extended))
		b = append(b, x.ID(i)...)
		b = binary.BigEndian.AppendUint32(b, e.len)
		b = append(b, x.Path(i)...)
		if len(b) > 1<<15 {
			h.Write(b)
			b = b[:0]
		}
	}
	h.Write(b)
	return "entries:" + string(h.Sum(nil))
}

// Close unmaps the file. Nothing the Index returned may be used afterwards.
func (x *Index) Close() error {
	x.entries = nil
	if x.unmap == nil {
		return nil
	}
	f := x.unmap
	x.unmap, x.data, x.names = nil, nil, nil
	return f()
}
