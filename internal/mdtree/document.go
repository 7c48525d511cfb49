package mdtree

// maxDepth bounds the nesting of containers. What is deeper is plain text.
const maxDepth = 200

// parser reads one document. A second one reads the lines of an HTML block.
type parser struct {
	doc  *Doc
	text []byte
	// flat: no indented code and no HTML blocks; the second reading.
	flat  bool
	depth int // of directives around this document

	defs      map[string]bool // normalized labels of definitions
	footnotes map[string]bool
	chunks    []chunk // texts whose inlines are read at the end
	slab      []Node

	documentState
}

// documentState is what a nested document sets aside.
type documentState struct {
	root  *Node
	stack []*container
	flow  flow
	cur   cursor
	lazy  bool // this line continues a paragraph of containers it does not name
	// named: this line has a `>`, or the marker of a list item or footnote.
	named bool

	// A thematic break of this marker cannot start before this offset.
	ruleMarker byte
	ruleFail   int
}

// container is an open quote, list or footnote.
type container struct {
	node *Node
	// Of lists.
	marker                     byte
	size                       int // columns of the prefix of the current item
	initialBlank, furtherBlank bool
}

// chunk is a text of which the inlines will become children of node.
type chunk struct {
	node *Node
	segs []line
}

func newParser(d *Doc) *parser {
	return &parser{doc: d, text: d.Text, defs: map[string]bool{}, footnotes: map[string]bool{}}
}

// node makes a node below parent.
func (p *parser) node(k Kind, start, end int, parent *Node) *Node {
	if len(p.slab) == 0 {
		p.slab = make([]Node, 64)
	}
	n := &p.slab[0]
	p.slab = p.slab[1:]
	*n = Node{Kind: k, HTML: p.flat, Start: start, End: end, Parent: parent}
	if parent != nil {
		parent.Children = append(parent.Children, n)
	}
	return n
}

// prefix notes a prefix; an empty one is none.
func (p *parser) prefix(k PrefixKind, start, end int) {
	if !p.flat && end > start {
		p.doc.Prefixes = append(p.doc.Prefixes, Prefix{Kind: k, Start: start, End: end})
	}
}

// indent is how many columns may stand before a block.
func (p *parser) indent() int {
	if p.flat {
		return -1
	}
	return tabSize - 1
}

// parent is where the next block goes.
func (p *parser) parent() *Node {
	if n := len(p.stack); n > 0 {
		return p.stack[n-1].node
	}
	return p.root
}

// document reads lines into root.
func (p *parser) document(lines []line, root *Node) {
	outer := p.documentState
	p.documentState = documentState{root: root}
	for i, l := range lines {
		// The empty line after the last line ending closes what is open.
		if i == len(lines)-1 && l.start == l.end && i > 0 {
			for _, c := range p.stack {
				if c.node.Kind == BlockQuote { // which has no line here
					p.flow.tail = 0
				}
			}
			break
		}
		p.line(l)
	}
	p.closeFlow()
	p.documentState = outer
}

// line reads one line: first the prefixes of the containers that are open, then
// new containers, then the block in them.
func (p *parser) line(l line) {
	p.cur, p.lazy, p.named, p.ruleMarker = l.cursor(), false, false, 0
	interrupt := false
	continued := 0
	for continued < len(p.stack) {
		ok, item := p.continues(p.stack[continued])
		if !ok {
			break
		}
		continued++
		if item {
			p.stack = p.stack[:continued]
			break
		}
	}
	all := continued == len(p.stack)
	if all {
		if p.flow.concrete() {
			if p.flowLine() {
				p.extend(true)
				return
			}
			p.extend(false)
			p.flowStart()
			return
		}
		interrupt = p.flow.kind != flowNone && p.flow.kind != flowTable
	}
	opened := p.open(interrupt, continued)
	if !opened && !all {
		p.lazy = true
	}
	paragraph := p.flow.kind == flowParagraph
	if p.flow.kind != flowNone && p.flowLine() {
		p.extend(false)
		return
	}
	if p.lazy && !(paragraph && p.completeTag()) {
		p.exit(continued)
	}
	p.extend(false)
	p.flowStart()
}

