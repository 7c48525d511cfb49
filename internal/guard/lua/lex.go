package lua

import (
	"bytes"
	"strings"

	"poly/internal/guard"
)

type kind uint8

const (
	end kind = iota
	name
	keyword
	symbol
	number
	str
)

type token struct {
	kind kind
	at   int
	text []byte // of a string its value
}

// keywords are the words that are no names. `goto` is one only where it can be.
const keywords = " and break do else elseif end false for function if in local nil not or repeat return then true until while "

// uncounted are the tokens a comment may pass.
const uncounted = " ; , ( ) and or < > <= >= ~= == | ~ & << >> .. + - * / // % ^ "

// lexer reads tokens and notes comments.
type lexer struct {
	src      []byte
	pos      int
	tokens   int // how many came so far
	comments []guard.Event
	bad      string
	badAt    int
}

func (l *lexer) fail(at int, reason string) {
	if l.bad == "" {
		l.bad, l.badAt = reason, at
	}
	l.pos = len(l.src)
}

// shebang passes the mark of UTF-8 and a first line that starts with `#`, which
// is a comment.
func (l *lexer) shebang() {
	if bytes.HasPrefix(l.src, []byte("\ufeff")) {
		l.pos = len("\ufeff")
	}
	if l.at(l.pos) == '#' {
		l.lineComment(l.pos)
	}
}

// at returns the byte at an offset, 0 behind the end.
func (l *lexer) at(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

// comment notes a comment with how many tokens came before it: that is how far
// it stands from what it is about. Semicolons, commas and parentheses that a
// formatter may add, and operators that it may put on the other side, do not
// count.
func (l *lexer) comment(at int, text []byte) {
	sum := guard.Mix(0, bytes.TrimRight(text, " \t\r"))
	l.comments = append(l.comments, guard.Event{Sum: guard.MixWord(sum, uint64(l.tokens)), At: at})
}

func (l *lexer) lineComment(at int) {
	n := bytes.IndexByte(l.src[at:], '\n')
	if n < 0 {
		n = len(l.src) - at
	}
	l.comment(at, l.src[at:at+n])
	l.pos = at + n
}

// space passes blanks and comments.
func (l *lexer) space() {
	for l.pos < len(l.src) {
		switch b := l.src[l.pos]; {
		case b == ' ' || '\t' <= b && b <= '\r':
			l.pos++
		case b == '-' && l.at(l.pos+1) == '-':
			start := l.pos
			if level := l.longOpen(start + 2); level >= 0 {
				l.pos = start + 2
				l.long(level)
				l.comment(start, bytes.ReplaceAll(l.src[start:l.pos], []byte("\r"), nil))
				continue
			}
			l.lineComment(start)
		default:
			return
		}
	}
}

// longOpen returns the level of the long bracket at an offset, -1 if there is
// none.
func (l *lexer) longOpen(i int) int {
	if l.at(i) != '[' {
		return -1
	}
	level := 0
	for i++; l.at(i) == '='; i++ {
		level++
	}
	if l.at(i) != '[' {
		return -1
	}
	return level
}

// long passes a long bracket and returns what stands in it.
func (l *lexer) long(level int) []byte {
	from := l.pos + level + 2
	closing := "]" + strings.Repeat("=", level) + "]"
	n := bytes.Index(l.src[from:], []byte(closing))
	if n < 0 {
		l.fail(l.pos, "a long bracket that is not closed")
		return nil
	}
	l.pos = from + n + len(closing)
	text := bytes.ReplaceAll(l.src[from:from+n], []byte("\r\n"), []byte("\n"))
	return bytes.TrimPrefix(text, []byte("\n"))
}

// symbols are those of more than one character, the longer before the shorter.
func symbolLen(s []byte) int {
	for _, sym := range [...]string{"...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>"} {
		if bytes.HasPrefix(s, []byte(sym)) {
			return len(sym)
		}
	}
	if strings.IndexByte("+-*/%^#&~|<>=(){}[];:,.", s[0]) >= 0 {
		return 1
	}
	return 0
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' || b == '_' || b >= 0x80 }

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

func (l *lexer) next() token {
	l.space()
	start := l.pos
	if start >= len(l.src) {
		return token{kind: end, at: start}
	}
	t := l.scan(start)
	if t.kind != symbol && t.kind != keyword || !strings.Contains(uncounted, " "+string(t.text)+" ") {
		l.tokens++
	}
	return t
}

func (l *lexer) scan(start int) token {
	b := l.src[start]
	switch {
	case isLetter(b):
		for isLetter(l.at(l.pos)) || isDigit(l.at(l.pos)) {
			l.pos++
		}
		text := l.src[start:l.pos]
		if strings.Contains(keywords, " "+string(text)+" ") {
			return token{keyword, start, text}
		}
		return token{name, start, text}
	case isDigit(b) || b == '.' && isDigit(l.at(start+1)):
		return l.number(start)
	case b == '"' || b == '\'':
		return l.quoted(start, b)
	}
	if level := l.longOpen(start); level >= 0 {
		return token{str, start, l.long(level)}
	}
	n := symbolLen(l.src[start:])
	if n == 0 {
		l.fail(start, "an unknown character")
		return token{kind: end, at: start}
	}
	l.pos += n
	return token{symbol, start, l.src[start:l.pos]}
}

// number reads a number. One that starts with a point gets a zero.
func (l *lexer) number(start int) token {
	exponent := byte('e')
	if l.src[start] == '0' && l.at(start+1)|0x20 == 'x' {
		exponent = 'p'
		l.pos += 2
	}
	for {
		b := l.at(l.pos)
		if b|0x20 == exponent && (l.at(l.pos+1) == '+' || l.at(l.pos+1) == '-') {
			l.pos += 2
			continue
		}
		if !isDigit(b) && !isLetter(b) && b != '.' {
			break
		}
		l.pos++
	}
	text := l.src[start:l.pos]
	if text[0] == '.' {
		text = append([]byte("0"), text...)
	}
	return token{number, start, text}
}

// quoted reads a string in quotes. Escapes of quotes that need none go; others
// stay as they are written.
func (l *lexer) quoted(start int, quote byte) token {
	var value []byte
	for i := start + 1; i < len(l.src); i++ {
		switch b := l.src[i]; b {
		case quote:
			l.pos = i + 1
			return token{str, start, value}
		case '\n':
			l.fail(start, "a string that is not closed")
			return token{kind: end, at: start}
		case '\\':
			i++
			value, i = l.escape(value, i)
		default:
			value = append(value, b)
		}
	}
	l.fail(start, "a string that is not closed")
	return token{kind: end, at: start}
}

// escape adds what the escape stands for of which the character behind the
// backslash is at i, and returns where its last character is.
func (l *lexer) escape(value []byte, i int) ([]byte, int) {
	switch b := l.at(i); b {
	case '"', '\'', '\\':
		return append(value, b), i
	case 'n':
		return append(value, '\n'), i
	case '\n':
		return append(value, '\n'), i
	case '\r':
		if l.at(i+1) == '\n' {
			i++
		}
		return append(value, '\n'), i
	case 'z':
		for ; l.at(i+1) == ' ' || '\t' <= l.at(i+1) && l.at(i+1) <= '\r'; i++ {
		}
		return append(value, 0xff, 'z'), i
	case 't':
		return append(value, '\t'), i
	case 'r':
		return append(value, '\r'), i
	default:
		// What it means depends on the version of Lua.
		return append(value, 0xff, b), i
	}
}
