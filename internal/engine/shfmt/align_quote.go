package shfmt

import (
	"bytes"
	"strings"
)

// quotation skips a quotation or an expansion of both texts, or a byte that is
// nothing else, which c is the first byte of.
func (p *aligner) quotation(c byte, quoted bool) bool {
	switch c {
	case 0, ' ', '\t', '\n':
		return false
	case '\'':
		n := bytes.IndexByte(p.a[p.i+1:], '\'')
		return n >= 0 && p.verbatim(n+2)
	case '"':
		return p.double()
	case '`':
		return p.backquotes(quoted)
	case '$':
		return p.dollar(quoted)
	}
	return p.verbatim(1)
}

// double skips a text in double quotes.
func (p *aligner) double() bool {
	if !p.both(`"`) {
		return false
	}
	for {
		p.text(quoteEnds0, quoteEnds1)
		switch c, d := p.at(); c {
		case 0:
			return false
		case '"':
			return p.both(`"`)
		case '\\':
			if !p.verbatim(2) {
				return false
			}
		default:
			if !alike(c, d) || !p.quotation(c, true) {
				return false
			}
		}
	}
}

// dollar skips a dollar sign and the expansion it begins.
func (p *aligner) dollar(quoted bool) bool {
	switch next := peek(p.a, p.i+1); {
	case next == '(' && peek(p.a, p.i+2) == '(':
		return p.both("$((") && p.arithmetic(false)
	case next == '(':
		return peek(p.b, p.j+2) != '(' && p.substitution(1, closeParen)
	case next == '{':
		return p.both("${") && p.parameter(quoted)
	case next == '#' && !hasAt(p.a, p.i, "$##"):
		return p.verbatim(2)
	case next == '[':
		return false
	case next == '\'' && !quoted:
		return p.escaped()
	}
	return p.verbatim(1)
}

// escaped skips $'a\'b'.
func (p *aligner) escaped() bool {
	for n := 2; p.i+n < len(p.a); n++ {
		switch p.a[p.i+n] {
		case '\\':
			if n++; p.posix && peek(p.a, p.i+n) == '\'' {
				return false // which ends it there
			}
		case '\'':
			return p.verbatim(n + 1)
		}
	}
	return false
}

// substitution skips a command substitution that begins with n bytes and a parenthesis.
func (p *aligner) substitution(n int, until closer) bool {
	return p.verbatim(n) && p.both("(") && p.code(until)
}

// backquotes skips `a` in the first text and $(a) in the second. A backslash or
// a comment would not mean the same in both.
func (p *aligner) backquotes(quoted bool) bool {
	n := bytes.IndexByte(p.a[p.i+1:], '`')
	if n < 0 || !hasAt(p.b, p.j, "$(") || hasAt(p.b, p.j, "$((") {
		return false
	}
	all, inner := p.a, p.a[:p.i+1+n]
	if !plainCode(inner[p.i+1:]) || quoted && bytes.ContainsAny(inner[p.i+1:], `"'`) {
		return false
	}
	p.a, p.i, p.j = inner, p.i+1, p.j+2
	ok := p.code(closeBackquote)
	p.a, p.i = all, p.i+1
	return ok
}

// plainCode reports whether code has neither comments nor a backslash that means
// something else in back quotes.
func plainCode(text []byte) bool {
	last := byte(' ')
	for _, c := range text {
		switch {
		case last == '\\' && (c == '\\' || c == '$' || c == '`'), c == '#' && strings.IndexByte(" \t\n;|&()<>", last) >= 0:
			return false
		}
		last = c
	}
	return last != '\\'
}

// parameter skips the rest of ${a}.
func (p *aligner) parameter(quoted bool) bool {
	for {
		p.text(quoteEnds0|1<<'\'', quoteEnds1|1<<('}'-64))
		c, _ := p.at()
		switch c {
		case 0, '`':
			return false
		case '}':
			return p.both("}")
		case '\\':
			if !p.verbatim(2) {
				return false
			}
		case '\'', '"':
			start := p.i
			if quoted && c == '\'' || !p.quotation(c, false) || quoted && !balanced(p.a[start:p.i]) {
				return false
			}
		case '$':
			if !p.dollar(quoted) {
				return false
			}
		default:
			return false // the texts differ
		}
	}
}

// balanced reports whether quotes in a quoted expansion, which may be taken to
// end the outer ones, would make no difference for where it ends.
func balanced(text []byte) bool {
	return bytes.Count(text, []byte("{")) == bytes.Count(text, []byte("}")) && !bytes.ContainsAny(text[1:len(text)-1], "\"'`")
}

// arithmetic skips the rest of an expression that ends in two parentheses. Only
// blanks may differ, where they can neither join nor part two tokens.
func (p *aligner) arithmetic(loop bool) bool {
	depth, brackets, last := 0, 0, byte('(')
	for p.arithmeticGap(last, brackets > 0) {
		c := peek(p.a, p.i)
		last = c
		switch c {
		case '(':
			depth++
		case ')':
			if depth == 0 {
				return p.both("))")
			}
			depth--
		case '[':
			brackets++
		case ']':
			brackets--
		case '$':
			if !p.dollar(false) {
				return false
			}
			last = 'a'
			continue
		}
		if c == ';' && !loop || c == 0 || strings.IndexByte("\\'\"#`{}", c) >= 0 {
			return false
		}
		p.i, p.j = p.i+1, p.j+1
	}
	return false
}

// arithmeticGap skips the blanks behind a token that ends in last.
func (p *aligner) arithmeticGap(last byte, key bool) bool {
	i, j := p.i, p.j
	p.i, p.j = skipSpace(p.a, i), skipSpace(p.b, j)
	x, y := p.a[i:p.i], p.b[j:p.j]
	c, d := p.at()
	switch {
	case c != d, key && len(x)+len(y) > 0, bytes.IndexByte(x, '\n') >= 0 != (bytes.IndexByte(y, '\n') >= 0):
		return false
	}
	return (len(x) > 0) == (len(y) > 0) || mayTouch(last, c)
}

func skipBlanks(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	return i
}

func skipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n') {
		i++
	}
	return i
}

// mayTouch reports whether two neighbours in an arithmetic expression are two
// tokens with a blank between them and without.
func mayTouch(x, y byte) bool {
	const single = "(),;"
	if strings.IndexByte(single, x) >= 0 || strings.IndexByte(single, y) >= 0 {
		return true
	}
	if y == '-' && strings.IndexByte("=<>?:*/%", x) >= 0 {
		return true
	}
	return isOperand(x) != isOperand(y)
}

func isOperand(c byte) bool {
	return isName(c) || c == '$' || c == '.' || c == '@' || c == ']' || c >= 0x80
}
