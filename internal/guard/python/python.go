// Package python judges what a formatter did to a Python text. It reads Python 3
// up to 3.14 after the language reference, with a tokenizer and a parser of its
// own, and compares abstract syntax and comments.
//
// Two texts are the same if their syntax trees agree and if the same comments
// stand in the same order by the same statements. Of what the trees say a
// formatter may change
//
//   - how a string is written: quotes, prefix, escapes, joined or side by side
//   - how a number is written
//   - brackets around the targets of del, which deletes them in turn anyway
//   - of a string that documents something: the indentation that all of its
//     lines share, blanks at their ends, blank lines at its ends, and the layout
//     of code in it
//
// and of a comment: blanks at its end, and the one blank after the number sign
// that is added where none stood. A comment that a tool obeys stays on the line
// of code that it stands on.
package python

import (
	"bytes"

	"poly/internal/guard"
)

// Same returns nil if after means what before means: see the package guard.
func Same(before, after []byte) error {
	return same(before, after, true)
}

// same compares two texts; code says that code in strings that document
// something may be laid out anew.
func same(before, after []byte, code bool) error {
	if bytes.Equal(before, after) {
		return nil
	}
	a, bad := read(before)
	if bad != nil {
		return &guard.CannotJudge{Line: bad.line(before), Reason: bad.why}
	}
	b, bad := read(after)
	if bad != nil {
		return &guard.Broken{Line: bad.line(after), Reason: bad.why}
	}
	if d := sameSyntax(a, b, code); d != nil {
		return d
	}
	if d := sameComments(a, b); d != nil {
		return d
	}
	return nil
}

// sameSyntax compares the trees; nil means that they agree.
func sameSyntax(a, b *tree, code bool) *guard.Difference {
	docs := 0
	for i := range a.events {
		x := &a.events[i]
		if i == len(b.events) {
			return guard.Differ("the syntax", a.src, int(x.pos), b.src, len(b.src))
		}
		y := &b.events[i]
		if x.node != y.node || x.op != y.op || x.n != y.n {
			return guard.Differ("the syntax", a.src, int(x.pos), b.src, int(y.pos))
		}
		what := ""
		switch x.node {
		case nDoc:
			if !bytes.Equal(a.text(x), b.text(y)) && !sameDoc(&a.docs[docs], &b.docs[docs], code) {
				what = "a docstring"
			}
			docs++
		default:
			what = sameText(a, x, b, y)
		}
		if what != "" {
			return guard.Differ(what, a.src, int(x.pos), b.src, int(y.pos))
		}
	}
	if n := len(a.events); n < len(b.events) {
		return guard.Differ("the syntax", a.src, len(a.src), b.src, int(b.events[n].pos))
	}
	return nil
}

// sameText compares the texts of two events of one kind and returns what differs.
func sameText(a *tree, x *event, b *tree, y *event) string {
	switch x.node {
	case nInt, nFloat, nImag:
		same := x.lo == y.lo && x.hi == y.hi
		if x.kept {
			same = bytes.Equal(a.text(x), b.text(y))
		}
		if !same {
			return "a number"
		}
	case nStr, nBytes, nPart, nField:
		if !bytes.Equal(a.text(x), b.text(y)) {
			return "a string"
		}
	default:
		if !bytes.Equal(a.text(x), b.text(y)) {
			return "a name"
		}
	}
	return ""
}
