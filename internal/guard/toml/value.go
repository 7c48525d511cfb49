package toml

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"poly/internal/guard"
)

// lists are the arrays in which order does not matter to the one program that
// reads them, by their keys.
var lists = [...]string{"members", "default-members", "exclude"}

// entry digests a key and its value.
func (r *reader) entry() (digest, loose uint64) {
	start := r.pos
	h := r.key(1)
	name := string(bytes.TrimSpace(r.src[start:r.pos]))
	if r.at(0) != '=' {
		r.fail("a key has no value")
		return 0, 0
	}
	r.pos++
	r.blanks(false)
	var sum uint64
	digest = guard.MixWord(h, r.value(&sum))
	loose = digest
	for _, l := range lists {
		if name == l {
			loose = guard.MixWord(h, sum)
		}
	}
	return digest, loose
}

// value digests a value. Brackets are kept on a stack of the reader's own, so
// that depth costs no more than length. To sum it adds the digests of what stands
// in arrays, in whatever order.
func (r *reader) value(sum *uint64) uint64 {
	h := uint64(2)
	expected := true // a value
	for r.why == "" {
		inside := len(r.open) > 0
		r.blanks(inside)
		c := r.at(0)
		switch {
		case c == '#' && inside:
			part := r.comment()
			*sum += part
			h = guard.MixWord(h, part)
			continue
		case expected && (c == '[' || c == '{'):
			h = guard.MixWord(h, uint64(c))
			r.open = append(r.open, c)
			expected = r.element(&h)
			continue
		case c == ',' && inside && !expected:
			expected = r.element(&h)
			continue
		case inside && !expected && r.closes():
			h = guard.MixWord(h, uint64(c))
			r.open = r.open[:len(r.open)-1]
			r.pos++
		case expected:
			part := r.scalar()
			*sum += part
			h = guard.MixWord(h, part)
			expected = false
		default:
			r.fail("this is no value")
		}
		if len(r.open) == 0 {
			return h
		}
	}
	return h
}

// element passes a bracket that opens or a comma, and in an inline table the key
// after it. It reports whether a value follows.
func (r *reader) element(h *uint64) bool {
	r.pos++
	r.innerKey(h)
	return !r.closes()
}

// closes reports whether the bracket that closes the innermost one is next, after
// line ends and comments.
func (r *reader) closes() bool {
	i := r.pos
	for i < len(r.src) {
		switch c := r.src[i]; c {
		case ' ', '\t', '\n', '\r':
			i++
		case '#':
			n := bytes.IndexByte(r.src[i:], '\n')
			if n < 0 {
				return false
			}
			i += n
		default:
			top := r.open[len(r.open)-1]
			return c == ']' && top == '[' || c == '}' && top == '{'
		}
	}
	return false
}

// innerKey digests the key of an entry of an inline table and what stands before
// it; nothing in an array or before the end of a table.
func (r *reader) innerKey(h *uint64) {
	if r.open[len(r.open)-1] != '{' || r.closes() {
		return
	}
	for r.blanks(true); r.at(0) == '#'; r.blanks(true) {
		*h = guard.MixWord(*h, r.comment())
	}
	*h = r.key(*h)
	if r.at(0) != '=' {
		r.fail("a key has no value")
		return
	}
	r.pos++
	r.blanks(true)
}

// scalar digests a string by its value, anything else as it is written.
func (r *reader) scalar() uint64 {
	if c := r.at(0); c == '"' || c == '\'' {
		return guard.Mix('"', r.text())
	}
	start := r.pos
	for isBare(r.at(0)) || r.at(0) == '+' || r.at(0) == '.' || r.at(0) == ':' {
		r.pos++
		// A blank between date and time.
		if r.pos-start == 10 && r.src[start+4] == '-' && r.at(0) == ' ' && r.at(1) >= '0' && r.at(1) <= '9' {
			r.pos++
		}
	}
	if r.pos == start {
		r.fail("this is no value")
	}
	return guard.Mix('1', r.src[start:r.pos])
}

// text reads a string of any kind and returns its value.
func (r *reader) text() []byte {
	quote := r.src[r.pos : r.pos+1]
	long := len(r.src)-r.pos >= 3 && r.at(1) == quote[0] && r.at(2) == quote[0]
	marks := 1
	if long {
		marks = 3
	}
	start := r.pos + marks
	n := endOf(r.src[start:], quote[0], marks)
	if n < 0 {
		r.fail("a string is not closed")
		return nil
	}
	body := r.src[start : start+n]
	r.pos = start + n + marks
	if long {
		body = bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
		body = bytes.TrimPrefix(body, []byte("\n"))
	}
	if quote[0] == '\'' || bytes.IndexByte(body, '\\') < 0 {
		return body
	}
	value, why := unescape(body, long)
	if why != "" {
		r.fail(why)
	}
	return value
}

// endOf returns the length of a string's body; -1 if the string is not closed.
func endOf(text []byte, quote byte, marks int) int {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quote == '"':
			i++
		case c == quote && marks == 1:
			return i
		case c == quote:
			n := len(text[i:]) - len(bytes.TrimLeft(text[i:], string(quote)))
			if n > 5 {
				return -1
			}
			if n >= 3 {
				return i + n - 3 // one or two quotes before the three are of the body
			}
			i += n - 1
		case (c == '\n' || c == '\r') && marks == 1:
			return -1
		}
	}
	return -1
}

// escapes holds the values of the escapes of one letter; 0 is none.
var escapes = [256]byte{'b': '\b', 't': '\t', 'n': '\n', 'f': '\f', 'r': '\r', 'e': 0x1b, '"': '"', '\\': '\\'}

// numeric holds how many digits the escapes of a number have; 0 is none.
var numeric = [256]int{'x': 2, 'u': 4, 'U': 8}

// unescape returns what a body stands for; long says that a backslash may join
// lines.
func unescape(body []byte, long bool) (value []byte, why string) {
	for len(body) > 0 {
		i := bytes.IndexByte(body, '\\')
		if i < 0 || i+1 == len(body) {
			return append(value, body...), ""
		}
		value = append(value, body[:i]...)
		c := body[i+1]
		body = body[i+2:]
		if v := escapes[c]; v != 0 {
			value = append(value, v)
			continue
		}
		if long && (c == '\n' || c == ' ' || c == '\t') {
			body = bytes.TrimLeft(body, " \t\n")
			continue
		}
		digits := numeric[c]
		if digits == 0 || len(body) < digits {
			return nil, "an escape that there is not"
		}
		n, err := strconv.ParseUint(string(body[:digits]), 16, 32)
		if err != nil || !utf8.ValidRune(rune(n)) {
			return nil, "an escape is no character"
		}
		value = utf8.AppendRune(value, rune(n))
		body = body[digits:]
	}
	return value, ""
}
