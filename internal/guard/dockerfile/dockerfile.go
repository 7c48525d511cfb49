// Package dockerfile judges what a formatter did to a Dockerfile: whether
// BuildKit reads the same instructions from it.
//
// Compared are the parser directives, the instructions in their order with their
// flags and words, the bodies of here-documents byte for byte, and the comments
// in their order beside the same instruction. Lines that continue are one, as
// BuildKit joins them. The case of keywords, blanks between words outside of
// quotes, blanks in a list of strings, and the old form `ENV name value` for
// `ENV name=value` are free.
package dockerfile

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
	b := reader{src: before}
	if b.read(); b.bad != "" {
		return &guard.CannotJudge{Line: guard.Line(before, b.badAt), Reason: b.bad}
	}
	a := reader{src: after}
	if a.read(); a.bad != "" {
		return &guard.Broken{Line: guard.Line(after, a.badAt), Reason: a.bad}
	}
	for i := range max(len(b.events), len(a.events)) {
		switch {
		case i >= len(b.events):
			return guard.Differ("the end", before, len(before), after, a.events[i].at)
		case i >= len(a.events):
			return guard.Differ(b.events[i].what, before, b.events[i].at, after, len(after))
		case b.events[i].what != a.events[i].what || b.events[i].sum != a.events[i].sum:
			return guard.Differ(b.events[i].what, before, b.events[i].at, after, a.events[i].at)
		}
	}
	return nil
}

// event is a directive, a comment, an instruction or a here-document.
type event struct {
	what string
	sum  uint64
	at   int
}

// reader writes a text down as events.
type reader struct {
	src      []byte
	at       int  // what comes next
	escape   byte // the character that continues lines
	events   []event
	comments []event // since the last instruction
	bad      string
	badAt    int
}

// bom is the mark of UTF-8 a text may start with.
const bom = "\ufeff"

func (r *reader) read() {
	if !utf8.Valid(r.src) {
		r.bad = "the text is not UTF-8"
		return
	}
	r.escape = '\\'
	if bytes.HasPrefix(r.src, []byte(bom)) {
		r.at = len(bom)
	}
	for r.directive() {
	}
	for r.at < len(r.src) && r.bad == "" {
		r.statement()
	}
	r.events = append(r.events, r.comments...)
}

func (r *reader) fail(at int, reason string) {
	if r.bad == "" {
		r.bad, r.badAt = reason, at
	}
}

func (r *reader) emit(what string, at int, text []byte) {
	r.events = append(r.events, event{what, guard.Mix(uint64(len(what)), text), at})
}

// line returns the next line and goes behind it.
func (r *reader) line() []byte {
	rest := r.src[r.at:]
	i := bytes.IndexByte(rest, '\n')
	if i < 0 {
		r.at = len(r.src)
		return bytes.TrimSuffix(rest, []byte("\r"))
	}
	r.at += i + 1
	return bytes.TrimSuffix(rest[:i], []byte("\r"))
}

// directive reads `# name=value` at the head of a text.
func (r *reader) directive() bool {
	start := r.at
	text, ok := bytes.CutPrefix(r.line(), []byte("#"))
	name, value, isDirective := bytes.Cut(text, []byte("="))
	name, value = bytes.ToLower(bytes.Trim(name, blanks)), bytes.Trim(value, blanks)
	if !ok || !isDirective || len(value) == 0 || !isName(name) {
		r.at = start
		return false
	}
	if string(name) == "escape" {
		if len(value) != 1 || value[0] != '\\' && value[0] != '`' {
			r.fail(start, "no such escape character")
			return false
		}
		r.escape = value[0]
	}
	r.emit("a parser directive", start, bytes.Join([][]byte{name, value}, []byte("=")))
	return true
}

const blanks = " \t\r\f\v"

func isName(name []byte) bool {
	for i, b := range name {
		if (b < 'a' || b > 'z') && (i == 0 || b < '0' || b > '9') {
			return false
		}
	}
	return len(name) > 0
}

// comment notes a line if it is a comment.
func (r *reader) comment(at int, line []byte) bool {
	text, ok := bytes.CutPrefix(bytes.Trim(line, blanks), []byte("#"))
	if ok {
		sum := guard.Mix('#', bytes.TrimPrefix(text, []byte(" ")))
		r.comments = append(r.comments, event{"a comment", sum, at})
	}
	return ok
}

// statement reads a comment, or an instruction with the comments between its
// lines.
func (r *reader) statement() {
	start := r.at
	line := r.line()
	if len(bytes.Trim(line, blanks)) == 0 || r.comment(start, line) {
		return
	}
	text, more := r.continued(nil, line)
	for more && r.at < len(r.src) {
		at := r.at
		line = r.line()
		if len(bytes.Trim(line, blanks)) == 0 || r.comment(at, line) {
			continue
		}
		text, more = r.continued(text, line)
	}
	r.events = append(r.events, r.comments...)
	r.comments = nil
	r.instruction(start, bytes.Trim(text, blanks), 0)
}

// continued adds a line to text. more: the next one belongs to it.
func (r *reader) continued(text, line []byte) (_ []byte, more bool) {
	end := bytes.TrimRight(line, " \t")
	if n := len(end); n > 0 && end[n-1] == r.escape {
		return append(text, end[:n-1]...), true
	}
	return append(text, line...), false
}
