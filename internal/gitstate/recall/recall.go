// Package recall is the form in which a scan of a worktree remembers what it
// saw. It only encodes and decodes: where the bytes are kept is not its matter,
// and any bytes may come back.
package recall

import (
	"encoding/binary"
	"unsafe"

	"poly/internal/gitstate/entry"
)

// Kinds of what a scan remembers, for [Key]. The number is the version of the
// format.
const (
	KeyDirs  = "gitstate/dirs/2\x00"
	KeyFiles = "gitstate/ids/1\x00"
	KeyForms = "gitstate/kinds/1\x00"
	KeyOdd   = "gitstate/odd/1\x00"
	// KeySizes is about blobs, whichever worktree they lie in.
	KeySizes = "gitstate/sizes/1\x00"
)

// Key names one kind of memory about the worktree at root, or about none.
func Key(kind, root string) []byte { return append([]byte(kind), root...) }

// Stamp tells whether a file or directory has changed: mtime, ctime, inode and
// device.
type Stamp [4]uint64

// Name is a name in a directory that the index does not know.
type Name struct {
	Name    string
	Kind    uint8 // what it is a name of; at most 3
	Ignored bool
}

// Flags of a [Dir].
const (
	HasIgnoreFile    = 1 << iota // has a .gitignore the index does not know
	HasAttributeFile             // has such a .gitattributes
	HasGitDir                    // has a ".git"
	Untracked                    // no entry of the index lies below
)

// Dir is what a scan knows of one directory.
//
// Invariant: Names is what [AppendName] made of its names in their order, and
// their Ignored bits are right for ignore rules with the digest Key.
type Dir struct {
	Path   string
	Stamp  Stamp
	Digest uint64 // of the index's names in the directory
	Key    uint64 // of the ignore rules in force; 0 if there are no names
	Flags  uint8
	Names  []byte
}

// AppendName encodes a name at the end of b.
func AppendName(b []byte, n Name) []byte {
	head := uint64(len(n.Name))<<3 | uint64(n.Kind)<<1
	if n.Ignored {
		head |= 1
	}
	return append(binary.AppendUvarint(b, head), n.Name...)
}

// NextName decodes the first name of b; ok is false at the end, and where b is
// no encoding.
func NextName(b []byte) (n Name, rest []byte, ok bool) {
	head, k := binary.Uvarint(b)
	if k <= 0 || head>>3 > uint64(len(b)-k) || head>>3 == 0 {
		return n, nil, false
	}
	end := k + int(head>>3)
	return Name{Name: view(b[k:end]), Kind: uint8(head>>1) & 3, Ignored: head&1 != 0}, b[end:], true
}

// view is b as a string without a copy: b is never written again.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// appendDir encodes a record.
func appendDir(b []byte, d *Dir) []byte {
	b = appendString(b, d.Path)
	for _, w := range [...]uint64{d.Stamp[0], d.Stamp[1], d.Stamp[2], d.Stamp[3], d.Digest, d.Key} {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	b = append(b, d.Flags)
	return appendString(b, view(d.Names))
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// Dirs are records as they are remembered. They point into the bytes they were
// opened with.
type Dirs struct {
	Index string // identity of the index whose names the digests are of
	Len   int    // how many there are, if none is damaged
	rest  reader
}

// OpenDirs returns what [EncodeDirs] encoded.
func OpenDirs(b []byte) Dirs {
	r := reader{b: b}
	d := Dirs{Index: r.string()}
	if n := r.uint64(); n <= uint64(len(b)/dirSize) {
		d.Len = int(n)
	}
	d.rest = r
	return d
}

// Next decodes the next record; ok is false at the end. What is damaged is
// left out: it is only looked at again.
func (d *Dirs) Next() (v Dir, ok bool) {
	r := &d.rest
	v.Path = r.string()
	if b := r.take(6 * 8); b != nil {
		w := binary.LittleEndian.Uint64
		v.Stamp, v.Digest, v.Key = Stamp{w(b), w(b[8:]), w(b[16:]), w(b[24:])}, w(b[32:]), w(b[40:])
	}
	v.Flags = r.byte()
	v.Names = r.bytes()
	return v, !r.bad
}

// dirSize is the least size of a record.
const dirSize = 6*8 + 3

// EncodeDirs encodes records, in their order. index is the identity of the
// index whose names their digests are of.
func EncodeDirs(index string, dirs []Dir) []byte {
	size := len(index) + 16
	for i := range dirs {
		size += len(dirs[i].Path) + len(dirs[i].Names) + dirSize + 8
	}
	b := appendString(make([]byte, 0, size), index)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(dirs)))
	for i := range dirs {
		b = appendDir(b, &dirs[i])
	}
	return b
}

// reader decodes; bad is set by the first read beyond the end.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.bad, r.b = true, nil
		return nil
	}
	b := r.b[:n:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) uint64() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) bytes() []byte {
	n, k := binary.Uvarint(r.b)
	if k <= 0 {
		r.bad, r.b = true, nil
		return nil
	}
	r.b = r.b[k:]
	return r.take(n)
}

func (r *reader) string() string { return view(r.bytes()) }

// File is the remembered id of a file git has not hashed.
type File struct {
	Path  string
	Stamp Stamp
	Size  uint64
	Conv  string // conversion and, where it matters, the staged id
	ID    entry.ID
	Class entry.Class
}

// DecodeFiles decodes what [EncodeFiles] encoded, by path; the records point
// into b. What is damaged is left out.
func DecodeFiles(b []byte) map[string]File {
	r := reader{b: b}
	ids := map[string]File{}
	for len(r.b) > 0 {
		i := File{Path: r.string()}
		for _, w := range [...]*uint64{&i.Stamp[0], &i.Stamp[1], &i.Stamp[2], &i.Stamp[3], &i.Size} {
			*w = r.uint64()
		}
		i.Conv, i.ID, i.Class = r.string(), entry.ID(r.string()), entry.Class(r.string())
		if r.bad {
			break
		}
		ids[i.Path] = i
	}
	return ids
}

// EncodeFiles encodes records that are in path order.
func EncodeFiles(ids []File) []byte {
	var b []byte
	for _, i := range ids {
		b = appendString(b, i.Path)
		for _, w := range [...]uint64{i.Stamp[0], i.Stamp[1], i.Stamp[2], i.Stamp[3], i.Size} {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		b = appendString(appendString(appendString(b, i.Conv), string(i.ID)), string(i.Class))
	}
	return b
}
