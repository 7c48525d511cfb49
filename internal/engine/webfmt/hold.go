package webfmt

import (
	"bytes"
	"strconv"
)

// Marks around the number of a comment that stands for a statement the module
// does not get.
const (
	holdStyle = "/* poly-hold-"
	holdEnd   = " */"
)

// statement is a declaration, an at-rule or a rule of a style sheet, with what
// its block holds.
type statement struct {
	from, to int
	inner    []statement
}

// holdStatements keeps from the module the innermost statements that flagged
// lines are in and that have their lines for themselves. lined: two slashes
// begin a comment.
func holdStatements(lined bool) func(text []byte, flagged map[int]bool) ([]byte, func([]byte) []byte) {
	return func(text []byte, flagged map[int]bool) ([]byte, func([]byte) []byte) {
		if bytes.Contains(text, []byte(holdStyle)) {
			return text, func([]byte) []byte { return nil }
		}
		s := &sheet{text: text, lined: lined}
		all := s.statements(0)
		var parts []statement
		at := 0
		for n := 1; at < len(text); n++ {
			end := at + bytes.IndexByte(append(text[at:len(text):len(text)], '\n'), '\n')
			if flagged[n] {
				part, ok := s.around(all, at, end)
				if !ok {
					return text, func([]byte) []byte { return nil }
				}
				parts = append(parts, part)
			}
			at = end + 1
		}
		prepared, held := s.cut(parts)
		return prepared, func(out []byte) []byte { return putBack(out, held) }
	}
}

// cut puts comments in the place of parts, which stand in order and may be one
// in the other.
func (s *sheet) cut(parts []statement) (prepared []byte, held [][]byte) {
	next := 0
	for i, p := range parts {
		for _, q := range parts[i+1:] {
			if q.from <= p.from && p.to <= q.to {
				p = q
			}
		}
		if p.from < next {
			continue
		}
		prepared = append(prepared, s.text[next:p.from]...)
		prepared = append(strconv.AppendInt(append(prepared, holdStyle...), int64(len(held)), 10), holdEnd...)
		held = append(held, s.text[p.from:p.to])
		next = p.to
	}
	return append(prepared, s.text[next:]...), held
}

// putBack undoes cut: nil unless each comment is there once, on a line of its own.
func putBack(text []byte, held [][]byte) []byte {
	var out []byte
	next := 0
	for line := range bytes.Lines(text) {
		trimmed := bytes.TrimLeft(line, " \t")
		indent := line[:len(line)-len(trimmed)]
		trimmed = bytes.TrimSpace(trimmed)
		number, ok := bytes.CutPrefix(trimmed, []byte(holdStyle))
		if !ok {
			out = append(out, line...)
			continue
		}
		n, err := strconv.Atoi(string(bytes.TrimSuffix(number, []byte(holdEnd))))
		if err != nil || n != next {
			return nil
		}
		out = append(append(append(out, indent...), held[n]...), '\n')
		next++
	}
	if next != len(held) || bytes.Contains(out, []byte(holdStyle)) {
		return nil
	}
	return out
}

// around returns the innermost statement that the line from one offset to
// another begins in or holds, and that shares its lines with no other.
func (s *sheet) around(list []statement, from, to int) (statement, bool) {
	for _, c := range list {
		if c.to <= from || c.from >= to {
			continue
		}
		if in, ok := s.around(c.inner, from, to); ok {
			return in, true
		}
		if whole, ok := s.whole(c); ok {
			return whole, true
		}
	}
	return statement{}, false
}

// whole widens a statement to the end of its last line, over a comment. ok is
// false if something else stands there.
func (s *sheet) whole(c statement) (statement, bool) {
	for i := c.from - 1; i >= 0 && s.text[i] != '\n'; i-- {
		if s.text[i] != ' ' && s.text[i] != '\t' {
			return c, false
		}
	}
	end := c.to
	for end < len(s.text) && s.text[end] != '\n' {
		switch {
		case s.text[end] == ' ' || s.text[end] == '\t':
			end++
			continue
		case s.comment(end) > end && bytes.IndexByte(s.text[end:s.comment(end)], '\n') < 0:
			end = s.comment(end)
			c.to = end
			continue
		}
		return c, false
	}
	return c, true
}

