package json

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// dialect says what is allowed beyond RFC 8259.
type dialect struct {
	comments bool // and no document at all
	trailing bool // a comma before the closing bracket
	json5    bool
}

// kind is the kind of a token: the punctuation itself, or one of these.
type kind byte

const (
	end    kind = 0
	text   kind = 's' // a string
	number kind = 'n'
	word   kind = 'w' // true, null, NaN, a bare key
)

type token struct {
	kind       kind
	start, end int
}

// fault is what makes a text unreadable.
type fault struct {
	start, end int
	title      string
	help       string
}

// scanner cuts text into tokens. It reads each byte once and keeps nothing.
type scanner struct {
	src []byte
	at  int
	dialect
	comment token // the first comment where none is allowed; end is 0 until there is one
}

// next returns the next token, or the fault that hides it.
func (s *scanner) next() (token, *fault) {
	if f := s.blank(); f != nil {
		return token{}, f
	}
	start := s.at
	if start == len(s.src) {
		return token{end, start, start}, nil
	}
	switch c := s.src[start]; {
	case strings.IndexByte("{}[]:,", c) >= 0:
		s.at++
		return token{kind(c), start, s.at}, nil
	case c == '"', c == '\'' && s.json5:
		return s.quoted(c)
	case c == '-', '0' <= c && c <= '9', s.json5 && (c == '+' || c == '.'):
		return s.numeral()
	}
	if n := s.identifier(start); n > start {
		s.at = n
		return token{word, start, n}, nil
	}
	return token{}, s.unexpected(start)
}

// blank skips white space and comments.
func (s *scanner) blank() *fault {
	for s.at < len(s.src) {
		switch c := s.src[s.at]; {
		case c == ' ', c == '\t', c == '\n', c == '\r':
			s.at++
		case c == '/':
			if f := s.remark(); f != nil {
				return f
			}
		case s.json5 && (c == '\v' || c == '\f' || c >= utf8.RuneSelf):
			r, n := utf8.DecodeRune(s.src[s.at:])
			if c >= utf8.RuneSelf && !space5(r) {
				return nil
			}
			s.at += n
		default:
			return nil
		}
	}
	return nil
}

func space5(r rune) bool {
	return r == 0x2028 || r == 0x2029 || r == 0xfeff || unicode.Is(unicode.Zs, r)
}

// remark skips a comment. One that the dialect does not allow is noted, and
// reading goes on as if it were white space.
func (s *scanner) remark() *fault {
	start := s.at
	rest := s.src[start:]
	var n int
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		ends := "\r\n"
		if s.json5 {
			ends = "\r\n\u2028\u2029"
		}
		if n = bytes.IndexAny(rest, ends); n < 0 {
			n = len(rest)
		}
	case bytes.HasPrefix(rest, []byte("/*")):
		if n = bytes.Index(rest[2:], []byte("*/")); n < 0 {
			return &fault{start, start + 2, "Unterminated comment", "Close it with `*/`."}
		}
		n += 4
	default:
		return s.unexpected(start)
	}
	s.at += n
	if !s.comments && s.comment.end == 0 {
		s.comment = token{word, start, s.at}
	}
	return nil
}

// unexpected names the character at start, which begins no token.
func (s *scanner) unexpected(start int) *fault {
	r, n := utf8.DecodeRune(s.src[start:])
	f := &fault{start: start, end: start + n, title: fmt.Sprintf("Unexpected character %s", show(s.src[start:start+n]))}
	switch {
	case r == '\'':
		f.title, f.help = "Single quotes are not allowed", "JSON strings have double quotes."
	case r == '+' || r == '.':
		f.title, f.help = fmt.Sprintf("A number cannot start with `%c`", r), "Write a digit before the point, and no plus sign."
	case r == 0xfeff:
		f.title, f.help = "Byte order mark inside the text", "Delete it."
	case r == '=':
		f.help = "A name and its value are separated by a colon."
	case r == '#':
		f.help = "There are no `#` comments in any JSON."
	case unicode.IsSpace(r):
		f.title, f.help = fmt.Sprintf("White space U+%04X is not allowed", r), "Use blanks, tabs and line ends only."
	}
	return f
}

