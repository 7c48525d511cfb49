package gitconf

import (
	"bytes"
	"fmt"
	"strings"
)

// parse reads the text of one file and calls set for each setting, with the
// line on which its value ends. It accepts what git accepts, byte for byte:
// the old [section.sub] headings, several settings on the line of a heading,
// bytes that are not UTF-8.
func parse(text []byte, set func(key, value string, valued bool, line int) error) error {
	p := &reader{b: bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), line: 1}
	base, comment := "", false
	for {
		c := p.next()
		switch {
		case c == '\n':
			if p.eof {
				return nil
			}
			comment = false
		case comment || isSpace(c):
		case c == '#' || c == ';':
			comment = true
		case c == '[':
			s, ok := p.heading()
			if !ok || s == "" {
				return p.syntax()
			}
			base = s + "."
		case isAlpha(c):
			key, value, valued, ok := p.setting(c)
			if !ok {
				return p.syntax()
			}
			line := p.line - 1
			if p.eof {
				line = p.line
			}
			if err := set(base+key, value, valued, line); err != nil {
				return err
			}
		default:
			return p.syntax()
		}
	}
}

type reader struct {
	b    []byte
	at   int
	line int // of the next byte
	eof  bool
}

// next returns the next byte; a line end is "\n" or "\r\n", and so is the end.
func (p *reader) next() byte {
	if p.at >= len(p.b) {
		p.eof = true
		return '\n'
	}
	c := p.b[p.at]
	p.at++
	if c == '\r' && p.at < len(p.b) && p.b[p.at] == '\n' {
		c = '\n'
		p.at++
	}
	if c == '\n' {
		p.line++
	}
	return c
}

func (p *reader) syntax() error {
	line := p.line
	if p.at > 0 && p.b[p.at-1] == '\n' && !p.eof {
		line--
	}
	return fmt.Errorf("%w line %d", ErrSyntax, line)
}

// heading reads after "[": a section, and a subsection in quotes or after a dot.
func (p *reader) heading() (name string, ok bool) {
	var b strings.Builder
	for {
		c := p.next()
		switch {
		case p.eof:
			return "", false
		case c == ']':
			return b.String(), true
		case isSpace(c):
			return p.subsection(&b, c)
		case !isKey(c) && c != '.':
			return "", false
		}
		b.WriteString(lower(string([]byte{c})))
	}
}

func (p *reader) subsection(b *strings.Builder, c byte) (name string, ok bool) {
	for isSpace(c) {
		if c == '\n' {
			return "", false
		}
		c = p.next()
	}
	if c != '"' {
		return "", false
	}
	b.WriteByte('.')
	for {
		c := p.next()
		if c == '"' {
			break
		}
		if c == '\\' {
			c = p.next()
		}
		if c == '\n' {
			return "", false
		}
		b.WriteByte(c)
	}
	return b.String(), p.next() == ']'
}

// setting reads the rest of a name that begins with c, and its value.
func (p *reader) setting(c byte) (key, value string, valued, ok bool) {
	var b strings.Builder
	for isKey(c) && !p.eof {
		b.WriteByte(c)
		c = p.next()
	}
	for c == ' ' || c == '\t' {
		c = p.next()
	}
	key = lower(b.String())
	if c == '\n' {
		return key, "", false, true
	}
	if c != '=' {
		return "", "", false, false
	}
	value, ok = p.value()
	return key, value, true, ok
}

// value reads what follows "=". Blanks at its ends do not count, nor does what
// follows a comment sign; quotes protect both, and may open and close anywhere.
func (p *reader) value() (value string, ok bool) {
	var b []byte
	quote, space := false, 0
	for {
		c := p.next()
		if !quote && (c == ';' || c == '#') {
			for c != '\n' {
				c = p.next()
			}
		}
		if c == '\n' {
			return cString(b), !quote
		}
		if isSpace(c) && !quote {
			if len(b) > 0 {
				space++
			}
			continue
		}
		for ; space > 0; space-- {
			b = append(b, ' ')
		}
		switch c {
		case '\\':
			e, keep, known := escape(p.next())
			if !known {
				return "", false
			}
			if keep {
				b = append(b, e)
			}
		case '"':
			quote = !quote
		default:
			b = append(b, c)
		}
	}
}

// cString cuts b at a NUL: git hands values on as C strings.
func cString(b []byte) string {
	b, _, _ = bytes.Cut(b, []byte{0})
	return string(b)
}

// escape returns what "\c" stands for; keep is false for a continued line.
func escape(c byte) (e byte, keep, known bool) {
	switch c {
	case '\n':
		return 0, false, true
	case 't':
		return '\t', true, true
	case 'b':
		return '\b', true, true
	case 'n':
		return '\n', true, true
	case '\\', '"':
		return c, true, true
	}
	return 0, false, false
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isKey(c byte) bool { return isAlpha(c) || '0' <= c && c <= '9' || c == '-' }
