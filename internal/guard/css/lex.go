package css

import (
	"bytes"
	"unicode/utf8"
)

// kind is the kind of a token.
type kind uint8

const (
	kindEOF      kind = iota
	kindDelim         // its op tells which
	kindIdent         // also --custom
	kindAt            // @name
	kindVariable      // $name
	kindHash          // #name
	kindString
	kindNumber // with its unit
	kindURL    // url( and all up to the parenthesis
	kindRange  // U+26
	kindRaw    // `script` of Less
	kindInterp // #{ of SCSS, @{ of Less
)

// token is one token and whether white space stands before it.
type token struct {
	kind       kind
	blank      bool
	op         uint16 // the bytes of a delimiter, the first one higher
	start, end int32
}

// comment is one comment and where it stands.
type comment struct {
	start, end int
	token      int // the token after it
	leaf       int // names, numbers and strings before it, once statements are read
	fence      int // braces of blocks before it
	text       uint64
	ownLine    bool // no code before it on its line
	endsLine   bool // no code after it on its line
	pragma     bool // tools read it
}

// lexer cuts a text into tokens.
type lexer struct {
	src      []byte
	dialect  Dialect
	pos      int
	tokens   []token
	comments []comment
	bad      string
	badAt    int
}

func (l *lexer) fail(what string, at int) {
	if l.bad == "" {
		l.bad, l.badAt = what, at
	}
}

// run reads the whole text. The last token is the end.
func (l *lexer) run() {
	for l.bad == "" {
		blank := l.trivia()
		t := token{blank: blank, start: int32(l.pos)}
		if l.pos >= len(l.src) {
			t.end = t.start
			l.tokens = append(l.tokens, t)
			return
		}
		l.scan(&t)
		t.end = int32(l.pos)
		l.tokens = append(l.tokens, t)
	}
}

func (l *lexer) byteAt(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}
func isName(c byte) bool { return isStart(c) || isDigit(c) || c == '-' }

// trivia skips white space and comments, and reports whether there was any of
// what parts tokens as white space does.
func (l *lexer) trivia() bool {
	blank, newline := false, l.pos == 0
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		switch {
		case isBlank(c):
			blank = true
			newline = newline || c == '\n' || c == '\r'
			l.pos++
		case c == '/' && l.byteAt(l.pos+1) == '*':
			n := bytes.Index(l.src[l.pos+2:], []byte("*/"))
			if n < 0 {
				l.fail("a comment has no end", l.pos)
				l.pos = len(l.src)
				return blank
			}
			l.addComment(l.pos+n+4, newline)
		case c == '/' && l.byteAt(l.pos+1) == '/' && l.dialect != CSS:
			end := l.pos
			for end < len(l.src) && l.src[end] != '\n' && l.src[end] != '\r' {
				end++
			}
			blank = true
			l.addComment(end, newline)
		default:
			return blank
		}
	}
	return blank
}

// scan reads the token at pos.
func (l *lexer) scan(t *token) {
	c := l.src[l.pos]
	switch {
	case c == '"' || c == '\'':
		t.kind = kindString
		l.scanString(c)
	case l.startsNumber(l.pos):
		t.kind = kindNumber
		l.scanNumber()
	case (c == 'u' || c == 'U') && l.byteAt(l.pos+1) == '+' && l.isRange(l.pos+2):
		t.kind = kindRange
		l.scanRange()
	case l.startsName(l.pos):
		t.kind = kindIdent
		l.pos = l.nameEnd(l.pos)
		if l.byteAt(l.pos) == '(' && isURL(l.src[t.start:l.pos]) {
			l.scanURL(t)
		}
	case c == '`' && l.dialect == Less:
		t.kind = kindRaw
		n := bytes.IndexByte(l.src[l.pos+1:], '`')
		if n < 0 {
			l.fail("a script has no end", l.pos)
		}
		l.pos += n + 2
	default:
		l.scanMark(t, c)
	}
}

// scanMark reads a token that starts with a mark.
func (l *lexer) scanMark(t *token, c byte) {
	next := l.pos + 1
	switch {
	case c == '#' && l.dialect == SCSS && l.byteAt(next) == '{', c == '@' && l.dialect == Less && l.byteAt(next) == '{':
		t.kind = kindInterp
		l.pos += 2
		return
	case c == '#' && (isName(l.byteAt(next)) || l.byteAt(next) == '\\'):
		t.kind = kindHash
	case c == '@' && (l.startsName(next) || l.dialect == Less && isName(l.byteAt(next))):
		t.kind = kindAt
	case c == '$' && l.startsName(next):
		t.kind = kindVariable
	default:
		t.kind = kindDelim
		l.scanDelim(t, c)
		return
	}
	l.pos = l.nameEnd(next)
}