// completeTag reports whether a tag of any name starts here. It does not say
// whether a paragraph of a container goes on or ends, so that stays open.
func (p *parser) completeTag() bool {
	c := p.cur
	c.skip(p.text, -1)
	return c.byte(p.text) == '<' && p.htmlStart(c.off, c.end, false) == htmlComplete
}

// extend moves the end of the open containers to the end of this line, unless
// it is blank: blank lines at the end of a container are outside of it, but for
// those of the block in it.
func (p *parser) extend(taken bool) {
	if !taken && !p.named && p.cur.blank(p.text) {
		return
	}
	for _, c := range p.stack {
		c.node.End = p.cur.end
	}
}

// exit closes containers until n are left.
func (p *parser) exit(n int) { p.stack = p.stack[:n] }

// continues reads the prefix that keeps c open. item: it is a list, and a new
// item starts here; what was open in the last one is closed.
func (p *parser) continues(c *container) (ok, item bool) {
	switch c.node.Kind {
	case BlockQuote:
		before := p.cur
		start := p.cur.off
		p.cur.skip(p.text, p.indent())
		if p.cur.byte(p.text) != '>' {
			p.cur = before
			return false, false
		}
		p.prefix(LinePrefix, start, p.cur.off)
		p.quotePrefix()
		return true, false
	case FootnoteDefinition:
		if p.cur.blank(p.text) {
			return true, false
		}
		before := p.cur
		if p.cur.skip(p.text, tabSize) == tabSize {
			return true, false
		}
		p.cur = before
		return false, false
	}
	return p.continuesList(c)
}

func (p *parser) quotePrefix() {
	start := p.cur.off
	p.cur.advance(1)
	p.cur.skip(p.text, 1)
	p.prefix(QuotePrefix, start, p.cur.off)
	p.named = true
}

func (p *parser) continuesList(c *container) (ok, item bool) {
	if p.cur.blank(p.text) {
		c.furtherBlank = c.furtherBlank || c.initialBlank
		p.cur.skip(p.text, c.size)
		return true, false
	}
	further := c.furtherBlank
	c.furtherBlank, c.initialBlank = false, false
	before := p.cur
	if !further && p.cur.space(p.text) {
		if p.cur.skip(p.text, c.size) == c.size {
			return true, false
		}
		p.cur = before
	}
	start := p.cur.off
	size := p.cur.skip(p.text, p.indent())
	at := p.cur.off
	if item, ok := p.listItem(c, false); ok {
		p.closeFlow()
		p.prefix(LinePrefix, start, at)
		p.addItem(c, item, size)
		return true, true
	}
	p.cur = before
	return false, false
}

// open opens the containers that start here. interrupt: they would interrupt
// a block.
func (p *parser) open(interrupt bool, continued int) bool {
	opened := false
	for len(p.stack) < maxDepth || !opened && continued < maxDepth {
		before := p.cur
		size := p.cur.skip(p.text, p.indent())
		at := p.cur.off
		begin := func() {
			if !opened {
				p.closeFlow()
				p.exit(continued)
				opened = true
			}
			p.prefix(LinePrefix, before.off, at)
		}
		b := p.cur.byte(p.text)
		switch {
		case b == '>':
			begin()
			n := p.node(BlockQuote, at, at+1, p.parent())
			p.quotePrefix()
			p.stack = append(p.stack, &container{node: n})
			continue
		case b == '[':
			if label, after, ok := p.footnoteStart(at, p.cur.end); ok {
				begin()
				p.openFootnote(at, label, after)
				continue
			}
		case b == '*' || b == '+' || b == '-' || isDigit(b):
			c := &container{}
			if item, ok := p.listItem(c, interrupt); ok {
				begin()
				k := ListUnordered
				if item.ordered {
					k = ListOrdered
				}
				c.node = p.node(k, at, p.cur.off, p.parent())
				p.addItem(c, item, size)
				p.stack = append(p.stack, c)
				continue
			}
		}
		p.cur = before
		break
	}
	return opened
}

