package xml

import (
	"bytes"
	"strings"
)

// kind is what a node of a document is.
type kind uint8

const (
	textNode    kind = iota
	elementNode      // also an empty one
	remark           // a comment
	instruction      // also the XML declaration
	doctype
	cdata
)

// node is a part of a document that is well-formed. Offsets are of the text.
type node struct {
	kind       kind
	start, end int
	// Of an element: the end of its start tag, the start of its end tag, which is
	// its end if it has none.
	opened, closed int
	children       []node
}

// maxTags is how deep elements may nest to be laid out.
const maxTags = 500

// scanner reads a text that is known to be well-formed.
type scanner struct {
	text []byte
	at   int
	deep bool // it nests too deeply
}

// nodes reads up to the end tag of the element around, or to the end.
func (s *scanner) nodes(depth int) []node {
	var list []node
	for s.at < len(s.text) && !s.has("</") {
		n := node{start: s.at}
		switch {
		case s.text[s.at] != '<':
			if i := bytes.IndexByte(s.text[s.at:], '<'); i >= 0 {
				s.at += i
			} else {
				s.at = len(s.text)
			}
		case s.has("<!--"):
			n.kind = remark
			s.skip("-->", 4)
		case s.has("<![CDATA["):
			n.kind = cdata
			s.skip("]]>", 9)
		case s.has("<?"):
			n.kind = instruction
			s.skip("?>", 2)
		case s.has("<!"):
			n.kind = doctype
			s.declaration()
		default:
			s.element(&n, depth)
		}
		n.end = s.at
		list = append(list, n)
	}
	return list
}

func (s *scanner) has(prefix string) bool { return bytes.HasPrefix(s.text[s.at:], []byte(prefix)) }

// skip moves behind the next end, from some bytes on.
func (s *scanner) skip(end string, from int) {
	i := bytes.Index(s.text[min(len(s.text), s.at+from):], []byte(end))
	if i < 0 {
		s.at = len(s.text)
		return
	}
	s.at += from + i + len(end)
}

// declaration moves behind a document type declaration.
func (s *scanner) declaration() {
	depth := 0
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '"' || c == '\'':
			s.skip(string(c), 1)
			continue
		case s.has("<!--"):
			s.skip("-->", 4)
			continue
		case s.has("<?"):
			s.skip("?>", 2)
			continue
		case c == '<' || c == '[':
			depth++
		case c == '>' || c == ']':
			depth--
		}
		s.at++
		if depth == 0 {
			return
		}
	}
}

// tag moves behind a tag, and tells whether it is that of an empty element.
func (s *scanner) tag() (empty bool) {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case '"', '\'':
			s.skip(string(c), 1)
			continue
		case '>':
			s.at++
			return s.text[s.at-2] == '/'
		}
		s.at++
	}
	return true
}

func (s *scanner) element(n *node, depth int) {
	n.kind = elementNode
	empty := s.tag()
	n.opened, n.closed = s.at, s.at
	if empty {
		return
	}
	if depth >= maxTags {
		s.deep = true
		s.at = len(s.text)
		return
	}
	n.children = s.nodes(depth + 1)
	n.closed = s.at
	s.tag()
}

// printer writes a document with its elements indented.
type printer struct {
	text []byte
	unit string // of indentation
	tab  int    // columns of a tab
	out  []byte
}

// document writes the nodes at the top, each on lines of its own.
func (p *printer) document(nodes []node) {
	for i := range nodes {
		n := &nodes[i]
		if n.kind != textNode {
			p.node(n, 0)
			p.out = append(p.out, '\n')
			continue
		}
		// One empty line of several stays, and none at either end.
		if 0 < i && i < len(nodes)-1 && bytes.Count(p.source(n), []byte("\n")) > 1 {
			p.out = append(p.out, '\n')
		}
	}
}

func (p *printer) source(n *node) []byte { return p.text[n.start:n.end] }

func (p *printer) indent(depth int) {
	for range depth {
		p.out = append(p.out, p.unit...)
	}
}

func (p *printer) node(n *node, depth int) {
	if n.kind != elementNode {
		p.out = append(p.out, p.source(n)...)
		return
	}
	p.tag(n, depth)
	if !p.free(n) {
		p.out = append(p.out, p.text[n.opened:n.end]...)
		return
	}
	for i := range n.children {
		c := &n.children[i]
		if c.kind != textNode {
			p.node(c, depth+1)
			continue
		}
		gap := p.source(c)
		lines := bytes.Count(gap, []byte("\n"))
		if lines == 0 { // beside a comment
			p.out = append(p.out, gap...)
			continue
		}
		p.out = append(p.out, "\n\n"[:min(lines, 2)]...)
		if i == len(n.children)-1 {
			p.indent(depth)
		} else {
			p.indent(depth + 1)
		}
	}
	p.out = append(p.out, p.text[n.closed:n.end]...)
}

// shown are elements whose blanks are seen, in HTML, DocBook and others.
const shown = " pre textarea script style listing xmp plaintext programlisting screen literallayout synopsis address verbatim source code text t "

