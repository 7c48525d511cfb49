// Package toml judges what a formatter did to a TOML text. It reads TOML 1.0 and
// the inline tables of several lines of 1.1.
//
// Two texts are the same if they have the same tables, keys, values and comments
// in the same order. Strings and keys are compared by value, numbers and dates as
// they are written. Of a comment, blanks at its end and one after the number sign
// do not count. The order of entries within a table may change, as a formatter of
// manifests sorts them: then every entry keeps the comments within it and at the
// end of its line, every table keeps the comments between its entries. So may the
// order in the arrays that list the members of a workspace.
package toml

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"poly/internal/guard"
)

// Same returns nil if after means what before means: see the package guard.
func Same(before, after []byte) error {
	if bytes.Equal(before, after) {
		return nil
	}
	a, b := reader{src: before}, reader{src: after}
	if a.read(); a.why != "" {
		return &guard.CannotJudge{Line: guard.Line(before, a.pos), Reason: a.why}
	}
	if b.read(); b.why != "" {
		return &guard.Broken{Line: guard.Line(after, b.pos), Reason: b.why}
	}
	x, y, ok := firstDifference(a.items, b.items)
	if ok || slices.Equal(sorted(a.items), sorted(b.items)) {
		return nil
	}
	return guard.Differ(x.kind.String(), before, x.start, after, y.start)
}

// firstDifference returns the first items in which the texts differ; ok if there
// are none.
func firstDifference(a, b []item) (x, y item, ok bool) {
	for i := range max(len(a), len(b)) {
		x, y := item{start: 1 << 62}, item{start: 1 << 62}
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x.kind != y.kind || x.digest != y.digest {
			if x.kind == none {
				x.kind = y.kind
			}
			return x, y, false
		}
	}
	return item{}, item{}, true
}

// key is what counts of an item if order within a table does not.
type key struct {
	table  int
	kind   kind
	digest uint64
}

// sorted returns the items of every table in an order of their own.
func sorted(items []item) []key {
	keys := make([]key, len(items))
	table := 0
	for i, it := range items {
		if it.kind == header {
			table++
		}
		keys[i] = key{table, it.kind, it.loose}
	}
	slices.SortFunc(keys, func(a, b key) int {
		switch {
		case a.table != b.table:
			return a.table - b.table
		case a.kind != b.kind:
			return int(a.kind) - int(b.kind)
		case a.digest < b.digest:
			return -1
		case a.digest > b.digest:
			return 1
		}
		return 0
	})
	return keys
}

// kind is what an item is.
type kind uint8

const (
	none kind = iota
	header
	entry
	comment // on lines of its own, between entries
)

// String returns the name for people.
func (k kind) String() string {
	return [...]string{"the text", "a table", "an entry", "a comment"}[k]
}

// item is a header, an entry with its comments, or a comment.
type item struct {
	kind   kind
	start  int
	digest uint64
	loose  uint64 // the same, but for the order of a list of members
}

// reader reads a text into items. After a fault it stands there and says why.
type reader struct {
	src   []byte
	pos   int
	why   string
	items []item
	open  []byte // brackets
}

func (r *reader) fail(why string) {
	if r.why == "" {
		r.why = why
	}
}

func (r *reader) at(i int) byte {
	if r.pos+i < len(r.src) {
		return r.src[r.pos+i]
	}
	return 0
}

func (r *reader) read() {
	if !utf8.Valid(r.src) {
		r.fail("the text is not UTF-8")
	}
	if bytes.HasPrefix(r.src, []byte("\xef\xbb\xbf")) {
		r.pos = 3
	}
	for r.why == "" {
		r.blanks(true)
		if r.pos == len(r.src) {
			return
		}
		it := item{start: r.pos}
		switch r.at(0) {
		case '#':
			it.kind, it.digest = comment, r.comment()
		case '[':
			it.kind, it.digest = header, r.header()
		default:
			it.kind = entry
			it.digest, it.loose = r.entry()
		}
		if it.kind != entry {
			it.loose = it.digest
		}
		if r.blanks(false); it.kind != comment && r.at(0) == '#' {
			c := r.comment()
			it.digest, it.loose = guard.MixWord(it.digest, c), guard.MixWord(it.loose, c)
		}
		if c := r.at(0); r.pos < len(r.src) && c != '\n' && c != '\r' {
			r.fail("more than one entry on a line")
		}
		r.items = append(r.items, it)
	}
}

// blanks passes blanks, and line ends if told so.
func (r *reader) blanks(lines bool) {
	for r.pos < len(r.src) {
		switch r.src[r.pos] {
		case ' ', '\t':
		case '\n', '\r':
			if !lines {
				return
			}
		default:
			return
		}
		r.pos++
	}
}

// comment digests a comment.
func (r *reader) comment() uint64 {
	text := r.src[r.pos:]
	if i := bytes.IndexAny(text, "\r\n"); i >= 0 {
		text = text[:i]
	}
	r.pos += len(text)
	text = bytes.TrimPrefix(bytes.TrimRight(text[1:], " \t"), []byte(" "))
	return guard.Mix('#', text)
}

func (r *reader) header() uint64 {
	h, ends := uint64('['), "]"
	if r.at(1) == '[' {
		h, ends = '{', "]]"
		r.pos++
	}
	r.pos++
	h = r.key(h)
	if !bytes.HasPrefix(r.src[r.pos:], []byte(ends)) {
		r.fail("the name of a table does not end")
		return 0
	}
	r.pos += len(ends)
	return h
}

// key digests a dotted key.
func (r *reader) key(h uint64) uint64 {
	for {
		r.blanks(false)
		start := r.pos
		if c := r.at(0); c == '"' || c == '\'' {
			h = guard.Mix(h, r.text())
		} else {
			for isBare(r.at(0)) {
				r.pos++
			}
			if r.pos == start {
				r.fail("a key is missing")
				return h
			}
			h = guard.Mix(h, r.src[start:r.pos])
		}
		if r.blanks(false); r.at(0) != '.' || r.why != "" {
			return h
		}
		r.pos++
	}
}

func isBare(c byte) bool {
	return c >= '0' && c <= '9' || c|' ' >= 'a' && c|' ' <= 'z' || c == '_' || c == '-'
}
