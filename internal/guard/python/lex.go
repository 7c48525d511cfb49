package python

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Limits of the reference implementation, which a text of any use respects.
const (
	maxIndents  = 100
	maxBrackets = 200
)

const byteOrderMark = "\xef\xbb\xbf"

// frame is something open: a bracket, or a part of a string with replacement
// fields.
type frame struct {
	open        byte // ( [ { or one of the three below
	quote       byte // of the string that a part belongs to
	triple, raw bool
}

const (
	inText  = 'T' // between the fields
	inSpec  = 'S' // in the format specification of a field
	inField = 'F' // in the code of a field
)

type indent struct{ col, alt uint32 } // tabs to eight columns; tabs to one

type lexer struct {
	src      []byte
	pos      int
	toks     []token
	comments []comment
	open     []frame
	indents  []indent
	done     bool
	why      string // what is wrong with the text at pos; "" if nothing is
	needs    uint8  // the minor version of Python that first had all of this
}

// run splits the text into tokens, the last of which is tEOF, unless something
// is wrong with it.
func (l *lexer) run() {
	l.pos = len(l.src) - len(bytes.TrimPrefix(l.src, []byte(byteOrderMark)))
	l.indents = append(l.indents, indent{})
	l.lineStart()
	for l.why == "" && !l.done {
		if n := len(l.open); n > 0 && (l.open[n-1].open == inText || l.open[n-1].open == inSpec) {
			l.text(&l.open[n-1])
		} else {
			l.step()
		}
	}
}

func (l *lexer) fail(why string) {
	if l.why == "" {
		l.why = why
	}
}

func (l *lexer) at(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

func (l *lexer) emit(k kind, start, end int) {
	l.toks = append(l.toks, token{k, uint32(start), uint32(end)})
}

func (l *lexer) step() {
	for l.pos < len(l.src) && classes[l.src[l.pos]] == cBlank {
		l.pos++
	}
	if l.pos == len(l.src) {
		l.eof()
		return
	}
	switch classes[l.src[l.pos]] {
	case cWord:
		l.word()
	case cDigit:
		l.number()
	case cDot:
		if c := l.at(l.pos + 1); c >= '0' && c <= '9' {
			l.number()
		} else {
			l.operator()
		}
	case cOperator:
		l.operator()
	case cQuote:
		l.quoted(l.pos, l.pos)
	case cLine:
		l.newline()
	case cComment:
		l.comment()
	case cBackslash:
		l.continuation()
	default:
		l.fail("this character starts no token")
	}
}

func (l *lexer) eof() {
	if len(l.open) > 0 {
		l.fail("a bracket is not closed")
		return
	}
	if n := len(l.toks); n > 0 && l.toks[n-1].kind != tNewline {
		l.emit(tNewline, l.pos, l.pos)
	}
	for range len(l.indents) - 1 {
		l.emit(tDedent, l.pos, l.pos)
	}
	l.emit(tEOF, l.pos, l.pos)
	l.done = true
}

// lineEnd returns the length of the end of line at i, which may be none.
func (l *lexer) lineEnd(i int) int {
	switch {
	case l.at(i) == '\n' && i < len(l.src):
		return 1
	case l.at(i) == '\r' && l.at(i+1) == '\n':
		return 2
	case l.at(i) == '\r':
		return 1
	}
	return 0
}

func (l *lexer) newline() {
	n := l.lineEnd(l.pos)
	if len(l.open) > 0 {
		if l.inShortField() {
			l.needs = max(l.needs, 12)
		}
		l.pos += n
		return
	}
	l.emit(tNewline, l.pos, l.pos)
	l.pos += n
	l.lineStart()
}

// inShortField reports whether the innermost field around the current place is
// of a string of one line, which had to end on that line before Python 3.12.
func (l *lexer) inShortField() bool {
	for _, f := range slices.Backward(l.open) {
		if f.open == inField {
			return !f.triple
		}
	}
	return false
}

// lineStart passes lines without code and settles the indentation of the next
// that has some.
func (l *lexer) lineStart() {
	for {
		in := l.indentation()
		if l.why != "" || l.pos == len(l.src) {
			return
		}
		if l.src[l.pos] == '#' {
			l.comment()
		}
		n := l.lineEnd(l.pos)
		switch {
		case n > 0:
			l.pos += n
		case l.pos == len(l.src):
			return
		default:
			l.indent(in)
			return
		}
	}
}

// indentation passes blanks at the start of a line. Where a backslash joins
// lines within them, those before the first backslash count.
func (l *lexer) indentation() indent {
	var in, joined indent
	for {
		switch l.at(l.pos) {
		case ' ':
			in.col++
			in.alt++
		case '\t':
			in.col = (in.col/8 + 1) * 8
			in.alt++
		case '\f':
			in = indent{}
		case '\\':
			if joined.col == 0 {
				joined = in
			}
			if l.continuation(); l.why != "" {
				return in
			}
			continue
		default:
			if joined.col != 0 {
				return joined
			}
			return in
		}
		l.pos++
	}
}

func (l *lexer) indent(in indent) {
	top := l.indents[len(l.indents)-1]
	if in.col == top.col {
		if in.alt != top.alt {
			l.fail("tabs and blanks are mixed in the indentation")
		}
		return
	}
	if in.col > top.col {
		if in.alt <= top.alt {
			l.fail("tabs and blanks are mixed in the indentation")
		}
		if len(l.indents) == maxIndents {
			l.fail("indentation is too deep")
		}
		l.indents = append(l.indents, in)
		l.emit(tIndent, l.pos, l.pos)
		return
	}
	for in.col < top.col {
		l.indents = l.indents[:len(l.indents)-1]
		top = l.indents[len(l.indents)-1]
		l.emit(tDedent, l.pos, l.pos)
	}
	if in != top {
		l.fail("this indentation fits no block")
	}
}

// continuation passes a backslash and the end of line after it.
func (l *lexer) continuation() {
	n := l.lineEnd(l.pos + 1)
	if n == 0 {
		l.fail("a backslash does not end its line")
		return
	}
	l.pos += 1 + n
	if l.pos == len(l.src) {
		l.fail("the text ends after a backslash")
	}
	if l.fieldAround() {
		l.needs = max(l.needs, 12)
	}
}

// fieldAround reports whether the current place is in a field of a string.
func (l *lexer) fieldAround() bool {
	return slices.ContainsFunc(l.open, func(f frame) bool { return f.open == inField })
}

func (l *lexer) comment() {
	start, own := l.pos, true
	for i := start - 1; i >= 0 && classes[l.src[i]] != cLine; i-- {
		if classes[l.src[i]] != cBlank {
			own = i == 2 && bytes.HasPrefix(l.src, []byte(byteOrderMark))
			break
		}
	}
	end := len(l.src)
	if n := bytes.IndexByte(l.src[start:], '\n'); n >= 0 {
		end = start + n
	}
	if n := bytes.IndexByte(l.src[start:end], '\r'); n >= 0 {
		end = start + n
	}
	if l.fieldAround() {
		l.needs = max(l.needs, 12)
	}
	l.comments = append(l.comments, comment{uint32(start), uint32(end), uint32(len(l.toks)), own})
	l.pos = end
}

// word reads a name, a reserved word, or the prefix of a string and the string.
func (l *lexer) word() {
	start, i, ascii := l.pos, l.pos, true
	for i < len(l.src) && (classes[l.src[i]] == cWord || classes[l.src[i]] == cDigit) {
		ascii = ascii && l.src[i] < utf8.RuneSelf
		i++
	}
	w := l.src[start:i]
	if !ascii && !isName(w) {
		l.fail("a character that names do not have")
		return
	}
	if c := l.at(i); (c == '"' || c == '\'') && i-start <= 2 {
		if isPrefix(w) {
			l.quoted(start, i)
			return
		}
	}
	l.pos = i
	l.emit(keyword(w), start, i)
}

// isName reports whether the word, which holds more than ASCII, is a name.
func isName(w []byte) bool {
	for i, r := range string(w) {
		switch {
		case r == '_' || unicode.In(r, unicode.L, unicode.Nl, unicode.Other_ID_Start):
		case i > 0 && unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue):
		default:
			return false
		}
	}
	return true
}

