package sql

import (
	"bytes"
	"unicode/utf8"
)

// fault tells where and why a text cannot be read.
type fault struct {
	at     int
	reason string
}

type lexer struct {
	text    []byte
	escapes bool // a backslash escapes in any string
	pos     int
	tokens  []token
	fault   *fault
	open    int // brackets of arrays and subscripts
}

// all reads the whole text.
func (l *lexer) all() ([]token, *fault) {
	for l.fault == nil {
		l.skipBlanks()
		if l.pos >= len(l.text) {
			return l.tokens, nil
		}
		l.next()
	}
	return nil, l.fault
}

func (l *lexer) fail(at int, reason string) {
	if l.fault == nil {
		l.fault = &fault{at, reason}
	}
}

func (l *lexer) skipBlanks() {
	for l.pos < len(l.text) {
		switch l.text[l.pos] {
		case ' ', '\t', '\n', '\r', '\f', '\v':
			l.pos++
		case 0xEF:
			if l.pos != 0 || !bytes.HasPrefix(l.text, []byte("\xEF\xBB\xBF")) {
				return
			}
			l.pos = 3
		default:
			return
		}
	}
}

// peek returns the byte n after the current one, 0 beyond the end.
func (l *lexer) peek(n int) byte {
	if l.pos+n < len(l.text) {
		return l.text[l.pos+n]
	}
	return 0
}

// add appends the token that ends at end and goes on there.
func (l *lexer) add(k kind, end int) {
	t := token{kind: k, at: l.pos, text: l.text[l.pos:end]}
	if k == quoted && len(l.tokens) > 0 {
		p := &l.tokens[len(l.tokens)-1]
		t.apart = p.kind == quoted && bytes.ContainsAny(l.text[p.at+len(p.text):l.pos], "\r\n")
	}
	if k == operator && string(t.text) == "/" || k == word && bytes.EqualFold(t.text, []byte("go")) {
		t.alone = l.alone(l.pos, end)
	}
	l.tokens = append(l.tokens, t)
	l.pos = end
}

// alone reports whether only blanks stand beside the text from start to end on its line.
func (l *lexer) alone(start, end int) bool {
	for start > 0 && l.text[start-1] != '\n' && l.text[start-1] != '\r' {
		start--
		if l.text[start] != ' ' && l.text[start] != '\t' {
			return false
		}
	}
	return len(bytes.Trim(l.text[end:l.lineEnd(end)], " \t")) == 0
}

func (l *lexer) lineEnd(from int) int {
	if i := bytes.IndexAny(l.text[from:], "\r\n"); i >= 0 {
		return from + i
	}
	return len(l.text)
}

func (l *lexer) next() {
	c := l.text[l.pos]
	if l.comment(c) || l.quotes(c) || l.foreign(c) {
		return
	}
	switch {
	case isDigit(c) || c == '.' && isDigit(l.peek(1)):
		l.number()
	case wordStart(c) || c == '@' && (wordStart(l.peek(1)) || l.peek(1) == '@') || c == ':' && wordStart(l.peek(1)):
		l.word()
	case bytes.IndexByte([]byte("()[]{},;."), c) >= 0:
		l.mark(c)
	case isOperator(c):
		l.operator()
	default:
		l.fail(l.pos, "a character that is not known in SQL")
	}
}

// comment reads a comment, if one starts here. Behind # is a comment in MySQL
// and a temporary table in SQL Server: the rest of the line has to stay as it is.
func (l *lexer) comment(c byte) bool {
	switch {
	case c == '-' && l.peek(1) == '-', c == '#' && !hashOperator(l.peek(1)):
		l.add(lineComment, l.lineEnd(l.pos))
	case c == '/' && l.peek(1) == '*':
		l.block()
	default:
		return false
	}
	return true
}

// quotes reads what is in quotes, if it starts here.
func (l *lexer) quotes(c byte) bool {
	switch {
	case c == '\'' || c == '"' || c == '`':
		l.quote(l.pos, c != '`' && l.escapes)
	case c == '$':
		l.dollar()
	case c == '[' && !l.subscript():
		l.bracket()
	default:
		return false
	}
	return true
}

// foreign refuses what is no SQL, if it starts here.
func (l *lexer) foreign(c byte) bool {
	switch {
	case c == '{' && (l.peek(1) == '{' || l.peek(1) == '%' || l.peek(1) == '#'):
		l.fail(l.pos, "marks of a template")
	case c == '\\':
		l.fail(l.pos, "a command of psql")
	default:
		return false
	}
	return true
}

func hashOperator(next byte) bool { return next == '>' || next == '-' || next == '#' || next == '=' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func wordStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}

func wordPart(c byte) bool { return wordStart(c) || isDigit(c) || c == '$' || c == '#' || c == '@' }

// subscript reports whether a bracket here belongs to what stands before it, as
// in a[1] and text[], and is no quoted name of SQL Server.
func (l *lexer) subscript() bool {
	if l.pos == 0 {
		return false
	}
	p := l.text[l.pos-1]
	return wordPart(p) || p == ']' || p == ')' || p == '[' || l.open > 0
}

func (l *lexer) mark(c byte) {
	switch {
	case c == '[':
		l.open++
	case c == ']' && l.open > 0:
		l.open--
	case c == ';':
		l.open = 0
	}
	l.add(mark, l.pos+1)
}