// quoted reads a string that starts with the quote q.
func (s *scanner) quoted(q byte) (token, *fault) {
	start := s.at
	for i := start + 1; i < len(s.src); i++ {
		switch c := s.src[i]; {
		case c == q:
			s.at = i + 1
			return token{text, start, s.at}, nil
		case c == '\\':
			n, f := s.escape(i)
			if f != nil {
				return token{}, f
			}
			i = n - 1
		case c == '\n', c == '\r':
			return token{}, &fault{start, i, "Unterminated string", "Close it on the same line; write a line break as `\\n`."}
		case c < ' ' && !s.json5:
			return token{}, &fault{i, i + 1, fmt.Sprintf("Control character U+%04X in a string", c), fmt.Sprintf("Write it as `\\u%04x`.", c)}
		}
	}
	return token{}, &fault{start, len(s.src), "Unterminated string", "Close it with a quote."}
}

// escape returns the offset after the escape sequence at i.
func (s *scanner) escape(i int) (int, *fault) {
	if i+1 == len(s.src) {
		return s.badEscape(i, i+1)
	}
	switch c := s.src[i+1]; {
	case strings.IndexByte(`"\/bfnrt`, c) >= 0:
		return i + 2, nil
	case c == 'u':
		if !hexDigits(s.src, i+2, 4) {
			return s.badEscape(i, i+6)
		}
		return i + 6, nil
	case s.json5:
		return s.escape5(i, c)
	}
	return s.badEscape(i, i+2)
}

// escape5 is escape for what JSON5 allows besides: \x41, \0, an escaped line
// end and any other character that is no digit.
func (s *scanner) escape5(i int, c byte) (int, *fault) {
	next := byte(0)
	if i+2 < len(s.src) {
		next = s.src[i+2]
	}
	switch {
	case c == 'x' && !hexDigits(s.src, i+2, 2):
		return s.badEscape(i, i+4)
	case c == 'x':
		return i + 4, nil
	case '1' <= c && c <= '9', c == '0' && digit(next):
		return s.badEscape(i, i+2)
	case c == '\r' && next == '\n':
		return i + 3, nil
	}
	_, n := utf8.DecodeRune(s.src[i+1:])
	return i + 1 + n, nil
}

func (s *scanner) badEscape(start, end int) (int, *fault) {
	end = min(end, len(s.src))
	for end < len(s.src) && !utf8.RuneStart(s.src[end]) {
		end++
	}
	return 0, &fault{start, end, fmt.Sprintf("Invalid escape %s", show(s.src[start:end])), "The escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hex digits."}
}

func hexDigits(b []byte, at, n int) bool {
	if at+n > len(b) {
		return false
	}
	for _, c := range b[at : at+n] {
		if !digit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// identifier returns the end of the bare word that starts at i, or i. Words
// are read in every dialect, so that a fault can name a whole one.
func (s *scanner) identifier(i int) int {
	for first := i; i < len(s.src); {
		r, n := utf8.DecodeRune(s.src[i:])
		switch {
		case r == '\\' && s.json5 && i+1 < len(s.src) && s.src[i+1] == 'u' && hexDigits(s.src, i+2, 4):
			n = 6
			if c, _ := strconv.ParseUint(string(s.src[i+2:i+6]), 16, 16); !wordRune(rune(c), i == first) {
				return i
			}
		case r == utf8.RuneError || !wordRune(r, i == first):
			return i
		}
		i += n
	}
	return i
}

// wordRune tells that r may be in a bare word, or first in one.
func wordRune(r rune, first bool) bool {
	if r == '$' || r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) {
		return true
	}
	return !first && (unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc) || r == 0x200c || r == 0x200d)
}

// show quotes a piece of source for a title.
func show(b []byte) string {
	if len(b) > 40 {
		b = append(bytes.Clone(bytes.TrimRightFunc(b[:37], func(r rune) bool { return r == utf8.RuneError })), "..."...)
	}
	for _, r := range string(b) {
		if r == utf8.RuneError || !unicode.IsPrint(r) || r == '`' {
			return fmt.Sprintf("%+q", b)
		}
	}
	return "`" + string(b) + "`"
}
