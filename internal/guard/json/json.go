// Package json judges what a formatter did to a JSON text, with comments or
// without. It reads RFC 8259 and what JSONC adds: comments of both kinds and a
// comma after the last element.
//
// Two texts are the same if, commas aside, the same tokens and comments stand in
// the same order. Names, strings and numbers are compared as they are written.
// Of a comment a formatter may change blanks at the ends of lines, the
// indentation of the lines after the first, and the one blank after the slashes
// that is added where none stood.
package json

import (
	"bytes"
	"unicode/utf8"

	"poly/internal/guard"
)

// Same returns nil if after means what before means: see the package guard.
func Same(before, after []byte) error {
	if bytes.Equal(before, after) {
		return nil
	}
	if why, at := check(before); why != "" {
		return &guard.CannotJudge{Line: guard.Line(before, at), Reason: why}
	}
	if why, at := check(after); why != "" {
		return &guard.Broken{Line: guard.Line(after, at), Reason: why}
	}
	a, b := scanner{src: before}, scanner{src: after}
	for {
		x, y := a.element(), b.element()
		switch {
		case x.kind == comment && (y.kind != comment || !sameComment(x.text, y.text)), x.kind != comment && y.kind == comment:
			return guard.Differ("a comment", before, x.start, after, y.start)
		case x.kind == comment:
		case x.kind != y.kind || !bytes.Equal(x.text, y.text):
			return guard.Differ("the value", before, x.start, after, y.start)
		case x.kind == end:
			return nil
		}
	}
}

// check returns what is wrong with a text and where; "" if nothing is.
func check(src []byte) (why string, at int) {
	if !utf8.Valid(src) {
		return "the text is not UTF-8", 0
	}
	s := scanner{src: src}
	g := grammar{}
	for {
		t := s.next()
		if s.why != "" {
			return s.why, s.pos
		}
		if t.kind == comment {
			continue
		}
		if why := g.take(t.kind); why != "" {
			return why, t.start
		}
		if t.kind == end {
			return "", 0
		}
	}
}

// want is what the grammar expects next.
type want uint8

const (
	wantText    want = iota // a value, or nothing at all
	wantValue               // a value
	wantElement             // a value, or the end of an array
	wantName                // a name, or the end of an object
	wantColon
	wantComma // or the end of what is open
	wantEnd
)

// grammar follows the tokens of a text. What is open is on a stack of its own,
// so that depth costs no more than length.
type grammar struct {
	want want
	open []byte
}

// take returns what is wrong if the token comes next; "" if nothing is.
func (g *grammar) take(k kind) string {
	switch k {
	case open, openObject:
		return g.begin(k)
	case close, closeObject:
		return g.finish(k)
	case text:
		if g.want == wantName {
			g.want = wantColon
			return ""
		}
		return g.value()
	case word:
		return g.value()
	case colon:
		if g.want != wantColon {
			return "a colon out of place"
		}
		g.want = wantValue
	case comma:
		if g.want != wantComma {
			return "a comma out of place"
		}
		if g.want = wantElement; g.open[len(g.open)-1] == '{' {
			g.want = wantName
		}
	default:
		if g.want != wantEnd && g.want != wantText {
			return "the text ends too early"
		}
	}
	return ""
}

func (g *grammar) value() string {
	if g.want != wantText && g.want != wantValue && g.want != wantElement {
		return "a value out of place"
	}
	g.after()
	return ""
}

// after sets what is expected after a value.
func (g *grammar) after() {
	if g.want = wantComma; len(g.open) == 0 {
		g.want = wantEnd
	}
}

func (g *grammar) begin(k kind) string {
	if why := g.value(); why != "" {
		return why
	}
	if k == openObject {
		g.open, g.want = append(g.open, '{'), wantName
	} else {
		g.open, g.want = append(g.open, '['), wantElement
	}
	return ""
}

func (g *grammar) finish(k kind) string {
	mark, empty := byte('['), wantElement
	if k == closeObject {
		mark, empty = '{', wantName
	}
	n := len(g.open)
	if n == 0 || g.open[n-1] != mark || g.want != wantComma && g.want != empty {
		return "a bracket out of place"
	}
	g.open = g.open[:n-1]
	g.after()
	return ""
}

// sameComment compares two comments.
func sameComment(was, is []byte) bool {
	if bytes.Equal(was, is) {
		return true
	}
	if bytes.HasPrefix(was, []byte("//")) {
		was, is = bytes.TrimRight(was, " \t"), bytes.TrimRight(is, " \t")
		rest, ok := bytes.CutPrefix(is, []byte("// "))
		return bytes.Equal(was, is) || ok && len(was) > 2 && was[2] != ' ' && bytes.Equal(was[2:], rest)
	}
	for {
		a, restA, more := bytes.Cut(was, []byte("\n"))
		b, restB, also := bytes.Cut(is, []byte("\n"))
		if more != also || !bytes.Equal(bytes.TrimRight(a, " \t\r"), bytes.TrimRight(b, " \t\r")) {
			return false
		}
		if !more {
			return true
		}
		was, is = bytes.TrimLeft(restA, " \t"), bytes.TrimLeft(restB, " \t")
	}
}
