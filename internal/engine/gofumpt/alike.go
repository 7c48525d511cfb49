package gofumpt

import (
	"bytes"
	"go/scanner"
	"go/token"
	"strings"
)

// likeness is what two texts have in common as far as their tokens tell.
type likeness struct {
	// equal: the same tokens and comments in the same order, and no directive
	// that has come nearer to what is behind it, or has left it. The parser
	// makes the same tree of both.
	equal bool
	// steady: besides, all stands in the same lines, and in the same columns as
	// far as printer and rules look at columns: what they make of the one is
	// what they make of the other.
	steady bool
}

// pair is two texts that were scanned side by side. Its zero value is two empty
// ones; it may be used again and again.
type pair struct {
	before, after []byte
	a, b          []lexeme
	likeness
}

// scan compares before and after, unless it has done so just now. It knows
// nothing of trees and printers.
func (p *pair) scan(before, after []byte) likeness {
	if p.a != nil && bytes.Equal(p.before, before) && bytes.Equal(p.after, after) {
		return p.likeness
	}
	p.before, p.after = append(p.before[:0], before...), append(p.after[:0], after...)
	p.a, p.b = lexemes(p.a, p.before), lexemes(p.b, p.after)
	p.likeness = compare(p.a, p.b)
	p.steady = p.steady && sameFunctions(before, after)
	return p.likeness
}

// compare tells how alike two texts are by their lexemes.
func compare(a, b []lexeme) likeness {
	if len(a) != len(b) {
		return likeness{}
	}
	l := likeness{true, true}
	for i := range a {
		x, y := &a[i], &b[i]
		if x.tok != y.tok || x.tok == token.ILLEGAL || !spelled(x, y) {
			return likeness{}
		}
		l.steady = l.steady && x.text == y.text && x.place == y.place
	}
	return l
}

// spelled reports whether two tokens of one kind say the same.
func spelled(x, y *lexeme) bool {
	switch x.tok {
	case token.SEMICOLON, token.RPAREN, token.RBRACE: // a semicolon is written or not
		return true
	case token.COMMENT:
		if directs(x.text) && (x.first != y.first || x.touches != y.touches) {
			return false
		}
		return x.text == y.text || sameLines(x.text, y.text)
	case token.INT, token.FLOAT, token.IMAG:
		return x.text == y.text || number(x.tok, x.text) == number(y.tok, y.text)
	case token.IMPORT: // the comment above may be C
		return x.touched == y.touched
	}
	return x.text == y.text
}

// directs reports whether a comment may be a directive.
func directs(comment string) bool {
	return strings.HasPrefix(comment, "//") && len(comment) > 2 && comment[2] != ' ' && comment[2] != '\t' || strings.HasPrefix(comment, "/*line")
}

// sameLines compares comments but for the blanks around their lines.
func sameLines(a, b string) bool {
	for {
		x, restA, moreA := strings.Cut(a, "\n")
		y, restB, moreB := strings.Cut(b, "\n")
		if moreA != moreB || strings.TrimSpace(x) != strings.TrimSpace(y) {
			return false
		}
		if !moreA {
			return true
		}
		a, b = restA, restB
	}
}

// lexeme is a token or a comment.
type lexeme struct {
	tok  token.Token
	text string
	place
	touches bool // of a comment: what follows stands in the next line
	touched bool // of a token: a comment touches it
	start   int
}

// place is what printer and rules see of where a token stands.
type place struct {
	line int // 0 for a line end that ends a statement
	// Of a comment: it starts in the first column; in that of the next token;
	// the next token follows right behind its line end.
	first, aligned, abuts bool
}

// lexemes scans a text into the memory of old. A semicolon in front of a closing bracket, which may be
// written or not, is left out.
func lexemes(old []lexeme, text []byte) []lexeme {
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(text))
	s.Init(file, text, nil, scanner.ScanComments)
	out := old[:0]
	line, at, waiting := 1, 0, 0
	for {
		pos, tok, lit := s.Scan()
		start := file.Offset(pos)
		line += bytes.Count(text[at:start], newline)
		at = start
		x := lexeme{tok: tok, text: lit, place: place{line: line}, start: start}
		switch tok {
		case token.SEMICOLON:
			if lit == "\n" {
				x.line = 0
			}
		case token.COMMENT:
			waiting++
			x.first = column(text, start) == 0
		case token.RPAREN, token.RBRACE:
			if n := len(out) - 1; n >= 0 && out[n].tok == token.SEMICOLON {
				x.text = out[n].text // not steady if it was written
				out = out[:n]
			}
			fallthrough
		default:
			for i := len(out) - 1; waiting > 0; i-- {
				if out[i].tok == token.COMMENT {
					out[i].before(&x, text)
					waiting--
				}
			}
		}
		if n := len(out) - 1; n >= 0 && out[n].tok == token.COMMENT {
			out[n].touches = line-out[n].line <= 1+strings.Count(out[n].text, "\n")
			x.touched = out[n].touches
		}
		if out = append(out, x); tok == token.EOF {
			return out
		}
	}
}

var newline = []byte{'\n'}

// before notes how a comment stands to the next token.
func (c *lexeme) before(next *lexeme, text []byte) {
	c.aligned = column(text, c.start) == column(text, next.start)
	c.abuts = c.start+len(c.text)+1 == next.start
}

func column(text []byte, offset int) int {
	return offset - 1 - bytes.LastIndexByte(text[:offset], '\n')
}

// sameFunctions compares the lines that may be a whole function: the rules
// count the bytes of those.
func sameFunctions(before, after []byte) bool {
	for line := range bytes.Lines(after) {
		var was []byte
		if i := bytes.IndexByte(before, '\n'); i >= 0 {
			was, before = before[:i+1], before[i+1:]
		} else {
			was, before = before, nil
		}
		if bytes.HasPrefix(line, []byte("func")) && bytes.IndexByte(line, '}') >= 0 && !bytes.Equal(line, was) {
			return false
		}
	}
	return true
}