// item is the prefix of a list item.
type item struct {
	ordered            bool
	start, marker, end int // the marker ends at marker, the prefix at end
	blank              bool
	width              int // columns of the prefix
}

// listItem reads the prefix of an item of c, of a new list if it has no marker.
func (p *parser) listItem(c *container, interrupt bool) (item, bool) {
	it := item{start: p.cur.off}
	col := p.cur.col
	b, ok := p.listMarker(c, interrupt)
	if !ok {
		return it, false
	}
	it.ordered = b == '.' || b == ')'
	p.cur.advance(1)
	it.marker, it.end = p.cur.off, p.cur.off
	it.width = p.cur.col - col
	if p.cur.blank(p.text) {
		it.blank = true
		c.marker = b
		return it, !interrupt
	}
	before := p.cur
	limit := tabSize
	if p.flat {
		limit = -1
	}
	n := p.cur.skip(p.text, limit)
	if n > 0 && p.cur.space(p.text) {
		p.cur = before
		n = p.cur.skip(p.text, 1)
	}
	if n == 0 {
		return it, false
	}
	c.marker = b
	it.end = p.cur.off
	it.width += n
	return it, true
}

// listMarker goes to the character that tells lists apart: the bullet, or what
// follows the number.
func (p *parser) listMarker(c *container, interrupt bool) (byte, bool) {
	fits := func(b byte) bool { return c.marker == 0 || c.marker == b }
	b := p.cur.byte(p.text)
	switch {
	case b == '+':
		return b, fits(b)
	case b == '*' || b == '-':
		return b, fits(b) && !p.isRule(p.cur.off, p.cur.end)
	case !isDigit(b) || interrupt && b != '1':
		return 0, false
	}
	n := 0
	for n < 9 && isDigit(p.cur.byte(p.text)) {
		p.cur.advance(1)
		n++
	}
	b = p.cur.byte(p.text)
	if interrupt && n > 1 || !fits(b) {
		return 0, false
	}
	return b, b == '.' || b == ')'
}

// addItem adds the prefix of an item to c. indent is what stands before it.
func (p *parser) addItem(c *container, it item, indent int) {
	n := p.node(ListPrefix, it.start, it.end, c.node)
	p.node(ListMarker, it.start, it.marker, n)
	if it.end > it.marker {
		p.node(ListSpace, it.marker, it.end, n)
	}
	p.named = true
	c.size = indent + it.width
	if it.blank {
		c.initialBlank = true
		c.size++
	}
}

// footnoteStart reads `[^label]:` at i and returns where the label ends and
// where what follows starts.
func (p *parser) footnoteStart(i, end int) (label, after int, ok bool) {
	if i+1 >= end || p.text[i+1] != '^' {
		return 0, 0, false
	}
	label, ok = footnoteLabel(p.text, i+2, end)
	if !ok || label+1 >= end || p.text[label+1] != ':' {
		return 0, 0, false
	}
	return label, label + 2, true
}

// footnoteLabel reads a label of a footnote and returns where its bracket is.
func footnoteLabel(text []byte, i, end int) (int, bool) {
	start := i
	for ; i < end && i-start < maxLabel; i++ {
		switch text[i] {
		case ']':
			return i, i > start
		case '[', ' ', '\t', '\n', '\r':
			return 0, false
		case '\\':
			i += escapes(text[:end], i, "[]\\")
		}
	}
	return 0, false
}

func (p *parser) openFootnote(at, label, after int) {
	n := p.node(FootnoteDefinition, at, after, p.parent())
	p.node(FootnoteLabel, at+2, label, n)
	p.footnotes[normalize(p.text[at+2:label])] = true
	p.cur.advance(after - p.cur.off)
	p.cur.skip(p.text, -1)
	p.named = true
	p.stack = append(p.stack, &container{node: n})
}
