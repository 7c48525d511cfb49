package js

func (p *parser) tuple() {
	p.emit(nodeTuple)
	p.next()
	p.bracketed(func() {
		for !p.over(']') {
			p.tupleElement()
			if !p.take(',') {
				break
			}
		}
	})
	p.emit(nodeTupleEnd)
	p.expect(']')
}

func (p *parser) tupleElement() {
	if p.take(opEllipsis) {
		p.emit(nodeSpread)
	}
	if p.tok.kind == kindWord && p.ahead(func() bool { return p.is(':') || p.take('?') && p.is(':') }) {
		p.emit(nodeLabel)
		p.leaf()
		p.optionalMark()
		p.expect(':')
	}
	p.typ()
	p.optionalMark()
	p.emit(nodeTupleElement)
}

func (p *parser) optionalMark() {
	if p.is('?') {
		p.emit(nodeOptional)
		p.next()
	}
}

// startsMapped reports whether a mapped type's key follows the "{" before.
func (p *parser) startsMapped() bool {
	if p.is('+') || p.is('-') {
		return true
	}
	if p.word("readonly") {
		p.next()
	}
	if !p.take('[') || p.tok.kind != kindWord {
		return false
	}
	p.next()
	return p.word("in")
}

func (p *parser) mapped() {
	p.emit(nodeMapped)
	p.next()
	p.bracketed(func() {
		p.sign()
		if p.word("readonly") {
			p.modifier()
		}
		p.expect('[')
		p.name()
		p.expectWord("in")
		p.typ()
		if p.takeWord("as") {
			p.typ()
			p.emit(nodeAs)
		}
		p.expect(']')
		p.sign()
		p.optionalMark()
		p.annotation()
	})
	p.fence(nodeTypeObjectEnd)
	if !p.take(';') {
		p.take(',')
	}
	p.expect('}')
}

// sign reads the + or - of a mapped type.
func (p *parser) sign() {
	if p.is('+') || p.is('-') {
		p.emitWith(nodeUnary, uint64(p.tok.op))
		p.next()
	}
}

func (p *parser) objectType() {
	p.emit(nodeTypeObject)
	p.expect('{')
	p.bracketed(func() {
		for !p.over('}') {
			p.typeMember()
			if !p.take(';') && !p.take(',') && !p.is('}') && !p.tok.newline {
				p.fail("a member has no end")
			}
		}
	})
	p.fence(nodeTypeObjectEnd)
	p.expect('}')
}

func (p *parser) typeMember() {
	if p.word("new") && p.ahead(func() bool { return p.is('(') || p.is('<') }) {
		p.modifier()
	}
	if p.is('(') || p.is('<') {
		p.signature()
		return
	}
	for p.modifies("readonly", "get", "set") {
		p.modifier()
	}
	if p.indexSignatureHere() {
		p.indexSignature()
		return
	}
	p.key()
	p.optionalMark()
	if p.is('(') || p.is('<') {
		p.signature()
		return
	}
	p.annotation()
	p.emit(nodeTypeMember)
}

// signature reads parameters and result of a method without body.
func (p *parser) signature() {
	p.emit(nodeMethod)
	p.typeParams()
	p.params()
	p.returnType()
	p.emit(nodeNoBody)
}

func (p *parser) indexSignatureHere() bool {
	return p.dialect.types() && p.is('[') && p.ahead(func() bool {
		return p.tok.kind == kindWord && p.ahead(func() bool { return p.is(':') })
	})
}

func (p *parser) indexSignature() {
	p.expect('[')
	p.name()
	p.annotation()
	p.expect(']')
	p.optionalMark()
	p.annotation()
	p.emit(nodeIndexSignature)
}

// typeDeclaration reads a declaration that only TypeScript has, if one starts
// here.
func (p *parser) typeDeclaration() bool {
	if !p.dialect.types() {
		return false
	}
	switch string(p.text()) {
	case "enum":
		p.enum()
		return true
	case "interface":
		if p.ahead(p.namesType) {
			p.interfaceDeclaration()
			return true
		}
	case "type":
		if p.ahead(p.namesType) {
			p.alias()
			return true
		}
	case "declare", "abstract":
		if p.ahead(func() bool { return p.tok.kind == kindWord && !p.tok.newline && !p.operatorWord() }) {
			p.modifier()
			p.statement()
			return true
		}
	case "namespace", "module", "global":
		return p.namespace()
	}
	return false
}

func (p *parser) operatorWord() bool {
	return p.word("in") || p.word("instanceof") || p.word("as") || p.word("satisfies")
}

// namesType reports whether this is the name of the type that is declared.
func (p *parser) namesType() bool {
	return p.tok.kind == kindWord && !p.tok.newline && !p.word("in") && !p.word("instanceof") &&
		(!p.word("as") && !p.word("satisfies") || p.ahead(func() bool { return p.is('=') || p.is('<') || p.is('{') }))
}

func (p *parser) interfaceDeclaration() {
	p.modifier()
	p.name()
	p.typeParams()
	if p.word("extends") {
		p.modifier()
		p.typeList()
	}
	p.objectType()
}

func (p *parser) alias() {
	p.modifier()
	p.name()
	p.typeParams()
	p.expect('=')
	p.typ()
	p.emit(nodeTypeMark)
	p.semicolon()
}

func (p *parser) enum() {
	p.emit(nodeEnum)
	p.expectWord("enum")
	p.name()
	p.expect('{')
	for !p.over('}') {
		p.key()
		p.initializer()
		p.emit(nodeEnumMember)
		if !p.take(',') {
			break
		}
	}
	p.fence(nodeEnumEnd)
	p.expect('}')
}

// namespace reads a namespace, a module or a part of the global one.
func (p *parser) namespace() bool {
	global := p.word("global")
	if !p.ahead(func() bool {
		if global {
			return p.is('{')
		}
		return !p.tok.newline && (p.tok.kind == kindString || p.tok.kind == kindWord && !p.operatorWord())
	}) {
		return false
	}
	p.modifier()
	for !global {
		if p.tok.kind == kindString {
			p.leaf()
		} else {
			p.anyName()
		}
		if !p.take('.') {
			break
		}
		p.emit(nodeMember)
	}
	if !p.is('{') {
		p.emit(nodeNoBody)
		p.semicolon()
		return true
	}
	p.fence(nodeBlock)
	p.next()
	p.moduleItems('}')
	p.fence(nodeBlockEnd)
	p.expect('}')
	p.decl = declNone
	return true
}
