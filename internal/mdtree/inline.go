package mdtree

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"
)

// inlines reads the texts that the blocks left, when all definitions are known.
func (p *parser) inlines() {
	for len(p.chunks) > 0 { // labels of directives come while it runs
		c := p.chunks[0]
		p.chunks = p.chunks[1:]
		x := &inline{p: p, buffer: p.join(c.segs)}
		x.read()
		nodes := x.nodes(x.emphasize(x.items), false, false)
		blocks := c.node.Children
		c.node.Children = nil
		c.node.adopt(nodes...)
		c.node.Children = append(c.node.Children, blocks...)
	}
}

// itemKind tells what an item is.
type itemKind uint8

const (
	itemNode      itemKind = iota
	itemAttention          // a run of `*` or `_`
	itemBracket            // `[` or `![`
)

// mark is a piece of a text while it is read: a node, or something that may
// become one. Offsets are those of the buffer.
type mark struct {
	kind        itemKind
	node        *Node
	start, end  int
	open, close bool // of a run: it can start, it can end
	image       bool // of a bracket
	inactive    bool // it cannot become a link, it stands inside of one
}

// inline reads one text.
type inline struct {
	p *parser
	buffer
	i, data  int // what comes next; data not yet in items starts at data
	items    []mark
	open     []int // indices of the brackets that are still to be closed
	inactive int   // the first of those in open stand around a link
	labels   bool  // a bracket came before the first run of attention
	runs     bool

	// What was searched in vain, and does not follow any more.
	noHTML  [4]bool
	noTitle [3]bool
	// Where the last run of each length starts, by marker.
	ticks, dollars map[int]int
}

// read splits the text into items.
func (x *inline) read() {
	t := x.text
	x.i = skipSpace(t, 0, len(t))
	x.data = x.i
	for x.i < len(t) {
		if !x.construct(t[x.i]) {
			x.i++
		}
	}
	x.flush(true)
}

// construct reads what starts here with b. It returns false if that is data.
func (x *inline) construct(b byte) bool {
	switch b {
	case '\n':
		x.lineEnding()
	case '\\':
		return x.escape()
	case '`':
		return x.span('`', CodeText, CodeData, &x.ticks)
	case '$':
		return x.span('$', MathText, MathData, &x.dollars)
	case '*', '_':
		if b == '*' || !x.email() {
			x.attention(b)
		}
	case '<':
		return x.angle()
	case '&':
		return x.reference()
	case '!', '[', ']':
		return x.bracketed(b)
	case ':':
		return x.directive()
	default:
		return isAtext(b) && x.literal(b)
	}
	return true
}

// bracketed reads what starts with a bracket, or with the mark of an image.
func (x *inline) bracketed(b byte) bool {
	switch {
	case b == ']':
		return x.closeBracket()
	case b == '[':
		if !x.footnoteCall() {
			x.bracket(1)
		}
		return true
	case x.i+1 < len(x.text) && x.text[x.i+1] == '[':
		x.bracket(2)
		return true
	}
	return false
}

// flush makes a node of the data before the cursor. Blanks at the end of a line
// are none.
func (x *inline) flush(lineEnds bool) {
	end := x.i
	if lineEnds {
		end = trimEnd(x.text, x.data, x.i)
	}
	if end > x.data {
		x.push(Data, x.data, end)
	}
	if end < x.i {
		k := LineSuffix
		if x.i < len(x.text) && x.i-end >= 2 && bytes.IndexByte(x.text[end:x.i], '\t') < 0 {
			k = HardBreak
		}
		x.push(k, end, x.i)
	}
	x.data = x.i
}

// node makes a node of a range of the buffer; it has no parent yet.
func (x *inline) node(k Kind, start, end int) *Node {
	n := x.p.node(k, x.source(start), 0, nil)
	if n.End = n.Start; end > start {
		n.End = x.sourceEnd(end)
	}
	return n
}

func (x *inline) push(k Kind, start, end int) *Node {
	n := x.node(k, start, end)
	x.items = append(x.items, mark{node: n, start: start, end: end})
	return n
}

// take makes a node of what stands between the cursor and end, and goes there.
func (x *inline) take(k Kind, end int) *Node {
	x.flush(false)
	n := x.push(k, x.i, end)
	x.i, x.data = end, end
	return n
}

func (x *inline) lineEnding() {
	x.flush(true)
	x.push(LineEnding, x.i, x.i+1)
	x.i = skipSpace(x.text, x.i+1, len(x.text))
	x.data = x.i
}

