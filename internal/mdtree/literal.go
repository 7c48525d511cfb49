package mdtree

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// literal reads a link that is written out: an address, or what starts with a
// protocol or www. There is none inside of brackets.
func (x *inline) literal(b byte) bool {
	if x.email() {
		return true
	}
	end := 0
	switch b | 0x20 {
	case 'h':
		end = x.protocol()
	case 'w':
		end = x.www()
	}
	if end == 0 {
		return false
	}
	x.take(LiteralAutolink, end)
	return true
}

func isAtext(b byte) bool { return isAlnum(b) || b == '+' || b == '-' || b == '.' || b == '_' }

func (x *inline) email() bool {
	t := x.text
	if len(x.open) > 0 || x.i > 0 && (t[x.i-1] == '/' || isAtext(t[x.i-1])) {
		return false
	}
	i := x.i
	for i < len(t) && isAtext(t[i]) {
		i++
	}
	if i == x.i || i >= len(t) || t[i] != '@' {
		return false
	}
	start := i + 1
	end := hostEnd(t, start)
	if end == start || !isAlpha(t[end-1]) || bytes.IndexByte(t[start:end], '.') < 0 {
		return false
	}
	x.take(LiteralAutolink, end)
	return true
}

// hostEnd returns the end of the host of an address. A dot belongs to it if
// something follows.
func hostEnd(t []byte, i int) int {
	for i < len(t) {
		dot := t[i] == '.' && i+1 < len(t) && isAlnum(t[i+1])
		if !dot && !isAlnum(t[i]) && t[i] != '-' && t[i] != '_' {
			break
		}
		i++
	}
	return i
}

func (x *inline) protocol() int {
	t := x.text
	if len(x.open) > 0 || x.i > 0 && isAlpha(t[x.i-1]) {
		return 0
	}
	j := x.i
	for j < len(t) && j-x.i < 5 && isAlpha(t[j]) {
		j++
	}
	if p := strings.ToLower(string(t[x.i:j])); p != "http" && p != "https" || !bytes.HasPrefix(t[j:], []byte("://")) {
		return 0
	}
	j += 3
	if j >= len(t) || isControl(t[j]) {
		return 0
	}
	if r, _ := utf8.DecodeRune(t[j:]); classify(r) != classOther {
		return 0
	}
	if j = domain(t, j); j == 0 {
		return 0
	}
	return path(t, j)
}

func (x *inline) www() int {
	t := x.text
	if len(x.open) > 0 || x.i > 0 && !isSpaceOrEOL(t[x.i-1]) && strings.IndexByte("(*_[]~", t[x.i-1]) < 0 {
		return 0
	}
	if len(t) < x.i+5 || !strings.EqualFold(string(t[x.i:x.i+4]), "www.") {
		return 0
	}
	j := domain(t, x.i)
	if j == 0 {
		return 0
	}
	return path(t, j)
}

// domain returns the end of the domain at t[i], 0 if it is none: its last two
// parts have no underscore.
func domain(t []byte, i int) int {
	last, before, seen := false, false, false
	more := i // there is more than a trail before this offset
	for i < len(t) {
		r, n := utf8.DecodeRune(t[i:])
		if r == '.' || r == '_' {
			if i >= more {
				var ends bool
				if ends, more = trail(t, i); ends {
					break
				}
			}
			if r == '_' {
				last = true
			} else {
				before, last = last, false
			}
			i++
			continue
		}
		if c := classify(r); c == classSpace || c == classPunct && r != '-' {
			break
		}
		seen = true
		i += n
	}
	if before || last || !seen {
		return 0
	}
	return i
}

// path returns the end of what follows a domain.
func path(t []byte, i int) int {
	opened, closed := 0, 0
	more := i
	for i < len(t) {
		b := t[i]
		switch {
		case b == '(':
			opened++
		case b == ')' && closed < opened:
			closed++
		case strings.IndexByte("!\"&')*,.:;<?]_~", b) >= 0:
			if i >= more {
				var ends bool
				if ends, more = trail(t, i); ends {
					return i
				}
			}
			if b == ')' {
				closed++
			}
		default:
			r, n := utf8.DecodeRune(t[i:])
			if classify(r) == classSpace {
				return i
			}
			i += n
			continue
		}
		i++
	}
	return i
}

// trail reports whether from t[i] on there is nothing but punctuation that
// does not belong to a link; if not, it returns where something else stands.
func trail(t []byte, i int) (bool, int) {
	for i < len(t) {
		b := t[i]
		switch {
		case strings.IndexByte("!\"')*,.:;?_~", b) >= 0:
			i++
		case b == '&':
			j := i + 1
			for j < len(t) && isAlpha(t[j]) {
				j++
			}
			if j == i+1 || j >= len(t) || t[j] != ';' {
				return false, i
			}
			i = j + 1
		case b == ']':
			i++
			if i >= len(t) || t[i] == '(' || t[i] == '[' {
				return true, i
			}
			if r, _ := utf8.DecodeRune(t[i:]); classify(r) == classSpace {
				return true, i
			}
		case b == '<':
			return true, i
		default:
			r, _ := utf8.DecodeRune(t[i:])
			return classify(r) == classSpace, i
		}
	}
	return true, i
}
