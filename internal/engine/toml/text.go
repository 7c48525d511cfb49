package toml

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// char reads one character of a string or comment.
func (p *parser) char(inString bool) *fault {
	c := p.src[p.at]
	if c >= utf8.RuneSelf {
		r, n := utf8.DecodeRune(p.src[p.at:])
		if r == utf8.RuneError && n == 1 {
			return p.here("Not UTF-8", "")
		}
		p.at += n
		return nil
	}
	if c < ' ' && c != '\t' || c == 0x7f {
		where, help := "a comment", ""
		if inString {
			where, help = "a string", fmt.Sprintf("Write it as `\\u%04X` in a string in double quotes.", c)
		}
		return p.here(fmt.Sprintf("Control character U+%04X in %s", c, where), help)
	}
	p.at++
	return nil
}

// text reads a string of one line; its value is returned if it is wanted.
func (p *parser) text(quote byte, want bool) (string, *fault) {
	start := p.at
	p.at++
	var value strings.Builder
	for {
		from := p.at
		switch {
		case p.at == len(p.src) || p.src[p.at] == '\n' || bytes.HasPrefix(p.src[p.at:], []byte("\r\n")):
			return "", &fault{start: start, end: p.at, title: "String is not closed", help: "Text of several lines stands in three quotes."}
		case p.src[p.at] == quote:
			p.at++
			return value.String(), nil
		case p.src[p.at] == '\\' && quote == '"':
			r, f := p.escape()
			if f != nil {
				return "", f
			}
			if want {
				value.WriteRune(r)
			}
			continue
		}
		if f := p.char(true); f != nil {
			return "", f
		}
		if want {
			value.Write(p.src[from:p.at])
		}
	}
}

// block reads a string of several lines.
func (p *parser) block(quote byte) *fault {
	start := p.at
	p.at += 3
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == quote:
			n := 1
			for n < 5 && p.at+n < len(p.src) && p.src[p.at+n] == quote {
				n++
			}
			p.at += n
			if n >= 3 {
				return nil
			}
		case c == '\n':
			p.at++
		case bytes.HasPrefix(p.src[p.at:], []byte("\r\n")):
			p.at += 2
		case c == '\\' && quote == '"':
			if p.continued() {
				continue
			}
			if _, f := p.escape(); f != nil {
				return f
			}
		default:
			if f := p.char(true); f != nil {
				return f
			}
		}
	}
	return &fault{start: start, end: start + 3, title: "String is not closed", help: "Three quotes end it."}
}

// continued skips a backslash with the end of its line.
func (p *parser) continued() bool {
	rest := bytes.TrimLeft(p.src[p.at+1:], " \t")
	if len(rest) == 0 || rest[0] != '\n' && !bytes.HasPrefix(rest, []byte("\r\n")) {
		return false
	}
	p.at = len(p.src) - len(rest)
	return true
}

// escape reads an escape sequence.
func (p *parser) escape() (rune, *fault) {
	start := p.at
	fail := func(end int, title string) (rune, *fault) {
		end = min(end, len(p.src))
		for end < len(p.src) && !utf8.RuneStart(p.src[end]) {
			end++
		}
		return 0, &fault{start: start, end: end, title: title, help: "A backslash is written `\\\\`; in single quotes it is one as it stands."}
	}
	if p.at+1 >= len(p.src) {
		return fail(p.at+1, "String is not closed")
	}
	c := p.src[p.at+1]
	p.at += 2
	if i := strings.IndexByte(`btnfre"\`, c); i >= 0 {
		return rune("\b\t\n\f\r\x1b\"\\"[i]), nil
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	if digits == 0 {
		return fail(p.at, "Unknown escape `\\"+visible([]byte{c})+"`")
	}
	end := min(p.at+digits, len(p.src))
	v, err := strconv.ParseUint(string(p.src[p.at:end]), 16, 32)
	if err != nil || end < p.at+digits || p.src[p.at] == '+' {
		return fail(p.at, fmt.Sprintf("Escape `\\%c` takes %d hexadecimal digits", c, digits))
	}
	if v > utf8.MaxRune || 0xd800 <= v && v < 0xe000 {
		return fail(end, fmt.Sprintf("U+%04X is no Unicode character", v))
	}
	p.at = end
	return rune(v), nil
}