func (l *lexer) scanDelim(t *token, c byte) {
	t.op = uint16(c)
	l.pos++
	second := l.byteAt(l.pos)
	double := false
	switch c {
	case '~', '^', '$', '*', '<', '>', '!', '=':
		double = second == '='
	case '|':
		double = second == '=' || second == '|'
	case ':':
		double = second == ':'
	}
	if double {
		t.op = t.op<<8 | uint16(second)
		l.pos++
	}
}

// startsName reports whether an identifier starts at i.
func (l *lexer) startsName(i int) bool {
	c := l.byteAt(i)
	if c == '-' {
		c = l.byteAt(i + 1)
		if c == '-' {
			return l.byteAt(i+2) != '>'
		}
		i++
	}
	return isStart(c) || c == '\\' && i+1 < len(l.src) && l.src[i+1] != '\n' && l.src[i+1] != '\r'
}

// nameEnd returns where the name at i ends. Escapes belong to it.
func (l *lexer) nameEnd(i int) int {
	for i < len(l.src) {
		switch c := l.src[i]; {
		case isName(c):
			i++
		case c == '\\' && i+1 < len(l.src) && l.src[i+1] != '\n' && l.src[i+1] != '\r':
			i = l.escapeEnd(i + 1)
		default:
			return i
		}
	}
	return i
}

// escapeEnd returns where the escape ends whose backslash stands before i: a
// blank after hexadecimal digits belongs to it.
func (l *lexer) escapeEnd(i int) int {
	start := i
	for i < len(l.src) && i < start+6 && isHex(l.src[i]) {
		i++
	}
	if i == start {
		_, size := utf8.DecodeRune(l.src[i:])
		return i + size
	}
	if i < len(l.src) && isBlank(l.src[i]) {
		i++
	}
	return i
}

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func (l *lexer) startsNumber(i int) bool {
	if c := l.byteAt(i); c == '+' || c == '-' {
		i++
	}
	return isDigit(l.byteAt(i)) || l.byteAt(i) == '.' && isDigit(l.byteAt(i+1))
}

func (l *lexer) scanNumber() {
	i := l.pos
	if c := l.src[i]; c == '+' || c == '-' {
		i++
	}
	i = l.digits(i)
	if l.byteAt(i) == '.' && isDigit(l.byteAt(i+1)) {
		i = l.digits(i + 1)
	}
	if l.byteAt(i)|0x20 == 'e' {
		j := i + 1
		if c := l.byteAt(j); c == '+' || c == '-' {
			j++
		}
		if isDigit(l.byteAt(j)) {
			i = l.digits(j)
		}
	}
	if l.byteAt(i) == '%' {
		i++
	} else if l.startsName(i) {
		i = l.nameEnd(i)
	}
	l.pos = i
}

func (l *lexer) digits(i int) int {
	for i < len(l.src) && isDigit(l.src[i]) {
		i++
	}
	return i
}

func (l *lexer) isRange(i int) bool { return isHex(l.byteAt(i)) || l.byteAt(i) == '?' }

func (l *lexer) scanRange() {
	i := l.pos + 2
	for l.isRange(i) {
		i++
	}
	if l.byteAt(i) == '-' && isHex(l.byteAt(i+1)) {
		for i++; isHex(l.byteAt(i)); i++ {
		}
	}
	l.pos = i
}

// scanString reads a string. In SCSS, what is put into it may hold quotes.
func (l *lexer) scanString(quote byte) {
	depth := 0
	for i := l.pos + 1; i < len(l.src); i++ {
		switch c := l.src[i]; {
		case c == '\\':
			i++
		case c == '#' && l.dialect == SCSS && l.byteAt(i+1) == '{':
			depth++
		case c == '}' && depth > 0:
			depth--
		case c == quote && depth == 0:
			l.pos = i + 1
			return
		case (c == '\n' || c == '\r') && l.dialect != Less && depth == 0:
			l.fail("a string has no end", l.pos)
			return
		}
	}
	l.fail("a string has no end", l.pos)
}

func isURL(name []byte) bool {
	return len(name) == 3 && name[0]|0x20 == 'u' && name[1]|0x20 == 'r' && name[2]|0x20 == 'l'
}

// scanURL reads an address without quotes. With quotes, or with an expression
// of SCSS or Less, url is a function like others.
func (l *lexer) scanURL(t *token) {
	i := l.pos + 1
	for isBlank(l.byteAt(i)) {
		i++
	}
	switch c := l.byteAt(i); {
	case c == '"' || c == '\'':
		return
	case l.dialect == SCSS && c == '$', l.dialect == Less && (c == '@' || c == '~'):
		return
	}
	for ; i < len(l.src); i++ {
		switch l.src[i] {
		case '\\':
			i++
		case ')':
			t.kind = kindURL
			l.pos = i + 1
			return
		case '"', '\'', '(':
			if l.dialect != CSS {
				return
			}
		}
	}
	l.fail("an address has no end", l.pos)
}
