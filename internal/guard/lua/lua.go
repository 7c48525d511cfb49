// Package lua judges what a formatter did to a program in Lua: whether the same
// program and the same comments are left.
//
// It reads Lua 5.1 to 5.4 and LuaJIT with a parser of its own that keeps no
// tree: it writes the tree down as digests, so that neither the parentheses of a
// call with one string or table, nor semicolons, nor the separators of a table's
// fields, nor redundant parentheses are left in them. Parentheses around a call
// or `...`, which cut the values to one, are. Strings are compared by value,
// numbers as they are written but for a zero before the point.
package lua

import (
	"bytes"

	"poly/internal/guard"
)

// Same returns nil if after means what before means: see the package guard.
func Same(before, after []byte) error {
	if bytes.Equal(before, after) {
		return nil
	}
	b := parse(before)
	if b.bad != "" {
		return &guard.CannotJudge{Line: guard.Line(before, b.badAt), Reason: b.bad}
	}
	a := parse(after)
	if a.bad != "" {
		return &guard.Broken{Line: guard.Line(after, a.badAt), Reason: a.bad}
	}
	if err := guard.Compare("code", b.src, b.events, a.src, a.events); err != nil {
		return err
	}
	return guard.Compare("a comment", b.src, b.comments, a.src, a.comments)
}

// maxDepth bounds the nesting that is followed.
const maxDepth = 1000

// parser reads a program. After the first fault it sees the end of the text.
type parser struct {
	lexer
	tok    token
	ahead  token
	peeked bool
	events []guard.Event
	depth  int
}

func parse(src []byte) *parser {
	p := &parser{lexer: lexer{src: src}}
	p.shebang()
	p.advance()
	p.block()
	if p.tok.kind != end {
		p.fail(p.tok.at, "a statement was expected")
	}
	return p
}

func (p *parser) fail(at int, reason string) {
	p.lexer.fail(at, reason)
	p.tok, p.peeked = token{kind: end, at: at}, false
}

// put adds an event of a kind to which the text at hand belongs.
func (p *parser) put(kind string, at int, text []byte) {
	p.events = append(p.events, guard.Event{Sum: guard.Mix(guard.Mix(0, []byte(kind)), text), At: at})
}

func (p *parser) advance() {
	if p.peeked {
		p.tok, p.peeked = p.ahead, false
		return
	}
	p.tok = p.next()
}

func (p *parser) peek() token {
	if !p.peeked {
		p.ahead, p.peeked = p.next(), true
	}
	return p.ahead
}

func (p *parser) is(text string) bool {
	return (p.tok.kind == symbol || p.tok.kind == keyword) && string(p.tok.text) == text
}

func (p *parser) accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.fail(p.tok.at, "`"+text+"` was expected")
	}
}

// name reads a name and adds it.
func (p *parser) name(kind string) {
	if p.tok.kind != name {
		p.fail(p.tok.at, "a name was expected")
		return
	}
	p.put(kind, p.tok.at, p.tok.text)
	p.advance()
}

// enter counts a level of nesting; leave takes it back.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxDepth {
		p.fail(p.tok.at, "nested too deeply")
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }
