package recall

import (
	"encoding/binary"
	"slices"
	"sort"

	"poly/internal/gitstate/entry"
	"poly/internal/gitstate/sum"
)

// Forms remembers how worktree bytes relate to the blob for (blob id, size,
// conversion): a digest of those, and one of the forms in its two lowest bits.
// Get may be used by many goroutines while none adds.
type Forms struct {
	Old   []byte            // sorted 8-byte values, as recalled
	added map[uint64]uint64 // by digest
}

// What a Forms remembers of one digest.
const (
	Same      = 1 // worktree bytes are the blob's
	CRLF      = 2 // every LF of the blob is CRLF
	Converted = 3 // as the class of the conversion says
)

// FormDigest is the digest of a blob, the size of its file, and a conversion.
func FormDigest(id entry.ID, size int64, conv string) uint64 {
	h := sum.Mix(sum.Mix(sum.String(string(id)), uint64(size)), sum.String(conv))
	return h &^ 3
}

// Add remembers the form of a digest.
func (f *Forms) Add(digest, form uint64) {
	if f.added == nil {
		f.added = map[uint64]uint64{}
	}
	f.added[digest] = form
}

// Added reports whether anything is new.
func (f *Forms) Added() bool { return len(f.added) > 0 }

// Get returns the form of a digest, 0 if it is not known.
func (f *Forms) Get(digest uint64) (form uint64) {
	if v, ok := f.added[digest]; ok {
		return v
	}
	n := len(f.Old) / 8
	at := func(i int) uint64 { return binary.LittleEndian.Uint64(f.Old[i*8:]) }
	if i := sort.Search(n, func(i int) bool { return at(i) >= digest }); i < n && at(i)&^3 == digest {
		return at(i) & 3
	}
	return 0
}

// Encode returns old and added values, sorted.
func (f *Forms) Encode() []byte {
	all := make([]uint64, 0, len(f.Old)/8+len(f.added))
	for b := f.Old; len(b) >= 8; b = b[8:] {
		all = append(all, binary.LittleEndian.Uint64(b))
	}
	for d, v := range f.added {
		all = append(all, d|v)
	}
	slices.Sort(all)
	var b []byte
	for _, v := range all {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}