// bracket reads a quoted name of SQL Server.
func (l *lexer) bracket() {
	end := bytes.IndexByte(l.text[l.pos:l.lineEnd(l.pos)], ']')
	if end < 0 {
		l.add(mark, l.pos+1)
		return
	}
	l.add(quoted, l.pos+end+1)
}

// block reads a comment, which may hold others as in PostgreSQL. Where the
// inner ones are not closed it ends at the first end, as elsewhere.
func (l *lexer) block() {
	depth, first := 0, -1
	for i := l.pos; i+1 < len(l.text); i++ {
		switch {
		case l.text[i] == '/' && l.text[i+1] == '*':
			depth++
			i++
		case l.text[i] == '*' && l.text[i+1] == '/':
			depth--
			i++
			if first < 0 {
				first = i + 1
			}
			if depth == 0 {
				l.add(blockComment, i+1)
				return
			}
		}
	}
	if first < 0 {
		l.fail(l.pos, "a comment without an end")
		return
	}
	l.add(blockComment, first)
}

// quote reads a string or name in quotes, of which a part before start is the
// prefix. A quote within is written twice.
func (l *lexer) quote(start int, escapes bool) {
	q := l.text[start]
	for i := start + 1; i < len(l.text); i++ {
		switch {
		case l.text[i] == '\\' && escapes:
			i++
		case l.text[i] == q && i+1 < len(l.text) && l.text[i+1] == q:
			i++
		case l.text[i] == q:
			l.add(quoted, i+1)
			return
		}
	}
	l.fail(l.pos, "a quote without an end")
}

// dollar reads $1, $name and strings of PostgreSQL in $tag$.
func (l *lexer) dollar() {
	end := l.pos + 1
	for end < len(l.text) && (wordStart(l.text[end]) || isDigit(l.text[end])) {
		end++
	}
	if end >= len(l.text) || l.text[end] != '$' || isDigit(l.peek(1)) {
		l.add(word, end)
		return
	}
	tag := l.text[l.pos : end+1]
	stop := bytes.Index(l.text[end+1:], tag)
	if stop < 0 {
		l.fail(l.pos, "a quote without an end")
		return
	}
	l.add(quoted, end+1+stop+len(tag))
}

func (l *lexer) number() {
	end := l.pos
	for end < len(l.text) {
		c := l.text[end]
		if (c == '+' || c == '-') && (l.text[end-1] == 'e' || l.text[end-1] == 'E') && l.text[l.pos] != '0' {
			end++
			continue
		}
		if !isDigit(c) && c != '.' && !wordPart(c) {
			break
		}
		end++
	}
	l.add(number, max(end, l.pos+1))
}

func (l *lexer) word() {
	end := l.pos + 1
	if l.peek(0) == '@' && l.peek(1) == '@' {
		end++
	}
	for end < len(l.text) && wordPart(l.text[end]) {
		end++
	}
	w := l.text[l.pos:end]
	if bytes.EqualFold(w, []byte("delimiter")) && l.startsLine() {
		l.fail(l.pos, "a command of the client of MySQL")
		return
	}
	switch {
	case l.at(end, "'") && isPrefix(w):
		l.quote(end, l.escapes || w[0]|0x20 == 'e')
	case (l.at(end, "&'") || l.at(end, `&"`)) && bytes.EqualFold(w, []byte("u")):
		l.quote(end+1, false)
	default:
		l.add(word, end)
	}
}

// startsLine reports whether only blanks stand before the position on its line.
func (l *lexer) startsLine() bool {
	before := bytes.TrimRight(l.text[:l.pos], " \t")
	return len(before) == 0 || before[len(before)-1] == '\n' || before[len(before)-1] == '\r'
}

// isPrefix reports whether a word directly before a quote is a part of the
// string: e'..', n'..', x'..', b'..', r'..', or a character set of MySQL.
func isPrefix(w []byte) bool {
	if len(w) == 1 {
		return bytes.IndexByte([]byte("eEnNxXbBrRqQ"), w[0]) >= 0
	}
	return w[0] == '_'
}

func isOperator(c byte) bool { return bytes.IndexByte([]byte("+-*/<>=~!@#%^&|?:"), c) >= 0 }

// operator reads one operator as PostgreSQL does: the longest run, which ends
// in + or - only if it has a character that no operator of the standard has.
// What stands apart must stay apart, and what is together must stay together.
func (l *lexer) operator() {
	end := l.pos
	special := false
	for end < len(l.text) && isOperator(l.text[end]) && !l.ends(end) {
		special = special || bytes.IndexByte([]byte("~!@#%^&|?"), l.text[end]) >= 0
		end++
	}
	for !special && end-l.pos > 1 && (l.text[end-1] == '+' || l.text[end-1] == '-') && l.text[l.pos] != '-' {
		end--
	}
	if !special && l.text[l.pos] == '*' {
		end = l.pos + 1 // select *, count(*): never the start of an operator
	}
	l.add(operator, end)
}

// ends reports whether an operator that began before ends at i, where a comment
// or a parameter begins.
func (l *lexer) ends(i int) bool {
	return i > l.pos && (l.at(i, "--") || l.at(i, "/*") || l.text[i] == ':' && l.text[i-1] != ':')
}

func (l *lexer) at(i int, s string) bool { return bytes.HasPrefix(l.text[i:], []byte(s)) }
