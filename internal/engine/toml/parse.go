package toml

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"poly/internal/diag"
)

// maxDepth is how deep values may be nested.
const maxDepth = 10_000

// parser reads a text line by line. It reads each byte a constant number of times.
type parser struct {
	src   []byte
	at    int
	depth int // of the value that is being read
	root  *table
	table *table // of the last header
	lines *diag.Lines
	out   []diag.Diagnostic
}

func newParser(src []byte) *parser {
	p := &parser{src: src, root: &table{}}
	p.table = p.root
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		p.at = len("\xef\xbb\xbf")
	}
	return p
}

// line reads a header, a key with its value, or nothing, to the end of its
// line. more is false at the end of the text.
func (p *parser) line() (more bool, f *fault) {
	p.blanks()
	switch p.peek() {
	case 0:
		if p.at == len(p.src) {
			return false, nil
		}
	case '\n', '\r', '#':
		return true, p.lineEnd("")
	case '[':
		if f := p.header(); f != nil {
			return false, f
		}
		return true, p.lineEnd("the header of a table")
	}
	if f := p.pair(p.table); f != nil {
		return false, f
	}
	return true, p.lineEnd("a value")
}

// header reads [table] or [[array of tables]].
func (p *parser) header() *fault {
	array := bytes.HasPrefix(p.src[p.at:], []byte("[["))
	closing := "]"
	if p.at++; array {
		p.at++
		closing = "]]"
	}
	p.blanks()
	if p.peek() == ']' {
		return p.here("Empty table name", "")
	}
	key, f := p.key()
	if f != nil {
		return f
	}
	if !bytes.HasPrefix(p.src[p.at:], []byte(closing)) {
		return p.unexpected("`" + closing + "` after the name of a table")
	}
	p.at += len(closing)
	p.open(key, array)
	return nil
}

// pair reads a key, an equals sign and a value into t.
func (p *parser) pair(t *table) *fault {
	if p.peek() == '=' {
		return p.here("Key missing before `=`", "")
	}
	key, f := p.key()
	if f != nil {
		return f
	}
	if p.peek() != '=' {
		return p.unexpected("`=` after a key")
	}
	p.at++
	p.blanks()
	n := p.slot(t, key)
	return p.value(n)
}

// part is one name of a dotted key.
type part struct {
	name       string
	start, end int
}

// key reads a key and the blanks behind it.
func (p *parser) key() ([]part, *fault) {
	var key []part
	for {
		k := part{start: p.at}
		var f *fault
		switch c := p.peek(); c {
		case '"', '\'':
			if bytes.HasPrefix(p.src[p.at:], bytes.Repeat([]byte{c}, 3)) {
				return nil, p.here("A key cannot be a string of several lines", "")
			}
			k.name, f = p.text(c, true)
		default:
			for p.at < len(p.src) && bare(p.src[p.at]) {
				p.at++
			}
			if k.name = string(p.src[k.start:p.at]); p.at == k.start {
				f = p.unexpected("a key")
				f.help = "A bare key has letters, digits, `_` and `-`; quote any other."
			}
		}
		if f != nil {
			return nil, f
		}
		k.end = p.at
		key = append(key, k)
		p.blanks()
		if p.peek() != '.' {
			return key, nil
		}
		p.at++
		p.blanks()
	}
}

