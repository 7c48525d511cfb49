package js

import "poly/internal/guard"

// primary reads an operand.
func (p *parser) primary() {
	switch p.tok.kind {
	case kindWord:
		p.primaryWord()
	case kindNumber, kindString, kindPrivate:
		p.leaf()
	case kindPunct:
		p.primaryPunct()
	default:
		p.fail("an operand is missing")
	}
}

func (p *parser) primaryWord() {
	switch string(p.text()) {
	case "function":
		p.function(false)
	case "async":
		if p.ahead(func() bool { return p.word("function") && !p.tok.newline }) {
			p.next()
			p.function(true)
			return
		}
		p.leaf()
	case "class":
		p.class()
	case "new":
		p.new()
	case "import":
		p.leaf()
		if !p.is('(') && !p.is('.') {
			p.fail("import is no operand")
		}
	case "this", "super", "null", "true", "false":
		p.leaf()
	default:
		p.name()
	}
}

func (p *parser) primaryPunct() {
	switch p.tok.op {
	case '(':
		p.next()
		p.bracketed(p.expression)
		p.expect(')')
	case '[':
		p.array()
	case '{':
		p.object()
	case '`':
		p.template(p.expression)
	case '/', opDivideSet:
		p.rescanRegex()
		p.leaf()
	case '<':
		if p.dialect.jsx() {
			p.element()
			p.next()
			return
		}
		p.fail("an operand is missing")
	case '@':
		p.decorators()
		p.class()
	default:
		p.fail("an operand is missing")
	}
}

// new reads new.target or a construction.
func (p *parser) new() {
	at := p.tok.start
	p.next()
	if p.take('.') {
		p.emit(nodeNew)
		p.anyName()
		return
	}
	if !p.enter() {
		return
	}
	if p.word("new") {
		p.new()
	} else {
		p.primary()
	}
	for p.tok.kind == kindPunct && p.access() {
	}
	p.depth--
	if p.dialect.types() && p.is('<') {
		p.valueTypeArgs()
	}
	p.push(uint64(nodeNew)|1<<8, at)
	if p.is('(') {
		p.arguments()
		return
	}
	p.emit(nodeCall)
	p.emit(nodeCallEnd)
}

// template reads a template, with f for what is put into it.
func (p *parser) template(f func()) {
	p.emit(nodeTemplate)
	i, from := p.tok.end, p.tok.end
	for {
		switch p.byteAt(i) {
		case '\\':
			i++
		case '`':
			p.chunk(from, i)
			p.pos = i + 1
			p.tok.end = p.pos
			p.next()
			p.emit(nodeTemplateEnd)
			return
		case '$':
			if p.byteAt(i+1) != '{' {
				break
			}
			p.chunk(from, i)
			p.pos = i + 2
			p.next()
			p.bracketed(f)
			if !p.is('}') {
				p.fail("a template is not closed")
				return
			}
			i, from = p.tok.end-1, p.tok.end
		case 0:
			if i >= len(p.src) {
				p.fail("a template has no end")
				return
			}
		}
		i++
	}
}

// chunk writes the text of a template; its line ends are all the same.
func (p *parser) chunk(from, to int) {
	h := uint64(nodeTemplate) << 56
	for i := from; i < to; i++ {
		if c := p.src[i]; c != '\r' && c != '\n' {
			continue
		}
		h = guard.MixWord(guard.Mix(h, p.src[from:i]), '\n')
		if p.src[i] == '\r' && i+1 < to && p.src[i+1] == '\n' {
			i++
		}
		from = i + 1
	}
	p.push(guard.Mix(h, p.src[from:to]), from)
	p.leaves++
}

func (p *parser) array() {
	p.emit(nodeArray)
	p.next()
	p.bracketed(func() {
		for !p.over(']') {
			if p.is(',') {
				p.emit(nodeHole)
				p.next()
				continue
			}
			p.spread()
			p.emit(nodeElement)
			if !p.take(',') {
				break
			}
		}
	})
	p.fence(nodeArrayEnd)
	p.expect(']')
}

func (p *parser) object() {
	if !p.enter() {
		return
	}
	p.emit(nodeObject)
	p.next()
	p.bracketed(func() {
		for !p.over('}') {
			p.property()
			if !p.take(',') {
				break
			}
		}
	})
	p.fence(nodeObjectEnd)
	p.expect('}')
	p.depth--
}

func (p *parser) property() {
	if p.take(opEllipsis) {
		p.assignment()
		p.emit(nodeSpread)
		return
	}
	c := context{}
	for p.modifies("get", "set", "async") {
		c.async = c.async || p.word("async")
		p.modifier()
	}
	if p.take('*') {
		c.generator = true
		p.emit(nodeGenerator)
	}
	plain := p.tok.kind == kindWord
	p.key()
	switch {
	case p.is('(') || p.is('<'):
		p.method(c)
	case p.take(':'):
		p.assignment()
		p.emit(nodeProperty)
	case plain && p.take('='):
		p.assignment()
		p.emit(nodeDefault)
	case plain:
		p.emit(nodeShorthand)
	default:
		p.fail("a property has no value")
	}
}

// modifies reports whether the current token is one of the words and stands
// before a name, so that it is none itself.
func (p *parser) modifies(words ...string) bool {
	if p.tok.kind != kindWord {
		return false
	}
	for _, w := range words {
		if p.word(w) {
			return p.ahead(func() bool { return p.startsKey(w) })
		}
	}
	return false
}

// startsKey reports whether the word before can be a modifier of this token.
func (p *parser) startsKey(before string) bool {
	switch before {
	case "get", "set", "static":
	default:
		if p.tok.newline {
			return false
		}
	}
	switch p.tok.kind {
	case kindWord, kindString, kindNumber, kindPrivate:
		return true
	case kindPunct:
		switch p.tok.op {
		case '[':
			return true
		case '*':
			return before != "get" && before != "set"
		case '{':
			return before == "static"
		}
	}
	return false
}

// modifier writes a modifier.
func (p *parser) modifier() {
	p.emit(nodeModifier)
	p.leaf()
}

// key writes the name of a property.
func (p *parser) key() {
	switch {
	case p.tok.kind == kindWord || p.tok.kind == kindString || p.tok.kind == kindNumber || p.tok.kind == kindPrivate:
		p.leaf()
	case p.take('['):
		p.bracketed(p.assignment)
		p.expect(']')
		p.emit(nodeComputed)
	default:
		p.fail("a name is missing")
	}
}
