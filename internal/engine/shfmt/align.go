package shfmt

import (
	"bytes"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// aligner reads two texts side by side, the first of which is known to parse,
// and finds them equal if they consist of the same words, operators and
// comments in the same order, and what separates these means the same. It
// builds no tree, knows fewer spellings than the guard that does, and says no
// wherever it is in doubt.
type aligner struct {
	a, b  []byte
	i, j  int
	posix bool       // words and operators of bash are none
	tests int        // how many [[ ]] this is in
	docs  []document // whose bodies begin behind the next newline
}

// document is a here-document.
type document struct {
	delimiter string
	at        int // where in the first text the delimiter stands
	dashed    bool
	quoted    bool
}

// aligned reports whether two texts in dialect v, of which before parses, are
// the same but for their layout. It is no answer if they are not.
func aligned(before, after []byte, v syntax.LangVariant) bool {
	switch v {
	case syntax.LangBash, syntax.LangPOSIX, syntax.LangBats:
		p := aligner{a: before, b: after, posix: v == syntax.LangPOSIX}
		return bytes.IndexByte(after, 0) < 0 && p.code(atEnd) && len(p.docs) == 0
	}
	return false
}

// separation is what stands between two tokens: the strongest of these.
type separation uint8

const (
	nothing separation = iota
	blank
	newline
	semicolon // with or without a newline behind it
	wrong     // two semicolons, or one behind a newline
)

// metacharacters end a word.
const metacharacters = ";|&()<>"

func isMeta(c byte) bool { return c != 0 && strings.IndexByte(metacharacters, c) >= 0 }

// at returns the next byte of both texts, 0 at their ends: no script has NUL.
func (p *aligner) at() (c, d byte) { return peek(p.a, p.i), peek(p.b, p.j) }

// alike reports whether two tokens may be the same by their first bytes.
func alike(c, d byte) bool { return c == d || c == '`' && d == '$' }

func peek(text []byte, i int) byte {
	if i < len(text) {
		return text[i]
	}
	return 0
}

// both skips s if both texts have it.
func (p *aligner) both(s string) bool {
	if !hasAt(p.a, p.i, s) || !hasAt(p.b, p.j, s) {
		return false
	}
	p.i, p.j = p.i+len(s), p.j+len(s)
	return true
}

func hasAt(text []byte, i int, s string) bool {
	return i+len(s) <= len(text) && string(text[i:i+len(s)]) == s
}

// verbatim skips n bytes of both texts if they are equal.
func (p *aligner) verbatim(n int) bool {
	if n < 0 || p.i+n > len(p.a) || p.j+n > len(p.b) || string(p.a[p.i:p.i+n]) != string(p.b[p.j:p.j+n]) {
		return false
	}
	p.i, p.j = p.i+n, p.j+n
	return true
}

// gap skips what stands in front of the next token of both texts. Comments in it
// must be the same; one may follow an operator, not a word, without a blank.
func (p *aligner) gap(operator bool) (x, y separation, ok bool) {
	for {
		p.i, x = blanks(p.a, p.i, x, len(p.docs) > 0)
		p.j, y = blanks(p.b, p.j, y, len(p.docs) > 0)
		c, d := p.at()
		switch {
		case x == wrong || y == wrong:
			return x, y, false
		case len(p.docs) > 0 && (c == '\n' || d == '\n'):
			if c != d || !p.bodies() {
				return x, y, false
			}
			x, y = max(x, newline), max(y, newline)
		case c == '#' && (x > nothing || operator):
			if y == nothing && !operator || !p.comment() {
				return x, y, false
			}
		default:
			return x, y, true
		}
	}
}

func blanks(text []byte, i int, s separation, docs bool) (int, separation) {
	for ; i < len(text); i++ {
		switch text[i] {
		case ' ', '\t':
			s = max(s, blank)
		case '\n':
			if docs {
				return i, s
			}
			s = max(s, newline)
		case '\\':
			if peek(text, i+1) != '\n' {
				return i, s
			}
			if i++; peek(text, i+1) == '#' {
				return i, wrong // a comment to some only
			}
		case ';':
			if next := peek(text, i+1); next == ';' || next == '&' || next == '|' {
				return i, s
			}
			if s >= newline {
				return i, wrong
			}
			s = semicolon
		default:
			return i, s
		}
	}
	return i, s
}

// comment skips a comment, but for the newline.
func (p *aligner) comment() bool {
	n, m := lineEnd(p.a, p.i), lineEnd(p.b, p.j)
	const space = " \t\r"
	if !bytes.Equal(bytes.TrimRight(p.a[p.i:n], space), bytes.TrimRight(p.b[p.j:m], space)) {
		return false
	}
	p.i, p.j = n, m
	return true
}

func lineEnd(text []byte, i int) int {
	if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
}

// bodies skips the here-documents behind the newline both texts are at.
func (p *aligner) bodies() bool {
	line := p.a[min(p.docs[0].at, p.i):p.i]
	if bytes.Count(line, []byte("\n")) != bytes.Count(line, []byte("\\\n")) {
		return false // one in quotes
	}
	p.i, p.j = p.i+1, p.j+1
	for _, d := range p.docs {
		for done, joined := false, false; !done; {
			if p.i >= len(p.a) || p.j >= len(p.b) {
				return false
			}
			n, m := lineEnd(p.a, p.i), lineEnd(p.b, p.j)
			x, y := p.a[p.i:n], p.b[p.j:m]
			if d.dashed {
				x, y = bytes.TrimLeft(x, "\t"), bytes.TrimLeft(y, "\t")
			}
			if !bytes.Equal(x, y) || d.dashed && !d.quoted && bytes.HasSuffix(x, []byte("\\")) {
				return false
			}
			if done = string(x) == d.delimiter; done && joined && !d.quoted {
				return false // it continues the line in front of it
			}
			joined = bytes.HasSuffix(x, []byte("\\"))
			p.i, p.j = min(n+1, len(p.a)), min(m+1, len(p.b))
		}
	}
	p.docs = p.docs[:0]
	return true
}

// word skips one word of both texts. What it has in quotes, expansions and
// brackets must be the same byte by byte, but for code in substitutions.
func (p *aligner) word(element bool) bool {
	start, open := p.i, 0
	if p.isProcess() && !p.substitution(1, closeParen) {
		return false
	}
	for {
		p.text(wordEnds0, wordEnds1)
		c, d := p.at()
		if p.ends(c, start) {
			return open == 0 && p.i > start
		}
		switch {
		case c == ']':
			open = max(0, open-1)
		case c == '[' && (open > 0 || p.i > start && isName(p.a[p.i-1]) || element && p.i == start):
			open++
		}
		if !alike(c, d) || !p.piece(c, start) {
			return false
		}
	}
}

// ends reports whether c ends the word that begins at start.
func (p *aligner) ends(c byte, start int) bool {
	switch c {
	case 0, ' ', '\t', '\n', ';', '|', '&', ')', '<', '>':
		return true
	case '(':
		return p.paren(start) == 0
	case '\\':
		return peek(p.a, p.i+1) == '\n'
	}
	return false
}

// piece skips what c begins in a word that begins at start.
func (p *aligner) piece(c byte, start int) bool {
	switch c {
	case '(':
		if p.paren(start) == '=' {
			return p.array()
		}
		return p.pattern()
	case '\\':
		return p.verbatim(2)
	}
	return p.quotation(c, false)
}

// ends are the bytes below 64 and those from 64 to 127 that are more than a
// piece of a word, or of a text in double quotes.
const (
	wordEnds0  = 1<<0 | 1<<' ' | 1<<'\t' | 1<<'\n' | 1<<';' | 1<<'&' | 1<<'(' | 1<<')' | 1<<'<' | 1<<'>' | 1<<'"' | 1<<'\'' | 1<<'$'
	wordEnds1  = 1<<('|'-64) | 1<<('\\'-64) | 1<<('['-64) | 1<<(']'-64) | 1<<('`'-64)
	quoteEnds0 = 1<<0 | 1<<'"' | 1<<'$'
	quoteEnds1 = 1<<('\\'-64) | 1<<('`'-64)
)

// text skips equal bytes until one that is in either set.
func (p *aligner) text(ends0, ends1 uint64) {
	a, b := p.a[p.i:], p.b[p.j:]
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		c := a[i]
		if c < 64 && ends0>>c&1 != 0 || c >= 64 && c < 128 && ends1>>(c-64)&1 != 0 {
			break
		}
		i++
	}
	p.i, p.j = p.i+i, p.j+i
}

