package python

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"poly/internal/guard"
)

// maxDepth bounds how deeply expressions and patterns nest, brackets or not.
const maxDepth = 1500

// maxSize is the most bytes a text has: offsets are of 32 bits.
const maxSize = 1 << 30

// trouble is what is wrong with a text.
type trouble struct {
	pos int
	why string
}

// read reads a text.
func read(src []byte) (*tree, *trouble) {
	switch {
	case len(src) > maxSize:
		return nil, &trouble{0, "the text is too long"}
	case !utf8.Valid(src):
		return nil, &trouble{invalid(src), "the text is not UTF-8"}
	case !readable(src):
		return nil, &trouble{0, "the text declares an encoding that is not UTF-8"}
	}
	l := lexer{src: src, toks: make([]token, 0, len(src)/4+16)}
	l.run()
	if l.why != "" {
		return nil, &trouble{l.pos, l.why}
	}
	p := parser{tree: tree{src: src, toks: l.toks, comments: l.comments, needs: l.needs}}
	p.events = make([]event, 0, len(src)/8+16)
	p.set(0)
	p.module()
	if p.why != "" {
		return nil, &trouble{p.at, p.why}
	}
	return &p.tree, nil
}

// invalid returns the offset of the first byte that is not UTF-8.
func invalid(src []byte) int {
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(src)
}

// parser reads the tokens by recursive descent. After the first fault it stands
// at the end of the text, which no rule goes beyond.
type parser struct {
	tree
	i     int  // index of the current token
	k     kind // its kind
	depth int
	docAt int // index of the first event of the body, if a string there documents it; else -1
	why   string
	at    int
}

func (p *parser) set(i int) { p.i, p.k = i, p.toks[i].kind }

func (p *parser) fail(why string) {
	if p.why == "" {
		p.why, p.at = why, int(p.toks[p.i].start)
	}
	p.set(len(p.toks) - 1)
}

func (p *parser) next() {
	if p.i < len(p.toks)-1 {
		p.set(p.i + 1)
	}
}

// peek returns the kind of the next token but this one.
func (p *parser) peek() kind { return p.toks[min(p.i+1, len(p.toks)-1)].kind }

func (p *parser) accept(k kind) bool {
	if p.k != k {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(k kind) {
	if p.k != k {
		p.fail("not what Python's grammar expects here")
		return
	}
	p.next()
}

// isWord reports whether the current token is a name of that spelling, one of
// the words that are reserved in some places only.
func (p *parser) isWord(w string) bool {
	t := p.toks[p.i]
	return t.kind == tName && string(p.src[t.start:t.end]) == w
}

// enter is called before something that may nest, leave after it.
func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		p.fail("the text nests too deeply")
	}
}

func (p *parser) leave() { p.depth-- }

func (p *parser) mark() int { return len(p.events) }

func (p *parser) pos() uint32 { return p.toks[p.i].start }

// emit ends a node whose first event is at first and which starts at pos.
func (p *parser) emit(k node, op uint8, n, first int, pos uint32) {
	p.events = append(p.events, event{node: k, op: op, n: uint32(n), first: uint32(first), pos: pos})
}

// token emits the current token as a node whose n children start at first.
func (p *parser) token(k node, n, first int) {
	t := p.toks[p.i]
	p.events = append(p.events, event{node: k, n: uint32(n), first: uint32(first), pos: t.start, lo: t.start, hi: t.end})
}

// name reads a name that must be there and emits it as a leaf.
func (p *parser) name(k node) {
	if p.k != tName {
		p.fail("a name is missing")
		return
	}
	p.token(k, 0, p.mark())
	p.next()
}

// last returns the node that was emitted last, the root of what was read last.
func (p *parser) last() *event {
	if len(p.events) == 0 {
		return &event{node: nPass}
	}
	return &p.events[len(p.events)-1]
}

// targets checks that what was emitted since first may be assigned to, or
// deleted.
func (p *parser) targets(first int, del bool) {
	for i := len(p.events) - 1; i >= first; {
		switch e := &p.events[i]; e.node {
		case nName, nAttribute, nSubscript:
			i = int(e.first) - 1
		case nTuple, nList:
			i--
		case nStar:
			if del || i > 0 && p.events[i-1].node == nStar {
				p.fail("this cannot be a target")
				return
			}
			i--
		default:
			p.fail("this cannot be a target")
			return
		}
	}
}

// encoding returns the name of the encoding that the text declares; "utf-8" if
// it declares none.
func encoding(src []byte) string {
	name := strings.ReplaceAll(strings.ToLower(string(cookie(src))), "_", "-")
	switch name {
	case "", "utf8", "u8", "utf", "utf8-ucs2", "utf8-ucs4":
		return "utf-8"
	}
	if strings.HasPrefix(name, "utf-8-") {
		return "utf-8"
	}
	return name
}

// readable reports whether the text is what its bytes say as UTF-8: it declares
// no other encoding, or one that agrees with UTF-8 in all that stands in it.
func readable(src []byte) bool {
	name := encoding(src)
	if name == "utf-8" {
		return true
	}
	for _, like := range []string{"ascii", "us-ascii", "latin", "iso-8859", "iso8859", "cp125", "windows-125", "koi8", "mac", "l1", "8859"} {
		if strings.HasPrefix(name, like) {
			return isASCII(src)
		}
	}
	return false
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// cookie returns the encoding that a comment in the first two lines declares,
// nil if there is none.
func cookie(src []byte) []byte {
	rest := bytes.TrimPrefix(src, []byte(byteOrderMark))
	for range 2 {
		line := rest
		if i := bytes.IndexAny(rest, "\r\n"); i >= 0 {
			line = rest[:i]
			rest = bytes.TrimPrefix(rest[i:], []byte("\r"))
			rest = bytes.TrimPrefix(rest, []byte("\n"))
		} else {
			rest = nil
		}
		text := bytes.TrimLeft(line, " \t\f")
		if len(text) == 0 {
			continue
		}
		if text[0] != '#' {
			return nil
		}
		if name := declared(text); name != nil {
			return name
		}
	}
	return nil
}

// declared returns the name after `coding:` or `coding=` in a comment.
func declared(text []byte) []byte {
	for {
		i := bytes.Index(text, []byte("coding"))
		if i < 0 {
			return nil
		}
		text = text[i+len("coding"):]
		if len(text) == 0 || text[0] != ':' && text[0] != '=' {
			continue
		}
		name := bytes.TrimLeft(text[1:], " \t")
		n := 0
		for n < len(name) && (classes[name[n]] == cWord && name[n] < utf8.RuneSelf || isDigit(name[n]) || name[n] == '-' || name[n] == '.') {
			n++
		}
		if n > 0 {
			return name[:n]
		}
	}
}

// line returns the number of the line of a trouble.
func (t *trouble) line(src []byte) int { return guard.Line(src, t.pos) }
