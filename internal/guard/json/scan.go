package json

import "bytes"

// kind is what a token is.
type kind uint8

const (
	end kind = iota
	open
	close
	openObject
	closeObject
	colon
	comma
	text // a string
	word // a number, true, false, null
	comment
)

// marks holds the tokens of one character.
var marks = [128]kind{'[': open, ']': close, '{': openObject, '}': closeObject, ':': colon, ',': comma}

type token struct {
	kind  kind
	start int
	text  []byte
}

// scanner reads tokens. After something that is no token it stands there and
// says why.
type scanner struct {
	src []byte
	pos int
	why string
}

// element returns the next token but a comma.
func (s *scanner) element() token {
	t := s.next()
	for t.kind == comma {
		t = s.next()
	}
	return t
}

func (s *scanner) next() token {
	if s.pos == 0 {
		s.pos = len(s.src) - len(bytes.TrimPrefix(s.src, []byte("\xef\xbb\xbf")))
	}
	for s.pos < len(s.src) && (s.src[s.pos] == ' ' || s.src[s.pos] == '\t' || s.src[s.pos] == '\n' || s.src[s.pos] == '\r') {
		s.pos++
	}
	start := s.pos
	if start == len(s.src) {
		return token{kind: end, start: start}
	}
	c := s.src[start]
	if int(c) < len(marks) && marks[c] != end {
		return s.token(marks[c], 1)
	}
	switch c {
	case '"':
		return s.string()
	case '/':
		return s.comment()
	default:
		n := 0
		for start+n < len(s.src) && isWord(s.src[start+n]) {
			n++
		}
		if t := s.src[start : start+n]; !isValue(t) {
			return s.fail("this is no value")
		}
		return s.token(word, n)
	}
}

func (s *scanner) token(k kind, n int) token {
	t := token{k, s.pos, s.src[s.pos : s.pos+n]}
	s.pos += n
	return t
}

func (s *scanner) fail(why string) token {
	s.why = why
	return token{kind: end, start: s.pos}
}

func (s *scanner) string() token {
	for i := s.pos + 1; i < len(s.src); i++ {
		switch s.src[i] {
		case '"':
			return s.token(text, i+1-s.pos)
		case '\\':
			i++
		case '\n', '\r':
			return s.fail("a string is not closed")
		}
	}
	return s.fail("a string is not closed")
}

func (s *scanner) comment() token {
	rest := s.src[s.pos:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		n := len(rest)
		if i := bytes.IndexAny(rest, "\r\n"); i >= 0 {
			n = i
		}
		return s.token(comment, n)
	case bytes.HasPrefix(rest, []byte("/*")):
		if i := bytes.Index(rest[2:], []byte("*/")); i >= 0 {
			return s.token(comment, i+4)
		}
		return s.fail("a comment is not closed")
	}
	return s.fail("this is no value")
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c|' ' >= 'a' && c|' ' <= 'z' || c == '-' || c == '+' || c == '.'
}

// isValue reports whether the word is a number or one of the three names.
func isValue(w []byte) bool {
	switch string(w) {
	case "true", "false", "null":
		return true
	}
	w = bytes.TrimPrefix(w, []byte("-"))
	whole := digits(w)
	if whole == 0 || whole > 1 && w[0] == '0' {
		return false
	}
	if w = w[whole:]; len(w) > 0 && w[0] == '.' {
		n := digits(w[1:])
		if n == 0 {
			return false
		}
		w = w[1+n:]
	}
	if len(w) > 0 && w[0]|' ' == 'e' {
		if w = w[1:]; len(w) > 0 && (w[0] == '+' || w[0] == '-') {
			w = w[1:]
		}
		n := digits(w)
		return n > 0 && n == len(w)
	}
	return len(w) == 0
}

func digits(w []byte) int {
	n := 0
	for n < len(w) && w[n] >= '0' && w[n] <= '9' {
		n++
	}
	return n
}
