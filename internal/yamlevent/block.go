package yamlevent

import (
	"strings"
)

// block reads a block scalar; c is its style.
func (s *scanner) block(c byte) *Error {
	if err := s.drop(&s.keys[0]); err != nil {
		return err
	}
	start := s.pos
	s.pos++
	chomp, more, err := s.header()
	if err != nil {
		return err
	}
	r := blockReader{scanner: s, folded: c == '>'}
	if more > 0 {
		r.indent = max(s.indent, 0) + more
	} else if err := r.detect(s.indent + 1); err != nil {
		return err
	}
	end := r.lines()
	switch {
	case chomp == '+':
		r.breaks(r.pending)
	case chomp == 0 && r.pending > 0 && r.b.Len() > 0:
		r.b.WriteByte('\n')
	}
	s.mayKey = true
	s.add(token{kind: tokScalar, start: start, end: max(end, start+1), value: r.b.String(), style: Style(c), indent: r.indent, parent: max(s.indent, 0), tail: s.pos})
	return nil
}

// header reads the rest of the line that starts a block scalar, and its end.
func (s *scanner) header() (chomp byte, indent int, err *Error) {
	for range 2 {
		switch c := s.at(0); {
		case (c == '+' || c == '-') && chomp == 0:
			chomp = c
			s.pos++
		case '1' <= c && c <= '9' && indent == 0:
			indent = int(c - '0')
			s.pos++
		}
	}
	blank := s.pos
	for isBlank(s.at(0)) {
		s.pos++
	}
	if s.at(0) == '#' {
		if s.pos == blank {
			s.tight = append(s.tight, s.pos)
		}
		s.comment()
	}
	if s.pos < len(s.src) {
		if !isBreak(s.src[s.pos]) {
			return 0, 0, s.oops(1, "Malformed header of a block scalar", "After `|` or `>` there may be an indentation digit, `+` or `-`, and a comment; the text starts on the next line.")
		}
		s.newline()
	}
	return chomp, indent, nil
}

// blockReader reads the lines of a block scalar.
type blockReader struct {
	*scanner
	folded  bool
	indent  int
	b       strings.Builder
	pending int  // line ends not yet written
	deeper  bool // the last line starts with a blank
}

func (r *blockReader) breaks(n int) {
	for range n {
		r.b.WriteByte('\n')
	}
}

// detect finds the indentation, that of the first line with text, at least low.
func (r *blockReader) detect(low int) *Error {
	widest, at := 0, 0
	for i := r.pos; i <= len(r.src); {
		n := i
		for n < len(r.src) && r.src[n] == ' ' {
			n++
		}
		if n < len(r.src) && isBreak(r.src[n]) {
			if n-i > widest {
				widest, at = n-i, i
			}
			if i = n + 1; r.src[n] == '\r' && i < len(r.src) && r.src[i] == '\n' {
				i++
			}
			continue
		}
		if n == len(r.src) {
			r.indent = max(widest, n-i, low)
			return nil
		}
		if n-i < low {
			if r.src[n] == '\t' {
				return tabs(n + 1)
			}
			r.indent = max(widest, low)
			return nil
		}
		if r.indent = n - i; widest > r.indent {
			return &Error{at, at + widest, "Blank line before a block scalar is indented deeper than its text", "Remove its blanks, or give the indentation: `|2`."}
		}
		return nil
	}
	return nil
}

// lines reads the text and returns where its last line ends.
func (r *blockReader) lines() (end int) {
	for first := true; ; first = false {
		empty := 0
		for r.emptyLine() {
			empty++
		}
		if !r.textLine() {
			r.pending += empty
			return end
		}
		c := r.src[r.pos]
		deeper := isBlank(c)
		r.join(first, empty, deeper)
		r.deeper = deeper
		start := r.pos
		for r.pos < len(r.src) && !isBreak(r.src[r.pos]) {
			r.pos++
		}
		end = r.pos
		r.b.WriteString(r.src[start:end])
		r.pending = 0
		if r.pos < len(r.src) {
			r.newline()
			r.pending = 1
		}
	}
}

// join writes the line ends between two lines of text.
func (r *blockReader) join(first bool, empty int, deeper bool) {
	switch {
	case first:
		r.breaks(empty)
	case r.folded && !r.deeper && !deeper:
		if empty == 0 {
			r.b.WriteByte(' ')
		}
		r.breaks(empty)
	default:
		r.breaks(r.pending + empty)
	}
}

// emptyLine skips a line that has no more than its indentation.
func (r *blockReader) emptyLine() bool {
	n := 0
	for n < r.indent && r.at(n) == ' ' {
		n++
	}
	if r.pos+n >= len(r.src) || !isBreak(r.src[r.pos+n]) {
		return false
	}
	r.pos += n
	r.newline()
	return true
}

// textLine goes to the text of the next line, if that belongs to the scalar.
func (r *blockReader) textLine() bool {
	if r.pos >= len(r.src) || r.marker("---") || r.marker("...") {
		return false
	}
	for n := range r.indent {
		if r.at(n) != ' ' {
			return false
		}
	}
	if r.pos+r.indent >= len(r.src) {
		return false
	}
	r.pos += r.indent
	return true
}
