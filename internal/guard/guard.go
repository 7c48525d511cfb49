// Package guard is the room of format guards: judges of what a formatter did.
// One folder below it is one language, read by other code than any formatter's,
// so that a fault of the formatter is not repeated by its judge.
//
// Every folder has the one function
//
//	func Same(before, after []byte) error
//
// with the dialect as last parameter where a language has several. It returns nil if and only if both texts mean the same to a reader: the same
// syntax once layout is taken away, and the same comments in the same order.
// Otherwise the error's text is one short line that says what differs, with an
// excerpt of either text ([Differ]); formatting is then refused and the file
// left as it was. If before itself is not understood, or nests too deeply, the
// error is a [CannotJudge]: nothing is known against the formatter, but the
// result is refused all the same. If only after is not understood, it is a
// [Broken].
//
// A guard never panics, takes time linear in its texts, opens nothing and keeps
// nothing between calls: it may be called by any goroutine.
package guard

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// CannotJudge is the error of a guard that does not understand the text before
// formatting.
type CannotJudge struct {
	Line   int    // from 1; 0 if the whole text is meant
	Reason string // short, lower case
}

func (e *CannotJudge) Error() string {
	if e.Line == 0 {
		return "cannot judge: " + e.Reason
	}
	return fmt.Sprintf("cannot judge: line %d: %s", e.Line, e.Reason)
}

// Broken is the error of a guard that understood the text before formatting and
// does not understand the one after it.
type Broken struct {
	Line   int    // of the text after, from 1; 0 if the whole text is meant
	Reason string // short, lower case
}

func (e *Broken) Error() string {
	if e.Line == 0 {
		return "broken by formatting: " + e.Reason
	}
	return fmt.Sprintf("broken by formatting: line %d of the result: %s", e.Line, e.Reason)
}

// Difference is the error of a guard that found a change of meaning.
type Difference struct {
	What    string // what is not the same: "a comment", "a string"
	Line    int    // of the text before, from 1
	Was, Is string // excerpts of one line; "" where the text has ended
}

func (e *Difference) Error() string {
	return fmt.Sprintf("line %d: %s differs: %s became %s", e.Line, e.What, quote(e.Was), quote(e.Is))
}

func quote(s string) string {
	if s == "" {
		return "nothing"
	}
	return "`" + s + "`"
}

// Differ returns the Difference of what, which stands at the offsets in before
// and after where either text is told from the other. Offsets beyond a text's
// end mean its end.
func Differ(what string, before []byte, inBefore int, after []byte, inAfter int) *Difference {
	inBefore = min(inBefore, len(before))
	return &Difference{
		What: what,
		Line: Line(before, inBefore),
		Was:  Excerpt(before, inBefore),
		Is:   Excerpt(after, inAfter),
	}
}

// Line returns the number of the line, from 1, that holds the offset. Lines end
// in LF, CRLF or CR.
func Line(text []byte, offset int) int {
	head := text[:min(offset, len(text))]
	n := 1 + bytes.Count(head, []byte("\n")) + bytes.Count(head, []byte("\r")) - bytes.Count(head, []byte("\r\n"))
	if offset < len(text) && text[offset] == '\n' && offset > 0 && text[offset-1] == '\r' {
		n-- // between both halves of one line ending
	}
	return n
}

// excerptLen is the most bytes an excerpt holds.
const excerptLen = 40

// Excerpt returns the start of what stands at the offset, at most to the end of
// its line; "" at the end of the text.
func Excerpt(text []byte, offset int) string {
	if offset >= len(text) {
		return ""
	}
	tail := text[offset:]
	if i := bytes.IndexAny(tail[:min(len(tail), excerptLen+1)], "\r\n"); i == 0 {
		return "end of line"
	} else if i > 0 {
		return clean(tail[:i])
	}
	if len(tail) <= excerptLen {
		return clean(tail)
	}
	cut := excerptLen
	for cut > excerptLen-utf8.UTFMax && !utf8.RuneStart(tail[cut]) {
		cut--
	}
	return clean(tail[:cut]) + "…"
}

// clean makes a text fit to be printed: no control characters, valid UTF-8.
func clean(text []byte) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(string(text), "�"))
}
