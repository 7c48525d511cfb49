package buildifier

import (
	"fmt"
	"slices"
)

// node is a piece of a program: an operation, a name or a value, and its parts.
// Parentheses, commas and the form of blocks leave no trace in it.
type node struct {
	op   string
	text string
	kids []*node
	line int
}

// parser builds nodes of tokens by recursive descent, independently of the
// library's parser. A mistake ends it: see [mistake].
type parser struct {
	tokens []token
	at     int
	depth  int
}

// mistake is what a parser panics with; [parseAll] returns it.
type mistake struct {
	line int
	what string
}

func (m mistake) Error() string { return fmt.Sprintf("line %d: %s", m.line, m.what) }

// parseAll returns the statements of a text and its comments.
func parseAll(text string) (statements []*node, comments []string, err error) {
	tokens, comments, err := scan(text)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if v := recover(); v != nil {
			m, ok := v.(mistake)
			if !ok {
				panic(v)
			}
			err = m
		}
	}()
	p := &parser{tokens: tokens}
	for p.peek().kind != eofToken {
		statements = append(statements, p.statement()...)
	}
	return statements, comments, nil
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) fail(what string) {
	panic(mistake{p.peek().line, what + " at " + fmt.Sprintf("%q", p.peek().text)})
}

func (p *parser) is(k kind, text string) bool {
	t := p.peek()
	return t.kind == k && t.text == text
}

func (p *parser) operator(text string) bool { return p.is(operatorToken, text) }

func (p *parser) keyword(text string) bool { return p.is(nameToken, text) }

// accept skips a token if it is next.
func (p *parser) accept(k kind, text string) bool {
	if !p.is(k, text) {
		return false
	}
	p.at++
	return true
}

func (p *parser) expect(k kind, text string) {
	if !p.accept(k, text) {
		p.fail("want " + fmt.Sprintf("%q", text))
	}
}

func (p *parser) name() string {
	t := p.peek()
	if t.kind != nameToken {
		p.fail("want a name")
	}
	p.at++
	return t.text
}

func (p *parser) make(op string, kids ...*node) *node {
	return &node{op: op, kids: kids, line: p.tokens[max(p.at-1, 0)].line}
}

// statement returns one statement, or those of a line.
func (p *parser) statement() []*node {
	switch t := p.peek(); {
	case p.keyword("def"):
		return []*node{p.def()}
	case p.keyword("if"):
		return []*node{p.branch()}
	case p.keyword("for"):
		p.at++
		n := p.make("for", p.targets())
		p.expect(nameToken, "in")
		n.kids = append(n.kids, p.tests(), p.block())
		return []*node{n}
	case t.kind == newlineToken:
		p.at++
		return nil
	}
	return p.simple()
}

func (p *parser) simple() []*node {
	out := []*node{p.small()}
	for p.accept(operatorToken, ";") {
		if p.peek().kind == newlineToken {
			break
		}
		out = append(out, p.small())
	}
	p.expect(newlineToken, "")
	return out
}

func (p *parser) small() *node {
	t := p.peek()
	if p.keyword("type") && p.tokens[p.at+1].kind == nameToken && !reserved(p.tokens[p.at+1].text) {
		return p.alias()
	}
	if t.kind == nameToken && slices.Contains([]string{"pass", "break", "continue", "return"}, t.text) {
		p.at++
		n := p.make(t.text)
		if next := p.peek(); t.text == "return" && next.kind != newlineToken && !p.operator(";") {
			n.kids = append(n.kids, p.tests())
		}
		return n
	}
	n := p.tests()
	if p.accept(operatorToken, ":") {
		n = p.make("typed", n, p.test())
	}
	if op := p.peek(); op.kind == operatorToken && len(op.text) > 0 && op.text[len(op.text)-1] == '=' &&
		!slices.Contains([]string{"==", "!=", "<=", ">="}, op.text) {
		p.at++
		n = p.make("assign"+op.text, n, p.tests())
		for p.accept(operatorToken, "=") {
			n = p.make("assign=", n, p.tests())
		}
	}
	return n
}

