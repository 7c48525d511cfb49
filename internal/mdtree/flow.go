package mdtree

import "bytes"

// flowKind tells which block is open in the innermost container.
type flowKind uint8

const (
	flowNone flowKind = iota
	flowParagraph
	flowFenced
	flowMath
	flowHTML
	flowDirective
	flowIndented
	flowTable
)

// flow is the open block.
type flow struct {
	kind   flowKind
	node   *Node
	marker byte
	size   int // of the opening sequence
	prefix int // columns before it
	html   htmlKind
	lines  []textLine // of a paragraph, a directive, indented code
	tail   int        // offset behind the last line that was read
}

// textLine is a line of a paragraph.
type textLine struct {
	line
	plain bool // it may not be the head of a table
}

// concrete reports whether no container can start inside of the open block.
func (f *flow) concrete() bool {
	return f.kind == flowFenced || f.kind == flowMath || f.kind == flowHTML || f.kind == flowDirective
}

// eol returns the offset behind the line ending at end.
func (p *parser) eol(end int) int {
	if end < len(p.text) && p.text[end] == '\r' {
		end++
	}
	if end < len(p.text) && p.text[end] == '\n' {
		end++
	}
	return end
}

// flowLine gives the line to the open block. If it does not belong there, the
// block is closed and flowLine returns false.
func (p *parser) flowLine() bool {
	f := &p.flow
	taken := false
	switch f.kind {
	case flowNone:
	case flowParagraph:
		taken = p.paragraphLine()
	case flowIndented:
		taken = p.indentedLine()
	case flowTable:
		taken = p.tableLine()
	default:
		if p.lazy {
			p.flow.tail = 0
			break
		}
		switch f.kind {
		case flowFenced, flowMath:
			p.fencedLine()
		case flowHTML:
			taken = p.htmlLine()
			if !taken {
				p.flow.tail = 0
			}
			return taken || p.closeHTML()
		case flowDirective:
			p.directiveLine()
		}
		return true
	}
	if !taken {
		p.closeFlow()
	}
	return taken
}

func (p *parser) closeHTML() bool {
	p.closeFlow()
	return false
}

// closeFlow ends the open block where the last line it took ended.
func (p *parser) closeFlow() {
	f := p.flow
	p.flow = flow{}
	switch f.kind {
	case flowParagraph:
		p.closeParagraph(f.lines, false)
	case flowFenced, flowMath:
		p.unclosed(f)
	case flowHTML:
		if f.html < htmlBlock {
			p.unclosed(f)
		}
		p.reread(f.node)
	case flowDirective:
		p.unclosed(f)
		p.closeDirective(f)
	}
}

// unclosed moves the end of a block that its container or the text cut short
// behind its last line ending, and with it those of the containers.
func (p *parser) unclosed(f flow) {
	if f.tail == 0 {
		return
	}
	f.node.End = p.eol(f.tail)
	for _, c := range p.stack {
		c.node.End = max(c.node.End, f.node.End)
	}
}

// flowStart starts a block with what is left of the line.
func (p *parser) flowStart() {
	start := p.cur.off
	before := p.cur
	size := p.cur.skip(p.text, -1)
	if p.cur.off >= p.cur.end {
		p.prefix(LinePrefix, start, p.cur.off)
		return
	}
	if size >= tabSize && !p.flat {
		p.cur = before
		p.startIndented()
		return
	}
	if !p.leaf(size, before) {
		p.prefix(LinePrefix, start, p.cur.off)
		p.flow = flow{kind: flowParagraph, lines: []textLine{{line: p.cur.rest()}}}
	}
}