func (x *inline) escape() bool {
	if x.i+1 >= len(x.text) {
		return false
	}
	switch b := x.text[x.i+1]; {
	case b == '\n':
		x.take(HardBreak, x.i+1)
	case isPunct(b):
		x.take(Escape, x.i+2)
	default:
		return false
	}
	return true
}

// afterEscape reports whether the last character was escaped.
func (x *inline) afterEscape() bool {
	return x.data == x.i && len(x.items) > 0 && x.items[len(x.items)-1].node != nil && x.items[len(x.items)-1].node.Kind == Escape
}

// span reads code or math: text between two runs of equal length.
func (x *inline) span(marker byte, k, inner Kind, last *map[int]int) bool {
	t := x.text
	size := runLength(t, x.i, marker)
	if *last == nil {
		*last = lastRuns(t[x.i:], x.i, marker)
	}
	start := x.i + size
	if x.i > 0 && t[x.i-1] == marker && !x.afterEscape() || (*last)[size] < start {
		x.i += size - 1
		return false
	}
	for j := start; ; {
		j += bytes.IndexByte(t[j:], marker)
		n := runLength(t, j, marker)
		if n == size {
			x.spanNodes(start, j, j+n, k, inner)
			return true
		}
		j += n
	}
}

// lastRuns returns where the last run of each length starts.
func lastRuns(t []byte, offset int, marker byte) map[int]int {
	last := map[int]int{}
	for i := 0; i < len(t); {
		j := bytes.IndexByte(t[i:], marker)
		if j < 0 {
			break
		}
		i += j
		n := runLength(t, i, marker)
		last[n] = offset + i
		i += n
	}
	return last
}

func runLength(t []byte, i int, marker byte) int {
	n := 0
	for i+n < len(t) && t[i+n] == marker {
		n++
	}
	return n
}

// spanNodes adds a span with its data, a piece for each line. One blank on
// either side is padding if there is something between.
func (x *inline) spanNodes(start, stop, end int, k, inner Kind) {
	t := x.text
	n := x.take(k, end)
	pad := func(b byte) bool { return b == ' ' || b == '\n' }
	child := func(k Kind, start, end int) {
		if end > start {
			n.adopt(x.node(k, start, end))
		}
	}
	padded := stop-start >= 3 && pad(t[start]) && pad(t[stop-1]) && len(bytes.Trim(t[start:stop], " \n")) > 0
	if padded {
		child(CodePadding, start, start+1)
		start, stop = start+1, stop-1
	}
	for at := start; at < stop; {
		line := stop
		if j := bytes.IndexByte(t[at:stop], '\n'); j >= 0 {
			line = at + j
		}
		child(inner, at, line)
		at = line + 1
	}
	if padded {
		child(CodePadding, stop, stop+1)
	}
}

// angle reads an autolink or HTML.
func (x *inline) angle() bool {
	if end, address := autolink(x.text, x.i); end > 0 {
		x.take(Autolink, end).Angle = address
		return true
	}
	kind := 3 // tags
	ends := ">"
	switch rest := x.text[x.i:]; {
	case bytes.HasPrefix(rest, []byte("<!--")):
		kind, ends = 0, "-->"
	case bytes.HasPrefix(rest, []byte("<!")):
		kind, ends = 1, ">"
	case bytes.HasPrefix(rest, []byte("<?")):
		kind, ends = 2, "?>"
	}
	if x.noHTML[kind] {
		return false
	}
	if end := htmlInline(x.text, x.i); end > 0 {
		x.take(HTMLText, end)
		return true
	}
	x.noHTML[kind] = !bytes.Contains(x.text[x.i:], []byte(ends))
	return false
}

// autolink returns the end of the autolink at t[i], 0 if there is none.
// address: it is one of mail.
func autolink(t []byte, i int) (end int, address bool) {
	i++
	if j := schemeEnd(t, i); j > 0 {
		for j < len(t) && !isControl(t[j]) && strings.IndexByte(" <>", t[j]) < 0 {
			j++
		}
		if j < len(t) && t[j] == '>' {
			return j + 1, false
		}
		return 0, false
	}
	return addressEnd(t, i), true
}

// addressEnd returns the offset behind the address at t[i] and its bracket, 0
// if there is none.
func addressEnd(t []byte, i int) int {
	start := i
	for i < len(t) && (isAlnum(t[i]) || strings.IndexByte("#$%&'*+-./=?^_`{|}~!", t[i]) >= 0) {
		i++
	}
	if i == start || i >= len(t) || t[i] != '@' {
		return 0
	}
	for {
		if i = hostLabel(t, i+1); i == 0 || i >= len(t) {
			return 0
		}
		if t[i] == '>' {
			return i + 1
		}
		if t[i] != '.' {
			return 0
		}
	}
}

