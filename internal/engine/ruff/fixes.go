package ruff

import (
	"bytes"
	"slices"
	"strings"

	"poly/internal/diag"
)

// fact is what rules.txt says of a rule besides what the engine's description
// holds.
type fact struct {
	code    string
	preview bool
	fix     fixKind
}

// fixKind tells which fixes of a rule ruff itself takes for safe. Its module
// hands out all of them alike, so what is not known to be safe is withheld.
type fixKind uint8

const (
	fixNone     fixKind = iota
	fixWithheld         // never safe, or it is not known when
	fixSafe
	fixComments  // safe where no comment is touched
	fixASCII     // the same, and where all is ASCII
	fixInit      // safe but in __init__.py, whose imports others import
	fixDocstring // safe but where the string is a statement
	fixExcept    // safe for the name of an exception
	fixPy310     // safe for Python 3.10 and later where no comment is touched
	fixFuture    // safe where it adds no import from __future__
	fixStrings   // safe outside of texts of several lines
	fixEffects   // safe where nothing is called that might have an effect
)

// factOf returns what is known of a code; the zero fact if nothing is.
func factOf(code string) fact {
	at, ok := slices.BinarySearchFunc(facts[:], code, func(f fact, c string) int { return strings.Compare(f.code, c) })
	if !ok {
		return fact{}
	}
	return facts[at]
}

// safe reports whether a fix may be applied without anybody looking at it.
func (s *source) safe(d *diag.Diagnostic) bool {
	// What is looked at is what the rule is about and what the fix replaces.
	start, end := d.Span.Start, d.Span.End
	for _, e := range d.Fix {
		start, end = min(start, e.Start), max(end, e.End)
	}
	if s.movesSilence(d, start, end) {
		return false
	}
	kind := factOf(d.Code).fix
	switch kind {
	case fixComments, fixASCII, fixPy310, fixEffects:
		if s.touches(d, func(c byte) bool { return c == '#' }) {
			return false
		}
	}
	switch kind {
	case fixSafe, fixComments:
		return true
	case fixASCII:
		return !s.touches(d, func(c byte) bool { return c >= 0x80 })
	case fixInit:
		return !s.init
	case fixDocstring:
		return !s.statement(d.Span.Start)
	case fixExcept:
		return bytes.HasPrefix(s.lineBefore(d.Span.Start), []byte("except"))
	case fixPy310:
		return s.py310 && !addsFuture(d.Fix)
	case fixFuture:
		return !addsFuture(d.Fix)
	case fixStrings:
		return !s.multiline()
	case fixEffects:
		return plain(s.text[start:end])
	}
	return false
}

// touches reports whether there is such a byte in or right beside what a rule is
// about or what its fix replaces.
func (s *source) touches(d *diag.Diagnostic, such func(byte) bool) bool {
	in := func(start, end int) bool {
		return slices.ContainsFunc(s.text[max(0, start-1):min(len(s.text), end+1)], such)
	}
	return in(d.Span.Start, d.Span.End) || slices.ContainsFunc(d.Fix, func(e diag.Edit) bool { return in(e.Start, e.End) })
}

// movesSilence reports whether a fix puts a comment that silences a finding
// behind other code than before: ruff does so where it wraps a long import, and
// the finding comes back. RUF100 rewrites such comments on purpose.
func (s *source) movesSilence(d *diag.Diagnostic, start, end int) bool {
	if d.Code == "RUF100" {
		return false
	}
	start -= len(s.text[:start]) - (bytes.LastIndexByte(s.text[:start], '\n') + 1)
	if n := bytes.IndexByte(s.text[end:], '\n'); n >= 0 {
		end += n
	} else {
		end = len(s.text)
	}
	shifted := make([]diag.Edit, len(d.Fix))
	for i, e := range d.Fix {
		shifted[i] = diag.Edit{Start: e.Start - start, End: e.End - start, Replacement: e.Replacement}
	}
	before := s.text[start:end]
	after, _ := diag.Apply(before, [][]diag.Edit{shifted})
	was, is := bytes.Split(before, []byte("\n")), bytes.Split(after, []byte("\n"))
	had := map[string]bool{}
	for _, line := range was {
		had[string(bytes.TrimSpace(line))] = true
	}
	for n, line := range is {
		stays := had[string(bytes.TrimSpace(line))] || len(was) == len(is) && silences(was[n])
		if silences(line) && !stays {
			return true
		}
	}
	return false
}

// silences reports whether a line has a comment that ruff obeys.
func silences(line []byte) bool {
	_, comment, ok := bytes.Cut(line, []byte("#"))
	if !ok {
		return false
	}
	comment = bytes.ToLower(comment)
	return slices.ContainsFunc([]string{"noqa", "ruff:", "isort:"}, func(word string) bool { return bytes.Contains(comment, []byte(word)) })
}

// multiline reports whether a text may reach over the end of a line.
func (s *source) multiline() bool {
	return slices.ContainsFunc([]string{`"""`, "'''", `\`}, func(mark string) bool { return bytes.Contains(s.text, []byte(mark)) })
}

// lineBefore returns the line up to a position, without its indentation.
func (s *source) lineBefore(at int) []byte {
	line := s.text[:at]
	if n := bytes.LastIndexAny(line, "\n\r"); n >= 0 {
		line = line[n+1:]
	}
	return bytes.TrimLeft(line, " \t\f")
}

// statement reports whether a string at a position may be a statement of its
// own, such as a docstring: what stands before it does not ask for a value.
func (s *source) statement(at int) bool {
	if len(s.lineBefore(at)) > 0 {
		return false
	}
	before := bytes.TrimRight(s.text[:at], " \t\f\r\n")
	if len(before) == 0 {
		return true
	}
	switch before[len(before)-1] {
	case '(', '[', '{', ',', '=', '+', '%', '|':
		return false
	}
	return true
}

func addsFuture(edits []diag.Edit) bool {
	return slices.ContainsFunc(edits, func(e diag.Edit) bool { return strings.Contains(e.Replacement, "__future__") })
}

// plain reports whether code calls nothing but the format method, and works
// out nothing.
func plain(code []byte) bool {
	if bytes.Count(code, []byte("(")) > 1 || bytes.Contains(code, []byte("await")) || bytes.Contains(code, []byte("yield")) {
		return false
	}
	return !bytes.ContainsAny(code, "+-*/@&|^~[]<>!")
}
