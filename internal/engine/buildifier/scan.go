package buildifier

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// token is a piece of a text; the kinds are those of Starlark's own grammar.
type token struct {
	kind  kind
	text  string // of a string: its value
	line  int
	tripl bool // a string between three quotes
}

type kind uint8

const (
	eofToken kind = iota
	nameToken
	numberToken
	stringToken
	operatorToken
	newlineToken
	indentToken
	dedentToken
)

// scanner splits a text into tokens, independently of the library's lexer.
type scanner struct {
	text     string
	at, line int
	depth    int // of brackets
	fresh    bool
	indents  []int
	tokens   []token
	comments []string
}

// scan returns the tokens of a text with "\n" alone, and its comments without
// blanks at their ends.
func scan(text string) ([]token, []string, error) {
	s := &scanner{text: text, line: 1, fresh: true, indents: []int{0}}
	for s.at < len(s.text) {
		if err := s.next(); err != nil {
			return nil, nil, err
		}
	}
	if !s.fresh {
		s.add(newlineToken, "")
	}
	for len(s.indents) > 1 {
		s.indents = s.indents[:len(s.indents)-1]
		s.add(dedentToken, "")
	}
	s.add(eofToken, "")
	return s.tokens, s.comments, nil
}

func (s *scanner) add(k kind, text string) {
	s.tokens = append(s.tokens, token{kind: k, text: text, line: s.line})
}

func (s *scanner) next() error {
	switch c := s.text[s.at]; {
	case c == '\n':
		if s.depth == 0 && !s.fresh {
			s.add(newlineToken, "")
		}
		s.fresh = s.depth == 0
		s.line++
		s.at++
	case c == ' ', c == '\t', c == '\r':
		s.at++
	case c == '\\' && strings.HasPrefix(s.text[s.at+1:], "\n"):
		s.line++
		s.at += 2
	case c == '#':
		end := s.at + lineLength(s.text[s.at:])
		s.comments = append(s.comments, strings.TrimRight(s.text[s.at:end], " \t\r"))
		s.at = end
	default:
		if s.fresh {
			if err := s.indent(); err != nil {
				return err
			}
		}
		s.fresh = false
		return s.word(c)
	}
	return nil
}

// indent opens and closes blocks at the first token of a line.
func (s *scanner) indent() error {
	column := s.at - 1 - strings.LastIndexByte(s.text[:s.at], '\n')
	if column > s.indents[len(s.indents)-1] {
		s.indents = append(s.indents, column)
		s.add(indentToken, "")
		return nil
	}
	for column < s.indents[len(s.indents)-1] {
		s.indents = s.indents[:len(s.indents)-1]
		s.add(dedentToken, "")
	}
	if column != s.indents[len(s.indents)-1] {
		return fmt.Errorf("line %d: odd indentation", s.line)
	}
	return nil
}

func (s *scanner) word(c byte) error {
	switch {
	case c == '"' || c == '\'':
		return s.quoted("")
	case letter(c):
		end := s.at
		for end < len(s.text) && (letter(s.text[end]) || digit(s.text[end])) {
			end++
		}
		w := s.text[s.at:end]
		if end < len(s.text) && strings.IndexByte(`"'`, s.text[end]) >= 0 && len(w) <= 2 && strings.Trim(w, "rRbB") == "" {
			s.at = end
			return s.quoted(strings.ToLower(w))
		}
		s.at = end
		s.add(nameToken, w)
	case digit(c) || c == '.' && s.at+1 < len(s.text) && digit(s.text[s.at+1]):
		s.number()
	default:
		s.operator(c)
	}
	return nil
}

func letter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func (s *scanner) number() {
	end := s.at
	hex := strings.HasPrefix(s.text[s.at:], "0x") || strings.HasPrefix(s.text[s.at:], "0X")
	for end < len(s.text) {
		c := s.text[end]
		sign := (c == '+' || c == '-') && !hex && (s.text[end-1] == 'e' || s.text[end-1] == 'E')
		if !digit(c) && !letter(c) && c != '.' && (!sign || end == s.at) {
			break
		}
		end++
	}
	s.add(numberToken, s.text[s.at:end])
	s.at = end
}

// operators of more than one byte, the longest first.
var operators = [...]string{
	"//=", "<<=", ">>=", "**=", "...", "**", "//", "<<", ">>", "->", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=",
}

func (s *scanner) operator(c byte) {
	switch c {
	case '(', '[', '{':
		s.depth++
	case ')', ']', '}':
		s.depth--
	}
	op := string(rune(c))
	for _, o := range operators {
		if strings.HasPrefix(s.text[s.at:], o) {
			op = o
			break
		}
	}
	s.at += len(op)
	s.add(operatorToken, op)
}

// quoted reads a string literal, of which the prefix has been read.
func (s *scanner) quoted(prefix string) error {
	quote, start := s.text[s.at:s.at+1], s.line
	if strings.HasPrefix(s.text[s.at:], quote+quote+quote) {
		quote += quote + quote
	}
	s.at += len(quote)
	begin := s.at
	for {
		switch rest := s.text[s.at:]; {
		case rest == "", len(quote) == 1 && rest[0] == '\n':
			return fmt.Errorf("line %d: string without end", start)
		case strings.HasPrefix(rest, quote):
			value := s.text[begin:s.at]
			if !strings.Contains(prefix, "r") {
				value = unescape(value)
			}
			if strings.Contains(prefix, "b") {
				value = "b\x00" + value
			}
			s.at += len(quote)
			s.tokens = append(s.tokens, token{stringToken, value, start, len(quote) == 3})
			return nil
		case rest[0] == '\\' && len(rest) > 1:
			s.line += strings.Count(rest[:2], "\n")
			s.at += 2
		default:
			s.line += strings.Count(rest[:1], "\n")
			s.at++
		}
	}
}

// unescape returns what the escapes that two spellings of a string may differ
// in stand for. Others stay as they are.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case '\n':
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case '\'', '"', '\\':
			b.WriteByte(s[i])
		default:
			b.WriteByte('\\')
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// lineLength returns how many bytes of a text are before its first line end.
func lineLength(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}
