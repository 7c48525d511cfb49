package ini

import (
	"strings"

	"poly/internal/diag"
)

// gitconfig reads a file as git does, which stops at the first fault.
func gitconfig(text []byte) []diag.Diagnostic {
	r := gitReader{text: strings.TrimPrefix(string(text), "\xef\xbb\xbf")}
	offset := len(text) - len(r.text)
	title := r.read()
	if title == "" {
		return nil
	}
	// git names the line; what is wrong with it starts where its text does.
	end := min(r.at, len(r.text))
	start := strings.LastIndexByte(r.text[:max(end-1, 0)], '\n') + 1
	if nl := strings.IndexByte(r.text[start:], '\n'); nl >= 0 {
		end = start + nl
	} else {
		end = len(r.text)
	}
	line := strings.TrimRight(r.text[start:end], "\r")
	return []diag.Diagnostic{problem(codeSyntax, offset+start, offset+start+len(line), title)}
}

// gitReader follows git's config.c.
type gitReader struct {
	text string
	at   int
}

// next returns the next byte; the end of the file looks like a line end, and so
// does CRLF.
func (r *gitReader) next() byte {
	if r.at >= len(r.text) {
		r.at++
		return '\n'
	}
	c := r.text[r.at]
	r.at++
	if c == '\r' && r.at < len(r.text) && r.text[r.at] == '\n' {
		r.at++
		return '\n'
	}
	return c
}

func gitSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func keyByte(c byte) bool { return word(c) && c != '_' || c == '-' }

// read returns what is wrong, "" if nothing is.
func (r *gitReader) read() string {
	for r.at < len(r.text) {
		c := r.next()
		switch {
		case gitSpace(c):
		case c == '#' || c == ';':
			for c != '\n' {
				c = r.next()
			}
		case c == '[':
			if !r.header() {
				return "Malformed section header"
			}
		case !('a' <= c|0x20 && c|0x20 <= 'z'):
			return "Neither a section header nor a key"
		default:
			if title := r.entry(); title != "" {
				return title
			}
		}
	}
	return ""
}

// header reads up to the closing bracket.
func (r *gitReader) header() bool {
	for first := true; ; first = false {
		switch c := r.next(); {
		case c == ']':
			return !first
		case gitSpace(c):
			return c != '\n' && r.subsection()
		case !keyByte(c) && c != '.':
			return false
		}
	}
}

// subsection reads a quoted name and the closing bracket.
func (r *gitReader) subsection() bool {
	c := r.next()
	for c == ' ' || c == '\t' || c == '\r' {
		c = r.next()
	}
	if c != '"' {
		return false
	}
	for {
		switch c = r.next(); c {
		case '\n':
			return false
		case '"':
			return r.next() == ']'
		case '\\':
			if r.next() == '\n' {
				return false
			}
		}
	}
}

// entry reads a key, whose first letter was read, and its value.
func (r *gitReader) entry() string {
	c := r.next()
	for keyByte(c) {
		c = r.next()
	}
	for c == ' ' || c == '\t' {
		c = r.next()
	}
	switch {
	case c == '\n':
		return ""
	case c != '=':
		return "Malformed key: letters, digits and dashes may stand before the equal sign"
	}
	return r.value()
}

func (r *gitReader) value() string {
	quote, comment := false, false
	for {
		c := r.next()
		switch {
		case c == '\n' && quote:
			return "A quote is not closed"
		case c == '\n':
			return ""
		case comment:
		case !quote && (c == ';' || c == '#'):
			comment = true
		case c == '"':
			quote = !quote
		case c == '\\':
			if e := r.next(); strings.IndexByte("\ntbn\\\"", e) < 0 {
				return "Unknown escape in a value"
			}
			if r.at > len(r.text) && quote {
				return "A quote is not closed"
			}
		}
	}
}
