package php

import (
	"bytes"
	"strings"
	"sync"

	"poly/internal/guard"
)

type kind uint8

const (
	html kind = iota
	word
	variable
	number
	text
	raw // a string with escapes or variables, as it is written
	mark
)

type token struct {
	kind kind
	at   int
	text []byte
}

type lexer struct {
	src      []byte
	pos      int
	tokens   []token
	counted  int // tokens before a comment
	comments []guard.Event
	bad      string
	badAt    int
	nested   int // strings that stand around the text
}

func (l *lexer) fail(at int, reason string) {
	if l.bad == "" {
		l.bad, l.badAt = reason, at
	}
	l.pos = len(l.src)
}

func (l *lexer) take(k kind, end int, text []byte) {
	l.tokens = append(l.tokens, token{k, l.pos, text})
	if k == word && (string(text) == "use" || string(text) == "null") {
		l.counted-- // they may come and go
	}
	if k != mark || strings.IndexByte("(),;{}", text[0]) < 0 && !isOperator(text) {
		l.counted++
	}
	l.pos = end
}

func (l *lexer) has(prefix string) bool { return bytes.HasPrefix(l.src[l.pos:], []byte(prefix)) }

func (l *lexer) lex() {
	if bytes.HasPrefix(l.src, []byte("\ufeff")) {
		l.pos = len("\ufeff")
	}
	l.outside()
	for l.pos < len(l.src) {
		l.next()
	}
}

// outside reads text up to the next opening tag. The end of a tag ends a
// statement.
func (l *lexer) outside() {
	rest := l.src[l.pos:]
	i := bytes.Index(rest, []byte("<?"))
	for i >= 0 && bytes.HasPrefix(rest[i:], []byte("<?xml")) {
		j := bytes.Index(rest[i+2:], []byte("<?"))
		if j < 0 {
			i = -1
			break
		}
		i += 2 + j
	}
	if i < 0 {
		i = len(rest)
	}
	if i > 0 {
		l.take(html, l.pos+i, bytes.ReplaceAll(rest[:i], []byte("\r\n"), []byte("\n")))
	}
	switch {
	case l.pos >= len(l.src):
	case l.has("<?="):
		l.take(mark, l.pos+3, []byte("<?="))
	case len(rest[i:]) >= 5 && bytes.EqualFold(rest[i:i+5], []byte("<?php")):
		l.pos += 5
	default: // text where the setting short_open_tag is off
		l.take(mark, l.pos+2, []byte("<?"))
	}
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' || b == '_' || b >= 0x80 }

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// name returns the end of the name at an offset.
func (l *lexer) name(i int) int {
	for i < len(l.src) && (isLetter(l.src[i]) || isDigit(l.src[i])) {
		i++
	}
	return i
}

func (l *lexer) next() {
	switch b := l.src[l.pos]; {
	case b == ' ' || '\t' <= b && b <= '\r':
		l.pos++
	case l.has("?>"):
		l.close()
		if l.has("\r\n") {
			l.pos++
		}
		if l.has("\n") {
			l.pos++
		}
		l.outside()
	case b == '#' && !l.has("#[") || l.has("//"):
		l.lineComment()
	case l.has("/*"):
		l.blockComment()
	default:
		l.token(b)
	}
}

// token reads a token that starts with b.
func (l *lexer) token(b byte) {
	var after byte
	if l.pos+1 < len(l.src) {
		after = l.src[l.pos+1]
	}
	switch {
	case b == '$' && isLetter(after):
		end := l.name(l.pos + 1)
		l.take(variable, end, l.src[l.pos:end])
	case isLetter(b) || b == '\\':
		l.word()
	case isDigit(b) || b == '.' && isDigit(after):
		l.number()
	case strings.IndexByte("'\"`", b) >= 0:
		l.quoted(b)
	case l.has("<<<") && l.heredoc():
	case b == '(' && l.cast():
	default:
		l.mark()
	}
}

// close reads the end of a tag. It ends a statement, if there is one to end and
// it is not the last thing in the text.
func (l *lexer) close() {
	if n := len(l.tokens); n > 0 && l.tokens[n-1].kind == mark && string(l.tokens[n-1].text) == "}" && len(bytes.TrimRight(l.src[l.pos+2:], "\r\n")) == 0 {
		l.pos += 2
		return
	}
	l.take(mark, l.pos+2, []byte(";"))
}

func (l *lexer) comment(sum uint64) {
	l.comments = append(l.comments, guard.Event{Sum: guard.MixWord(sum, uint64(l.counted)), At: l.pos})
}

func (l *lexer) lineComment() {
	end := len(l.src)
	if i := bytes.IndexByte(l.src[l.pos:], '\n'); i >= 0 {
		end = l.pos + i
	}
	if i := bytes.Index(l.src[l.pos:end], []byte("?>")); i >= 0 {
		end = l.pos + i
	}
	body := bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimPrefix(l.src[l.pos:end], []byte("#")), []byte("//")))
	l.comment(guard.Mix('/', body))
	l.pos = end
}

