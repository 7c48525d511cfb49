package yamlevent

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// plain reads a scalar without quotes.
func (s *scanner) plain() *Error {
	if err := s.saveKey(); err != nil {
		return err
	}
	s.mayKey = false
	start, indent := s.pos, s.indent+1
	var b strings.Builder // lines before the last, folded
	first, last := start, start
	for {
		last = s.plainLine()
		if s.pos >= len(s.src) || !isBreak(s.src[s.pos]) {
			break
		}
		pos, line, lineStart := s.pos, s.line, s.lineStart
		breaks := 0
		for s.pos < len(s.src) && isBreak(s.src[s.pos]) {
			s.newline()
			breaks++
			if err := s.margin(indent); err != nil {
				return err
			}
		}
		if !s.continues(indent) {
			s.pos, s.line, s.lineStart = pos, line, lineStart
			break
		}
		b.WriteString(s.src[first:last])
		fold(&b, breaks)
		first = s.pos
	}
	value := s.src[first:last]
	if b.Len() > 0 {
		b.WriteString(value)
		value = b.String()
	}
	s.add(token{kind: tokScalar, start: start, end: last, value: value})
	return nil
}

// plainLine goes to the end of what one line has of a plain scalar, returns
// where its last character ends and leaves the position after the blanks.
func (s *scanner) plainLine() (last int) {
	inFlow := len(s.flow) > 0
	for last = s.pos; s.pos < len(s.src); {
		c := s.src[s.pos]
		switch {
		case isBreak(c):
			return last
		case isBlank(c):
			s.pos++
			continue
		case c == '#' && s.pos > last, c == ':' && (s.blankAt(1) || inFlow && flowIndicator(s.at(1))), inFlow && flowIndicator(c):
			return last
		}
		s.pos++
		last = s.pos
	}
	return last
}

// margin skips the blanks at the start of a continuation line. Tabs are not
// indentation, but may follow it.
func (s *scanner) margin(indent int) *Error {
	for s.at(0) == ' ' {
		s.pos++
	}
	column := s.column()
	for isBlank(s.at(0)) {
		s.pos++
	}
	if len(s.flow) == 0 && column < indent && s.column() > column && !s.blankAt(0) && s.src[s.pos] != '#' {
		return tabs(s.pos)
	}
	return nil
}

// continues tells that the scalar goes on here, after a line break.
func (s *scanner) continues(indent int) bool {
	if s.pos >= len(s.src) || s.src[s.pos] == '#' || s.marker("---") || s.marker("...") {
		return false
	}
	if len(s.flow) > 0 {
		c := s.src[s.pos]
		return !flowIndicator(c) && !(c == ':' && (s.blankAt(1) || flowIndicator(s.at(1))))
	}
	return s.column() >= indent && !(s.src[s.pos] == ':' && s.blankAt(1))
}

func fold(b *strings.Builder, breaks int) {
	if breaks == 1 {
		b.WriteByte(' ')
		return
	}
	for range breaks - 1 {
		b.WriteByte('\n')
	}
}

// quoted reads a scalar in the quotes q.
func (s *scanner) quoted(q byte) *Error {
	if err := s.saveKey(); err != nil {
		return err
	}
	s.mayKey = false
	start := s.pos
	s.pos++
	var b strings.Builder
	first := s.pos // start of what is not yet in b
	for {
		if s.pos >= len(s.src) {
			return &Error{start, start + 1, "Unclosed quote", "The document ends before it is closed."}
		}
		c := s.src[s.pos]
		switch {
		case isBreak(c):
			b.WriteString(strings.TrimRight(s.src[first:s.pos], " \t"))
			n, err := s.quotedBreak(start)
			if err != nil {
				return err
			}
			fold(&b, n)
			first = s.pos
		case c == q && q == '\'' && s.at(1) == '\'':
			b.WriteString(s.src[first : s.pos+1])
			s.pos += 2
			first = s.pos
		case c == '\\' && q == '"':
			b.WriteString(s.src[first:s.pos])
			if err := s.escape(&b, start); err != nil {
				return err
			}
			first = s.pos
		case c == q:
			value := s.src[first:s.pos]
			if b.Len() > 0 {
				b.WriteString(value)
				value = b.String()
			}
			s.pos++
			s.json = s.pos
			s.add(token{kind: tokScalar, start: start, end: s.pos, value: value, style: Style(q)})
			return nil
		default:
			s.pos++
		}
	}
}

// quotedBreak skips line ends and the blanks that start the next line.
func (s *scanner) quotedBreak(start int) (breaks int, err *Error) {
	for s.pos < len(s.src) && isBreak(s.src[s.pos]) {
		s.newline()
		breaks++
		if s.marker("---") || s.marker("...") {
			return 0, &Error{start, start + 1, "Unclosed quote", "The document ends before it is closed."}
		}
		for isBlank(s.at(0)) {
			s.pos++
		}
		if !s.blankAt(0) {
			s.indented(false)
		}
	}
	return breaks, nil
}

const simpleEscapes = "0\x00a\ab\bt\t\t\tn\nv\vf\fr\re\x1b  \"\"//\\\\N\u0085_\u00a0L\u2028P\u2029"

// escape reads the escape sequence at the position.
func (s *scanner) escape(b *strings.Builder, start int) *Error {
	if s.pos+1 >= len(s.src) {
		s.pos++
		return nil
	}
	c := s.src[s.pos+1]
	if isBreak(c) {
		s.pos++
		n, err := s.quotedBreak(start)
		for range n - 1 {
			b.WriteByte('\n')
		}
		return err
	}
	if n := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]; n > 0 {
		return s.numeric(b, n)
	}
	for i := 0; i < len(simpleEscapes); {
		_, n := utf8.DecodeRuneInString(simpleEscapes[i+1:])
		if simpleEscapes[i] == c {
			b.WriteString(simpleEscapes[i+1 : i+1+n])
			s.pos += 2
			return nil
		}
		i += 1 + n
	}
	_, n := utf8.DecodeRuneInString(s.src[s.pos+1:])
	return s.oops(1+n, fmt.Sprintf("Unknown escape %q", s.src[s.pos:s.pos+1+n]), "Double the backslash, or use single quotes.")
}

func (s *scanner) numeric(b *strings.Builder, n int) *Error {
	digits := s.src[min(s.pos+2, len(s.src)):min(s.pos+2+n, len(s.src))]
	v, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || len(digits) < n || v > utf8.MaxRune {
		return s.oops(2, fmt.Sprintf("Malformed escape `\\%c`", s.src[s.pos+1]), fmt.Sprintf("%d hex digits of a Unicode character must follow.", n))
	}
	if v >= 0xd800 && v < 0xe000 {
		// JSON writes characters outside the basic plane as two escapes.
		if v = s.lowHalf(v); v < 0x10000 {
			b.WriteString(s.src[s.pos : s.pos+2+n])
		} else {
			b.WriteRune(rune(v))
			s.pos += 6
		}
	} else {
		b.WriteRune(rune(v))
	}
	s.pos += 2 + n
	return nil
}

// lowHalf joins the high surrogate v at the position with the escape after it,
// or returns v.
func (s *scanner) lowHalf(v uint64) uint64 {
	rest := s.src[s.pos:]
	if v >= 0xdc00 || len(rest) < 12 || rest[1] != 'u' || rest[6] != '\\' || rest[7] != 'u' {
		return v
	}
	low, err := strconv.ParseUint(rest[8:12], 16, 32)
	if err != nil || low < 0xdc00 || low > 0xdfff {
		return v
	}
	return 0x10000 + (v-0xd800)<<10 + low - 0xdc00
}
