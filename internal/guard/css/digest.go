package css

import (
	"bytes"

	"poly/internal/guard"
)

// digest writes a token in one way.
func (w *writer) digest(i int, t token) uint64 {
	text := w.r.text(t)
	h := uint64(t.kind) << 56
	switch t.kind {
	case kindDelim:
		return h | uint64(t.op)
	case kindString:
		return w.r.stringDigest(h, text[1:len(text)-1])
	case kindNumber:
		return guard.Mix(h, number(text))
	case kindRange:
		return guard.Mix(h, bytes.ToLower(text))
	case kindURL:
		return guard.Mix(h, bytes.TrimSpace(text[4:len(text)-1]))
	case kindHash:
		if w.mode != modeSelector && isColor(text) {
			text = bytes.ToLower(text)
		}
	case kindAt:
		if i == w.from && (w.mode == modeRule || w.mode == modeSelector) && w.r.dialect != Less {
			text = bytes.ToLower(text)
		}
	case kindIdent:
		return w.name(i, text)
	}
	return guard.Mix(h, text)
}

// name writes an identifier, in lower case where none is told from it.
func (w *writer) name(i int, text []byte) uint64 {
	h := uint64(kindIdent) << 56
	if w.mode == modeAttribute && i > 0 && isAttributeOp(w.r.tokens[i-1]) {
		return guard.Mix(uint64(kindString)<<56, text)
	}
	if w.foldsCase(i, text) || w.isFlag(i) {
		text = bytes.ToLower(text)
	}
	return guard.Mix(h, text)
}

// isFlag reports whether the identifier at i stands behind the value of an
// attribute.
func (w *writer) isFlag(i int) bool {
	if w.mode != modeAttribute || i-2 < w.from {
		return false
	}
	before := w.r.tokens[i-1]
	return before.kind == kindString || before.kind == kindIdent && isAttributeOp(w.r.tokens[i-2])
}

func isAttributeOp(t token) bool {
	return t.kind == kindDelim && (t.op == '=' || t.op > 0xff && t.op&0xff == '=')
}

// foldsCase reports whether the identifier at i is the same in upper and lower
// case.
func (w *writer) foldsCase(i int, text []byte) bool {
	if bytes.HasPrefix(text, []byte("--")) {
		return false
	}
	before := token{}
	if i > w.from {
		before = w.r.tokens[i-1]
	}
	switch {
	case i < w.colon || w.media || before.is('!'):
		return true
	case w.mode == modeSelector:
		return before.is(':') || before.is(':'<<8|':') || !before.is('.') && !before.is('%') && !before.is('&')
	}
	return isURL(text)
}

// number writes a number with its leading zero, in lower case.
func number(text []byte) []byte {
	out := make([]byte, 0, len(text)+1)
	if text[0] == '+' || text[0] == '-' {
		out, text = append(out, text[0]), text[1:]
	}
	if text[0] == '.' {
		out = append(out, '0')
	}
	return append(out, bytes.ToLower(text)...)
}

// isColor reports whether a hash can be a colour.
func isColor(text []byte) bool {
	switch len(text) {
	case 4, 5, 7, 9:
	default:
		return false
	}
	for _, c := range text[1:] {
		if !isHex(c) {
			return false
		}
	}
	return true
}

// stringDigest digests the inside of a string without the escapes that its
// quotes need. In SCSS, expressions in it are read as such.
func (r *reader) stringDigest(h uint64, text []byte) uint64 {
	for r.dialect == SCSS {
		i := bytes.Index(text, []byte("#{"))
		if i < 0 {
			break
		}
		n := interpEnd(text[i+2:])
		if n < 0 {
			break
		}
		h = r.expressionDigest(guard.Mix(h, unescapeQuotes(text[:i])), text[i+2:i+2+n])
		text = text[i+2+n+1:]
	}
	return guard.Mix(h, unescapeQuotes(text))
}

// interpEnd returns where the expression ends that text starts with, or -1.
func interpEnd(text []byte) int {
	depth := 0
	for i, c := range text {
		switch c {
		case '{':
			depth++
		case '}':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

// maxNested is how deep strings and expressions may stand in each other before
// the latter are only compared as they are written.
const maxNested = 8

// expressionDigest digests an expression that stands in a string.
func (r *reader) expressionDigest(h uint64, text []byte) uint64 {
	if r.nested >= maxNested {
		return guard.Mix(h, text)
	}
	sub := &reader{lexer: lexer{src: text, dialect: r.dialect}, nested: r.nested + 1}
	sub.run()
	if sub.bad != "" || len(sub.comments) > 0 {
		return guard.Mix(h, text)
	}
	end := len(sub.tokens) - 1
	if sub.preludeEnd(0) != end || sub.bad != "" {
		return guard.Mix(h, text)
	}
	w := &writer{r: sub, to: end, mode: modeValue, colon: -1, closed: -1}
	w.run()
	for _, d := range sub.hashes {
		h = guard.MixWord(h, d)
	}
	return guard.MixWord(h, '}')
}

func unescapeQuotes(text []byte) []byte {
	if bytes.IndexByte(text, '\\') < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
			if c := text[i]; c != '\'' && c != '"' {
				out = append(out, '\\')
			}
		}
		out = append(out, text[i])
	}
	return out
}
