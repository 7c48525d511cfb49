package mdtree

import (
	"bytes"
	"strings"
)

// htmlKind is the start condition of an HTML block, by the number the
// specification of CommonMark gives it; 0 is none.
type htmlKind uint8

const (
	htmlRaw         htmlKind = 1
	htmlComment     htmlKind = 2
	htmlInstruction htmlKind = 3
	htmlDeclaration htmlKind = 4
	htmlCDATA       htmlKind = 5
	htmlBlock       htmlKind = 6
	htmlComplete    htmlKind = 7
)

// htmlRawNames and htmlBlockNames are the names of elements that start blocks.
const (
	htmlRawNames   = " pre script style textarea "
	htmlBlockNames = " address article aside base basefont blockquote body caption center col colgroup dd details dialog " +
		"dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe " +
		"legend li link main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td " +
		"tfoot th thead title tr track ul "
)

func named(list string, name []byte) bool {
	return strings.Contains(list, " "+strings.ToLower(string(name))+" ")
}

// htmlStart returns the kind of HTML block that starts at the offset. A
// complete tag of any name does not interrupt a paragraph.
func (p *parser) htmlStart(at, end int, interrupt bool) htmlKind {
	if p.flat || at+1 >= end {
		return 0
	}
	rest := p.text[at:end]
	switch b := rest[1]; {
	case b == '?':
		return htmlInstruction
	case bytes.HasPrefix(rest, []byte("<!--")):
		return htmlComment
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		return htmlCDATA
	case b == '!' && len(rest) > 2 && isAlpha(rest[2]):
		return htmlDeclaration
	}
	k := namedStart(rest)
	if k == htmlComplete {
		stop := htmlTag(rest, 0)
		if interrupt || stop == 0 || skipSpace(rest, stop, len(rest)) < len(rest) {
			return 0
		}
	}
	return k
}

// namedStart returns the kind of block that the name of a tag asks for.
func namedStart(rest []byte) htmlKind {
	i, closing := 1, rest[1] == '/'
	if closing {
		i++
	}
	start := i
	i = tagNameEnd(rest, i)
	slash := i < len(rest) && rest[i] == '/'
	if i == start || i < len(rest) && !slash && rest[i] != '>' && !isSpace(rest[i]) {
		return 0
	}
	name := rest[start:i]
	switch {
	case !slash && !closing && named(htmlRawNames, name):
		return htmlRaw
	case !named(htmlBlockNames, name):
		return htmlComplete
	case slash && (i+1 >= len(rest) || rest[i+1] != '>'):
		return 0
	}
	return htmlBlock
}

// tagNameEnd returns the end of the name of a tag at t[i].
func tagNameEnd(t []byte, i int) int {
	if i >= len(t) || !isAlpha(t[i]) {
		return i
	}
	for i < len(t) && (isAlnum(t[i]) || t[i] == '-') {
		i++
	}
	return i
}

// ends reports whether a line holds what ends a block of kind k.
func (k htmlKind) ends(line []byte) bool {
	switch k {
	case htmlComment:
		return bytes.Contains(line, []byte("-->"))
	case htmlInstruction:
		return bytes.Contains(line, []byte("?>"))
	case htmlDeclaration:
		return bytes.IndexByte(line, '>') >= 0
	case htmlCDATA:
		return bytes.Contains(line, []byte("]]>"))
	case htmlRaw:
		for {
			i := bytes.Index(line, []byte("</"))
			if i < 0 {
				return false
			}
			line = line[i+2:]
			if j := bytes.IndexByte(line, '>'); j > 0 && j < 12 && named(htmlRawNames, line[:j]) {
				return true
			}
		}
	}
	return false
}

func (p *parser) startHTML(k htmlKind, start int) {
	n := p.node(HTMLFlow, start, p.cur.end, p.parent())
	first := p.text[p.cur.off:p.cur.end]
	switch k {
	case htmlComment: // `<!-->` and `<!--->` are closed
		first = first[2:]
	case htmlInstruction:
		if len(first) > 2 && first[2] == '>' {
			first = []byte("?>")
		} else {
			first = first[2:]
		}
	}
	if k.ends(first) {
		p.reread(n)
		return
	}
	p.flow = flow{kind: flowHTML, node: n, html: k, tail: p.cur.end}
}

// htmlLine takes a line of an HTML block. A block that ends with a blank line
// does not take that line.
func (p *parser) htmlLine() bool {
	f := &p.flow
	if f.html >= htmlBlock && p.cur.blank(p.text) {
		return false
	}
	f.node.End, f.tail = p.cur.end, p.cur.end
	if f.html.ends(p.text[p.cur.off:p.cur.end]) {
		f.tail = 0
		p.closeFlow()
	}
	return true
}

// htmlInline returns the end of the tag, comment, instruction, declaration or
// CDATA section at text[i], 0 if there is none.
func htmlInline(text []byte, i int) int {
	rest := text[i:]
	after := func(skip int, end string) int {
		if skip > len(rest) {
			return 0
		}
		if j := bytes.Index(rest[skip:], []byte(end)); j >= 0 {
			return i + skip + j + len(end)
		}
		return 0
	}
	if len(rest) < 3 {
		return 0
	}
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		switch {
		case bytes.HasPrefix(rest, []byte("<!-->")):
			return i + 5
		case bytes.HasPrefix(rest, []byte("<!--->")):
			return i + 6
		}
		return after(4, "-->")
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		return after(9, "]]>")
	case rest[1] == '?':
		return after(2, "?>")
	case rest[1] == '!' && isAlpha(rest[2]):
		return after(2, ">")
	}
	return htmlTag(text, i)
}

// htmlTag returns the end of the open or closing tag at text[i], 0 if there is
// none.
func htmlTag(text []byte, i int) int {
	i++
	closing := i < len(text) && text[i] == '/'
	if closing {
		i++
	}
	start := i
	i = tagNameEnd(text, i)
	if i == start {
		return 0
	}
	for {
		at := i
		i = skipSpaceEOL(text, i)
		switch {
		case i >= len(text):
			return 0
		case text[i] == '>':
			return i + 1
		case closing:
			return 0
		case bytes.HasPrefix(text[i:], []byte("/>")):
			return i + 2
		case i == at:
			return 0
		}
		if i = htmlAttribute(text, i); i == 0 {
			return 0
		}
	}
}

// htmlAttribute returns the end of the attribute at text[i], 0 if there is none.
func htmlAttribute(text []byte, i int) int {
	if b := text[i]; b != ':' && b != '_' && !isAlpha(b) {
		return 0
	}
	for i < len(text) && (isAlnum(text[i]) || strings.IndexByte("-.:_", text[i]) >= 0) {
		i++
	}
	end := i
	if i = skipSpaceEOL(text, i); i >= len(text) || text[i] != '=' {
		return end
	}
	if i = skipSpaceEOL(text, i+1); i >= len(text) {
		return 0
	}
	return htmlValue(text, i)
}

// htmlValue returns the end of the value of an attribute, 0 if it is none. A
// slash ends a value without quotes, unless it is its first character.
func htmlValue(text []byte, i int) int {
	if q := text[i]; q == '"' || q == '\'' {
		j := bytes.IndexByte(text[i+1:], q)
		if j < 0 {
			return 0
		}
		return i + j + 2
	}
	start := i
	for i < len(text) && strings.IndexByte(notInValue+" \t\r\n", text[i]) < 0 && (text[i] != '/' || i == start) {
		i++
	}
	if i == start || i < len(text) && strings.IndexByte("\"'<=`", text[i]) >= 0 {
		return 0
	}
	return i
}