func (l *lexer) blockComment() {
	i := bytes.Index(l.src[l.pos+2:], []byte("*/"))
	if i < 0 {
		l.fail(l.pos, "a comment that is not closed")
		return
	}
	end := l.pos + 2 + i + 2
	l.comment(guard.BlockComment(l.src[l.pos:end]))
	l.pos = end
}

// keywords are the words of which the case does not matter.
const keywords = " abstract and array as bool break callable case catch class clone const continue declare default die do echo else " +
	"elseif empty enddeclare endfor endforeach endif endswitch endwhile enum exit extends false final finally float fn for foreach function " +
	"global goto if implements include include_once instanceof insteadof int interface isset iterable list match mixed namespace never new null " +
	"object or parent print private protected public readonly require require_once return self static string switch throw trait true try " +
	"unset use var void while xor yield "

var keywordSet = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(keywords) {
		out[w] = true
	}
	return out
})

func (l *lexer) word() {
	end := l.pos
	for end < len(l.src) && (isLetter(l.src[end]) || isDigit(l.src[end]) || l.src[end] == '\\') {
		end++
	}
	w := l.src[l.pos:end]
	if lower := bytes.ToLower(w); keywordSet()[string(lower)] {
		w = lower
	}
	l.take(word, end, w)
}

func (l *lexer) number() {
	end := l.pos
	for end < len(l.src) && (isLetter(l.src[end]) || isDigit(l.src[end]) || l.src[end] == '.' ||
		(l.src[end] == '+' || l.src[end] == '-') && l.src[end-1]|0x20 == 'e' && end > l.pos && !bytes.HasPrefix(bytes.ToLower(l.src[l.pos:end]), []byte("0x"))) {
		if l.src[end] == '.' && (bytes.HasPrefix(l.src[end:], []byte("..")) || bytes.IndexByte(l.src[l.pos:end], '.') >= 0) {
			break
		}
		end++
	}
	l.take(number, end, bytes.ToLower(l.src[l.pos:end]))
}

func (l *lexer) quoted(quote byte) {
	if quote == '\'' {
		l.single()
	} else {
		l.double(quote)
	}
}

func (l *lexer) single() {
	var value []byte
	for i := l.pos + 1; i < len(l.src); i++ {
		switch b := l.src[i]; {
		case b == '\'':
			l.take(text, i+1, value)
			return
		case b == '\\' && i+1 < len(l.src) && (l.src[i+1] == '\'' || l.src[i+1] == '\\'):
			i++
			value = append(value, l.src[i])
		default:
			value = append(value, b)
		}
	}
	l.fail(l.pos, "a string that is not closed")
}

// double reads a string that may have variables and escapes in it. One that has
// none is as good as one in single quotes.
func (l *lexer) double(quote byte) {
	var value []byte
	plain := quote == '"'
	for i := l.pos + 1; i < len(l.src); i++ {
		b := l.src[i]
		var after byte
		if i+1 < len(l.src) {
			after = l.src[i+1]
		}
		switch {
		case b == quote && plain:
			l.take(text, i+1, value)
			return
		case b == quote:
			l.take(raw, i+1, l.src[l.pos:i+1])
			return
		case b == '\\' && strings.IndexByte("\\\"$", after) >= 0:
			value = append(value, after)
			i++
		case b == '\\':
			plain = plain && strings.IndexByte("ntrvefxu01234567", after) < 0
			value = append(value, b, after)
			i++
		default:
			plain = plain && !interpolates(b, after)
			value = append(value, b)
		}
	}
	l.fail(l.pos, "a string that is not closed")
}

