package lua

import (
	"bytes"
	"fmt"
)

// maxDepth is deeper than any Lua nests: they stop at 200.
const maxDepth = 400

// parser reads a chunk by recursive descent. Faults are thrown by panic.
type parser struct {
	scanner
	prev, tok, ahead token
	looked           bool // ahead is read
	depth            int
	scope            *scope
	fn               *function
}

// parse returns the first fault of a text, nil if there is none.
func parse(text []byte) (f *fault) {
	p := &parser{scanner: newScanner(text)}
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *fault:
			f = v
			f.prev, f.near = p.prev, p.tok
			if f.start != p.tok.start { // the scanner threw it
				f.prev, f.near = p.tok, token{"", f.start, f.end}
			}
		default:
			panic(v)
		}
	}()
	p.tok = p.scanner.next()
	p.fn = &function{vararg: true}
	p.scope = &scope{fn: p.fn}
	p.block()
	if p.tok.kind != tEOF {
		p.unexpected("")
	}
	p.gotos()
	return nil
}

func (p *parser) advance() {
	p.prev = p.tok
	if p.looked {
		p.tok, p.looked = p.ahead, false
		return
	}
	p.tok = p.scanner.next()
}

func (p *parser) lookahead() token {
	if !p.looked {
		p.ahead, p.looked = p.scanner.next(), true
	}
	return p.ahead
}

func (p *parser) text(t token) string { return string(p.src[t.start:t.end]) }

// is reports whether the token is a name with this text: goto, global and the
// like are names to older versions.
func (p *parser) is(word string) bool { return p.tok.kind == tName && p.text(p.tok) == word }

func (p *parser) accept(k kind) bool {
	if p.tok.kind != k {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(k kind) token {
	if p.tok.kind != k {
		p.unexpected(string(k))
	}
	t := p.tok
	p.advance()
	return t
}

// closes expects the token that ends what opener began.
func (p *parser) closes(k kind, opener token) {
	if p.accept(k) {
		return
	}
	line := 1 + bytes.Count(p.src[:opener.start], []byte{'\n'})
	f := p.unexpectedFault(string(k))
	f.help = fmt.Sprintf("'%s' of line %d is not closed before.", p.text(opener), line)
	panic(f)
}

func (p *parser) unexpected(want string) { panic(p.unexpectedFault(want)) }

func (p *parser) unexpectedFault(want string) *fault {
	title := "Unexpected end of file"
	if p.tok.kind != tEOF {
		title = "Unexpected " + quote(p.src[p.tok.start:p.tok.end])
	}
	switch want {
	case "":
	case string(tName), string(tString), string(tNumber):
		title += ", expected a " + want
	default:
		title += ", expected '" + want + "'"
	}
	return &fault{start: p.tok.start, end: p.tok.end, title: title}
}

func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		panic(&fault{start: p.tok.start, end: p.tok.end, deep: true})
	}
}

func (p *parser) leave() { p.depth-- }

// block reads statements up to a token that ends a block.
func (p *parser) block() {
	p.enter()
	defer p.leave()
	for {
		switch p.tok.kind {
		case tEOF, "end", "else", "elseif", "until":
			return
		case "return":
			p.advance()
			if !p.blockEnds() && p.tok.kind != ";" {
				p.expressions()
			}
			p.accept(";")
			if !p.blockEnds() {
				f := p.unexpectedFault("")
				f.help = "return is the last statement of its block."
				panic(f)
			}
			return
		}
		p.statement()
	}
}

func (p *parser) blockEnds() bool {
	switch p.tok.kind {
	case tEOF, "end", "else", "elseif", "until":
		return true
	}
	return false
}

// inner reads a block in a scope of its own.
func (p *parser) inner(loop bool) {
	p.open(loop)
	p.block()
	p.close()
}

func (p *parser) statement() {
	opener := p.tok
	switch p.tok.kind {
	case ";":
		p.advance()
	case "::":
		p.advance()
		p.label(p.expect(tName))
		p.expect("::")
	case "break":
		if !p.inLoop() {
			panic(&fault{start: opener.start, end: opener.end, title: "break outside of a loop"})
		}
		p.advance()
	case "do":
		p.advance()
		p.inner(false)
		p.closes("end", opener)
	case "while":
		p.advance()
		p.expression()
		p.expect("do")
		p.inner(true)
		p.closes("end", opener)
	case "repeat":
		p.advance()
		p.open(true)
		p.block()
		p.closes("until", opener)
		p.expression() // sees the locals of the block
		p.close()
	case "if":
		p.ifStatement()
	case "for":
		p.forStatement()
	case "function":
		p.functionStatement()
	case "local":
		p.advance()
		p.localStatement()
	default:
		p.wordStatement()
	}
}

