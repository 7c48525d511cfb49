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
	case b == '!':
		if len(rest) > 2 && isAlpha(rest[2]) {
			return htmlDeclaration
		}
		return 0
	}
	i, closing := 1, false
	if rest[i] == '/' {
		closing = true
		i++
	}
	start := i
	if i >= len(rest) || !isAlpha(rest[i]) {
		return 0
	}
	for i < len(rest) && (isAlnum(rest[i]) || rest[i] == '-') {
		i++
	}
	name := rest[start:i]
	slash := i < len(rest) && rest[i] == '/'
	if i < len(rest) && !slash && rest[i] != '>' && !isSpace(rest[i]) {
		return 0
	}
	switch {
	case !slash && !closing && named(htmlRawNames, name):
		return htmlRaw
	case named(htmlBlockNames, name):
		if slash && (i+1 >= len(rest) || rest[i+1] != '>') {
			return 0
		}
		return htmlBlock
	}
	if interrupt {
		return 0
	}
	if stop := htmlTag(rest, 0); stop > 0 && skipSpace(rest, stop, len(rest)) == len(rest) {
		return htmlComplete
	}
	return 0
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
	if i < len(text) && text[i] == '/' {
		return closingTag(text, i+1)
	}
	if i >= len(text) || !isAlpha(text[i]) {
		return 0
	}
	for i < len(text) && (isAlnum(text[i]) || text[i] == '-') {
		i++
	}
	for {
		at := i
		for i < len(text) && isSpaceOrEOL(text[i]) {
			i++
		}
		switch {
		case i >= len(text):
			return 0
		case text[i] == '>':
			return i + 1
		case text[i] == '/':
			if i+1 < len(text) && text[i+1] == '>' {
				return i + 2
			}
			return 0
		case i == at:
			return 0
		}
		if i = htmlAttribute(text, i); i == 0 {
			return 0
		}
	}
}

func closingTag(text []byte, i int) int {
	if i >= len(text) || !isAlpha(text[i]) {
		return 0
	}
	for i < len(text) && (isAlnum(text[i]) || text[i] == '-') {
		i++
	}
	for i < len(text) && isSpaceOrEOL(text[i]) {
		i++
	}
	if i < len(text) && text[i] == '>' {
		return i + 1
	}
	return 0
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
	for i < len(text) && isSpaceOrEOL(text[i]) {
		i++
	}
	if i >= len(text) || text[i] != '=' {
		return end
	}
	i++
	for i < len(text) && isSpaceOrEOL(text[i]) {
		i++
	}
	if i >= len(text) {
		return 0
	}
	if q := text[i]; q == '"' || q == '\'' {
		j := bytes.IndexByte(text[i+1:], q)
		if j < 0 {
			return 0
		}
		return i + j + 2
	}
	start := i
	// A slash ends an unquoted value, unless it is its first character.
	for i < len(text) && !isSpaceOrEOL(text[i]) && strings.IndexByte("\"'<=>`", text[i]) < 0 && (text[i] != '/' || i == start) {
		i++
	}
	if i == start || i < len(text) && strings.IndexByte("\"'<=`", text[i]) >= 0 {
		return 0
	}
	return i
}
