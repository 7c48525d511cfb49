package js

// decorators reads decorators, if there are any.
func (p *parser) decorators() {
	for p.is('@') {
		p.emit(nodeDecorator)
		p.next()
		p.primary()
		for p.tok.kind == kindPunct && !p.is('[') && !p.is('`') && (p.is('.') && p.access() || p.call()) {
		}
	}
}

// class reads a class from its keyword.
func (p *parser) class() {
	if !p.enter() {
		return
	}
	p.emit(nodeClass)
	p.expectWord("class")
	if p.tok.kind == kindWord && !p.word("extends") && !(p.word("implements") && p.dialect.types()) {
		p.name()
	}
	p.typeParams()
	if p.word("extends") {
		p.modifier()
		p.member()
		if p.dialect.types() && p.is('<') {
			p.typeArgs()
		}
	}
	if p.dialect.types() && p.word("implements") {
		p.modifier()
		p.typeList()
	}
	p.emit(nodeClassBody)
	p.expect('{')
	p.bracketed(func() {
		for !p.over('}') {
			if !p.take(';') {
				p.classMember()
			}
		}
	})
	p.fence(nodeClassEnd)
	p.expect('}')
	p.depth--
}

func (p *parser) classMember() {
	p.decorators()
	if p.word("static") && p.ahead(func() bool { return p.is('{') }) {
		p.next()
		p.emit(nodeStaticBlock)
		p.within(context{}, p.block)
		return
	}
	c := context{}
	for p.modifies("static", "public", "private", "protected", "readonly", "abstract", "override", "declare", "accessor", "async", "get", "set") {
		c.async = c.async || p.word("async")
		p.modifier()
		p.decorators()
	}
	if p.take('*') {
		c.generator = true
		p.emit(nodeGenerator)
	}
	if p.indexSignatureHere() {
		p.indexSignature()
		p.semicolon()
		return
	}
	p.key()
	if p.dialect.types() && (p.is('?') || p.is('!')) {
		p.emitWith(nodeOptional, uint64(p.tok.op))
		p.next()
	}
	if p.is('(') || p.is('<') {
		p.method(c)
		return
	}
	p.annotation()
	p.within(context{}, p.initializer)
	p.emit(nodeField)
	p.semicolon()
}