// wordStatement reads statements that begin with a word that older versions
// take for a name, and expressions.
func (p *parser) wordStatement() {
	switch {
	case p.is("goto") && p.lookahead().kind == tName:
		p.advance()
		p.jump(p.expect(tName))
	case p.is("global") && p.globalAhead():
		opener := p.tok
		p.advance()
		p.globalStatement(opener)
	default:
		p.expressionStatement()
	}
}

func (p *parser) ifStatement() {
	opener := p.tok
	p.advance()
	p.expression()
	p.expect("then")
	p.inner(false)
	for p.accept("elseif") {
		p.expression()
		p.expect("then")
		p.inner(false)
	}
	if p.accept("else") {
		p.inner(false)
	}
	p.closes("end", opener)
}

func (p *parser) forStatement() {
	opener := p.tok
	p.advance()
	names := []token{p.expect(tName)}
	if p.accept("=") {
		p.expression()
		p.expect(",")
		p.expression()
		if p.accept(",") {
			p.expression()
		}
	} else {
		for p.accept(",") {
			names = append(names, p.expect(tName))
		}
		if p.tok.kind != "in" {
			p.unexpected("in")
		}
		p.advance()
		p.expressions()
	}
	p.expect("do")
	p.open(true)
	for _, n := range names {
		p.declare(n, false)
	}
	p.block()
	p.close()
	p.closes("end", opener)
}

func (p *parser) functionStatement() {
	opener := p.tok
	p.advance()
	p.expect(tName)
	for p.accept(".") {
		p.expect(tName)
	}
	if p.accept(":") {
		p.expect(tName)
	}
	p.body(opener)
}

func (p *parser) localStatement() {
	if p.tok.kind == "function" {
		opener := p.tok
		p.advance()
		p.declare(p.expect(tName), false)
		p.body(opener)
		return
	}
	names, constant := p.attributedNames()
	if p.accept("=") {
		p.expressions()
	}
	for i, n := range names {
		p.declare(n, constant[i])
	}
}

// attributedNames reads names that <const> or <close> may follow, or precede
// all of them.
func (p *parser) attributedNames() (names []token, constant []bool) {
	all := p.attribute()
	for {
		names = append(names, p.expect(tName))
		constant = append(constant, p.attribute() || all)
		if !p.accept(",") {
			return names, constant
		}
	}
}

// attribute reads an attribute, if there is one. All of them make a constant.
func (p *parser) attribute() bool {
	if !p.accept("<") {
		return false
	}
	if !p.is("const") && !p.is("close") {
		f := p.unexpectedFault("")
		f.help = "The attributes of Lua are <const> and <close>."
		panic(f)
	}
	p.advance()
	p.expect(">")
	return true
}

// globalAhead tells a declaration of Lua 5.5 from a name.
func (p *parser) globalAhead() bool {
	switch p.lookahead().kind {
	case tName, "function", "*", "<":
		return true
	}
	return false
}

func (p *parser) globalStatement(opener token) {
	if p.accept("function") {
		p.expect(tName)
		p.body(opener)
		return
	}
	p.attribute()
	if p.accept("*") {
		return
	}
	p.attributedNames()
	if p.accept("=") {
		p.expressions()
	}
}

// expressionStatement reads a call or an assignment.
func (p *parser) expressionStatement() {
	start := p.tok
	e := p.suffixed()
	if p.tok.kind == "=" || p.tok.kind == "," {
		p.target(e, start)
		for p.accept(",") {
			start = p.tok
			p.target(p.suffixed(), start)
		}
		p.expect("=")
		p.expressions()
		return
	}
	if e == call {
		return
	}
	f := p.unexpectedFault("")
	f.help = "A statement is a call, an assignment, or begins with a keyword."
	panic(f)
}

// target checks the left side of an assignment.
func (p *parser) target(e form, start token) {
	switch {
	case e == call || e == value:
		f := p.unexpectedFault("")
		f.help = "What stands before it cannot be assigned to."
		panic(f)
	case e == variable && p.isConstant(start):
		panic(&fault{start: start.start, end: start.end, title: "Assignment to constant " + quote(p.src[start.start:start.end])})
	}
}
