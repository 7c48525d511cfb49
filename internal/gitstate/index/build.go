package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Entry is one entry in plain form.
type Entry struct {
	Path  string
	ID    string // raw bytes
	Mode  uint32
	Stage int
	Flags Flags
	Stat  Stat
}

// Builder makes an Index of entries that come from elsewhere, such as git's
// own commands. The zero value is not usable: HashLen must be set.
type Builder struct {
	HashLen int
	File    FileInfo // of the file the entries were read from, taken before
	// Entries and Paths, the number of entries and bytes of paths to come,
	// save allocations where they are known.
	Entries, Paths int
	p              *parser
}

// Add appends an entry. Entries must come in index order.
func (b *Builder) Add(e *Entry) error {
	if b.p == nil {
		size := headerLen + b.Entries*(statLen+b.HashLen+1) + max(b.Paths, 0)
		b.p = &parser{x: &Index{
			hashLen: b.HashLen, data: make([]byte, headerLen, size), entries: make([]entry, 0, b.Entries),
		}}
	}
	x := b.p.x
	if len(e.ID) != b.HashLen {
		return fmt.Errorf("%w: id of %d bytes", ErrCorrupt, len(e.ID))
	}
	if e.Stage < 0 || e.Stage > 3 {
		return fmt.Errorf("%w: stage %d", ErrCorrupt, e.Stage)
	}
	if len(x.data)+statLen+b.HashLen+len(e.Path)+1 > math.MaxUint32 {
		return fmt.Errorf("%w: too many entries", ErrUnsupported)
	}
	for i := range len(e.Path) {
		if e.Path[i] == 0 {
			return fmt.Errorf("%w: NUL in a path", ErrCorrupt)
		}
	}
	off := len(x.data)
	s := &e.Stat
	for _, w := range [...]uint32{s.CtimeSec, s.CtimeNsec, s.MtimeSec, s.MtimeNsec, s.Dev, s.Ino, e.Mode, s.UID, s.GID, s.Size} {
		x.data = binary.BigEndian.AppendUint32(x.data, w)
	}
	x.data = append(x.data, e.ID...)
	name := len(x.data)
	x.data = append(append(x.data, e.Path...), 0)
	x.entries = append(x.entries, entry{
		off: uint32(off), name: uint32(name), len: uint32(len(e.Path)),
		bits: uint16(e.Flags) | uint16(e.Stage)<<stageBits,
	})
	if err := b.p.check(&x.entries[len(x.entries)-1], x.data[name:name+len(e.Path)]); err != nil {
		return err
	}
	if b.p.dirs || b.p.bare {
		return fmt.Errorf("%w: entry of a sparse or split index", ErrUnsupported)
	}
	return nil
}

// Index returns what was added. The Builder must not be used afterwards.
func (b *Builder) Index() *Index {
	if b.p == nil {
		return &Index{hashLen: b.HashLen, data: make([]byte, headerLen), file: b.File}
	}
	b.p.x.file = b.File
	return b.p.x
}

// FromEntries makes an Index of entries in index order.
func FromEntries(hashLen int, file FileInfo, entries []Entry) (*Index, error) {
	b := Builder{HashLen: hashLen, File: file}
	for i := range entries {
		if err := b.Add(&entries[i]); err != nil {
			return nil, err
		}
	}
	return b.Index(), nil
}

// detach copies an error's text, which may quote mapped memory, and keeps
// what errors.Is finds in it.
func detach(err error) error {
	kind := ErrCorrupt
	if errors.Is(err, ErrUnsupported) {
		kind = ErrUnsupported
	}
	return &detached{text: err.Error(), kind: kind}
}

type detached struct {
	text string
	kind error
}

func (d *detached) Error() string { return d.text }
func (d *detached) Unwrap() error { return d.kind }