// leaf starts the block that is there, if it is any but a paragraph. size are
// the columns of its indentation, before is where that starts.
func (p *parser) leaf(size int, before cursor) bool {
	at, end := p.cur.off, p.cur.end
	b := p.cur.byte(p.text)
	if b == '<' {
		if k := p.htmlStart(at, end, false); k != 0 {
			p.startHTML(k, before.off)
			return true
		}
		return false
	}
	var ok bool
	switch b {
	case '#':
		ok = atxSequence(p.text, at, end) > 0
	case '*', '_', '-':
		ok = p.isRule(at, end)
	case '`', '~':
		ok = fenceSequence(p.text, at, end) > 0
	case '$':
		ok = mathSequence(p.text, at, end) > 0
	case ':':
		ok = p.isDirective(at, end)
	}
	if !ok {
		return false
	}
	p.prefix(LinePrefix, before.off, at)
	switch b {
	case '#':
		p.heading(at, end)
	case '*', '_', '-':
		p.node(ThematicBreak, at, end, p.parent())
	case '`', '~':
		p.startFenced(at, end, size)
	case '$':
		n := p.node(MathFlow, at, end, p.parent())
		p.flow = flow{kind: flowMath, node: n, marker: b, size: mathSequence(p.text, at, end), prefix: size, tail: end}
	case ':':
		p.startDirective(at, end, size)
	}
	return true
}

// interrupts reports whether a block other than a paragraph starts at the
// cursor. paragraph: one is open, which a tag of any name does not end.
func (p *parser) interrupts(paragraph bool) bool {
	at, end := p.cur.off, p.cur.end
	switch p.cur.byte(p.text) {
	case '#':
		return atxSequence(p.text, at, end) > 0
	case '*', '_', '-':
		return p.isRule(at, end)
	case '<':
		return p.htmlStart(at, end, paragraph) != 0
	case '`', '~':
		return fenceSequence(p.text, at, end) > 0
	case '$':
		return mathSequence(p.text, at, end) > 0
	case ':':
		return p.isDirective(at, end)
	}
	return false
}

// atxSequence returns the length of the sequence that opens a heading, 0 if
// there is none.
func atxSequence(text []byte, at, end int) int {
	n := 0
	for at+n < end && text[at+n] == '#' {
		n++
	}
	if n > 6 || at+n < end && !isSpace(text[at+n]) {
		return 0
	}
	return n
}

// heading adds the heading at the offset.
func (p *parser) heading(at, end int) {
	n := p.node(ATXHeading, at, end, p.parent())
	open := at + atxSequence(p.text, at, end)
	p.node(HeadingSequence, at, open, n)
	start := skipSpace(p.text, open, end)
	stop := trimEnd(p.text, start, end)
	closing := stop
	for closing > start && p.text[closing-1] == '#' {
		closing--
	}
	trail := stop
	switch {
	case closing == stop:
	case closing == start:
		stop = start
	case isSpace(p.text[closing-1]):
		stop = trimEnd(p.text, start, closing)
	default:
		closing = stop
	}
	p.blank(HeadingSpace, open, start, n)
	if stop > start {
		t := p.node(HeadingText, start, stop, n)
		p.chunks = append(p.chunks, chunk{t, []line{{start: start, end: stop}}})
	}
	if closing < trail {
		p.blank(HeadingSpace, stop, closing, n)
		p.node(HeadingSequence, closing, trail, n)
	}
	p.blank(HeadingSpace, trail, end, n)
}

func (p *parser) blank(k Kind, start, end int, parent *Node) {
	if end > start {
		p.node(k, start, end, parent)
	}
}

// isRule reports whether text[at:end] is a thematic break.
func (p *parser) isRule(at, end int) bool {
	marker := p.text[at]
	if p.ruleMarker == marker && at < p.ruleFail {
		return false
	}
	n := 0
	for i := at; i < end; i++ {
		switch b := p.text[i]; {
		case b == marker:
			n++
		case !isSpace(b):
			p.ruleMarker, p.ruleFail = marker, i
			return false
		}
	}
	return n >= 3
}

// fenceSequence returns the length of the sequence that opens fenced code, 0 if
// there is none.
func fenceSequence(text []byte, at, end int) int {
	marker := text[at]
	n := 0
	for at+n < end && text[at+n] == marker {
		n++
	}
	if n < 3 || marker == '`' && bytes.IndexByte(text[at+n:end], '`') >= 0 {
		return 0
	}
	return n
}

// mathSequence is the same for a block of math.
func mathSequence(text []byte, at, end int) int {
	n := 0
	for at+n < end && text[at+n] == '$' {
		n++
	}
	if n < 2 || bytes.IndexByte(text[at+n:end], '$') >= 0 {
		return 0
	}
	return n
}

