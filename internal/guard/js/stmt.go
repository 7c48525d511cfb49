package js

import "poly/internal/guard"

// statement reads one statement or declaration.
func (p *parser) statement() {
	if !p.enter() {
		return
	}
	switch p.tok.kind {
	case kindPunct:
		switch p.tok.op {
		case '{':
			p.block()
		case ';':
			p.next()
		case '@':
			p.decorators()
			p.statement()
		default:
			p.expressionStatement()
		}
	case kindWord:
		if !p.control() && !p.declaration() && !p.typeDeclaration() && !p.label() {
			p.expressionStatement()
		}
	default:
		p.expressionStatement()
	}
	p.depth--
}

func (p *parser) expressionStatement() {
	p.expression()
	p.emit(nodeExpression)
	p.semicolon()
}

// block reads statements in braces.
func (p *parser) block() {
	p.fence(nodeBlock)
	p.expect('{')
	for !p.over('}') {
		p.statement()
	}
	p.fence(nodeBlockEnd)
	p.expect('}')
}

// embedded reads the statement that another one governs. Braces around a
// single one are not told from none.
func (p *parser) embedded() {
	p.emit(nodeBody)
	if p.take('{') {
		for !p.over('}') {
			p.statement()
		}
		p.expect('}')
	} else {
		p.statement()
	}
	p.emit(nodeBodyEnd)
}

// keyword writes the word that a statement starts with.
func (p *parser) keyword() {
	p.emitWith(nodeStatement, guard.Mix(0, p.text())>>16)
	p.next()
}

// control reads a statement that starts with a keyword, if one does.
func (p *parser) control() bool {
	switch string(p.text()) {
	case "if":
		p.ifStatement()
	case "for":
		p.forStatement()
	case "while", "with":
		p.keyword()
		p.parenthesized()
		p.embedded()
	case "do":
		p.doStatement()
	case "return", "throw":
		p.keyword()
		if !p.tok.newline && !p.is(';') && !p.is('}') && p.tok.kind != kindEOF {
			p.expression()
		}
		p.emit(nodeStatementEnd)
		p.semicolon()
	case "break", "continue", "debugger":
		p.keyword()
		if p.tok.kind == kindWord && !p.tok.newline {
			p.name()
		}
		p.emit(nodeStatementEnd)
		p.semicolon()
	case "switch":
		p.switchStatement()
	case "try":
		p.tryStatement()
	default:
		return false
	}
	return true
}

// parenthesized reads the head of a statement.
func (p *parser) parenthesized() {
	p.expect('(')
	p.bracketed(p.expression)
	p.expect(')')
}

func (p *parser) ifStatement() {
	chained := 0
	for p.word("if") {
		p.emit(nodeIf)
		p.next()
		p.parenthesized()
		p.embedded()
		if !p.word("else") {
			break
		}
		p.emit(nodeElse)
		p.next()
		if !p.word("if") {
			p.embedded()
			break
		}
		p.emit(nodeBody)
		chained++
	}
	for range chained {
		p.emit(nodeBodyEnd)
	}
}

func (p *parser) forStatement() {
	p.emit(nodeFor)
	p.next()
	if p.takeWord("await") {
		p.emit(nodeAsync)
	}
	p.expect('(')
	c := p.inner()
	c.noIn = true
	p.within(c, func() {
		switch {
		case p.is(';'):
		case p.startsVariables():
			p.variables()
		default:
			p.expression()
		}
	})
	p.emit(nodeForPart)
	switch {
	case p.word("of"):
		p.modifier()
		p.bracketed(p.assignment)
	case p.word("in"):
		p.modifier()
		p.bracketed(p.expression)
	default:
		p.forParts()
	}
	p.expect(')')
	p.embedded()
}

func (p *parser) forParts() {
	p.expect(';')
	if !p.is(';') {
		p.bracketed(p.expression)
	}
	p.emit(nodeForPart)
	p.expect(';')
	if !p.is(')') {
		p.bracketed(p.expression)
	}
	p.emit(nodeForPart)
}

