package js

import (
	"unicode"
	"unicode/utf8"

	"poly/internal/guard"
)

// kind is the kind of a token.
type kind uint8

const (
	kindEOF     kind = iota
	kindPunct        // its op tells which
	kindWord         // an identifier or any keyword
	kindPrivate      // #name
	kindNumber       // with the n of a bigint
	kindString
	kindRegex // only after rescanRegex
)

// op is a punctuator: its bytes, the first one highest.
type op uint32

const (
	opArrow      op = '='<<8 | '>'
	opEllipsis   op = '.'<<16 | '.'<<8 | '.'
	opOptional   op = '?'<<8 | '.'
	opIncrement  op = '+'<<8 | '+'
	opDecrement  op = '-'<<8 | '-'
	opShiftLeft  op = '<'<<8 | '<'
	opDivide     op = '/'
	opDivideSet  op = '/'<<8 | '='
	opPower      op = '*'<<8 | '*'
	opAnd        op = '&'<<8 | '&'
	opOr         op = '|'<<8 | '|'
	opNullish    op = '?'<<8 | '?'
	opEqual      op = '='<<8 | '='
	opUnequal    op = '!'<<8 | '='
	opSame       op = '='<<16 | '='<<8 | '='
	opNotSame    op = '!'<<16 | '='<<8 | '='
	opLessEqual  op = '<'<<8 | '='
	opMoreEqual  op = '>'<<8 | '='
	opShiftRight op = '>'<<8 | '>'
	opShiftZero  op = '>'<<16 | '>'<<8 | '>'
)

// token is one token and whether a line ended before it.
type token struct {
	kind       kind
	newline    bool
	op         op
	start, end int
}

// next reads the token after the current one. A ">" is always a token of its
// own, and a "/" never starts a regular expression: the parser, which knows
// better, scans both again.
func (p *parser) next() {
	if p.work--; p.work < 0 {
		p.spent = true
		p.fail("the text takes too long to read")
		return
	}
	p.prevEnd = p.tok.end
	first := len(p.comments)
	newline := p.trivia()
	p.tok = token{newline: newline, start: p.pos}
	p.scan()
	p.tok.end = p.pos
	if first < len(p.comments) {
		next := p.tokenHash()
		for i := first; i < len(p.comments); i++ {
			p.comments[i].next = next
		}
	}
}

// tokenHash tells the current token from others, but no punctuators, which
// layout adds and moves.
func (p *parser) tokenHash() uint64 {
	if p.tok.kind == kindPunct {
		return 0
	}
	if p.tok.kind == kindString {
		return 1 // quotes may change
	}
	return guard.Mix(uint64(p.tok.kind)<<32, p.text())
}

// text is that of the current token.
func (p *parser) text() []byte { return p.src[p.tok.start:p.tok.end] }

// scan reads the token at pos and leaves pos behind it.
func (p *parser) scan() {
	if p.pos >= len(p.src) {
		p.tok.kind = kindEOF
		return
	}
	c := p.src[p.pos]
	switch {
	case isWord(c) && !isDigit(c) || c == '\\' || c >= utf8.RuneSelf:
		p.tok.kind = kindWord
		p.scanWord()
	case isDigit(c) || c == '.' && isDigit(p.byteAt(p.pos+1)):
		p.tok.kind = kindNumber
		p.scanNumber()
	case c == '"' || c == '\'':
		p.tok.kind = kindString
		p.scanString(c)
	case c == '#':
		p.tok.kind = kindPrivate
		p.pos++
		p.scanWord()
		if p.pos == p.tok.start+1 {
			p.fail("a lone #")
		}
	default:
		p.tok.kind = kindPunct
		p.scanPunct(c)
	}
}

// byteAt is the byte at i, or 0 beyond the end.
func (p *parser) byteAt(i int) byte {
	if i < len(p.src) {
		return p.src[i]
	}
	return 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || isDigit(c)
}

// wordFrom returns where the word at i ends. Escapes belong to it.
func (p *parser) wordFrom(i int) int {
	for i < len(p.src) {
		c := p.src[i]
		switch {
		case isWord(c):
			i++
		case c == '\\' && p.byteAt(i+1) == 'u':
			i += 2
			if p.byteAt(i) != '{' {
				continue
			}
			for i < len(p.src) && p.src[i] != '}' {
				i++
			}
			i++
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(p.src[i:])
			if unicode.IsSpace(r) || r == '\ufeff' || r == '\u2028' || r == '\u2029' || r == utf8.RuneError && size == 1 {
				return i
			}
			i += size
		default:
			return i
		}
	}
	return min(i, len(p.src))
}

func (p *parser) scanWord() {
	end := p.wordFrom(p.pos)
	if end == p.pos {
		p.fail("an unknown character")
		return
	}
	p.pos = end
}

