// Package graphql judges what a formatter did to a document in GraphQL, of
// operations or of types: whether the same tokens and comments are left.
//
// Commas and layout are free, and the first `|` or `&` of a list. Strings are
// compared as they are written, those in three quotes by the lines they stand
// for.
package graphql

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"poly/internal/guard"
)

// Same returns nil if after means what before means: see the package guard.
func Same(before, after []byte) error {
	if bytes.Equal(before, after) {
		return nil
	}
	b, a := lexer{src: before}, lexer{src: after}
	if b.read(); b.bad != "" {
		return &guard.CannotJudge{Line: guard.Line(before, b.badAt), Reason: b.bad}
	}
	if a.read(); a.bad != "" {
		return &guard.Broken{Line: guard.Line(after, a.badAt), Reason: a.bad}
	}
	for i := range max(len(b.tokens), len(a.tokens)) {
		switch {
		case i >= len(b.tokens):
			return guard.Differ("the end", before, len(before), after, a.tokens[i].at)
		case i >= len(a.tokens):
			return guard.Differ(b.tokens[i].what, before, b.tokens[i].at, after, len(after))
		}
		x, y := &b.tokens[i], &a.tokens[i]
		if x.what != y.what || !bytes.Equal(x.text, y.text) {
			return guard.Differ(x.what, before, x.at, after, y.at)
		}
	}
	return nil
}

type token struct {
	what string
	at   int
	text []byte
}

// What tokens are.
const (
	word    = "a name"
	number  = "a number"
	quoted  = "a string"
	block   = "a block string"
	mark    = "punctuation"
	comment = "a comment"
)

type lexer struct {
	src    []byte
	pos    int
	tokens []token
	last   token // the last one that is no comment
	open   []byte
	bad    string
	badAt  int
}

func (l *lexer) fail(reason string) {
	if l.bad == "" {
		l.bad, l.badAt = reason, l.pos
	}
	l.pos = len(l.src)
}

func (l *lexer) read() {
	if !utf8.Valid(l.src) {
		l.fail("the text is not UTF-8")
		return
	}
	if bytes.HasPrefix(l.src, []byte("\ufeff")) {
		l.pos = len("\ufeff")
	}
	for l.pos < len(l.src) {
		l.next()
	}
	if len(l.open) > 0 {
		l.fail("a bracket that is not closed")
	}
}

// take adds the token that ends at an offset, and goes there.
func (l *lexer) take(what string, end int, text []byte) {
	t := token{what, l.pos, text}
	l.pos = end
	if what != comment {
		if l.first(&t) {
			return
		}
		l.last = t
	}
	l.tokens = append(l.tokens, t)
}

// first reports whether t is a mark before the first name of a list, which is
// free.
func (l *lexer) first(t *token) bool {
	switch {
	case t.what != mark || len(l.open) > 0:
		return false
	case t.text[0] == '|':
		return l.last.what == mark && l.last.text[0] == '=' || l.last.what == word && string(l.last.text) == "on"
	}
	return t.text[0] == '&' && l.last.what == word && string(l.last.text) == "implements"
}

// blanks are what stands between tokens.
const blanks = " \t\r\n,"

func (l *lexer) next() {
	rest := l.src[l.pos:]
	switch b := rest[0]; {
	case strings.IndexByte(blanks, b) >= 0:
		l.pos++
	case b == '#':
		n := bytes.IndexAny(rest, "\r\n")
		if n < 0 {
			n = len(rest)
		}
		text := bytes.TrimPrefix(bytes.TrimRight(rest[1:n], " \t"), []byte(" "))
		l.take(comment, l.pos+n, text)
	case isLetter(b):
		n := span(rest, func(b byte) bool { return isLetter(b) || isDigit(b) })
		l.take(word, l.pos+n, rest[:n])
	case isDigit(b) || b == '-':
		n := 1 + span(rest[1:], func(b byte) bool { return isLetter(b) || isDigit(b) || strings.IndexByte(".+-", b) >= 0 })
		l.take(number, l.pos+n, rest[:n])
	case bytes.HasPrefix(rest, []byte(`"""`)):
		l.block(rest)
	case b == '"':
		l.quoted(rest)
	case bytes.HasPrefix(rest, []byte("...")):
		l.take(mark, l.pos+3, rest[:3])
	case strings.IndexByte("!$&()=:@[]{|}", b) >= 0:
		l.bracket(b)
		l.take(mark, min(l.pos+1, len(l.src)), rest[:1])
	default:
		l.fail("an unknown character")
	}
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' || b == '_' }

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// span returns how many bytes at the start of a text are such ones.
func span(text []byte, such func(byte) bool) int {
	n := 0
	for n < len(text) && such(text[n]) {
		n++
	}
	return n
}

func (l *lexer) bracket(b byte) {
	switch b {
	case '(', '[', '{':
		l.open = append(l.open, b)
	case ')', ']', '}':
		n := len(l.open) - 1
		if n < 0 || b == ')' && l.open[n] != '(' || b != ')' && l.open[n] != b-2 {
			l.fail("a bracket out of place")
			return
		}
		l.open = l.open[:n]
	}
}

func (l *lexer) quoted(rest []byte) {
	for i := 1; i < len(rest) && rest[i] != '\n'; i++ {
		switch rest[i] {
		case '\\':
			i++
		case '"':
			l.take(quoted, l.pos+i+1, rest[:i+1])
			return
		}
	}
	l.fail("a string that is not closed")
}

func (l *lexer) block(rest []byte) {
	for i := 3; i < len(rest); i++ {
		switch {
		case bytes.HasPrefix(rest[i:], []byte(`\"""`)):
			i += 3
		case bytes.HasPrefix(rest[i:], []byte(`"""`)):
			l.take(block, l.pos+i+3, blockValue(rest[3:i]))
			return
		}
	}
	l.fail("a string that is not closed")
}

// blockValue returns the lines a block string stands for: without the blanks
// that all but the first start with, and without blank lines at both ends.
// Blanks at the end of a line do not count.
func blockValue(text []byte) []byte {
	lines := bytes.Split(text, []byte("\n"))
	margin := -1
	for i, line := range lines {
		lines[i] = bytes.TrimRight(line, " \t\r")
		if n := span(lines[i], func(b byte) bool { return b == ' ' || b == '\t' }); i > 0 && len(lines[i]) > 0 && (margin < 0 || n < margin) {
			margin = n
		}
	}
	for i, line := range lines {
		if i == 0 {
			lines[i] = bytes.TrimLeft(line, " \t")
			continue
		}
		lines[i] = line[min(len(line), max(margin, 0)):]
	}
	return bytes.Trim(bytes.Join(lines, []byte("\n")), "\n")
}