// schemeEnd returns the offset behind the colon of the scheme at t[i], 0 if
// there is none.
func schemeEnd(t []byte, i int) int {
	start := i
	if i >= len(t) || !isAlpha(t[i]) {
		return 0
	}
	for i < len(t) && i-start < 33 && (isAlnum(t[i]) || strings.IndexByte("+-.", t[i]) >= 0) {
		i++
	}
	if i-start < 2 || i >= len(t) || t[i] != ':' {
		return 0
	}
	return i + 1
}

// hostLabel returns the end of the part of a host's name at t[i], 0 if it is
// none.
func hostLabel(t []byte, i int) int {
	start := i
	for i < len(t) && i-start < 63 && (isAlnum(t[i]) || t[i] == '-') {
		i++
	}
	if i == start || t[start] == '-' || t[i-1] == '-' {
		return 0
	}
	return i
}

// reference reads a character reference.
func (x *inline) reference() bool {
	const longest = 33
	rest := x.text[x.i:min(len(x.text), x.i+longest)]
	n := bytes.IndexByte(rest, ';')
	if n < 2 {
		return false
	}
	name := string(rest[1:n])
	for _, b := range []byte(name[1:]) {
		if !isAlnum(b) {
			return false
		}
	}
	if name[0] == '#' {
		digits := name[1:]
		switch {
		case len(digits) > 1 && digits[0]|0x20 == 'x' && len(digits) <= 7 && strings.Trim(digits[1:], "0123456789abcdefABCDEF") == "":
		case digits != "" && len(digits) <= 7 && strings.Trim(digits, "0123456789") == "":
		default:
			return false
		}
	} else if !isAlnum(name[0]) || strings.HasSuffix(html.UnescapeString("&"+name+";"), ";") && name != "semi" {
		return false
	}
	x.take(CharacterReference, x.i+n+1)
	return true
}

func (x *inline) footnoteCall() bool {
	t := x.text
	if x.i+1 >= len(t) || t[x.i+1] != '^' {
		return false
	}
	end, ok := footnoteLabel(t, x.i+2, len(t))
	if !ok || !x.p.footnotes[normalize(t[x.i+2:end])] {
		return false
	}
	x.take(FootnoteCall, end+1)
	return true
}

// directive reads a text directive.
func (x *inline) directive() bool {
	t := x.text
	if x.i > 0 && t[x.i-1] == ':' && !x.afterEscape() {
		return false
	}
	d, ok := directiveHead(t, x.i+1, true)
	if !ok || d.label < 0 && d.end < len(t) && t[d.end] == ':' {
		return false
	}
	n := x.take(DirectiveText, d.end)
	if d.label >= 0 && d.labelEnd > d.label {
		x.p.chunks = append(x.p.chunks, chunk{n, x.lines(d.label, d.labelEnd)})
	}
	return true
}

// lines returns a range of the buffer as lines of the source.
func (x *inline) lines(start, end int) []line {
	var out []line
	for at := start; at <= end; {
		stop := end
		if j := bytes.IndexByte(x.text[at:end], '\n'); j >= 0 {
			stop = at + j
		}
		l := line{start: x.source(min(at, len(x.text)-1))}
		if l.end = l.start; stop > at {
			l.end = x.sourceEnd(stop)
		}
		out = append(out, l)
		at = stop + 1
	}
	return out
}

// attention notes a run of emphasis markers.
func (x *inline) attention(marker byte) {
	t := x.text
	size := runLength(t, x.i, marker)
	before, after := classSpace, classSpace
	var prev, next rune
	if x.i > 0 {
		prev, _ = utf8.DecodeLastRune(t[:x.i])
		before = classify(prev)
	}
	if x.i+size < len(t) {
		next, _ = utf8.DecodeRune(t[x.i+size:])
		after = classify(next)
	}
	isMarker := func(r rune) bool { return r == '*' || r == '_' }
	open := after == classOther || after == classPunct && before != classOther || isMarker(next)
	closes := before == classOther || before == classPunct && after != classOther || isMarker(prev)
	x.flush(false)
	m := mark{kind: itemAttention, start: x.i, end: x.i + size, open: open, close: closes}
	if marker == '_' {
		m.open = open && (before != classOther || !closes)
		m.close = closes && (after != classOther || !open)
	}
	x.runs = true
	x.items = append(x.items, m)
	x.i += size
	x.data = x.i
}