// free reports whether the blanks between the nodes of an element are layout:
// it has no other text, does not ask to keep them, and each of them is there
// already and breaks the line, but for those beside comments and instructions.
func (p *printer) free(n *node) bool {
	if len(n.children) < 2 || p.keeps(n) {
		return false
	}
	if !p.breaks(&n.children[0]) || !p.breaks(&n.children[len(n.children)-1]) {
		return false
	}
	elements := false
	for i := range n.children {
		c := &n.children[i]
		switch {
		case c.kind == cdata || c.kind == textNode && !p.layout(n, i):
			return false
		case c.kind == elementNode && n.children[i-1].kind == elementNode:
			return false
		case c.kind == elementNode:
			elements = true
		}
	}
	return elements
}

// breaks reports whether a node is a blank text that breaks the line.
func (p *printer) breaks(c *node) bool {
	text := p.source(c)
	return c.kind == textNode && blank(text) && bytes.IndexByte(text, '\n') >= 0
}

// blank reports whether a text is white space of XML alone; others, such as
// U+00A0, are text.
func blank(text []byte) bool { return len(bytes.Trim(text, " \t\n")) == 0 }

// layout reports whether the text at i breaks the line, or is a blank beside a
// comment or an instruction.
func (p *printer) layout(n *node, i int) bool {
	c := &n.children[i]
	loose := func(c *node) bool { return c.kind == remark || c.kind == instruction }
	return p.breaks(c) || blank(p.source(c)) && (loose(&n.children[i-1]) || loose(&n.children[i+1]))
}

// keeps reports whether an element asks for its blanks by an attribute, or its
// name is that of one that shows them.
func (p *printer) keeps(n *node) bool {
	tag := p.text[n.start:n.opened]
	if spaces(tag) {
		return true
	}
	name := strings.ToLower(string(tag[1:nameEnd(tag)]))
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		name = name[i+1:]
	}
	return strings.Contains(shown, " "+name+" ")
}

// spaces reports whether a start tag has an xml:space other than default.
func spaces(tag []byte) bool {
	if !bytes.Contains(tag, []byte("xml:space")) {
		return false
	}
	for at := nameEnd(tag); at < len(tag); {
		start := at
		at = attributeEnd(tag, at)
		name, value, ok := bytes.Cut(tag[start:at], []byte("="))
		if ok && string(bytes.TrimSpace(name)) == "xml:space" && string(bytes.Trim(value, " \t\n\"'")) != "default" {
			return true
		}
	}
	return false
}

func nameEnd(tag []byte) int {
	if i := bytes.IndexAny(tag[1:], " \t\n/>"); i >= 0 {
		return 1 + i
	}
	return len(tag)
}

// tag writes a start tag: attributes with one blank between them, or, where
// they have lines of their own, at the same distance from the tag as before.
func (p *printer) tag(n *node, depth int) {
	tag := p.text[n.start:n.opened]
	at := nameEnd(tag)
	p.out = append(p.out, tag[:at]...)
	for {
		gap := at
		for at < len(tag) && isSpace(tag[at]) {
			at++
		}
		if rest := tag[at:]; len(rest) <= 2 && (string(rest) == ">" || string(rest) == "/>") {
			if at > gap && rest[0] == '/' {
				p.out = append(p.out, ' ')
			}
			p.out = append(p.out, rest...)
			return
		}
		if bytes.IndexByte(tag[gap:at], '\n') >= 0 {
			p.continued(n, at, depth)
		} else {
			p.out = append(p.out, ' ')
		}
		start := at
		at = attributeEnd(tag, at)
		p.out = append(p.out, attributeText(tag[start:at])...)
	}
}

// continued starts a line for the attribute at an offset of a start tag: as far
// from the tag as it was, if that starts its line, and a level otherwise.
func (p *printer) continued(n *node, at, depth int) {
	p.out = append(p.out, '\n')
	p.indent(depth)
	by := 0
	if p.first(n.start) {
		by = p.column(n.start+at) - p.column(n.start)
	}
	switch {
	case by <= 0:
		p.out = append(p.out, p.unit...)
	case p.unit == "\t" && p.text[n.start+at-1] == '\t' && by%p.tab == 0:
		p.out = append(p.out, strings.Repeat("\t", by/p.tab)...)
	default:
		p.out = append(p.out, strings.Repeat(" ", by)...)
	}
}

// first reports whether nothing but blanks stands before an offset on its line.
func (p *printer) first(at int) bool {
	before := bytes.TrimRight(p.text[:at], " \t")
	return len(before) == 0 || before[len(before)-1] == '\n'
}

// attributeEnd returns the offset behind the attribute at one.
func attributeEnd(tag []byte, at int) int {
	for at < len(tag) && tag[at] != '"' && tag[at] != '\'' {
		at++
	}
	if at < len(tag) {
		if i := bytes.IndexByte(tag[at+1:], tag[at]); i >= 0 {
			return at + 1 + i + 1
		}
	}
	return len(tag)
}

// attributeText is an attribute without blanks around its equals sign.
func attributeText(text []byte) []byte {
	name, value, ok := bytes.Cut(text, []byte("="))
	if !ok {
		return text
	}
	return append(append(bytes.Clone(bytes.TrimSpace(name)), '='), bytes.TrimSpace(value)...)
}

// column is how far an offset is from the start of its line.
func (p *printer) column(at int) int {
	col := 0
	for _, c := range p.text[bytes.LastIndexByte(p.text[:at], '\n')+1 : at] {
		switch {
		case c == '\t':
			col += p.tab - col%p.tab
		case c&0xc0 != 0x80:
			col++
		}
	}
	return col
}
