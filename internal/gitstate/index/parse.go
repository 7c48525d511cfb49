package index

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unsafe"
)

// maxNames bounds the memory that hostile prefix compression can ask for.
const maxNames = 1 << 30

// Bits of the flags words on disk.
const (
	diskValid        = 0x8000
	diskExtended     = 0x4000
	diskStage        = 12
	diskNameMask     = 0xfff
	diskSkipWorktree = 1 << 14
	diskIntentToAdd  = 1 << 13
)

// Modes an index may hold, by type.
const (
	typeMask    = 0o170000
	typeDir     = 0o040000
	typeRegular = 0o100000
	typeSymlink = 0o120000
	typeGitlink = 0o160000
)

// Parse reads an index from memory, which must not change afterwards.
// hashLen is 20 or 32. The checksum is not verified, as in git.
func Parse(data []byte, hashLen int) (*Index, error) {
	if hashLen != 20 && hashLen != 32 {
		return nil, fmt.Errorf("%w: object ids of %d bytes", ErrUnsupported, hashLen)
	}
	if len(data) < headerLen+hashLen {
		return nil, fmt.Errorf("%w: %d bytes are too few", ErrCorrupt, len(data))
	}
	if len(data) > math.MaxUint32 {
		return nil, fmt.Errorf("%w: %d bytes are too many", ErrUnsupported, len(data))
	}
	if string(data[:4]) != "DIRC" {
		return nil, fmt.Errorf("%w: bad signature", ErrCorrupt)
	}
	x := &Index{data: data, hashLen: hashLen}
	version := binary.BigEndian.Uint32(data[4:])
	if version < 2 || version > 4 {
		return nil, fmt.Errorf("%w: version %d", ErrUnsupported, version)
	}
	x.version = int(version)
	p := parser{x: x, end: len(data) - hashLen}
	if err := p.run(int(binary.BigEndian.Uint32(data[8:]))); err != nil {
		return nil, err
	}
	return x, nil
}

type parser struct {
	x    *Index
	end  int // of entries and extensions
	prev []byte
	stg  int  // stage of the previous entry
	dirs bool // sparse directory entries were seen
	bare bool // entries without a name, as a split index has, were seen
}

func (p *parser) run(count int) error {
	x := p.x
	if count > (p.end-headerLen)/(statLen+x.hashLen+4) {
		return fmt.Errorf("%w: %d entries do not fit", ErrCorrupt, count)
	}
	x.entries = make([]entry, count)
	if x.version == 4 {
		x.names = make([]byte, 0, 64*count+1)
	}
	off := headerLen
	var err error
	for i := range x.entries {
		if off, err = p.entry(&x.entries[i], off); err != nil {
			return fmt.Errorf("entry %d: %w", i, err)
		}
	}
	if err := p.extensions(off); err != nil {
		return err
	}
	if p.dirs || p.bare {
		return fmt.Errorf("%w: entry of a sparse or split index", ErrCorrupt)
	}
	return nil
}

var errTruncated = fmt.Errorf("%w: truncated", ErrCorrupt)

// entry reads the entry at off and returns the offset of the next one.
func (p *parser) entry(e *entry, off int) (next int, err error) {
	x := p.x
	e.off = uint32(off)
	q := off + statLen + x.hashLen
	if q+4 > p.end {
		return 0, errTruncated
	}
	flags := binary.BigEndian.Uint16(x.data[q:])
	q += 2
	bits := flags >> diskStage & 3 << stageBits
	if flags&diskValid != 0 {
		bits |= uint16(AssumeValid)
	}
	if flags&diskExtended != 0 {
		more := binary.BigEndian.Uint16(x.data[q:])
		q += 2
		if more&^(diskSkipWorktree|diskIntentToAdd) != 0 {
			return 0, fmt.Errorf("%w: entry flags %#x", ErrUnsupported, more)
		}
		bits |= uint16(Extended)
		if more&diskSkipWorktree != 0 {
			bits |= uint16(SkipWorktree)
		}
		if more&diskIntentToAdd != 0 {
			bits |= uint16(IntentToAdd)
		}
	}
	e.bits = bits
	var path []byte
	n := int(flags & diskNameMask)
	if x.version == 4 {
		path, next, err = p.compressed(e, q)
	} else {
		path, next, err = p.plain(e, off, q, n)
	}
	if err != nil {
		return 0, err
	}
	if n != min(len(path), diskNameMask) {
		return 0, fmt.Errorf("%w: name of %d bytes recorded as %d", ErrCorrupt, len(path), n)
	}
	return next, p.check(e, path)
}

// plain reads a version 2 or 3 name of n bytes, or of at least n if n is the
// largest number the flags can hold: NUL-terminated and padded to 8 bytes.
func (p *parser) plain(e *entry, off, q, n int) (path []byte, next int, err error) {
	if n == diskNameMask {
		if n = bytes.IndexByte(p.x.data[min(q, p.end):p.end], 0); n < 0 {
			return nil, 0, errTruncated
		}
	}
	next = off + (q-off+n+8)&^7
	if next > p.end {
		return nil, 0, errTruncated
	}
	if p.x.data[q+n] != 0 {
		return nil, 0, fmt.Errorf("%w: name is longer than recorded", ErrCorrupt)
	}
	e.name, e.len = uint32(q), uint32(n)
	return p.x.data[q : q+n], next, nil
}

