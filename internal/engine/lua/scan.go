package lua

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// kind is what a token is. Keywords and operators have their text as their kind.
type kind string

const (
	tEOF    kind = "end of file"
	tName   kind = "name"
	tNumber kind = "number"
	tString kind = "string"
)

type token struct {
	kind       kind
	start, end int
}

// fault is the first thing that is wrong with a file.
type fault struct {
	start, end int
	title      string
	help       string
	deep       bool  // nested deeper than any Lua goes
	prev, near token // the tokens before and at the fault, for [fault.dialect]
}

// scanner cuts a text into tokens. A fault it meets is thrown by panic(*fault),
// which only [parse] catches.
type scanner struct {
	src []byte
	at  int
}

func isKeyword(s string) bool {
	switch s {
	case "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil", "not", "or",
		"repeat", "return", "then", "true", "until", "while":
		return true
	}
	return false
}

// operators by length, longest first.
var operators = [...][]string{
	{"..."},
	{"==", "~=", "<=", ">=", "//", "<<", ">>", "::", ".."},
	{"+", "-", "*", "/", "%", "^", "#", "&", "~", "|", "<", ">", "=", "(", ")", "{", "}", "[", "]", ";", ":", ",", "."},
}

func newScanner(src []byte) scanner {
	s := scanner{src: src}
	s.at = len(src) - len(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")))
	if s.at < len(src) && src[s.at] == '#' { // a Unix exec line, which every Lua skips
		s.line()
	}
	return s
}

// line moves to the end of the line.
func (s *scanner) line() {
	for s.at < len(s.src) && s.src[s.at] != '\n' && s.src[s.at] != '\r' {
		s.at++
	}
}

func (s *scanner) peek(n int) byte {
	if s.at+n < len(s.src) {
		return s.src[s.at+n]
	}
	return 0
}

// next returns the next token.
func (s *scanner) next() token {
	s.blanks()
	start := s.at
	if start == len(s.src) {
		return token{tEOF, start, start}
	}
	switch c := s.src[start]; {
	case isLetter(c):
		return s.word()
	case isDigit(c), c == '.' && isDigit(s.peek(1)):
		s.number()
		return token{tNumber, start, s.at}
	case c == '"', c == '\'':
		s.quoted(c)
		return token{tString, start, s.at}
	case c == '[' && s.long("string"):
		return token{tString, start, s.at}
	}
	for i, ops := range operators {
		n := len(operators) - i
		for _, op := range ops {
			if len(s.src)-start >= n && string(s.src[start:start+n]) == op {
				s.at += n
				return token{kind(op), start, s.at}
			}
		}
	}
	s.at++
	s.fail(start, s.at, "Unexpected "+quote(s.src[start:s.at]), "")
	return token{}
}

// blanks moves over white space and comments.
func (s *scanner) blanks() {
	for s.at < len(s.src) {
		switch s.src[s.at] {
		case ' ', '\t', '\n', '\r', '\v', '\f':
			s.at++
		case '-':
			if s.peek(1) != '-' {
				return
			}
			s.at += 2
			if s.peek(0) != '[' || !s.long("comment") {
				s.line()
			}
		default:
			return
		}
	}
}

// word reads a name or a keyword. LuaJIT takes every byte above ASCII for a
// letter; quotes and blanks among them are slips all the same.
func (s *scanner) word() token {
	start := s.at
	for s.at < len(s.src) && (isLetter(s.src[s.at]) || isDigit(s.src[s.at])) {
		if s.src[s.at] >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(s.src[s.at:])
			if what := slip(r); what != "" {
				s.fail(s.at, s.at+n, what+" in code", "It looks like another character that Lua knows.")
			}
			s.at += n
			continue
		}
		s.at++
	}
	if text := string(s.src[start:s.at]); isKeyword(text) {
		return token{kind(text), start, s.at}
	}
	return token{tName, start, s.at}
}

func slip(r rune) string {
	switch r {
	case '\u2018', '\u2019', '\u201c', '\u201d', '\u00ab', '\u00bb':
		return "Typographic quotation mark"
	case '\u00a0', '\u2007', '\u202f', '\u3000':
		return "Non-breaking space"
	case '\ufeff', '\u200b', '\u200c', '\u200d', '\u2060':
		return "Invisible character"
	}
	return ""
}