// sheet is a style sheet being read.
type sheet struct {
	text  []byte
	lined bool
	at    int
}

// maxNested is how deep blocks are looked into.
const maxNested = 100

// statements reads up to the brace that closes a block, or to the end.
func (s *sheet) statements(depth int) []statement {
	var list []statement
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ';':
			s.at++
		case s.comment(s.at) > s.at:
			s.at = s.comment(s.at)
		case c == '}':
			if depth == 0 {
				s.at++
				continue
			}
			return list
		default:
			list = append(list, s.statement(depth))
		}
	}
	return list
}

// statement reads one, with its semicolon or its block.
func (s *sheet) statement(depth int) statement {
	c := statement{from: s.at}
	for parens := 0; s.at < len(s.text); {
		switch b := s.text[s.at]; {
		case s.token(&parens):
		case b == ';' && parens <= 0:
			s.at++
			c.to = s.at
			return c
		case b == '}':
			c.to = len(bytes.TrimRight(s.text[:s.at], " \t\r\n"))
			return c
		case b == '{' && depth < maxNested:
			s.at++
			c.inner = s.statements(depth + 1)
			s.at = min(s.at+1, len(s.text))
			c.to = s.at
			return c
		default:
			s.at++
		}
	}
	c.to = len(bytes.TrimRight(s.text, " \t\r\n"))
	return c
}

// token skips a comment, a string, a parenthesis or an interpolation, if one
// begins or ends here.
func (s *sheet) token(parens *int) bool {
	switch b := s.text[s.at]; {
	case s.comment(s.at) > s.at:
		s.at = s.comment(s.at)
	case b == '"' || b == '\'':
		s.at = s.quoted(s.at)
	case b == '(' || b == '[':
		*parens++
		s.at++
		s.address()
	case b == ')' || b == ']':
		*parens--
		s.at++
	case b == '{' && (*parens > 0 || s.at > 0 && (s.text[s.at-1] == '#' || s.text[s.at-1] == '@')):
		s.at = s.braces(s.at)
	default:
		return false
	}
	return true
}

// address skips what stands in the parentheses of url.
func (s *sheet) address() {
	if !bytes.HasSuffix(bytes.ToLower(s.text[max(0, s.at-4):s.at]), []byte("url(")) {
		return
	}
	rest := bytes.TrimLeft(s.text[s.at:], " \t")
	if len(rest) > 0 && (rest[0] == '"' || rest[0] == '\'') {
		return
	}
	if i := bytes.IndexByte(s.text[s.at:], ')'); i >= 0 {
		s.at += i
	}
}

// comment returns the end of the comment at an offset; the offset if there is none.
func (s *sheet) comment(at int) int {
	rest := s.text[at:]
	if bytes.HasPrefix(rest, []byte("/*")) {
		if i := bytes.Index(rest[2:], []byte("*/")); i >= 0 {
			return at + 2 + i + 2
		}
		return len(s.text)
	}
	if s.lined && bytes.HasPrefix(rest, []byte("//")) {
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			return at + i
		}
		return len(s.text)
	}
	return at
}

// quoted returns the end of the string at an offset.
func (s *sheet) quoted(at int) int {
	quote := s.text[at]
	for at++; at < len(s.text); at++ {
		switch s.text[at] {
		case '\\':
			at++
		case quote, '\n':
			return at + 1
		}
	}
	return len(s.text)
}

// braces returns the end of an interpolation.
func (s *sheet) braces(at int) int {
	for depth := 0; at < len(s.text); at++ {
		switch s.text[at] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
	return len(s.text)
}