func isName(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// paren tells what a parenthesis in a word that begins at start is: an equals
// sign for an array, an at sign for a pattern such as @(a|b), 0 for the end of the word.
func (p *aligner) paren(start int) byte {
	if p.i == start {
		return 0
	}
	switch c := p.a[p.i-1]; c {
	case '=':
		if p.tests == 0 {
			return c
		}
	case '?', '*', '+', '@', '!':
		return '@'
	}
	return 0
}

func (p *aligner) pattern() bool {
	if !p.both("(") {
		return false
	}
	for {
		p.text(wordEnds0, wordEnds1)
		c, _ := p.at()
		switch c {
		case ')':
			return p.both(")")
		case '|', '[', ']':
			if !p.verbatim(1) {
				return false
			}
		case '\\':
			if peek(p.a, p.i+1) == '\n' || !p.verbatim(2) {
				return false
			}
		case '(':
			if !p.pattern() {
				return false
			}
		default:
			if isMeta(c) || !p.quotation(c, false) {
				return false
			}
		}
	}
}

// array skips the elements of an array with their parentheses.
func (p *aligner) array() bool {
	if !p.both("(") {
		return false
	}
	for first := true; ; first = false {
		x, y, ok := p.gap(first)
		c, d := p.at()
		switch {
		case !ok || !alike(c, d) || x == semicolon || y == semicolon:
			return false
		case c == ')':
			return p.both(")")
		case !first && (x == nothing || y == nothing), isMeta(c) && !p.isProcess(), !p.word(true):
			return false
		}
	}
}

// isProcess reports whether a substitution such as <(a) comes next.
func (p *aligner) isProcess() bool {
	c, d := p.at()
	return c == d && (c == '<' || c == '>') && peek(p.a, p.i+1) == '(' && peek(p.b, p.j+1) == '('
}
