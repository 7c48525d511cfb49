package js

import (
	"strings"
	"unicode/utf8"
)

// arrow reads an arrow function if one starts here.
func (p *parser) arrow() bool {
	switch p.tok.kind {
	case kindWord:
		if p.arrowFollows() && !reserved(p.text()) {
			p.simpleArrow(false)
			return true
		}
		return p.word("async") && p.asyncArrow()
	case kindPunct:
		switch p.tok.op {
		case '(':
			return p.tryArrow(false)
		case '<':
			return p.dialect == TypeScript && p.tryArrow(false) || p.dialect == TSX && p.genericInTSX() && p.tryArrow(false)
		}
	}
	return false
}

// arrowFollows reports whether => stands after the current token.
func (p *parser) arrowFollows() bool {
	i := p.pos
	for i < len(p.src) && (p.src[i] == ' ' || p.src[i] == '\t') {
		i++
	}
	switch p.byteAt(i) {
	case '=':
		return p.byteAt(i+1) == '>'
	case '/':
		if c := p.byteAt(i + 1); c == '/' || c == '*' {
			return p.ahead(func() bool { return p.is(opArrow) && !p.tok.newline })
		}
	}
	return false
}

func (p *parser) asyncArrow() bool {
	m := p.mark()
	p.next()
	if !p.tok.newline {
		switch {
		case p.tok.kind == kindWord && p.arrowFollows() && !reserved(p.text()):
			p.simpleArrow(true)
			return true
		case p.is('(') || p.is('<') && p.dialect.types():
			if p.tryArrow(true) {
				return true
			}
		}
	}
	p.reset(m)
	return false
}

// simpleArrow reads an arrow function without parentheses.
func (p *parser) simpleArrow(async bool) {
	p.arrowStart(async)
	outer := p.context
	p.emit(nodeParams)
	p.anyName()
	p.emit(nodeParam)
	p.emit(nodeParamsEnd)
	p.context = context{async: async, noIn: outer.noIn, consequent: outer.consequent}
	p.arrowBody()
	p.context = outer
}

func (p *parser) arrowStart(async bool) {
	p.emit(nodeArrow)
	if async {
		p.emit(nodeAsync)
	}
}

// arrowBody reads => and what follows.
func (p *parser) arrowBody() {
	p.expect(opArrow)
	if p.is('{') {
		c := p.context
		c.noIn, c.consequent = false, false
		p.within(c, p.body)
		return
	}
	p.assignment()
	p.emit(nodeArrowEnd)
}

// tryArrow reads an arrow function with parentheses or type parameters, or
// nothing at all.
func (p *parser) tryArrow(async bool) bool {
	start := p.tok.start
	if _, ok := p.refused[start]; ok || p.is('(') && !p.mayBeParams() {
		return false
	}
	m := p.mark()
	p.arrowStart(async)
	p.context = context{async: async}
	p.typeParams()
	p.params()
	typed := p.is(':')
	p.returnType()
	if p.bad == "" && p.is(opArrow) && !p.tok.newline {
		p.context = context{async: async, noIn: m.context.noIn, consequent: m.context.consequent}
		p.arrowBody()
		p.context = m.context
		if !typed || !m.context.consequent || p.is(':') {
			return true
		}
	}
	p.reset(m)
	p.refuse(start)
	return false
}

// mayBeParams tells most expressions in parentheses from parameters by their
// first bytes.
func (p *parser) mayBeParams() bool {
	i := p.skipBlank(p.pos)
	c := p.byteAt(i)
	if !isWord(c) && c != '\\' && c < utf8.RuneSelf {
		return strings.IndexByte("){[.@/", c) >= 0
	}
	if isDigit(c) {
		return false
	}
	i = p.skipBlank(p.wordFrom(i))
	switch c := p.byteAt(i); c {
	case ')', ',', ':', '/':
		return true
	case '=':
		return p.byteAt(i+1) != '='
	case '?', '{', '[':
		return p.dialect.types()
	default:
		return p.dialect.types() && isWord(c)
	}
}

func (p *parser) skipBlank(i int) int {
	for i < len(p.src) && isBlank(p.src[i]) {
		i++
	}
	return i
}

// genericInTSX reports whether < opens type parameters where it could also open
// an element.
func (p *parser) genericInTSX() bool {
	return p.ahead(func() bool {
		if p.word("const") {
			p.next()
		}
		if p.tok.kind != kindWord {
			return false
		}
		p.next()
		return p.is(',') || p.is('=') || p.word("extends") && p.ahead(func() bool { return !p.is('=') && !p.is('>') && !p.is('/') })
	})
}

