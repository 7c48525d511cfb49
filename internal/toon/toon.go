// Package toon writes JSON documents in Token-Oriented Object Notation, the
// compact text that agents read (TOON specification 4.0, with the quoting rule
// for byte order marks of 4.4). It only encodes: poly never reads TOON.
package toon

import "strings"

// Encode returns the TOON form of one JSON document: two spaces a level,
// commas between cells, LF between lines, no newline at the end. Members keep
// the order they have in doc; of a repeated member the last value counts, at
// the place of the first. Numbers are exact: whatever their size they are
// rewritten digit by digit, never by way of a float. Bytes that are not UTF-8
// become U+FFFD. doc is not modified; an error means that it is not JSON.
func Encode(doc []byte) ([]byte, error) {
	return encode(doc, style{indent: 2, delim: ','})
}

// style is what the specification lets an encoder choose. poly always uses the
// defaults; the others exist so that the public fixtures can be run.
type style struct {
	indent int
	delim  byte // ',', '\t' or '|'
}

func encode(doc []byte, s style) ([]byte, error) {
	root, err := parse(doc)
	if err != nil {
		return nil, err
	}
	e := &encoder{style: s, buf: make([]byte, 0, len(doc))}
	switch root.kind {
	case object:
		if cols, ok := keyed(root); ok {
			e.table("", root, cols, place{}, true)
		} else {
			e.fields(root, 0)
		}
	case array:
		e.array("", root, place{}, true)
	default:
		if root.kind == str && strings.HasPrefix(root.text, "\ufeff") {
			// Bare, it would pass for the byte order mark of the document.
			return appendQuoted(e.buf, root.text), nil
		}
		e.buf = e.primitive(e.buf, root)
	}
	return e.buf, nil
}

// encoder appends lines to one buffer.
type encoder struct {
	style
	buf   []byte
	lines int
}

// place says where a line stands: at a depth, or on the line of a list item's
// hyphen, which stands one level further out than the field it carries.
type place struct {
	depth  int
	hyphen bool
}

func (e *encoder) start(p place) {
	if e.lines++; e.lines > 1 {
		e.buf = append(e.buf, '\n')
	}
	depth := p.depth
	if p.hyphen {
		depth--
	}
	for range depth * e.indent {
		e.buf = append(e.buf, ' ')
	}
	if p.hyphen {
		e.buf = append(e.buf, '-', ' ')
	}
}

func (e *encoder) fields(o *node, depth int) {
	for i := range o.kids {
		e.field(o.keys[i], &o.kids[i], place{depth: depth})
	}
}

func (e *encoder) field(key string, v *node, p place) {
	switch v.kind {
	case object:
		if cols, ok := keyed(v); ok {
			e.table(key, v, cols, p, false)
			return
		}
		e.start(p)
		e.buf = append(appendKey(e.buf, key), ':')
		e.fields(v, p.depth+1)
	case array:
		e.array(key, v, p, false)
	default:
		e.start(p)
		e.buf = append(appendKey(e.buf, key), ':', ' ')
		e.buf = e.primitive(e.buf, v)
	}
}

// array writes the array of a field, or with bare set the array at the root.
func (e *encoder) array(key string, v *node, p place, bare bool) {
	if len(v.kids) == 0 {
		e.start(p)
		if !bare {
			e.buf = append(appendKey(e.buf, key), ':', ' ')
		}
		e.buf = append(e.buf, '[', ']')
		return
	}
	if cols, ok := columns(pointers(v)); ok {
		e.table(key, v, cols, p, bare)
		return
	}
	e.start(p)
	if !bare {
		e.buf = appendKey(e.buf, key)
	}
	e.list(v, p.depth+1)
}

// list writes "[N]:" with its values on the same line, or its items from depth on.
func (e *encoder) list(v *node, depth int) {
	e.size(len(v.kids), false)
	e.buf = append(e.buf, ':')
	if len(v.kids) == 0 {
		return
	}
	if primitives(v) {
		e.buf = append(e.buf, ' ')
		for i := range v.kids {
			if i > 0 {
				e.buf = append(e.buf, e.delim)
			}
			e.buf = e.primitive(e.buf, &v.kids[i])
		}
		return
	}
	for i := range v.kids {
		e.item(&v.kids[i], depth)
	}
}

// item writes one list item whose hyphen stands at depth.
func (e *encoder) item(v *node, depth int) {
	hyphen := place{depth: depth + 1, hyphen: true}
	switch {
	case v.kind == array:
		e.start(hyphen)
		e.list(v, depth+1)
	case v.kind != object:
		e.start(hyphen)
		e.buf = e.primitive(e.buf, v)
	case len(v.kids) == 0:
		e.start(place{depth: depth})
		e.buf = append(e.buf, '-')
	default:
		e.field(v.keys[0], &v.kids[0], hyphen)
		for i := 1; i < len(v.kids); i++ {
			e.field(v.keys[i], &v.kids[i], place{depth: depth + 1})
		}
	}
}

// table writes a header with a field list and one row for each member of v. The
// rows of an object begin with their key. bare leaves out the key of the header.
func (e *encoder) table(key string, v *node, cols []column, p place, bare bool) {
	e.start(p)
	if !bare {
		e.buf = appendKey(e.buf, key)
	}
	e.size(len(v.kids), v.kind == object)
	e.names(cols)
	e.buf = append(e.buf, ':')
	for i := range v.kids {
		e.start(place{depth: p.depth + 1})
		if v.kind == object {
			e.buf = append(appendKey(e.buf, v.keys[i]), ':', ' ')
		}
		e.cells(&v.kids[i], cols, true)
	}
}

func (e *encoder) size(n int, keyed bool) {
	e.buf = append(e.buf, '[')
	e.buf = appendInt(e.buf, n)
	if keyed {
		e.buf = append(e.buf, ':')
	}
	if e.delim != ',' {
		e.buf = append(e.buf, e.delim)
	}
	e.buf = append(e.buf, ']')
}

func (e *encoder) names(cols []column) {
	e.buf = append(e.buf, '{')
	for i, c := range cols {
		if i > 0 {
			e.buf = append(e.buf, e.delim)
		}
		e.buf = appendKey(e.buf, c.name)
		if c.sub != nil {
			e.names(c.sub)
		}
	}
	e.buf = append(e.buf, '}')
}

func (e *encoder) cells(row *node, cols []column, first bool) bool {
	for i, c := range cols {
		v := &row.kids[row.find(c.name, i)]
		if c.sub != nil {
			first = e.cells(v, c.sub, first)
			continue
		}
		if !first {
			e.buf = append(e.buf, e.delim)
		}
		first = false
		e.buf = e.primitive(e.buf, v)
	}
	return first
}

func (e *encoder) primitive(dst []byte, v *node) []byte {
	switch v.kind {
	case str:
		return appendString(dst, v.text, e.delim)
	case number:
		return appendNumber(dst, v.text)
	default:
		return append(dst, v.text...)
	}
}
