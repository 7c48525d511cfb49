package snapshot

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"poly/internal/atomicfile"
	"poly/internal/gitstate/disk"
)

// format begins a manifest; another one is as good as none.
const format = "poly-snapshot 2\n"

// Kinds of entries.
const (
	kindFile byte = iota + 1
	kindExec
	kindLink
	kindDir
	kindConverted // a file, written by git
	kindConvertedExec
)

// entry is what was written at a path.
type entry struct {
	path string
	kind byte
	id   string // blob id, or the target of a link to the outside
	conv string // how the blob was converted
	stat disk.Stat
	// racy: a change right after it was written need not show in stat.
	racy bool
	file int32 // during an update: index of its file, plus one
}

// holds reports whether e is the same content as o, in the same form.
func (e *entry) holds(o *entry) bool { return e.kind == o.kind && e.id == o.id && e.conv == o.conv }

// manifest is what an update left behind: entries in path order, each
// directory before what is in it.
type manifest struct{ entries []entry }

func (m *manifest) find(p string) (int, bool) {
	return slices.BinarySearchFunc(m.entries, p, func(e entry, p string) int { return strings.Compare(e.path, p) })
}

func (s *Snapshot) manifestName() string { return filepath.Join(s.dir, "manifest") }

// readManifest returns what the last run left; nothing if that is not certain.
func (s *Snapshot) readManifest() manifest {
	b, err := os.ReadFile(s.manifestName())
	if err != nil || !bytes.HasPrefix(b, []byte(format)) || len(b) < len(format)+8 {
		return manifest{}
	}
	b = b[len(format):]
	n, sum, b := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), b[8:]
	if crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) != sum {
		return manifest{}
	}
	d := &decoder{text: string(b)}
	m := manifest{entries: make([]entry, 0, min(int(n), len(b)/16))}
	for range n {
		e := entry{path: d.str(), kind: d.byte(), racy: d.byte() != 0, id: d.str(), conv: d.str()}
		e.stat = disk.Stat{
			Dev: d.uint(), Ino: d.uint(), Size: int64(d.uint()), MtimeSec: int64(d.uint()), CtimeSec: int64(d.uint()),
			MtimeNsec: uint32(d.uint()), CtimeNsec: uint32(d.uint()), Mode: uint32(d.uint()),
		}
		if d.bad {
			return manifest{}
		}
		m.entries = append(m.entries, e)
	}
	return m
}

func (s *Snapshot) writeManifest(m *manifest) error {
	size := 0
	for i := range m.entries {
		size += len(m.entries[i].path) + len(m.entries[i].id) + len(m.entries[i].conv) + 61
	}
	b := make([]byte, 0, size)
	for i := range m.entries {
		e := &m.entries[i]
		b = appendStr(b, e.path)
		racy := byte(0)
		if e.racy {
			racy = 1
		}
		b = append(b, e.kind, racy)
		b = appendStr(b, e.id)
		b = appendStr(b, e.conv)
		t := &e.stat
		for _, v := range [...]uint64{
			t.Dev, t.Ino, uint64(t.Size), uint64(t.MtimeSec), uint64(t.CtimeSec), uint64(t.MtimeNsec), uint64(t.CtimeNsec), uint64(t.Mode),
		} {
			b = binary.AppendUvarint(b, v)
		}
	}
	head := make([]byte, 0, len(format)+8+len(b))
	head = append(head, format...)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(m.entries)))
	head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
	return atomicfile.Write(s.manifestName(), append(head, b...), atomicfile.Options{Mode: 0o600})
}

func appendStr(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

type decoder struct {
	text string
	bad  bool
}

func (d *decoder) uint() uint64 {
	v := uint64(0)
	for shift := 0; shift < 64 && d.text != ""; shift += 7 {
		c := d.text[0]
		d.text = d.text[1:]
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v
		}
	}
	d.bad = true
	return 0
}

func (d *decoder) byte() byte {
	if d.text == "" {
		d.bad = true
		return 0
	}
	c := d.text[0]
	d.text = d.text[1:]
	return c
}

func (d *decoder) str() string {
	n := d.uint()
	if n > uint64(len(d.text)) {
		d.bad = true
		return ""
	}
	s := d.text[:n]
	d.text = d.text[n:]
	return s
}
