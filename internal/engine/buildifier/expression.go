package buildifier

import "slices"

// deepest is how deep expressions may be nested: the parser recurses.
const deepest = 2000

// test reads an expression without commas.
func (p *parser) test() *node {
	if p.depth++; p.depth > deepest {
		p.fail("nested too deep")
	}
	defer func() { p.depth-- }()
	if p.accept(nameToken, "lambda") {
		n := p.make("lambda", p.parameters(":"))
		n.kids = append(n.kids, p.test())
		return n
	}
	n := p.binary(0)
	if p.accept(nameToken, "if") {
		n = p.make("?", n, p.binary(0))
		p.expect(nameToken, "else")
		n.kids = append(n.kids, p.test())
	}
	return n
}

// levels of binary operators, the loosest first. The one of "not" is unary.
var levels = [...][]string{
	{"or"},
	{"and"},
	{"not"},
	{"==", "!=", "<", ">", "<=", ">=", "in", "not in"},
	{"|"},
	{"^"},
	{"&"},
	{"<<", ">>"},
	{"+", "-"},
	{"*", "/", "//", "%"},
}

const notLevel = 2

func (p *parser) binary(level int) *node {
	switch {
	case level == len(levels):
		return p.unary()
	case level == notLevel:
		if p.accept(nameToken, "not") {
			return p.make("not", p.binary(level))
		}
		return p.binary(level + 1)
	}
	n := p.binary(level + 1)
	for {
		op := p.binaryOperator()
		if !slices.Contains(levels[level], op) {
			return n
		}
		p.at++
		if op == "not in" {
			p.at++
		}
		n = p.make(op, n, p.binary(level+1))
		if a, b := n.kids[0], n.kids[1]; op == "+" && a.op == "string" && b.op == "string" {
			n = &node{op: "string", text: a.text + b.text, line: a.line}
		}
	}
}

// binaryOperator returns the operator that is next, or "".
func (p *parser) binaryOperator() string {
	switch t := p.peek(); {
	case t.kind == operatorToken:
		return t.text
	case p.keyword("not") && p.tokens[p.at+1].kind == nameToken && p.tokens[p.at+1].text == "in":
		return "not in"
	case p.keyword("or"), p.keyword("and"), p.keyword("in"):
		return t.text
	}
	return ""
}

func (p *parser) unary() *node {
	for _, op := range []string{"-", "+", "~"} {
		if p.accept(operatorToken, op) {
			return p.make("unary"+op, p.unary())
		}
	}
	return p.primary()
}

func (p *parser) primary() *node {
	n := p.atom()
	for {
		switch {
		case p.accept(operatorToken, "."):
			n = p.make(".", n)
			n.text = p.name()
		case p.accept(operatorToken, "("):
			n = p.call(n)
		case p.accept(operatorToken, "["):
			n = p.subscript(n)
		default:
			return n
		}
	}
}

func (p *parser) call(function *node) *node {
	n := p.make("call", function)
	for !p.accept(operatorToken, ")") {
		if p.peek().kind == nameToken && p.tokens[p.at+1].kind == operatorToken && p.tokens[p.at+1].text == "=" {
			a := p.make("named")
			a.text = p.name()
			p.at++
			a.kids = []*node{p.test()}
			n.kids = append(n.kids, a)
		} else {
			n.kids = append(n.kids, p.comprehension("generator", p.element()))
		}
		if !p.accept(operatorToken, ",") && !p.operator(")") {
			p.fail("want a comma")
		}
	}
	return n
}

func (p *parser) subscript(of *node) *node {
	n := p.make("index", of)
	slice := false
	for !p.accept(operatorToken, "]") {
		switch {
		case p.accept(operatorToken, ":"):
			slice = true
			n.kids = append(n.kids, p.make(":"))
		default:
			n.kids = append(n.kids, p.tests())
		}
	}
	if slice {
		n.op = "slice"
	}
	return n
}

func (p *parser) atom() *node {
	t := p.peek()
	p.at++
	switch {
	case t.kind == nameToken && !reserved(t.text):
		return &node{op: "name", text: t.text, line: t.line}
	case t.kind == numberToken:
		return &node{op: "number", text: number(t.text), line: t.line}
	case t.kind == stringToken:
		n := &node{op: "string", text: t.text, line: t.line}
		if k := p.peek().kind; t.tripl && (k == newlineToken || k == eofToken) && p.startsLine(p.at-1) {
			n.op = "docstring"
		}
		return n
	case t.kind == operatorToken:
		if n := p.bracket(t); n != nil {
			return n
		}
	}
	p.at--
	p.fail("want an expression")
	return nil
}

// bracket reads what a bracket that was just read starts; nil if it is none.
func (p *parser) bracket(t token) *node {
	switch t.text {
	case "...":
		return &node{op: "...", line: t.line}
	case "(":
		return p.parenthesis()
	case "[":
		return p.list()
	case "{":
		return p.dict()
	}
	return nil
}

// startsLine tells that a token is the first of its line.
func (p *parser) startsLine(i int) bool {
	return i == 0 || slices.Contains([]kind{newlineToken, indentToken, dedentToken}, p.tokens[i-1].kind)
}

func (p *parser) parenthesis() *node {
	if p.accept(operatorToken, ")") {
		return p.make("tuple")
	}
	n := p.comprehension("generator", p.element())
	if !p.operator(",") {
		p.expect(operatorToken, ")")
		return n
	}
	n = p.make("tuple", n)
	p.at++
	n.kids = append(n.kids, p.elements(")")...)
	return n
}

func (p *parser) list() *node {
	if p.accept(operatorToken, "]") {
		return p.make("list")
	}
	first := p.element()
	if n := p.comprehension("list of", first); n != first {
		p.expect(operatorToken, "]")
		return n
	}
	n := p.make("list", first)
	if !p.accept(operatorToken, ",") {
		p.expect(operatorToken, "]")
		return n
	}
	n.kids = append(n.kids, p.elements("]")...)
	return n
}

// dict reads a dictionary or a set.
func (p *parser) dict() *node {
	n := p.make("dict")
	for !p.accept(operatorToken, "}") {
		e := p.element()
		if p.accept(operatorToken, ":") {
			e = p.make("pair", e, p.test())
		}
		if c := p.comprehension("dict of", e); c != e {
			p.expect(operatorToken, "}")
			return c
		}
		n.kids = append(n.kids, e)
		if !p.accept(operatorToken, ",") && !p.operator("}") {
			p.fail("want a comma")
		}
	}
	return n
}

// comprehension reads the clauses behind an expression; it returns the
// expression if there are none.
func (p *parser) comprehension(op string, of *node) *node {
	if !p.keyword("for") {
		return of
	}
	n := p.make(op, of)
	for {
		switch {
		case p.accept(nameToken, "for"):
			c := p.make("for", p.targets())
			p.expect(nameToken, "in")
			c.kids = append(c.kids, p.binary(0))
			n.kids = append(n.kids, c)
		case p.accept(nameToken, "if"):
			n.kids = append(n.kids, p.make("when", p.condition()))
		default:
			return n
		}
	}
}

// condition is an expression that an if may follow.
func (p *parser) condition() *node {
	if p.keyword("lambda") {
		return p.test()
	}
	return p.binary(0)
}

// reserved are words that are no names.
func reserved(word string) bool {
	switch word {
	case "and", "break", "continue", "def", "elif", "else", "for", "if", "in", "lambda", "not", "or", "pass", "return":
		return true
	}
	return false
}