// isPrefix reports whether the word may stand before the quote of a string.
func isPrefix(w []byte) bool {
	a := w[0] | ' '
	if len(w) == 1 {
		return a == 'r' || a == 'b' || a == 'u' || a == 'f' || a == 't'
	}
	b := w[1] | ' '
	if a == 'r' {
		a, b = b, a
	}
	return b == 'r' && (a == 'b' || a == 'f' || a == 't')
}

// bracketPairs tells which bracket a closing one belongs to.
var bracketPairs = [128]byte{')': '(', ']': '[', '}': '{'}

func (l *lexer) operator() {
	c := l.src[l.pos]
	if n := len(l.open); n > 0 && l.open[n-1].open == inField && (c == '}' || c == ':' || c == '!' && l.at(l.pos+1) != '=') {
		l.endOfField(c)
		return
	}
	rest := l.src[l.pos:]
	for _, op := range operators[c] {
		if len(op.text) > len(rest) || string(rest[:len(op.text)]) != op.text {
			continue
		}
		l.bracket(c)
		l.emit(op.kind, l.pos, l.pos+len(op.text))
		l.pos += len(op.text)
		return
	}
	l.fail("this character starts no token")
}

// bracket opens or closes a bracket; any other character does neither.
func (l *lexer) bracket(c byte) {
	if c == '(' || c == '[' || c == '{' {
		l.push(frame{open: c})
		return
	}
	pair := bracketPairs[c]
	if pair == 0 {
		return
	}
	n := len(l.open)
	if n == 0 || l.open[n-1].open != pair {
		l.fail("this bracket closes none")
		return
	}
	l.open = l.open[:n-1]
}

func (l *lexer) push(f frame) {
	if len(l.open) == maxBrackets {
		l.fail("brackets nest too deeply")
		return
	}
	l.open = append(l.open, f)
}

// endOfField reads what ends the code of a replacement field.
func (l *lexer) endOfField(c byte) {
	top := &l.open[len(l.open)-1]
	k := tBang
	switch c {
	case '}':
		k = tFieldClose
		l.open = l.open[:len(l.open)-1]
	case ':':
		k = tSpec
		l.push(frame{inSpec, top.quote, top.triple, top.raw})
	}
	l.emit(k, l.pos, l.pos+1)
	l.pos++
}
