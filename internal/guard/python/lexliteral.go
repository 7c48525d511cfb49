package python

import (
	"bytes"
	"slices"
)

// quoted reads a string whose prefix starts at start and whose quote stands at
// quote. Of one with replacement fields it reads the opening alone.
func (l *lexer) quoted(start, quote int) {
	f := frame{open: inText, quote: l.src[quote]}
	f.triple = l.at(quote+1) == f.quote && l.at(quote+2) == f.quote
	fields := false
	for _, c := range l.src[start:quote] {
		switch c | ' ' {
		case 'r':
			f.raw = true
		case 'f':
			fields = true
		case 't':
			fields = true
			l.needs = max(l.needs, 14)
		}
	}
	if len(l.open) > 0 && l.fieldWith(f.quote) {
		l.needs = max(l.needs, 12)
	}
	l.pos = quote + 1
	if f.triple {
		l.pos = quote + 3
	}
	if fields {
		l.emit(tFStart, start, l.pos)
		l.push(f)
		return
	}
	end := l.endOfString(f)
	if end < 0 {
		l.pos = start
		l.fail("a string is not closed")
		return
	}
	if l.fieldAround() && bytes.IndexByte(l.src[start:end], '\\') >= 0 {
		l.needs = max(l.needs, 12)
	}
	l.emit(tString, start, end)
	l.pos = end
}

// fieldWith reports whether a string of the quote stands around the current place.
func (l *lexer) fieldWith(quote byte) bool {
	return slices.ContainsFunc(l.open, func(f frame) bool { return f.open == inField && f.quote == quote })
}

// endOfString returns the offset after the closing quotes, -1 if there are none.
func (l *lexer) endOfString(f frame) int {
	src := l.src
	for i := l.pos; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\\':
			i += max(1, l.lineEnd(i+1))
		case c == f.quote:
			if !f.triple {
				return i + 1
			}
			if l.at(i+1) == c && l.at(i+2) == c {
				return i + 3
			}
		case (c == '\n' || c == '\r') && !f.triple:
			return -1
		}
	}
	return -1
}

// text reads what stands between the fields of a string, and what follows it:
// the start of a field or the end of the string. In a format specification it
// reads as far as the brace that ends it.
func (l *lexer) text(f *frame) {
	spec := f.open == inSpec
	start := l.pos
	for i := start; i < len(l.src); i++ {
		c := l.src[i]
		switch {
		case c == '\\':
			i = l.escape(i, f)
		case c == '{' || c == '}':
			if !spec && l.at(i+1) == c {
				i++
				continue
			}
			l.brace(c, start, i, *f)
			return
		case c == f.quote && (!f.triple || l.at(i+1) == c && l.at(i+2) == c):
			l.endOfText(start, i, *f)
			return
		case (c == '\n' || c == '\r') && !f.triple:
			l.fail("a string is not closed")
			return
		}
	}
	l.fail("a string is not closed")
}

// escape returns the offset of the last byte that the backslash at i escapes. A
// brace is not escaped by one, except that of a character's name.
func (l *lexer) escape(i int, f *frame) int {
	switch next := l.at(i + 1); {
	case next == '{' || next == '}':
		return i
	case next == 'N' && !f.raw && l.at(i+2) == '{':
		n := bytes.IndexAny(l.src[i:], "}\r\n\"'")
		if n < 0 || l.src[i+n] != '}' {
			return i + 2
		}
		return i + n
	}
	return i + max(1, l.lineEnd(i+1))
}

func (l *lexer) brace(c byte, start, end int, f frame) {
	l.pos = end
	if end > start {
		l.emit(tFText, start, end)
	}
	switch {
	case c == '{':
		l.emit(tFieldOpen, end, end+1)
		l.push(frame{inField, f.quote, f.triple, f.raw})
		l.pos++
	case f.open == inSpec:
		l.open = l.open[:len(l.open)-1]
	default:
		l.fail("a brace in a string closes no field")
	}
}

func (l *lexer) endOfText(start, end int, f frame) {
	l.pos = end
	if f.open == inSpec {
		l.fail("a field of a string is not closed")
		return
	}
	if end > start {
		l.emit(tFText, start, end)
	}
	l.pos++
	if f.triple {
		l.pos += 2
	}
	l.emit(tFEnd, end, l.pos)
	l.open = l.open[:len(l.open)-1]
}

// number reads a number and checks its form.
func (l *lexer) number() {
	start := l.pos
	if l.src[start] == '0' {
		switch c := l.at(start+1) | ' '; c {
		case 'x', 'o', 'b':
			l.basedNumber(start, c)
			return
		}
	}
	i, ok := l.digits(start)
	whole := l.src[start:i]
	decimal := true
	if l.at(i) == '.' {
		decimal = false
		i++
		if isDigit(l.at(i)) {
			var fine bool
			i, fine = l.digits(i)
			ok = ok && fine
		}
	}
	if e := l.exponent(i); e > i {
		decimal = false
		var fine bool
		i, fine = l.digits(e)
		ok = ok && fine
	}
	if l.at(i)|' ' == 'j' {
		decimal = false
		i++
	}
	if decimal && len(whole) > 1 && whole[0] == '0' && !onlyZeros(whole) {
		ok = false
	}
	l.endOfNumber(start, i, ok)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func onlyZeros(digits []byte) bool {
	for _, c := range digits {
		if c != '0' && c != '_' {
			return false
		}
	}
	return true
}

// digits passes digits with single underscores between them.
func (l *lexer) digits(i int) (end int, ok bool) {
	for ; isDigit(l.at(i)) || l.at(i) == '_'; i++ {
		if l.at(i) == '_' && !isDigit(l.at(i+1)) {
			return i, false
		}
	}
	return i, true
}

// exponent returns the offset of the digits of an exponent at i; i if there is
// none.
func (l *lexer) exponent(i int) int {
	if l.at(i)|' ' != 'e' {
		return i
	}
	if c := l.at(i + 1); isDigit(c) {
		return i + 1
	} else if (c == '+' || c == '-') && isDigit(l.at(i+2)) {
		return i + 2
	}
	return i
}

// basedNumber reads a number whose base the letter after its zero tells.
func (l *lexer) basedNumber(start int, base byte) {
	i, ok := start+2, false
	for ; ; i++ {
		c := l.at(i)
		if c == '_' && inBase(l.at(i+1), base) {
			continue
		}
		if !inBase(c, base) {
			ok = ok && !isDigit(c) && c != '_'
			break
		}
		ok = true
	}
	l.endOfNumber(start, i, ok)
}

func inBase(c, base byte) bool {
	switch base {
	case 'b':
		return c == '0' || c == '1'
	case 'o':
		return c >= '0' && c <= '7'
	}
	return isDigit(c) || c|' ' >= 'a' && c|' ' <= 'f'
}

// endOfNumber ends a number, which a reserved word may follow without a blank,
// but nothing else that could belong to it.
func (l *lexer) endOfNumber(start, end int, ok bool) {
	if ok && classes[l.at(end)] == cWord {
		ok = wordFollows(l.src[end:])
	}
	if !ok {
		l.fail("this is no number")
		return
	}
	l.emit(tNumber, start, end)
	l.pos = end
}

func wordFollows(rest []byte) bool {
	for _, w := range [...]string{"and", "else", "for", "if", "in", "is", "or", "not"} {
		if len(rest) >= len(w) && string(rest[:len(w)]) == w {
			return true
		}
	}
	return false
}
