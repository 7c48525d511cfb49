package json

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// names are the names of all open objects, innermost last.
type names []member

type member struct {
	name  string
	token token
}

// twin is a name that its object already has.
type twin struct{ first, again token }

// scan is how many names an object has before they are indexed.
const scan = 12

// add notes the name t in the innermost object.
func (p *parser) add(t token) {
	name := decode(p.src[t.start:t.end])
	f := p.top()
	if i := p.find(f, name); i >= 0 {
		// npm ignores "//" and lets it be written as often as one likes.
		if name != "//" {
			p.twice = append(p.twice, twin{p.names[i].token, t})
		}
		return
	}
	p.names = append(p.names, member{name, t})
	if f.index != nil {
		f.index[name] = len(p.names) - 1
	}
}

func (p *parser) find(f *frame, name string) int {
	if n := len(p.names) - f.first; n < scan {
		for i := f.first; i < len(p.names); i++ {
			if p.names[i].name == name {
				return i
			}
		}
		return -1
	}
	if f.index == nil {
		f.index = make(map[string]int, 2*scan)
		for i := f.first; i < len(p.names); i++ {
			f.index[p.names[i].name] = i
		}
	}
	if i, ok := f.index[name]; ok {
		return i
	}
	return -1
}

// decode returns the value of a name as written: a string of any dialect, or a
// bare word. Lone surrogates stay distinct from each other.
func decode(b []byte) string {
	if b[0] == '"' || b[0] == '\'' {
		b = b[1 : len(b)-1]
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); {
		if b[i] != '\\' {
			out = append(out, b[i])
			i++
			continue
		}
		i++
		switch c := b[i]; c {
		case 'b', 'f', 'n', 'r', 't', 'v', '0':
			out = append(out, map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '0': 0}[c])
			i++
		case 'x':
			out = utf8.AppendRune(out, hex(b[i+1:i+3]))
			i += 3
		case 'u':
			out, i = unit(out, b, i)
		case '\n':
			i++
		case '\r':
			i++
			if i < len(b) && b[i] == '\n' {
				i++
			}
		default:
			r, n := utf8.DecodeRune(b[i:])
			if r != 0x2028 && r != 0x2029 {
				out = append(out, b[i:i+n]...)
			}
			i += n
		}
	}
	return string(out)
}

// unit appends the character of the escape \uXXXX whose u is at i.
func unit(out, b []byte, i int) ([]byte, int) {
	r := hex(b[i+1 : i+5])
	i += 5
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(out, r), i
	}
	if i+5 < len(b) && b[i] == '\\' && b[i+1] == 'u' {
		if pair := utf16.DecodeRune(r, hex(b[i+2:i+6])); pair != utf8.RuneError {
			return utf8.AppendRune(out, pair), i + 6
		}
	}
	// As WTF-8, which no valid text can hold.
	return append(out, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0xbf, 0x80|byte(r)&0xbf), i
}

func hex(b []byte) rune {
	n, _ := strconv.ParseUint(string(b), 16, 32)
	return rune(n)
}
