package runner

import (
	"encoding/binary"
	"errors"
	"strings"

	"poly/internal/diag"
)

// A result is what one engine said about one blob, before per-file-ignores and
// severity levels: that is what the cache keeps. The zero result is clean.
type result struct {
	kind   resultKind
	reason string // resultSkip: why
	detail string // resultSkip: excerpts for --verbose; resultChanged: ""
	diags  []diag.Diagnostic
}

type resultKind byte

const (
	resultClean     resultKind = iota // nothing to say
	resultDiags                       // diags
	resultSkip                        // declined, with reason
	resultChanged                     // format: the output differs from the input
	resultTemplate                    // content: a template, named in reason: cross-cutting engines only
	resultGenerated                   // content: a generated file, how in reason
	resultByPath                      // content: the path matters too, so it is looked at each time
	resultUnknown                     // not asked or not answered yet; never stored
)

// A content result also says in detail which language the bytes are in, for a
// file whose name does not tell.

// encode returns nil for a clean result, which the cache stores as such.
func (r result) encode() []byte {
	if r.kind == resultClean && r.reason == "" && r.detail == "" && len(r.diags) == 0 {
		return nil
	}
	b := []byte{byte(r.kind)}
	b = putString(b, r.reason)
	b = putString(b, r.detail)
	return putDiags(b, r.diags)
}

func decodeResult(b []byte) (result, error) {
	if b == nil {
		return result{}, nil
	}
	d := newDecoder(b)
	r := result{kind: resultKind(d.byte()), reason: d.string(), detail: d.string(), diags: d.diags()}
	if d.bad || len(d.b) != 0 || r.kind >= resultUnknown {
		return result{}, errDecode
	}
	return r, nil
}

var errDecode = errors.New("cached value does not decode")

func putString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// putTail writes what of a path is not as in the one before.
func putTail(b []byte, last, path string) []byte {
	n := 0
	for n < len(last) && n < len(path) && last[n] == path[n] {
		n++
	}
	return putString(putInt(b, n), path[n:])
}

func putInt(b []byte, n int) []byte { return binary.AppendVarint(b, int64(n)) }

func putDiags(b []byte, ds []diag.Diagnostic) []byte {
	b = putInt(b, len(ds))
	for i := range ds {
		b = putDiag(b, &ds[i])
	}
	return b
}

func putDiag(b []byte, d *diag.Diagnostic) []byte {
	for _, s := range [...]string{d.Engine, d.Code, d.Title, d.Description, d.URL, d.Excerpt} {
		b = putString(b, s)
	}
	b = append(b, byte(d.Severity))
	if d.Span == nil {
		b = append(b, 0)
	} else {
		b = append(b, 1)
		for _, n := range [...]int{d.Span.Start, d.Span.End, d.Span.StartLine, d.Span.EndLine, d.Span.StartCol, d.Span.EndCol} {
			b = putInt(b, n)
		}
	}
	return putRest(b, d)
}

// putRest writes what few diagnostics have.
func putRest(b []byte, d *diag.Diagnostic) []byte {
	b = putInt(b, len(d.Fix))
	for _, e := range d.Fix {
		b = putString(putInt(putInt(b, e.Start), e.End), e.Replacement)
	}
	b = putInt(b, len(d.Metadata))
	for _, k := range sortedKeys(d.Metadata) {
		b = putString(putString(b, k), d.Metadata[k])
	}
	return b
}

// decoder reads what the put functions wrote. After the first fault bad is
// set and every further read returns a zero value. Strings are parts of a few
// large ones, so that a long list of paths costs no allocation each.
type decoder struct {
	b    []byte
	bad  bool
	last string          // path
	room strings.Builder // of strings; it is left when it is full, and never grows
}

func newDecoder(b []byte) decoder { return decoder{b: b} }

func (d *decoder) byte() byte {
	if len(d.b) == 0 {
		d.bad = true
		return 0
	}
	c := d.b[0]
	d.b = d.b[1:]
	return c
}

func (d *decoder) int() int {
	if len(d.b) > 0 && d.b[0] < 0x80 { // nearly all of them
		n := int(d.b[0])
		d.b = d.b[1:]
		return n>>1 ^ -(n & 1)
	}
	n, k := binary.Varint(d.b)
	if k <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[k:]
	return int(n)
}

func (d *decoder) string() string { return d.keep("", d.bytes()) }

// bytes reads what putString wrote; it is a part of the value.
func (d *decoder) bytes() []byte {
	n, k := binary.Uvarint(d.b)
	if k <= 0 || n > uint64(len(d.b)-k) {
		d.bad, d.b = true, nil
		return nil
	}
	b := d.b[k : k+int(n)]
	d.b = d.b[k+int(n):]
	return b
}

// tail reads a path written by putTail.
func (d *decoder) tail() string {
	n, tail := d.int(), d.bytes()
	if n < 0 || n > len(d.last) {
		d.bad, d.b = true, nil
		return ""
	}
	d.last = d.keep(d.last[:n], tail)
	return d.last
}

// keep makes one string of two.
func (d *decoder) keep(head string, tail []byte) string {
	n := len(head) + len(tail)
	if n == 0 {
		return ""
	}
	if d.room.Cap()-d.room.Len() < n {
		d.room = strings.Builder{}
		d.room.Grow(n + min(len(d.b), 1<<16))
	}
	at := d.room.Len()
	d.room.WriteString(head)
	d.room.Write(tail)
	return d.room.String()[at:]
}

// count reads a length that promises at least one byte an item, so that a
// damaged value cannot ask for more memory than it has bytes.
func (d *decoder) count() int {
	n := d.int()
	if n < 0 || n > len(d.b) {
		d.bad, d.b = true, nil
		return 0
	}
	return n
}

func (d *decoder) diags() []diag.Diagnostic {
	n := d.count()
	if n == 0 {
		return nil
	}
	out := make([]diag.Diagnostic, 0, n)
	for range n {
		out = append(out, d.diag())
	}
	return out
}

func (d *decoder) diag() diag.Diagnostic {
	v := diag.Diagnostic{
		Engine: d.string(), Code: d.string(), Title: d.string(), Description: d.string(), URL: d.string(), Excerpt: d.string(),
		Severity: diag.Severity(d.byte()),
	}
	if d.byte() == 1 {
		v.Span = &diag.Span{Start: d.int(), End: d.int(), StartLine: d.int(), EndLine: d.int(), StartCol: d.int(), EndCol: d.int()}
	}
	d.rest(&v)
	return v
}

func (d *decoder) rest(v *diag.Diagnostic) {
	for range d.count() {
		v.Fix = append(v.Fix, diag.Edit{Start: d.int(), End: d.int(), Replacement: d.string()})
	}
	if n := d.count(); n > 0 {
		v.Metadata = make(map[string]string, n)
		for range n {
			k := d.string()
			v.Metadata[k] = d.string()
		}
	}
}
