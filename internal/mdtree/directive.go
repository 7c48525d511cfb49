package mdtree

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxDirectives bounds the nesting of directives.
const maxDirectives = 16

// directive is the head of one: where its label is, if it has one, and where
// it ends.
type directive struct{ label, labelEnd, end int }

// directiveHead reads the name, label and attributes of a directive at t[i].
// lines: label and attributes may span lines.
func directiveHead(t []byte, i int, lines bool) (directive, bool) {
	d := directive{label: -1}
	start := i
	if i < len(t) && t[i] != '-' && t[i] != '_' {
		i = nameEnd(t, i, "-_")
	}
	if i == start || t[i-1] == '-' || t[i-1] == '_' {
		return d, false
	}
	if i < len(t) && t[i] == '[' {
		if j, ok := directiveLabel(t, i+1, lines); ok {
			d.label, d.labelEnd = i+1, j
			i = j + 1
		}
	}
	if i < len(t) && t[i] == '{' {
		if j := attributes(t, i+1, lines); j > 0 {
			i = j
		}
	}
	d.end = i
	return d, true
}

// nameEnd returns where a name ends: at a blank, or at punctuation other than
// that in marks.
func nameEnd(t []byte, i int, marks string) int {
	for i < len(t) {
		r, n := utf8.DecodeRune(t[i:])
		if c := classify(r); c == classSpace || c == classPunct && !strings.ContainsRune(marks, r) {
			break
		}
		i += n
	}
	return i
}

func directiveLabel(t []byte, i int, lines bool) (int, bool) {
	balance := 0
	for start := i; i < len(t) && i-start <= maxLabel; i++ {
		switch t[i] {
		case '[':
			if balance++; balance > 32 {
				return 0, false
			}
		case ']':
			if balance == 0 {
				return i, true
			}
			balance--
		case '\n':
			if !lines {
				return 0, false
			}
		case '\\':
			i += escapes(t, i, "[]\\")
		}
	}
	return 0, false
}

// attributes returns the offset behind the brace that ends attributes, 0 if
// they are none.
func attributes(t []byte, i int, lines bool) int {
	space := func(b byte) bool { return isSpace(b) || lines && (b == '\n' || b == '\r') }
	for i < len(t) {
		b := t[i]
		switch {
		case space(b):
			i++
			continue
		case b == '}':
			return i + 1
		case b == '#' || b == '.':
			i = shortcut(t, i+1)
		case nameEnd(t, i, "-_") == i:
			return 0
		default:
			i = attribute(t, i, space)
		}
		if i == 0 {
			return 0
		}
	}
	return 0
}

// notInValue are the characters that do not stand in a value without quotes.
const notInValue = "\"'<=>`"

// shortcut returns the end of the name in `#name` or `.name`.
func shortcut(t []byte, i int) int {
	start := i
	for i < len(t) && strings.IndexByte("#.} \t\r\n", t[i]) < 0 {
		if strings.IndexByte(notInValue, t[i]) >= 0 {
			return 0
		}
		i++
	}
	if i == start || i >= len(t) {
		return 0
	}
	return i
}

// attribute returns the end of `name` or `name=value`.
func attribute(t []byte, i int, space func(byte) bool) int {
	i = skipBlanks(t, nameEnd(t, i, "-.:_"), space)
	if i >= len(t) || t[i] != '=' {
		return i
	}
	i = skipBlanks(t, i+1, space)
	if i < len(t) && (t[i] == '"' || t[i] == '\'') {
		return quoted(t, i, space)
	}
	start := i
	for i < len(t) && t[i] != '}' && !isSpaceOrEOL(t[i]) {
		if strings.IndexByte(notInValue, t[i]) >= 0 {
			return 0
		}
		i++
	}
	if i == start || i >= len(t) {
		return 0
	}
	return i
}

func skipBlanks(t []byte, i int, space func(byte) bool) int {
	for i < len(t) && space(t[i]) {
		i++
	}
	return i
}

// quoted returns the end of the value in quotes at t[i].
func quoted(t []byte, i int, space func(byte) bool) int {
	j := bytes.IndexByte(t[i+1:], t[i])
	if j < 0 {
		return 0
	}
	end := i + j + 2
	if bytes.IndexByte(t[i:end], '\n') >= 0 && !space('\n') || end < len(t) && t[end] != '}' && !isSpaceOrEOL(t[end]) {
		return 0
	}
	return end
}

// isDirective reports whether the line is a leaf directive or the fence that
// opens a container directive.
func (p *parser) isDirective(at, end int) bool {
	n := colons(p.text, at, end)
	if n < 2 {
		return false
	}
	d, ok := directiveHead(p.text[:end], at+n, false)
	return ok && skipSpace(p.text, d.end, end) == end && (n == 2 || p.depth < maxDirectives)
}

func colons(text []byte, at, end int) int {
	n := 0
	for at+n < end && text[at+n] == ':' {
		n++
	}
	return n
}

func (p *parser) startDirective(at, end, size int) {
	n := colons(p.text, at, end)
	d, _ := directiveHead(p.text[:end], at+n, false)
	k := DirectiveLeaf
	if n > 2 {
		k = DirectiveContainer
	}
	node := p.node(k, at, end, p.parent())
	if d.label >= 0 && d.labelEnd > d.label {
		label := node
		p.chunks = append(p.chunks, chunk{label, []line{{start: d.label, end: d.labelEnd}}})
	}
	if k == DirectiveContainer {
		p.flow = flow{kind: flowDirective, node: node, marker: ':', size: n, prefix: size, tail: end}
	}
}

// directiveLine takes a line of a container directive.
func (p *parser) directiveLine() {
	f := &p.flow
	f.node.End = p.cur.end
	c := p.cur
	c.skip(p.text, p.indent())
	if n := colons(p.text, c.off, c.end); c.pend == 0 && n >= f.size && skipSpace(p.text, c.off+n, c.end) == c.end {
		f.tail = 0
		p.closeFlow()
		return
	}
	f.tail = p.cur.end
	p.cur.skip(p.text, f.prefix)
	f.lines = append(f.lines, textLine{line: p.cur.rest()})
}

// closeDirective reads the lines of a container directive.
func (p *parser) closeDirective(f flow) {
	if len(f.lines) == 0 {
		return
	}
	lines := make([]line, len(f.lines))
	for i := range lines {
		lines[i] = f.lines[i].line
	}
	p.depth++
	p.document(lines, f.node)
	p.depth--
}

// The classes of characters that delimiters are judged by.
type class uint8

const (
	classOther class = iota
	classSpace
	classPunct
)

// classify returns the class of r. What lies outside of the basic plane is
// neither blank nor punctuation.
func classify(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		switch {
		case isSpaceOrEOL(byte(r)) || r == '\v' || r == '\f':
			return classSpace
		case isPunct(byte(r)):
			return classPunct
		}
	case r > 0xffff:
	case unicode.IsSpace(r) && r != 0x85 || r == 0xfeff:
		return classSpace
	case unicode.IsPunct(r) || unicode.IsSymbol(r):
		return classPunct
	}
	return classOther
}
