package toon

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"
)

type kind uint8

const (
	literal kind = iota // true, false, null
	number
	str
	array
	object
)

// node is a JSON value. The kids of an object run in parallel to its keys.
type node struct {
	kind kind
	text string // of a scalar
	*shape
	kids []node
}

// shape is the list of an object's keys. Objects that have the same keys in the
// same order mostly share one, so that rows of a table are compared by pointer.
type shape struct {
	keys  []string
	index map[string]int // of keys; nil while there are few
}

// few is how many keys are searched one by one.
const few = 12

func newShape(keys []string) *shape {
	s := &shape{keys: keys}
	if len(keys) > few {
		s.index = make(map[string]int, len(keys))
		for i, k := range keys {
			s.index[k] = i
		}
	}
	return s
}

// find returns the place of key, which is probably i; -1 if it is absent.
func (s *shape) find(key string, i int) int {
	if i < len(s.keys) && s.keys[i] == key {
		return i
	}
	if s.index == nil {
		return slices.Index(s.keys, key)
	}
	if i, ok := s.index[key]; ok {
		return i
	}
	return -1
}

// parse reads one JSON value. Validity is encoding/json's word, which also
// bounds the depth; the reader behind it can then trust every byte.
func parse(doc []byte) (*node, error) {
	if !json.Valid(doc) {
		var v any
		if err := json.Unmarshal(doc, &v); err != nil {
			return nil, err
		}
		return nil, errors.New("not a JSON document")
	}
	r := reader{rest: string(doc)}
	v := r.value()
	return &v, nil
}

// reader reads a valid document. Members are gathered on two stacks and then
// copied, so that each list is as long as it must be.
type reader struct {
	rest   string
	keys   []string
	kids   []node
	recent [8]*shape
	next   int // the oldest of recent
}

func (r *reader) peek() byte {
	i := 0
	for r.rest[i] <= ' ' {
		i++
	}
	r.rest = r.rest[i:]
	return r.rest[0]
}

// take returns the next n bytes.
func (r *reader) take(n int) string {
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *reader) value() node {
	switch c := r.peek(); c {
	case '{':
		r.take(1)
		keys, kids := len(r.keys), len(r.kids)
		for r.more('}') {
			key := r.text()
			r.peek() // the colon
			r.take(1)
			v := r.value()
			r.keys, r.kids = append(r.keys, key), append(r.kids, v)
		}
		return r.object(keys, kids)
	case '[':
		r.take(1)
		kids := len(r.kids)
		for r.more(']') {
			v := r.value()
			r.kids = append(r.kids, v)
		}
		n := node{kind: array, kids: slices.Clone(r.kids[kids:])}
		r.kids = r.kids[:kids]
		return n
	case '"':
		return node{kind: str, text: r.text()}
	case 't', 'n':
		return node{text: r.take(4)}
	case 'f':
		return node{text: r.take(5)}
	default:
		end := 1
		for end < len(r.rest) && (digit(r.rest[end]) || strings.IndexByte("+-.eE", r.rest[end]) >= 0) {
			end++
		}
		return node{kind: number, text: r.take(end)}
	}
}

// object takes the members above keys and kids from the stacks. Of a repeated
// member the last value counts, at the place of the first.
func (r *reader) object(keys, kids int) node {
	top := r.keys[keys:]
	n := node{kind: object, shape: r.shapeOf(top), kids: slices.Clone(r.kids[kids:])}
	if len(n.keys) < len(top) {
		unique := n.kids[:0]
		for i, key := range top {
			if at := n.find(key, len(unique)); at < len(unique) {
				unique[at] = n.kids[i]
			} else {
				unique = append(unique, n.kids[i])
			}
		}
		n.kids = unique
	}
	r.keys, r.kids = r.keys[:keys], r.kids[:kids]
	return n
}

// shapeOf returns a shape with the keys of a list, each once.
func (r *reader) shapeOf(keys []string) *shape {
	for _, s := range r.recent {
		if s != nil && slices.Equal(s.keys, keys) {
			return s
		}
	}
	s := newShape(slices.Clone(keys))
	if repeated(s) {
		seen := make(map[string]bool, len(keys))
		s = newShape(slices.DeleteFunc(slices.Clone(keys), func(k string) bool {
			again := seen[k]
			seen[k] = true
			return again
		}))
	}
	r.recent[r.next] = s
	r.next = (r.next + 1) % len(r.recent)
	return s
}

func repeated(s *shape) bool {
	if s.index != nil {
		return len(s.index) < len(s.keys)
	}
	for i, k := range s.keys {
		if slices.Index(s.keys, k) < i {
			return true
		}
	}
	return false
}

// more skips a comma and reports whether a value follows; it takes the end.
func (r *reader) more(end byte) bool {
	c := r.peek()
	if c == ',' {
		r.take(1)
		r.peek()
		return true
	}
	if c == end {
		r.take(1)
		return false
	}
	return true
}

func (r *reader) text() string {
	end, escaped := 1, false
	for r.rest[end] != '"' {
		if r.rest[end] == '\\' {
			escaped = true
			end++
		}
		end++
	}
	raw := r.take(end + 1)
	if !escaped && utf8.ValidString(raw) {
		return raw[1:end]
	}
	var s string
	_ = json.Unmarshal([]byte(raw), &s) // a valid document has valid strings only
	return s
}

// column is one field of a table: a leaf, or a group of columns.
type column struct {
	name string
	sub  []column
}

// columns returns the fields that rows have in common, in the order of the
// first; ok is false unless every row has exactly these, and each is a
// primitive in all rows or an object of one shape in all rows.
func columns(rows []*node) (cols []column, ok bool) {
	first := rows[0]
	for _, r := range rows {
		if r.kind != object || len(r.kids) == 0 || len(r.kids) != len(first.kids) {
			return nil, false
		}
	}
	cols = make([]column, len(first.keys))
	var group []*node
	for i, key := range first.keys {
		cols[i].name = key
		group = group[:0]
		for _, r := range rows {
			at := i
			if r.shape != first.shape {
				at = r.find(key, i)
			}
			if at < 0 || r.kids[at].kind == array {
				return nil, false
			}
			v := &r.kids[at]
			if v.kind == object {
				group = append(group, v)
			}
		}
		if len(group) == 0 {
			continue
		}
		if len(group) != len(rows) {
			return nil, false
		}
		if cols[i].sub, ok = columns(group); !ok {
			return nil, false
		}
	}
	return cols, true
}

// keyed returns the columns of an object that is a table of its members.
func keyed(o *node) (cols []column, ok bool) {
	if len(o.kids) < 2 {
		return nil, false
	}
	return columns(pointers(o))
}

func pointers(n *node) []*node {
	p := make([]*node, len(n.kids))
	for i := range n.kids {
		p[i] = &n.kids[i]
	}
	return p
}

func primitives(n *node) bool {
	for i := range n.kids {
		if n.kids[i].kind >= array {
			return false
		}
	}
	return true
}