func (p *parser) doStatement() {
	p.keyword()
	p.embedded()
	p.expectWord("while")
	p.parenthesized()
	p.emit(nodeStatementEnd)
	p.take(';')
}

func (p *parser) switchStatement() {
	p.keyword()
	p.parenthesized()
	p.expect('{')
	for !p.over('}') {
		p.emit(nodeCase)
		if p.word("case") {
			p.keyword()
			p.bracketed(p.expression)
		} else {
			p.emit(nodeDefault)
			p.expectWord("default")
		}
		p.expect(':')
		p.emit(nodeBody)
		for !p.over('}') && !p.word("case") && !p.word("default") {
			p.statement()
		}
		p.emit(nodeCaseEnd)
	}
	p.emit(nodeStatementEnd)
	p.expect('}')
}

func (p *parser) tryStatement() {
	p.keyword()
	p.block()
	if p.takeWord("catch") {
		p.emit(nodeCatch)
		if p.take('(') {
			p.target()
			p.annotation()
			p.expect(')')
		}
		p.block()
	}
	if p.takeWord("finally") {
		p.emit(nodeFinally)
		p.block()
	}
	p.emit(nodeStatementEnd)
}

// declaration reads a declaration that JavaScript has, if one starts here.
func (p *parser) declaration() bool {
	switch string(p.text()) {
	case "const", "var", "let", "using", "await":
		if p.dialect.types() && p.word("const") && p.ahead(func() bool { return p.word("enum") }) {
			p.modifier()
			p.enum()
			return true
		}
		if !p.startsVariables() {
			return false
		}
		p.variables()
		p.semicolon()
	case "function":
		p.function(false)
	case "async":
		if !p.ahead(func() bool { return p.word("function") && !p.tok.newline }) {
			return false
		}
		p.next()
		p.function(true)
	case "class":
		p.class()
	case "import":
		if c := p.byteAt(p.skipBlank(p.pos)); c == '(' || c == '.' {
			return false
		}
		p.importDeclaration()
	case "export":
		p.exportDeclaration()
	default:
		return false
	}
	return true
}

// startsVariables reports whether a declaration of variables starts here.
func (p *parser) startsVariables() bool {
	switch string(p.text()) {
	case "var", "const":
		return p.tok.kind == kindWord
	case "let":
		return p.ahead(func() bool {
			return p.tok.kind == kindWord && !p.word("in") && !p.word("instanceof") || p.is('[') || p.is('{')
		})
	case "using":
		return p.ahead(p.namesResource)
	case "await":
		return p.ahead(func() bool { return p.word("using") && !p.tok.newline && p.ahead(p.namesResource) })
	}
	return false
}

// namesResource reports whether the name after "using" makes it a declaration.
func (p *parser) namesResource() bool {
	return p.tok.kind == kindWord && !p.tok.newline && !reserved(p.text()) && !p.word("of") && !p.word("as") && !p.word("satisfies")
}

// variables reads a declaration of variables up to its semicolon.
func (p *parser) variables() {
	p.emit(nodeDeclaration)
	if p.word("await") {
		p.modifier()
	}
	p.modifier()
	for {
		p.target()
		if p.dialect.types() && p.is('!') {
			p.emit(nodeNonNull)
			p.next()
		}
		p.annotation()
		p.initializer()
		p.emit(nodeBinding)
		if !p.take(',') {
			break
		}
	}
	p.emit(nodeDeclarationEnd)
}

// label reads a label, if one stands here, and what it marks.
func (p *parser) label() bool {
	if p.byteAt(p.skipBlank(p.pos)) != ':' || reserved(p.text()) {
		return false
	}
	p.emit(nodeLabel)
	p.name()
	p.expect(':')
	p.statement()
	return true
}