func bare(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

// value reads a value and notes in n, which may be nil, what it is.
func (p *parser) value(n *node) *fault {
	if p.depth++; p.depth > maxDepth {
		return &fault{title: "values are nested too deeply", tooDeep: true}
	}
	defer func() { p.depth-- }()
	switch c := p.peek(); {
	case c == '"' || c == '\'':
		if bytes.HasPrefix(p.src[p.at:], []byte{c, c, c}) {
			return p.block(c)
		}
		_, f := p.text(c, false)
		return f
	case c == '[':
		return p.array()
	case c == '{':
		return p.inline(n)
	case c == '\n' || c == '\r' || c == '#' || c == 0 && p.at == len(p.src):
		return p.here("Value missing", "A value stands on the line of its key.")
	}
	return p.scalar()
}

func (p *parser) array() *fault {
	open := p.at
	p.at++
	for {
		if f := p.space(); f != nil {
			return f
		}
		switch p.peek() {
		case ']':
			p.at++
			return nil
		case ',':
			return p.here("Value missing before `,`", "")
		}
		if p.at == len(p.src) {
			return &fault{start: open, end: open + 1, title: "Array is not closed"}
		}
		if f := p.value(nil); f != nil {
			return f
		}
		if f := p.space(); f != nil {
			return f
		}
		switch p.peek() {
		case ',':
			p.at++
		case ']':
		default:
			if p.at == len(p.src) {
				return &fault{start: open, end: open + 1, title: "Array is not closed"}
			}
			return p.unexpected("`,` or `]` after a value of an array")
		}
	}
}

// inline reads an inline table, whose keys go into n.
func (p *parser) inline(n *node) *fault {
	open := p.at
	p.at++
	t := &table{}
	if n != nil {
		n.kind, n.table = inlineTable, t
	}
	for {
		if f := p.space(); f != nil {
			return f
		}
		if p.peek() == '}' {
			p.at++
			return nil
		}
		if p.at == len(p.src) {
			return &fault{start: open, end: open + 1, title: "Inline table is not closed"}
		}
		if f := p.pair(t); f != nil {
			return f
		}
		if f := p.space(); f != nil {
			return f
		}
		switch p.peek() {
		case ',':
			p.at++
		case '}':
		default:
			if p.at == len(p.src) {
				return &fault{start: open, end: open + 1, title: "Inline table is not closed"}
			}
			return p.unexpected("`,` or `}` after a value of an inline table")
		}
	}
}

// space skips blanks, line ends and comments.
func (p *parser) space() *fault {
	for {
		p.blanks()
		switch p.peek() {
		case '\n', '\r', '#':
			if f := p.lineEnd(""); f != nil {
				return f
			}
			if p.at == len(p.src) {
				return nil
			}
		default:
			return nil
		}
	}
}

// lineEnd reads a comment and the end of a line or of the text; after says
// what stands before it.
func (p *parser) lineEnd(after string) *fault {
	p.blanks()
	if p.peek() == '#' {
		for p.at < len(p.src) && p.src[p.at] != '\n' && !bytes.HasPrefix(p.src[p.at:], []byte("\r\n")) {
			if f := p.char(false); f != nil {
				return f
			}
		}
	}
	switch {
	case p.at == len(p.src):
	case p.src[p.at] == '\n':
		p.at++
	case bytes.HasPrefix(p.src[p.at:], []byte("\r\n")):
		p.at += 2
	case p.src[p.at] == '\r':
		return p.here("Carriage return without a line feed", "")
	default:
		return p.unexpected("the end of the line after " + after)
	}
	return nil
}

func (p *parser) blanks() {
	for p.at < len(p.src) && (p.src[p.at] == ' ' || p.src[p.at] == '\t') {
		p.at++
	}
}

// peek returns the next byte, 0 at the end.
func (p *parser) peek() byte {
	if p.at < len(p.src) {
		return p.src[p.at]
	}
	return 0
}

// here is a fault at the next character.
func (p *parser) here(title, help string) *fault {
	end := p.at
	if end < len(p.src) && p.src[end] != '\n' {
		_, n := utf8.DecodeRune(p.src[end:])
		end += n
	}
	return &fault{start: p.at, end: end, title: title, help: help}
}

// unexpected is a fault where something else was wanted.
func (p *parser) unexpected(want string) *fault {
	end := p.at
	for end < len(p.src) && end-p.at < 40 && (bare(p.src[end]) || p.src[end] >= utf8.RuneSelf) {
		_, n := utf8.DecodeRune(p.src[end:])
		end += n
	}
	f := p.here("", "")
	switch {
	case p.at == len(p.src):
		f.title = "Unexpected end of the text: want " + want
	case p.src[p.at] == '\n' || p.src[p.at] == '\r':
		f.title = "Unexpected end of the line: want " + want
	default:
		f.end = max(f.end, end)
		f.title = "Unexpected `" + visible(p.src[p.at:f.end]) + "`: want " + want
	}
	return f
}

// visible is a piece of source that can be shown in a title.
func visible(b []byte) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(string(b), "\ufffd"))
}