func (p *parser) scanNumber() {
	i := p.pos
	if p.src[i] == '0' && i+1 < len(p.src) {
		switch p.src[i+1] | 0x20 {
		case 'x', 'o', 'b':
			p.pos = p.wordFrom(i)
			return
		}
	}
	i = p.digits(i)
	if p.byteAt(i) == '.' {
		i = p.digits(i + 1)
	}
	if p.byteAt(i)|0x20 == 'e' {
		j := i + 1
		if c := p.byteAt(j); c == '+' || c == '-' {
			j++
		}
		if isDigit(p.byteAt(j)) {
			i = p.digits(j)
		}
	}
	if p.byteAt(i) == 'n' {
		i++
	}
	p.pos = i
	if i < len(p.src) && (isWord(p.src[i]) || p.src[i] >= utf8.RuneSelf) && p.wordFrom(i) > i {
		p.fail("a number runs into a word")
	}
}

func (p *parser) digits(i int) int {
	for i < len(p.src) && (isDigit(p.src[i]) || p.src[i] == '_') {
		i++
	}
	return i
}

func (p *parser) scanString(quote byte) {
	for i := p.pos + 1; i < len(p.src); i++ {
		switch p.src[i] {
		case quote:
			p.pos = i + 1
			return
		case '\\':
			i++
			if p.byteAt(i) == '\r' && p.byteAt(i+1) == '\n' {
				i++
			}
		case '\n', '\r':
			p.fail("a string has no end")
			return
		}
	}
	p.fail("a string has no end")
}

// scanPunct reads the longest punctuator that starts with c.
func (p *parser) scanPunct(c byte) {
	n := 1
	a, b := p.byteAt(p.pos+1), p.byteAt(p.pos+2)
	switch c {
	case '{', '}', '(', ')', '[', ']', ';', ',', '~', ':', '@', '>', '`':
	case '.':
		if a == '.' && b == '.' {
			n = 3
		}
	case '?':
		n = p.questionLen(a, b)
	case '=':
		if a == '>' {
			n = 2
		} else {
			n = equalsLen(a, b)
		}
	case '!':
		n = equalsLen(a, b)
	case '/', '%', '^':
		n = assignLen(a)
	case '+', '-':
		if n = assignLen(a); a == c {
			n = 2
		}
	case '*', '&', '|', '<':
		n = doubledLen(c, a, b)
	default:
		p.fail("an unknown character")
	}
	if p.html(c, a, b) {
		p.fail("an HTML-like comment")
	}
	if p.bad == "" {
		p.setPunct(n)
	}
}

// html reports whether a comment of old web pages starts here, which is one in
// scripts only and other tokens in modules.
func (p *parser) html(c, a, b byte) bool {
	return c == '<' && a == '!' && b == '-' && p.byteAt(p.pos+3) == '-' ||
		c == '-' && a == '-' && b == '>' && (p.tok.newline || p.prevEnd == 0)
}

func assignLen(a byte) int {
	if a == '=' {
		return 2
	}
	return 1
}

func equalsLen(a, b byte) int {
	switch {
	case a == '=' && b == '=':
		return 3
	case a == '=':
		return 2
	}
	return 1
}

func doubledLen(c, a, b byte) int {
	switch {
	case a == c && b == '=':
		return 3
	case a == c || a == '=':
		return 2
	}
	return 1
}

func (p *parser) questionLen(a, b byte) int {
	switch {
	case a == '.' && !isDigit(b):
		return 2
	case a == '?' && b == '=':
		return 3
	case a == '?':
		return 2
	}
	return 1
}

// setPunct makes the current token the punctuator of the n bytes at its start.
func (p *parser) setPunct(n int) {
	p.tok.op = 0
	for _, c := range p.src[p.tok.start : p.tok.start+n] {
		p.tok.op = p.tok.op<<8 | op(c)
	}
	p.pos = p.tok.start + n
	p.tok.end = p.pos
}

// rescanGreater makes a ">" the longest operator that starts with it.
func (p *parser) rescanGreater() {
	i := p.tok.start + 1
	for i < p.tok.start+3 && p.byteAt(i) == '>' {
		i++
	}
	if p.byteAt(i) == '=' {
		i++
	}
	p.setPunct(i - p.tok.start)
}

// rescanRegex makes a "/" or "/=" the regular expression that starts with it.
func (p *parser) rescanRegex() {
	class := false
	for i := p.tok.start + 1; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '\\':
			i++
		case c == '\n' || c == '\r':
			p.fail("a regular expression has no end")
			return
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			p.pos = p.wordFrom(i + 1)
			p.tok.kind, p.tok.end = kindRegex, p.pos
			return
		}
	}
	p.fail("a regular expression has no end")
}
