package js

import (
	"bytes"
	"slices"

	"poly/internal/guard"
)

// element reads an element or a fragment from its "<". The current token is
// then its last ">": what follows may be text.
func (p *parser) element() {
	if !p.enter() {
		return
	}
	p.emit(nodeElementStart)
	p.next()
	from := len(p.hashes)
	to := from
	if !p.is('>') {
		p.tagName()
		to = len(p.hashes)
		if p.dialect.types() && p.is('<') {
			p.typeArgs()
		}
		for p.tok.kind == kindWord || p.is('{') {
			p.attribute()
		}
	}
	p.emit(nodeAttributesEnd)
	if p.is('/') {
		p.next()
	} else if p.is('>') {
		p.children()
		p.closingName(from, to)
	}
	if !p.is('>') {
		p.fail("a tag is not closed")
	}
	p.emit(nodeElementEnd)
	p.depth--
}

// dashed lets the current word go on over dashes.
func (p *parser) dashed() {
	if p.tok.kind != kindWord {
		p.fail("a name is missing")
		return
	}
	for p.byteAt(p.pos) == '-' {
		p.pos = p.wordFrom(p.pos + 1)
	}
	p.tok.end = p.pos
}

// tagName writes the name of an element.
func (p *parser) tagName() {
	for {
		p.dashed()
		if p.bad != "" {
			return
		}
		p.leaf()
		if p.is('.') {
			p.emit(nodeMember)
		} else if p.is(':') {
			p.emit(nodeLabel)
		} else {
			return
		}
		p.next()
	}
}

// closingName reads the name after the current "/", which is the one written
// in the range, and writes nothing.
func (p *parser) closingName(from, to int) {
	m := p.mark()
	if p.next(); !p.is('>') {
		p.tagName()
	}
	if p.bad == "" && !slices.Equal(p.hashes[m.events:], p.hashes[from:to]) {
		p.fail("another element is closed")
	}
	p.hashes, p.at, p.leaves = p.hashes[:m.events], p.at[:m.events], m.leaves
}

func (p *parser) attribute() {
	if p.take('{') {
		p.expect(opEllipsis)
		p.bracketed(p.assignment)
		p.emit(nodeSpread)
		p.expect('}')
		return
	}
	p.dashed()
	if p.bad != "" {
		return
	}
	p.leaf()
	if p.take(':') {
		p.emit(nodeLabel)
		p.dashed()
		if p.bad != "" {
			return
		}
		p.leaf()
	}
	if p.is('=') {
		p.attributeValue()
	}
	p.emit(nodeAttribute)
}

func (p *parser) attributeValue() {
	i := p.skipBlank(p.pos)
	if c := p.byteAt(i); c == '"' || c == '\'' {
		n := bytes.IndexByte(p.src[i+1:], c)
		if n < 0 {
			p.fail("a string has no end")
			return
		}
		p.chunk(i+1, i+1+n)
		p.pos = i + n + 2
		p.tok.end = p.pos
		p.next()
		return
	}
	p.next()
	switch {
	case p.take('{'):
		p.emit(nodeContainer)
		p.bracketed(p.expression)
		p.expect('}')
	case p.is('<'):
		p.element()
		p.next()
	default:
		p.fail("an attribute has no value")
	}
}

// children reads what stands behind the ">" of an opening tag, up to the "/" of
// the closing one.
func (p *parser) children() {
	p.jsxText = p.jsxText[:0]
	for i := p.tok.end; ; {
		n := bytes.IndexAny(p.src[i:], "<{")
		if n < 0 {
			p.fail("an element has no end")
			return
		}
		p.addText(p.src[i : i+n])
		i += n
		if p.src[i] == '{' {
			if end := p.blankContainer(i); end > 0 {
				i = end
				continue
			}
		}
		p.flushText(i)
		p.tok = token{kind: kindPunct, op: op(p.src[i]), start: i, end: i + 1}
		p.pos = i + 1
		switch {
		case p.src[i] == '{':
			p.container()
		case p.byteAt(p.skipBlank(p.pos)) == '/' && p.byteAt(p.skipBlank(p.pos)+1) != '*':
			p.next()
			return
		default:
			p.element()
		}
		if p.bad != "" {
			return
		}
		i = p.tok.end
		p.jsxText = p.jsxText[:0]
	}
}

// container reads an expression among children. The current token is then its
// "}".
func (p *parser) container() {
	p.emit(nodeContainer)
	p.next()
	if !p.is('}') {
		if p.take(opEllipsis) {
			p.emit(nodeSpread)
		}
		p.bracketed(p.expression)
	}
	p.emit(nodeContainerEnd)
	if !p.is('}') {
		p.fail("a container is not closed")
	}
}

// blankContainer notes the blanks of {" "} and returns where it ends, or 0.
func (p *parser) blankContainer(i int) int {
	i = p.skipBlank(i + 1)
	quote := p.byteAt(i)
	if quote != '"' && quote != '\'' {
		return 0
	}
	from := i + 1
	for i++; p.byteAt(i) == ' '; i++ {
	}
	if p.byteAt(i) != quote || i == from {
		return 0
	}
	end := p.skipBlank(i + 1)
	if p.byteAt(end) != '}' {
		return 0
	}
	p.jsxText = append(p.jsxText, p.src[from:i]...)
	return end + 1
}

// addText notes a text as React renders it: lines lose the blanks around them,
// empty ones are nothing, the others are joined by one blank.
func (p *parser) addText(text []byte) {
	first, some := true, false
	for {
		line, rest := text, []byte(nil)
		i := bytes.IndexAny(text, "\r\n")
		if i >= 0 {
			line, rest = text[:i], text[i+1:]
			line = bytes.TrimRight(line, " \t")
		}
		if !first {
			line = bytes.TrimLeft(line, " \t")
		}
		if len(line) > 0 {
			if some {
				p.jsxText = append(p.jsxText, ' ')
			}
			some = true
			p.jsxText = append(p.jsxText, line...)
		}
		if i < 0 {
			return
		}
		first, text = false, rest
	}
}

// flushText writes the text that was noted.
func (p *parser) flushText(at int) {
	if len(p.jsxText) > 0 {
		p.push(guard.Mix(uint64(nodeText)<<56, p.jsxText), at)
		p.leaves++
	}
}
