package gitstate

import (
	"bytes"
	"encoding/binary"
	"slices"
	"sort"
	"unsafe"

	"poly/internal/gitstate/sum"
)

// Keys of what a scan remembers. The number is the version of the format.
const (
	memoryDirs  = "gitstate/dirs/1\x00"
	memoryIDs   = "gitstate/ids/1\x00"
	memoryKinds = "gitstate/kinds/1\x00"
	memoryOdd   = "gitstate/odd/1\x00"
)

func memoryKey(kind, root string) []byte { return append([]byte(kind), root...) }

// stamp tells whether a directory has changed.
type stamp struct{ mtime, ctime, ino, dev uint64 }

func (s *fileStat) stamp() stamp {
	return stamp{uint64(s.mtime()), uint64(s.ctime()), s.ino, s.dev}
}

// Kinds of names in a directory.
const (
	kindFile = 1
	kindLink = 2
	kindDir  = 3
)

// rawName is a name in a directory that the index does not know.
type rawName struct {
	name    string
	kind    uint8
	ignored bool
}

// Flags of a dirRecord.
const (
	flagIgnoreFile    = 1 << iota // has a .gitignore the index does not know
	flagAttributeFile             // has such a .gitattributes
	flagGitDir                    // has a ".git"
	flagUntracked                 // no entry of the index lies below
)

// dirRecord is what a scan knows of one directory.
//
// Invariant: names is the encoding of rawNames in name order, and their
// ignored bits are right for ignore rules with the digest key.
type dirRecord struct {
	path   string
	stamp  stamp
	digest uint64 // of the index's names in the directory
	key    uint64 // of the ignore rules in force; 0 if there are no names
	flags  uint8
	names  []byte
}

// encodeNames encodes names.
func encodeNames(names []rawName) []byte {
	var b []byte
	for _, n := range names {
		head := uint64(len(n.name))<<3 | uint64(n.kind)<<1
		if n.ignored {
			head |= 1
		}
		b = append(binary.AppendUvarint(b, head), n.name...)
	}
	return b
}

// nextName decodes the first name of b; ok is false at the end, and where b is
// no encoding.
func nextName(b []byte) (n rawName, rest []byte, ok bool) {
	head, k := binary.Uvarint(b)
	if k <= 0 || head>>3 > uint64(len(b)-k) || head>>3 == 0 {
		return n, nil, false
	}
	end := k + int(head>>3)
	return rawName{name: view(b[k:end]), kind: uint8(head>>1) & 3, ignored: head&1 != 0}, b[end:], true
}

// view is b as a string without a copy: b is never written again.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// appendDir encodes a record.
func appendDir(b []byte, d *dirRecord) []byte {
	b = appendString(b, d.path)
	for _, w := range [...]uint64{d.stamp.mtime, d.stamp.ctime, d.stamp.ino, d.stamp.dev, d.digest, d.key} {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	b = append(b, d.flags)
	return appendString(b, view(d.names))
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// decodeDirs decodes what appendDir encoded; the records point into b. What
// is damaged is left out: it is only looked at again.
func decodeDirs(b []byte) []dirRecord {
	r := reader{b: b}
	var dirs []dirRecord
	if n := r.uint64(); n <= uint64(len(b)/50) {
		dirs = make([]dirRecord, 0, n)
	}
	for len(r.b) > 0 {
		d := dirRecord{path: r.string()}
		for _, w := range [...]*uint64{&d.stamp.mtime, &d.stamp.ctime, &d.stamp.ino, &d.stamp.dev, &d.digest, &d.key} {
			*w = r.uint64()
		}
		d.flags = r.byte()
		d.names = r.bytes()
		if r.bad {
			break
		}
		dirs = append(dirs, d)
	}
	return dirs
}

// encodeDirs is the reverse of decodeDirs.
func encodeDirs(dirs []dirRecord) []byte {
	size := 8
	for i := range dirs {
		size += len(dirs[i].path) + len(dirs[i].names) + 60
	}
	b := binary.LittleEndian.AppendUint64(make([]byte, 0, size), uint64(len(dirs)))
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

// idRecord is the remembered id of a file git has not hashed.
type idRecord struct {
	path  string
	stamp stamp
	size  uint64
	conv  string // conversion and, where it matters, the staged id
	id    ID
	class Class
}

func decodeIDs(b []byte) map[string]idRecord {
	r := reader{b: b}
	ids := map[string]idRecord{}
	for len(r.b) > 0 {
		i := idRecord{path: r.string()}
		for _, w := range [...]*uint64{&i.stamp.mtime, &i.stamp.ctime, &i.stamp.ino, &i.stamp.dev, &i.size} {
			*w = r.uint64()
		}
		i.conv, i.id, i.class = r.string(), ID(r.string()), Class(r.string())
		if r.bad {
			break
		}
		ids[i.path] = i
	}
	return ids
}

// encodeIDs encodes records that are in path order.
func encodeIDs(ids []idRecord) []byte {
	var b []byte
	for _, i := range ids {
		b = appendString(b, i.path)
		for _, w := range [...]uint64{i.stamp.mtime, i.stamp.ctime, i.stamp.ino, i.stamp.dev, i.size} {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		b = appendString(appendString(appendString(b, i.conv), string(i.id)), string(i.class))
	}
	return b
}

// kinds remembers how worktree bytes relate to the blob for (blob id, size,
// conversion): a digest of those, and one of the kind constants in its two
// lowest bits.
type kinds struct {
	old   []byte            // sorted 8-byte values, as recalled
	added map[uint64]uint64 // by digest
}

// What kinds remembers.
const (
	kindSame      = 1 // worktree bytes are the blob's
	kindCRLF      = 2 // every LF of the blob is CRLF
	kindConverted = 3 // as the class of the conversion says
)

func kindDigest(id ID, size int64, conv string) uint64 {
	h := sum.Mix(sum.Mix(sum.String(string(id)), uint64(size)), sum.String(conv))
	return h &^ 3
}

func (k *kinds) get(digest uint64) (kind uint64) {
	if v, ok := k.added[digest]; ok {
		return v
	}
	n := len(k.old) / 8
	at := func(i int) uint64 { return binary.LittleEndian.Uint64(k.old[i*8:]) }
	if i := sort.Search(n, func(i int) bool { return at(i) >= digest }); i < n && at(i)&^3 == digest {
		return at(i) & 3
	}
	return 0
}

// encode returns old and added values, sorted.
func (k *kinds) encode() []byte {
	all := make([]uint64, 0, len(k.old)/8+len(k.added))
	for b := k.old; len(b) >= 8; b = b[8:] {
		all = append(all, binary.LittleEndian.Uint64(b))
	}
	for d, v := range k.added {
		all = append(all, d|v)
	}
	slices.Sort(all)
	var b []byte
	for _, v := range all {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

// remember saves a value unless it is what was recalled.
func remember(m Memory, key, old, value []byte) {
	if m != nil && !bytes.Equal(old, value) {
		m.Remember(key, value)
	}
}
