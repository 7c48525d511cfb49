package js

import "poly/internal/guard"

// annotation reads a type after a colon, if there is one.
func (p *parser) annotation() {
	if p.dialect.types() && p.take(':') {
		c := p.inner()
		p.within(c, p.typ)
		p.emit(nodeTypeMark)
	}
}

// returnType reads the type that a function returns, if it is written.
func (p *parser) returnType() { p.annotation() }

// typ reads a type.
func (p *parser) typ() {
	if !p.enter() {
		return
	}
	switch {
	case p.startsFunctionType():
		p.functionType()
	case p.startsPredicate():
		p.predicate()
	default:
		p.union()
		p.conditionalType()
	}
	p.depth--
}

// conditionalType goes on after the type that is checked.
func (p *parser) conditionalType() {
	if p.context.noConditional || !p.word("extends") || p.tok.newline {
		return
	}
	p.next()
	c := p.context
	c.noConditional = true
	p.within(c, p.typ)
	p.expect('?')
	p.bracketed(p.typ)
	p.expect(':')
	p.typ()
	p.emit(nodeTypeConditional)
}

func (p *parser) startsFunctionType() bool {
	switch {
	case p.is('<'):
		return true
	case p.is('('):
		return p.ahead(p.startsParams)
	case p.word("new"):
		return true
	case p.word("abstract"):
		return p.ahead(func() bool { return p.word("new") })
	}
	return false
}

// startsParams reports whether what follows a "(" can only be parameters.
func (p *parser) startsParams() bool {
	if p.is(')') || p.is(opEllipsis) {
		return true
	}
	if p.tok.kind != kindWord && !p.is('{') && !p.is('[') {
		return false
	}
	if reserved(p.text()) && !p.word("this") {
		return false
	}
	p.target()
	if p.bad != "" {
		return false
	}
	if p.is(':') || p.is(',') || p.is('?') || p.is('=') {
		return true
	}
	return p.is(')') && p.ahead(func() bool { return p.is(opArrow) })
}

func (p *parser) functionType() {
	p.emit(nodeFunctionType)
	for p.word("new") || p.word("abstract") {
		p.modifier()
	}
	p.typeParams()
	p.params()
	p.expect(opArrow)
	p.typ()
	p.emit(nodeArrowEnd)
}

// startsPredicate reports whether "x is T" or "asserts x" stands here.
func (p *parser) startsPredicate() bool {
	if p.tok.kind != kindWord {
		return false
	}
	if p.word("asserts") && p.ahead(func() bool { return p.tok.kind == kindWord && !p.tok.newline && !p.word("is") && !p.word("extends") }) {
		return true
	}
	i := p.skipBlank(p.pos)
	return p.byteAt(i) == 'i' && p.byteAt(i+1) == 's' && p.ahead(func() bool { return p.word("is") && !p.tok.newline })
}

func (p *parser) predicate() {
	if p.word("asserts") && !p.ahead(func() bool { return p.word("is") }) {
		p.modifier()
	}
	p.anyName()
	if p.takeWord("is") {
		p.typ()
		p.emit(nodeTypeMark)
	}
	p.emit(nodePredicate)
}

func (p *parser) union() {
	p.take('|')
	n := uint64(1)
	p.intersection()
	for p.take('|') {
		p.intersection()
		n++
	}
	if n > 1 {
		p.emitWith(nodeUnion, n)
	}
}

func (p *parser) intersection() {
	p.take('&')
	n := uint64(1)
	p.typeOperator()
	for p.take('&') {
		p.typeOperator()
		n++
	}
	if n > 1 {
		p.emitWith(nodeIntersection, n)
	}
}

func (p *parser) typeOperator() {
	switch {
	case p.startsFunctionType():
		p.functionType() // not valid in a union, yet some write it
	case p.word("keyof") || p.word("unique") || p.word("readonly"):
		if !p.ahead(p.startsType) {
			p.typePostfix()
			return
		}
		o := guard.Mix(0, p.text()) >> 16
		p.next()
		if p.enter() {
			p.typeOperator()
			p.depth--
		}
		p.emitWith(nodeTypeOperator, o)
	case p.word("infer") && p.ahead(func() bool { return p.tok.kind == kindWord && !p.word("extends") }):
		p.infer()
	default:
		p.typePostfix()
	}
}