// compressed reads a version 4 name: how much to drop from the previous name,
// and what to append.
func (p *parser) compressed(e *entry, q int) (path []byte, next int, err error) {
	x := p.x
	strip, n := varint(x.data[q:p.end])
	if n == 0 || strip > uint64(len(p.prev)) {
		return nil, 0, fmt.Errorf("%w: prefix is longer than the name before", ErrCorrupt)
	}
	q += n
	rest := bytes.IndexByte(x.data[q:p.end], 0)
	if rest < 0 {
		return nil, 0, errTruncated
	}
	keep := len(p.prev) - int(strip)
	at := len(x.names)
	if at+keep+rest+1 > maxNames {
		return nil, 0, fmt.Errorf("%w: names of more than %d bytes", ErrUnsupported, maxNames)
	}
	prev := p.prev[:keep] // survives a move of names: the old array is kept by it
	x.names = slices.Grow(x.names, keep+rest+1)
	x.names = append(append(append(x.names, prev...), x.data[q:q+rest]...), 0)
	e.name, e.len = uint32(at), uint32(keep+rest)
	return x.names[at : at+keep+rest], q + rest + 1, nil
}

// varint reads git's big-endian base-128 number; n is 0 if there is none.
func varint(b []byte) (v uint64, n int) {
	for n < len(b) && n < 8 {
		c := b[n]
		n++
		v |= uint64(c & 0x7f)
		if c < 0x80 {
			return v, n
		}
		v = (v + 1) << 7
	}
	return 0, 0
}

// check tests the mode, the order and the shape of a path.
func (p *parser) check(e *entry, path []byte) error {
	mode := binary.BigEndian.Uint32(p.x.data[int(e.off)+24:])
	switch mode & typeMask {
	case typeRegular, typeSymlink, typeGitlink:
	case typeDir:
		p.dirs = true
	default:
		return fmt.Errorf("%w: mode %o", ErrCorrupt, mode)
	}
	stage := int(e.bits >> stageBits)
	if len(path) == 0 {
		p.bare, p.prev, p.stg = true, path, stage
		return nil
	}
	same := common(p.prev, path)
	if err := p.order(path, same, stage); err != nil {
		return err
	}
	p.prev, p.stg = path, stage
	if p.dirs { // the path of a sparse directory ends with a slash
		path = bytes.TrimSuffix(path, []byte{'/'})
		same = 0
	}
	// What is shared with the path before has been looked at there.
	if !clean(path, same) || bytes.IndexByte(path[same:], 0) >= 0 {
		return fmt.Errorf("%w: unsafe path %q", ErrCorrupt, path)
	}
	return nil
}

// order tests that a path that shares its first bytes with the one before
// comes after it.
func (p *parser) order(path []byte, same, stage int) error {
	switch {
	case len(p.prev) == 0: // the first one
	case same == len(p.prev) && same == len(path):
		if p.stg == 0 || p.stg > stage {
			return fmt.Errorf("%w: %q twice", ErrCorrupt, path)
		}
	case same == len(path) || same < len(p.prev) && p.prev[same] > path[same]:
		return fmt.Errorf("%w: %q is out of order", ErrCorrupt, path)
	}
	return nil
}

// common returns the length of the common prefix of a and b.
func common(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for ; i+8 <= n; i += 8 {
		if binary.NativeEndian.Uint64(a[i:]) != binary.NativeEndian.Uint64(b[i:]) {
			break
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// clean reports whether path is relative and free of components that git
// never tracks. Its first known bytes are those of a clean path.
func clean(path []byte, known int) bool {
	start := bytes.LastIndexByte(path[:known], '/') + 1
	for rest := path[start:]; ; {
		n := bytes.IndexByte(rest, '/')
		part := rest
		if n >= 0 {
			part = rest[:n]
		}
		if len(part) == 0 || part[0] == '.' && special(part) {
			return false
		}
		if n < 0 {
			return true
		}
		rest = rest[n+1:]
	}
}

// special reports whether a component is ".", ".." or ".git" in any case.
func special(part []byte) bool {
	switch len(part) {
	case 1:
		return true
	case 2:
		return part[1] == '.'
	case 4:
		return part[1]|0x20 == 'g' && part[2]|0x20 == 'i' && part[3]|0x20 == 't'
	}
	return false
}

func (p *parser) extensions(off int) error {
	for off < p.end {
		if off+8 > p.end {
			return errTruncated
		}
		sig := unsafe.String(&p.x.data[off], 4)
		size := binary.BigEndian.Uint32(p.x.data[off+4:])
		off += 8
		if uint64(size) > uint64(p.end-off) {
			return fmt.Errorf("%w: extension %q of %d bytes", ErrCorrupt, sig, size)
		}
		if sig[0] < 'A' || sig[0] > 'Z' { // lower case: required to read the index
			return fmt.Errorf("%w: extension %q", ErrUnsupported, sig)
		}
		p.x.exts = append(p.x.exts, extension{sig, uint32(off), size})
		off += int(size)
	}
	return nil
}