// alias reads the statement that names a type.
func (p *parser) alias() *node {
	p.at++
	n := p.make("type")
	n.text = p.name()
	if p.accept(operatorToken, "[") {
		n.kids = append(n.kids, p.elements("]")...)
	}
	p.expect(operatorToken, "=")
	n.kids = append(n.kids, p.test())
	return n
}

func (p *parser) block() *node {
	p.expect(operatorToken, ":")
	n := p.make("block")
	if p.peek().kind != newlineToken {
		n.kids = p.simple()
		return n
	}
	p.at++
	p.expect(indentToken, "")
	for !p.accept(dedentToken, "") {
		n.kids = append(n.kids, p.statement()...)
	}
	return n
}

func (p *parser) def() *node {
	p.at++
	n := p.make("def")
	n.text = p.name()
	if p.accept(operatorToken, "[") {
		n.kids = append(n.kids, p.make("generic", p.elements("]")...))
	}
	p.expect(operatorToken, "(")
	n.kids = append(n.kids, p.parameters(")"))
	if p.accept(operatorToken, "->") {
		n.kids = append(n.kids, p.make("result", p.test()))
	}
	body := p.block()
	if len(body.kids) > 0 && body.kids[0].op == "docstring" {
		body.kids[0].op = "doc"
	}
	n.kids = append(n.kids, body)
	return n
}

// parameters of a function or, up to ":", of a lambda.
func (p *parser) parameters(end string) *node {
	n := p.make("parameters")
	for !p.accept(operatorToken, end) {
		var a *node
		switch {
		case p.accept(operatorToken, "*"):
			a = p.make("*")
		case p.accept(operatorToken, "**"):
			a = p.make("**")
		default:
			a = p.make("parameter")
		}
		if p.peek().kind == nameToken {
			a.text = p.name()
		}
		if end == ")" && p.accept(operatorToken, ":") {
			a.kids = append(a.kids, p.make("typed", p.test()))
		}
		if p.accept(operatorToken, "=") {
			a.kids = append(a.kids, p.test())
		}
		n.kids = append(n.kids, a)
		if !p.accept(operatorToken, ",") && !p.operator(end) {
			p.fail("odd parameter")
		}
	}
	return n
}

// branch reads if, and elif as an if in the else.
func (p *parser) branch() *node {
	p.at++
	n := p.make("if", p.test())
	n.kids = append(n.kids, p.block())
	switch {
	case p.keyword("elif"):
		n.kids = append(n.kids, p.make("block", p.branch()))
	case p.accept(nameToken, "else"):
		n.kids = append(n.kids, p.block())
	}
	return n
}

// tests reads expressions between commas: a tuple if there is a comma.
func (p *parser) tests() *node {
	first := p.element()
	if !p.operator(",") {
		return first
	}
	n := p.make("tuple", first)
	for p.accept(operatorToken, ",") {
		if !p.startsTest() {
			break
		}
		n.kids = append(n.kids, p.element())
	}
	return n
}

// startsTest tells that an expression may start here.
func (p *parser) startsTest() bool {
	switch t := p.peek(); t.kind {
	case nameToken:
		return !slices.Contains([]string{"in", "for", "if", "else"}, t.text)
	case operatorToken:
		return slices.Contains([]string{"(", "[", "{", "-", "+", "~", "*", "**", "..."}, t.text)
	default:
		return t.kind == stringToken || t.kind == numberToken
	}
}

// element is an expression with an optional star.
func (p *parser) element() *node {
	for _, star := range []string{"*", "**"} {
		if p.accept(operatorToken, star) {
			return p.make(star, p.test())
		}
	}
	return p.test()
}

// elements reads up to a closing bracket, which it skips.
func (p *parser) elements(end string) []*node {
	var out []*node
	for !p.accept(operatorToken, end) {
		out = append(out, p.element())
		if !p.accept(operatorToken, ",") && !p.operator(end) {
			p.fail("want a comma")
		}
	}
	return out
}

// targets are what for assigns to.
func (p *parser) targets() *node {
	n := p.make("targets")
	for {
		n.kids = append(n.kids, p.primary())
		if !p.accept(operatorToken, ",") || p.keyword("in") {
			return n
		}
	}
}