// function reads a function from its keyword.
func (p *parser) function(async bool) {
	c := context{async: async}
	p.emit(nodeFunction)
	p.next()
	if async {
		p.emit(nodeAsync)
	}
	if p.take('*') {
		p.emit(nodeGenerator)
		c.generator = true
	}
	if p.tok.kind == kindWord {
		p.name()
	}
	p.method(c)
}

// method reads parameters and body of a function.
func (p *parser) method(c context) {
	p.emit(nodeMethod)
	p.within(c, func() {
		p.typeParams()
		p.params()
		p.returnType()
		if p.is('{') {
			p.body()
			return
		}
		if !p.dialect.types() {
			p.fail("a function has no body")
			return
		}
		p.emit(nodeNoBody)
		p.semicolon()
	})
}

// body reads the block of a function.
func (p *parser) body() {
	if !p.enter() {
		return
	}
	p.fence(nodeBlock)
	p.expect('{')
	p.directives()
	for !p.over('}') {
		p.statement()
	}
	p.fence(nodeBlockEnd)
	p.expect('}')
	p.depth--
}

// directives reads the strings that stand alone at the start of a body.
func (p *parser) directives() {
	for p.tok.kind == kindString {
		if !p.ahead(func() bool { return p.is(';') || p.is('}') || p.tok.kind == kindEOF || p.tok.newline && !p.continues() }) {
			return
		}
		p.emit(nodeDirective)
		p.leaf()
		p.semicolon()
	}
}

// continues reports whether this token goes on with the expression before it
// although a line ended.
func (p *parser) continues() bool {
	if p.tok.kind == kindPunct {
		switch p.tok.op {
		case '(', '[', '`', '.', ',', '?', opOptional, '/', opDivideSet:
			return true
		case '!', '~', opIncrement, opDecrement, '{', '@', '#', '}':
			return false
		}
		return strength(p.tok.op) > 0 || p.assignOp() != 0
	}
	return p.word("in") || p.word("instanceof")
}

// params reads parameters in parentheses.
func (p *parser) params() {
	p.emit(nodeParams)
	p.expect('(')
	p.bracketed(func() {
		for !p.over(')') {
			p.param()
			if !p.take(',') {
				break
			}
		}
	})
	p.emit(nodeParamsEnd)
	p.expect(')')
}

func (p *parser) param() {
	p.decorators()
	if p.dialect.types() {
		for p.modifiesParam() {
			p.modifier()
		}
	}
	if p.take(opEllipsis) {
		p.emit(nodeSpread)
	}
	p.target()
	if p.dialect.types() && p.is('?') {
		p.emit(nodeOptional)
		p.next()
	}
	p.annotation()
	p.initializer()
	p.emit(nodeParam)
}

func (p *parser) modifiesParam() bool {
	switch string(p.text()) {
	case "public", "private", "protected", "readonly", "override":
		return p.tok.kind == kindWord && p.ahead(func() bool {
			return p.tok.kind == kindWord || p.is('{') || p.is('[')
		})
	}
	return false
}

// initializer reads = and a default value, if there are any.
func (p *parser) initializer() {
	if p.take('=') {
		p.assignment()
		p.emit(nodeDefault)
	}
}

// target reads what a value is bound to: a name or a pattern.
func (p *parser) target() {
	switch {
	case p.is('['):
		p.arrayPattern()
	case p.is('{'):
		p.objectPattern()
	case p.word("this") && p.dialect.types():
		p.leaf()
	default:
		p.name()
	}
}

func (p *parser) arrayPattern() {
	if !p.enter() {
		return
	}
	p.emit(nodeArray)
	p.next()
	p.bracketed(func() {
		for !p.over(']') {
			if p.is(',') {
				p.emit(nodeHole)
				p.next()
				continue
			}
			if p.take(opEllipsis) {
				p.emit(nodeSpread)
			}
			p.target()
			p.initializer()
			p.emit(nodeElement)
			if !p.take(',') {
				break
			}
		}
	})
	p.fence(nodeArrayEnd)
	p.expect(']')
	p.depth--
}

func (p *parser) objectPattern() {
	if !p.enter() {
		return
	}
	p.emit(nodeObject)
	p.next()
	p.bracketed(func() {
		for !p.over('}') {
			p.patternProperty()
			if !p.take(',') {
				break
			}
		}
	})
	p.fence(nodeObjectEnd)
	p.expect('}')
	p.depth--
}

func (p *parser) patternProperty() {
	if p.take(opEllipsis) {
		p.emit(nodeSpread)
		p.target()
		return
	}
	plain := p.tok.kind == kindWord && !reserved(p.text())
	p.key()
	switch {
	case p.take(':'):
		p.target()
		p.initializer()
		p.emit(nodeProperty)
	case plain:
		p.initializer()
		p.emit(nodeShorthand)
	default:
		p.fail("a pattern has no name")
	}
}
