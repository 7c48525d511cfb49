package toon

import (
	"encoding/json"
	"errors"
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

// node is a JSON value. keys and kids of an object run in parallel.
type node struct {
	kind  kind
	text  string
	keys  []string
	kids  []node
	index map[string]int // of keys; nil while there are few
}

// few is how many keys are searched one by one.
const few = 12

// member returns the value at key, which is probably the i-th; nil if absent.
func (n *node) member(key string, i int) *node {
	if i < len(n.keys) && n.keys[i] == key {
		return &n.kids[i]
	}
	if n.index != nil {
		if j, ok := n.index[key]; ok {
			return &n.kids[j]
		}
		return nil
	}
	for j, k := range n.keys {
		if k == key {
			return &n.kids[j]
		}
	}
	return nil
}

// set adds a member, or replaces the value it has.
func (n *node) set(key string, v node) {
	if old := n.member(key, len(n.keys)); old != nil {
		*old = v
		return
	}
	n.keys = append(n.keys, key)
	n.kids = append(n.kids, v)
	if n.index != nil {
		n.index[key] = len(n.keys) - 1
	} else if len(n.keys) > few {
		n.index = make(map[string]int, 2*len(n.keys))
		for i, k := range n.keys {
			n.index[k] = i
		}
	}
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

type reader struct{ rest string }

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
		n := node{kind: object}
		for r.more('}') {
			key := r.text()
			r.peek() // the colon
			r.take(1)
			n.set(key, r.value())
		}
		return n
	case '[':
		r.take(1)
		n := node{kind: array}
		for r.more(']') {
			n.kids = append(n.kids, r.value())
		}
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
			v := r.member(key, i)
			if v == nil || v.kind == array {
				return nil, false
			}
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
