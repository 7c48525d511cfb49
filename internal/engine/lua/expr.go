package lua

// form is what an expression may be used for.
type form int

const (
	value    form = iota // neither
	variable             // a name
	element              // a.b or a[b]
	call
)

func (p *parser) expressions() {
	p.expression()
	for p.accept(",") {
		p.expression()
	}
}

func (p *parser) expression() { p.operation(0) }

// priority returns how strongly a binary operator binds to the left and to the
// right; 0: it is none.
func priority(k kind) (left, right int) {
	switch k {
	case "or":
		return 1, 1
	case "and":
		return 2, 2
	case "<", ">", "<=", ">=", "~=", "==":
		return 3, 3
	case "|":
		return 4, 4
	case "~":
		return 5, 5
	case "&":
		return 6, 6
	case "<<", ">>":
		return 7, 7
	case "..":
		return 9, 8
	case "+", "-":
		return 10, 10
	case "*", "/", "//", "%":
		return 11, 11
	case "^":
		return 14, 13
	}
	return 0, 0
}

const unaryPriority = 12

func (p *parser) operation(limit int) {
	p.enter()
	defer p.leave()
	switch p.tok.kind {
	case "not", "-", "#", "~":
		p.advance()
		p.operation(unaryPriority)
	default:
		p.simple()
	}
	for {
		left, right := priority(p.tok.kind)
		if left <= limit {
			return
		}
		p.advance()
		p.operation(right)
	}
}

func (p *parser) simple() {
	switch p.tok.kind {
	case tNumber, tString, "nil", "true", "false":
		p.advance()
	case "...":
		if !p.fn.vararg {
			panic(&fault{start: p.tok.start, end: p.tok.end, title: "'...' outside of a function with variable arguments"})
		}
		p.advance()
	case "{":
		p.table()
	case "function":
		opener := p.tok
		p.advance()
		p.body(opener)
	default:
		p.suffixed()
	}
}

// suffixed reads a name or an expression in parentheses, and the calls and
// indices behind it.
func (p *parser) suffixed() form {
	p.enter()
	defer p.leave()
	e := p.primary()
	for {
		switch p.tok.kind {
		case ".":
			p.advance()
			p.expect(tName)
			e = element
		case "[":
			opener := p.tok
			p.advance()
			p.expression()
			p.closes("]", opener)
			e = element
		case ":":
			p.advance()
			p.expect(tName)
			p.arguments()
			e = call
		case "(", "{", tString:
			p.arguments()
			e = call
		default:
			return e
		}
	}
}

func (p *parser) primary() form {
	switch opener := p.tok; opener.kind {
	case tName:
		p.advance()
		return variable
	case "(":
		p.advance()
		p.expression()
		p.closes(")", opener)
		return value
	}
	p.unexpected("")
	return value
}

func (p *parser) arguments() {
	switch opener := p.tok; opener.kind {
	case "{":
		p.table()
	case tString:
		p.advance()
	case "(":
		p.advance()
		if p.tok.kind != ")" {
			p.expressions()
		}
		p.closes(")", opener)
	default:
		f := p.unexpectedFault("")
		f.help = "A method is called with arguments."
		panic(f)
	}
}

func (p *parser) table() {
	p.enter()
	defer p.leave()
	opener := p.tok
	p.advance()
	for p.tok.kind != "}" {
		switch {
		case p.tok.kind == "[":
			bracket := p.tok
			p.advance()
			p.expression()
			p.closes("]", bracket)
			p.expect("=")
			p.expression()
		case p.tok.kind == tName && p.lookahead().kind == "=":
			p.advance()
			p.advance()
			p.expression()
		default:
			p.expression()
		}
		if !p.accept(",") && !p.accept(";") {
			break
		}
	}
	p.closes("}", opener)
}

// body reads parameters and the block of a function.
func (p *parser) body(opener token) {
	p.enter()
	defer p.leave()
	outer := p.fn
	p.fn = &function{}
	p.open(false)
	p.scope.fn = p.fn
	paren := p.expect("(")
	for p.tok.kind != ")" {
		if p.accept("...") {
			p.fn.vararg = true
			if p.tok.kind == tName { // Lua 5.5 names them
				p.declare(p.expect(tName), false)
			}
			break
		}
		p.declare(p.expect(tName), false)
		if !p.accept(",") {
			break
		}
		if p.tok.kind == ")" {
			p.unexpected(string(tName))
		}
	}
	p.closes(")", paren)
	p.block()
	p.gotos()
	p.close()
	p.fn = outer
	p.closes("end", opener)
}