// startsType reports whether the word before can be an operator on this token.
func (p *parser) startsType() bool {
	switch p.tok.kind {
	case kindWord:
		return !p.tok.newline && !p.word("extends") && !p.word("in")
	case kindPunct:
		return p.is('[') && !p.tok.newline || p.is('(') || p.is('{') || p.is('`')
	}
	return p.tok.kind == kindString
}

func (p *parser) infer() {
	p.next()
	p.name()
	if p.word("extends") {
		m := p.mark()
		p.next()
		c := p.context
		c.noConditional = true
		p.within(c, p.typ)
		if p.bad == "" && (p.context.noConditional || !p.is('?')) {
			p.emit(nodeTypeMark)
		} else {
			p.reset(m)
		}
	}
	p.emitWith(nodeTypeOperator, 0)
}

func (p *parser) typePostfix() {
	p.primaryType()
	for p.is('[') && !p.tok.newline {
		p.next()
		if p.is(']') {
			p.emit(nodeTypeArray)
		} else {
			p.bracketed(p.typ)
			p.emit(nodeTypeIndex)
		}
		p.expect(']')
	}
}

func (p *parser) primaryType() {
	switch p.tok.kind {
	case kindWord:
		p.namedType()
	case kindNumber, kindString:
		p.leaf()
	case kindPunct:
		p.punctType()
	default:
		p.fail("a type is missing")
	}
}

func (p *parser) punctType() {
	switch p.tok.op {
	case '(':
		p.next()
		p.bracketed(p.typ)
		p.expect(')')
	case '[':
		p.tuple()
	case '{':
		if p.ahead(p.startsMapped) {
			p.mapped()
		} else {
			p.objectType()
		}
	case '`':
		p.template(p.typ)
	case '-':
		p.emitWith(nodeUnary, '-')
		p.next()
		if p.tok.kind != kindNumber {
			p.fail("a number is missing")
			return
		}
		p.leaf()
	default:
		p.fail("a type is missing")
	}
}

// namedType reads a type that starts with a word.
func (p *parser) namedType() {
	switch string(p.text()) {
	case "typeof":
		p.emit(nodeTypeQuery)
		p.next()
		if p.tok.kind != kindWord {
			p.fail("a name is missing")
			return
		}
	case "void", "null", "true", "false", "this", "import":
	default:
		if reserved(p.text()) {
			p.fail("a type is missing")
			return
		}
	}
	isImport := p.word("import")
	p.leaf()
	if isImport {
		p.expect('(')
		p.bracketed(p.typ)
		if p.take(',') && p.is('{') {
			p.object()
			p.take(',')
		}
		p.expect(')')
		p.emit(nodeImport)
	}
	for p.take('.') {
		p.memberName()
	}
	if (p.is('<') || p.is(opShiftLeft)) && !p.tok.newline {
		p.typeArgs()
	}
}

// typeList reads named types with commas between them.
func (p *parser) typeList() {
	for {
		p.namedType()
		p.emit(nodeElement)
		if !p.take(',') || p.is('{') {
			return
		}
	}
}

// typeParams reads type parameters, if there are any.
func (p *parser) typeParams() {
	if !p.dialect.types() || !p.is('<') {
		return
	}
	p.emit(nodeTypeParams)
	p.next()
	for !p.over('>') {
		for (p.word("const") || p.word("in") || p.word("out")) && p.ahead(func() bool { return p.tok.kind == kindWord && !p.word("extends") }) {
			p.modifier()
		}
		p.name()
		if p.word("extends") {
			p.modifier()
			p.bracketed(p.typ)
		}
		if p.take('=') {
			p.bracketed(p.typ)
			p.emit(nodeDefault)
		}
		p.emit(nodeTypeParam)
		if !p.take(',') {
			break
		}
	}
	p.emit(nodeTypeParamsEnd)
	p.expect('>')
}

func (p *parser) typeArgs() {
	if p.is(opShiftLeft) {
		p.setPunct(1)
	}
	p.emit(nodeTypeArgs)
	p.expect('<')
	p.bracketed(func() {
		for !p.over('>') {
			p.typ()
			p.emit(nodeElement)
			if !p.take(',') {
				break
			}
		}
	})
	p.emit(nodeTypeArgsEnd)
	p.expect('>')
}