// interpolates reports whether two characters in a string start a variable.
func interpolates(b, after byte) bool {
	return b == '$' && (isLetter(after) || after == '{') || b == '{' && after == '$'
}

// heredoc reads a string of several lines.
func (l *lexer) heredoc() bool {
	quote, id, from := l.heredocHead()
	if len(id) == 0 {
		return false
	}
	var lines [][]byte
	for at := from; at < len(l.src); {
		next := len(l.src)
		if n := bytes.IndexByte(l.src[at:], '\n'); n >= 0 {
			next = at + n + 1
		}
		line := l.src[at:next]
		trimmed := bytes.TrimLeft(line, " \t")
		margin := len(line) - len(trimmed)
		if bytes.HasPrefix(trimmed, id) && l.name(at+margin+len(id)) == at+margin+len(id) {
			value := outdent(lines, margin)
			if quote == '"' {
				value = l.interpolated(value)
			}
			l.take(raw, at+margin+len(id), append([]byte{quote}, value...))
			return true
		}
		lines = append(lines, line)
		at = next
	}
	l.fail(l.pos, "a string that is not closed")
	return true
}

// heredocHead returns the kind of quotes, the name that ends the string, and
// where its first line starts; no name if it is none.
func (l *lexer) heredocHead() (quote byte, id []byte, from int) {
	i := l.pos + 3
	for i < len(l.src) && (l.src[i] == ' ' || l.src[i] == '\t') {
		i++
	}
	quote = '"'
	quoted := i < len(l.src) && (l.src[i] == '"' || l.src[i] == '\'')
	if quoted {
		quote = l.src[i]
		i++
	}
	end := l.name(i)
	head := bytes.IndexByte(l.src[end:], '\n')
	if head < 0 || end == i || isDigit(l.src[i]) || quoted && l.src[end] != quote {
		return 0, nil, 0
	}
	return quote, l.src[i:end], end + head + 1
}

// outdent returns lines without the margin before each.
func outdent(lines [][]byte, margin int) []byte {
	var out []byte
	for _, line := range lines {
		blank := len(line) - len(bytes.TrimLeft(line, " \t"))
		out = append(append(out, bytes.TrimRight(line[min(margin, blank):], "\r\n")...), '\n')
	}
	return out
}

const casts = " int integer bool boolean float double real string array object unset binary "

func (l *lexer) cast() bool {
	rest := l.src[l.pos+1:]
	i := bytes.IndexByte(rest[:min(len(rest), 20)], ')')
	if i < 0 {
		return false
	}
	name := bytes.ToLower(bytes.Trim(rest[:i], " \t"))
	if len(name) == 0 || bytes.IndexByte(name, ' ') >= 0 || !strings.Contains(casts, " "+string(name)+" ") {
		return false
	}
	// Not the parameters of a function.
	if n := len(l.tokens); n > 0 && l.tokens[n-1].kind == word && (string(l.tokens[n-1].text) == "fn" || string(l.tokens[n-1].text) == "function") {
		return false
	}
	l.take(mark, l.pos+i+2, []byte("("+string(name)+")"))
	return true
}

func (l *lexer) mark() {
	for _, m := range [...]string{
		"<<=", ">>=", "**=", "...", "<=>", "===", "!==", "??=", "?->", "#[", "=>", "->", "::", "==", "!=", "<>", "<=", ">=", "&&", "||", "??",
		"++", "--", "+=", "-=", "*=", "/=", ".=", "%=", "&=", "|=", "^=", "<<", ">>", "**",
	} {
		if l.has(m) {
			l.take(mark, l.pos+len(m), []byte(m))
			return
		}
	}
	b := l.src[l.pos]
	if strings.IndexByte("+-*/%=<>!.,;:?@&|^~()[]{}$", b) < 0 {
		l.fail(l.pos, "an unknown character")
		return
	}
	l.take(mark, l.pos+1, l.src[l.pos:l.pos+1])
}