func (p *parser) startFenced(at, end, size int) {
	n := p.node(CodeFenced, at, end, p.parent())
	fence := p.node(Fence, at, end, n)
	seq := fenceSequence(p.text, at, end)
	p.node(FenceSequence, at, at+seq, fence)
	info := skipSpace(p.text, at+seq, end)
	if info < end {
		stop := info
		for stop < end && !isSpace(p.text[stop]) {
			stop++
		}
		p.node(FenceInfo, info, stop, fence)
		if meta := skipSpace(p.text, stop, end); meta < end {
			p.node(FenceMeta, meta, end, fence)
		}
	}
	p.flow = flow{kind: flowFenced, node: n, marker: p.text[at], size: seq, prefix: size, tail: end}
}

// fencedLine takes a line of fenced code or math.
func (p *parser) fencedLine() {
	f := &p.flow
	f.node.End = p.cur.end
	c := p.cur
	start := c.off
	c.skip(p.text, p.indent())
	n := 0
	for c.off+n < c.end && p.text[c.off+n] == f.marker && c.pend == 0 {
		n++
	}
	if n >= f.size && skipSpace(p.text, c.off+n, c.end) == c.end {
		p.prefix(LinePrefix, start, c.off)
		if f.kind == flowFenced {
			fence := p.node(Fence, start, c.end, f.node)
			p.node(FenceSequence, c.off, c.off+n, fence)
		}
		p.flow = flow{}
		return
	}
	f.tail = p.cur.end
	p.cur.skip(p.text, f.prefix)
	p.prefix(LinePrefix, start, p.cur.off)
	if f.kind == flowFenced && p.cur.off < p.cur.end {
		p.node(CodeLine, p.cur.off, p.cur.end, f.node)
	}
}

// startIndented starts indented code. It ends with its first line if that is
// one that a paragraph might have taken.
func (p *parser) startIndented() {
	n := p.node(CodeIndented, p.cur.off, p.cur.end, p.parent())
	p.flow = flow{kind: flowIndented, node: n, tail: p.cur.off}
	if p.codeLine(); p.lazy {
		p.flow = flow{}
	}
}

func (p *parser) codeLine() {
	start := p.cur.off
	p.cur.skip(p.text, tabSize)
	p.prefix(LinePrefix, start, p.cur.off)
	// Also those of the blank lines since the last line of code.
	all := p.doc.Prefixes
	for i := len(all) - 1; i >= 0 && all[i].Start >= p.flow.tail; i-- {
		all[i].InCode = true
	}
	p.flow.node.End, p.flow.tail = p.cur.end, p.cur.end
	p.extend(true)
	if p.cur.off < p.cur.end {
		p.node(CodeLine, p.cur.off, p.cur.end, p.flow.node)
	}
}

// indentedLine takes a line of indented code. Blank lines belong to it if they
// are indented, or if code follows.
func (p *parser) indentedLine() bool {
	if p.lazy {
		return false
	}
	c := p.cur
	if c.skip(p.text, tabSize) == tabSize {
		p.codeLine()
		return true
	}
	if c.off < c.end {
		return false
	}
	p.prefix(LinePrefix, p.cur.off, c.off)
	return true
}

// reread reads the lines of an HTML block as Markdown, for the tags in it. A
// comment has nothing in it.
func (p *parser) reread(n *Node) {
	if p.flat || isComment(p.text[n.Start:n.End]) {
		return
	}
	from, to := p.doc.LineAt(n.Start), p.doc.LineAt(n.End)
	q := &parser{doc: p.doc, text: p.text, flat: true, defs: map[string]bool{}, footnotes: map[string]bool{}, slab: p.slab}
	lines := make([]line, 0, to-from+1)
	for _, l := range p.doc.Lines[from : to+1] {
		lines = append(lines, line{start: l.Start, end: l.End})
	}
	q.document(lines, n)
	q.inlines()
	p.slab = q.slab
}

// isComment reports whether a block of HTML is one comment and nothing else.
func isComment(html []byte) bool {
	if !bytes.HasPrefix(html, []byte("<!--")) || !bytes.HasSuffix(html, []byte("-->")) || len(html) < 7 {
		return false
	}
	text := html[4 : len(html)-3]
	return !bytes.HasPrefix(text, []byte(">")) && !bytes.HasPrefix(text, []byte("->")) && !bytes.HasSuffix(text, []byte("-"))
}