// number reads what all Luas take for one number and checks its form.
func (s *scanner) number() {
	start := s.at
	exponent := byte('e')
	if s.src[s.at] == '0' && s.peek(1)|0x20 == 'x' {
		exponent = 'p'
		s.at += 2
	}
	for s.at < len(s.src) {
		c := s.src[s.at]
		if c|0x20 == exponent && (s.peek(1) == '+' || s.peek(1) == '-') {
			s.at++
		} else if c != '.' && (c >= utf8.RuneSelf || !isLetter(c) && !isDigit(c)) {
			break
		}
		s.at++
	}
	if text := strings.ToLower(string(s.src[start:s.at])); !validNumber(text) {
		s.fail(start, s.at, "Malformed number "+quote(s.src[start:s.at]), "")
	}
}

// validNumber takes numbers of every version, in lower case: 1, .5, 1e-3,
// 0x.8p1, and LuaJIT's 0b1, 1ll, 1ull and 1i.
func validNumber(s string) bool {
	digits, exponent := "0123456789", "e"
	rest, hex := strings.CutPrefix(s, "0x")
	switch {
	case hex:
		digits, exponent = "0123456789abcdef", "p"
	default:
		if bits, ok := strings.CutPrefix(s, "0b"); ok {
			bits = strings.TrimSuffix(strings.TrimSuffix(bits, "ll"), "u")
			return bits != "" && strings.Trim(bits, "01") == ""
		}
	}
	whole := len(rest) - len(strings.TrimLeft(rest, digits))
	rest = rest[whole:]
	if whole > 0 && (rest == "ll" || rest == "ull") {
		return true
	}
	if after, ok := strings.CutPrefix(rest, "."); ok {
		fraction := len(after) - len(strings.TrimLeft(after, digits))
		whole += fraction
		rest = after[fraction:]
	}
	if whole == 0 {
		return false
	}
	if after, ok := strings.CutPrefix(rest, exponent); ok {
		if after != "" && (after[0] == '+' || after[0] == '-') {
			after = after[1:]
		}
		power := len(after) - len(strings.TrimLeft(after, "0123456789"))
		if power == 0 {
			return false
		}
		rest = after[power:]
	}
	return rest == "" || rest == "i"
}

// quoted reads a string in quotes. Escapes that a version does not know are
// letters to Lua 5.1, so none is a fault, but for numbers above 255.
func (s *scanner) quoted(quote byte) {
	start := s.at
	s.at++
	for {
		if s.at >= len(s.src) || s.src[s.at] == '\n' || s.src[s.at] == '\r' {
			s.fail(start, s.at, "String is not closed on its line", "")
		}
		c := s.src[s.at]
		s.at++
		switch c {
		case quote:
			return
		case '\\':
			s.escape()
		}
	}
}

func (s *scanner) escape() {
	start := s.at - 1
	switch c := s.peek(0); {
	case s.at >= len(s.src):
	case c == '\r' && s.peek(1) == '\n', c == '\n' && s.peek(1) == '\r':
		s.at += 2
	case c == 'z':
		s.at++
		for s.at < len(s.src) && strings.IndexByte(" \t\n\r\v\f", s.src[s.at]) >= 0 {
			s.at++
		}
	case isDigit(c):
		value := 0
		for n := 0; n < 3 && isDigit(s.peek(0)); n++ {
			value = value*10 + int(s.src[s.at]-'0')
			s.at++
		}
		if value > 255 {
			s.fail(start, s.at, "Escape "+string(s.src[start:s.at])+" is above 255", "")
		}
	default:
		s.at++
	}
}

// long reads a long string or comment if one begins here.
func (s *scanner) long(what string) bool {
	start := s.at
	level := 0
	for s.peek(1+level) == '=' {
		level++
	}
	if s.peek(1+level) != '[' {
		return false
	}
	closing := []byte("]" + strings.Repeat("=", level) + "]")
	i := bytes.Index(s.src[start+level+2:], closing)
	if i < 0 {
		s.fail(start, start+level+2, "Long "+what+" is never closed", "It ends with "+string(closing)+".")
	}
	s.at = start + level + 2 + i + len(closing)
	return true
}

func (s *scanner) fail(start, end int, title, help string) {
	panic(&fault{start: start, end: end, title: title, help: help})
}

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// quote shows a piece of source in a title.
func quote(text []byte) string {
	const most = 30
	if len(text) > most {
		text = append(bytes.Clone(text[:most]), "..."...)
	}
	for _, c := range text {
		if c < ' ' || c == 0x7f {
			return "control character"
		}
	}
	return "'" + strings.ToValidUTF8(string(text), "\ufffd") + "'"
}
