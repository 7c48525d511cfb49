package mdtree

import (
	"bytes"
	"sort"
	"strings"
)

// maxLabel bounds the length of a label.
const maxLabel = 999

// buffer is a text without the prefixes of its lines.
type buffer struct {
	text []byte
	at   []spot
}

// spot tells that the buffer from buf on stands at src in the source.
type spot struct{ buf, src int }

// join returns the lines as one text, with LF between them.
func (p *parser) join(lines []line) buffer {
	if len(lines) == 1 {
		l := lines[0]
		return buffer{p.text[l.start:l.end:l.end], []spot{{0, l.start}}}
	}
	n := len(lines)
	for _, l := range lines {
		n += l.end - l.start
	}
	b := buffer{make([]byte, 0, n), make([]spot, 0, len(lines))}
	for i, l := range lines {
		if i > 0 {
			b.text = append(b.text, '\n')
		}
		b.at = append(b.at, spot{len(b.text), l.start})
		b.text = append(b.text, p.text[l.start:l.end]...)
	}
	return b
}

// source returns where buffer offset i is in the source.
func (b *buffer) source(i int) int {
	n := len(b.at)
	if n == 1 {
		return b.at[0].src + i
	}
	k := sort.Search(n, func(k int) bool { return b.at[k].buf > i }) - 1
	return b.at[k].src + i - b.at[k].buf
}

// sourceEnd returns where a range that ends at i ends in the source.
func (b *buffer) sourceEnd(i int) int {
	if i == 0 {
		return b.source(0)
	}
	return b.source(i-1) + 1
}

// paragraphLine adds a line to the open paragraph, or makes a heading or a table
// of it.
func (p *parser) paragraphLine() bool {
	f := &p.flow
	before := p.cur
	n := p.cur.skip(p.text, -1)
	if p.cur.off >= p.cur.end {
		p.cur = before
		return false
	}
	code := n >= tabSize && !p.flat
	if !code {
		switch {
		case !p.lazy && p.table(before):
			return true
		case !p.lazy && p.isUnderline():
			if p.setext(before) {
				return true
			}
			fallthrough
		case p.interrupts(!p.lazy):
			p.cur = before
			return false
		}
	}
	p.prefix(LinePrefix, before.off, p.cur.off)
	f.lines = append(f.lines, textLine{line: before.rest(), plain: code || p.lazy})
	return true
}

func (p *parser) isUnderline() bool {
	i, end := p.cur.off, p.cur.end
	b := p.text[i]
	if b != '=' && b != '-' {
		return false
	}
	for i < end && p.text[i] == b {
		i++
	}
	return skipSpace(p.text, i, end) == end
}

// setext makes a heading of the open paragraph, unless it is nothing but
// definitions.
func (p *parser) setext(before cursor) bool {
	lines := p.flow.lines
	p.flow = flow{}
	h := p.closeParagraph(lines, true)
	if h == nil {
		return false
	}
	p.prefix(LinePrefix, before.off, p.cur.off)
	h.End = p.cur.end
	p.node(SetextLine, p.cur.off, p.cur.end, h)
	return true
}

// closeParagraph makes nodes of lines: definitions, then a paragraph or a
// heading. It returns the last one, nil if there is none.
func (p *parser) closeParagraph(lines []textLine, heading bool) *Node {
	segs := make([]line, len(lines))
	for i := range lines {
		segs[i] = lines[i].line
	}
	if at := skipSpace(p.text, segs[0].start, segs[0].end); at < segs[0].end && p.text[at] == '[' {
		segs = segs[p.definitions(segs):]
	}
	if len(segs) == 0 {
		return nil
	}
	first := &segs[0]
	first.start = skipSpace(p.text, first.start, first.end)
	end := segs[len(segs)-1].end
	if !heading {
		n := p.node(Paragraph, first.start, end, p.parent())
		p.chunks = append(p.chunks, chunk{n, segs})
		return n
	}
	// Definitions before the heading count as its start.
	n := p.node(SetextHeading, skipSpace(p.text, lines[0].start, lines[0].end), end, p.parent())
	p.chunks = append(p.chunks, chunk{p.node(HeadingText, first.start, end, n), segs})
	return n
}

// definitions reads the definitions that start the lines and returns how many
// lines they take.
func (p *parser) definitions(segs []line) int {
	b := p.join(segs)
	taken := 0
	var noTitle [3]bool
	for at := 0; at < len(b.text); {
		end, ok := p.definition(&b, skipSpace(b.text, at, len(b.text)), &noTitle)
		if !ok {
			break
		}
		taken += bytes.Count(b.text[at:end], []byte("\n")) + 1
		at = end + 1
	}
	return taken
}

// definition reads the definition at the offset and returns the end of its
// last line.
func (p *parser) definition(b *buffer, start int, noTitle *[3]bool) (int, bool) {
	t := b.text
	if start >= len(t) || t[start] != '[' {
		return 0, false
	}
	label, ok := labelEnd(t, start+1)
	if !ok || label+1 >= len(t) || t[label+1] != ':' {
		return 0, false
	}
	dest, ok := destination(t, skipSpaceEOL(t, label+2), len(t))
	if !ok {
		return 0, false
	}
	end := skipSpace(t, dest.after, len(t))
	if j := skipSpaceEOL(t, dest.after); j > dest.after && j < len(t) {
		if title, ok := titleEnd(t, j, noTitle); ok {
			if k := skipSpace(t, title, len(t)); k == len(t) || t[k] == '\n' {
				end = k
			}
		}
	}
	if end < len(t) && t[end] != '\n' {
		return 0, false
	}
	n := p.node(Definition, b.source(start), b.sourceEnd(end), p.parent())
	p.node(DefinitionLabel, b.source(start+1), b.sourceEnd(label), n)
	d := p.node(DefinitionDestination, b.source(dest.start), b.source(dest.start), n)
	if d.Angle = dest.angle; dest.end > dest.start {
		d.End = b.sourceEnd(dest.end)
	}
	p.defs[normalize(t[start+1:label])] = true
	return end, true
}

func skipSpaceEOL(t []byte, i int) int {
	for i < len(t) && isSpaceOrEOL(t[i]) {
		i++
	}
	return i
}

// labelEnd returns where the bracket is that ends the label of a reference or
// definition that starts at t[i].
func labelEnd(t []byte, i int) (int, bool) {
	seen := false
	for start := i; i < len(t) && i-start <= maxLabel; i++ {
		switch t[i] {
		case ']':
			return i, seen
		case '[':
			return 0, false
		case '\\':
			seen = true
			i += escapes(t, i, "[]\\")
		case ' ', '\t', '\n', '\r':
		default:
			seen = true
		}
	}
	return 0, false
}

// target is a destination: [start, end) without its brackets, and the offset
// behind them.
type target struct {
	start, end, after int
	angle             bool
}

// destination reads a destination. Raw ones have at most limit open
// parentheses.
func destination(t []byte, i, limit int) (target, bool) {
	if i < len(t) && t[i] == '<' {
		return enclosed(t, i+1)
	}
	d := target{start: i}
	balance := 0
	for ; i < len(t) && t[i] != ' ' && !isControl(t[i]) && (t[i] != ')' || balance > 0) && balance <= limit; i++ {
		switch t[i] {
		case '(':
			balance++
		case ')':
			balance--
		case '\\':
			i += escapes(t, i, "()\\")
		}
	}
	d.end, d.after = i, i
	return d, i > d.start && balance == 0 && endsDestination(t, i)
}

// endsDestination reports whether a destination may end before t[i].
func endsDestination(t []byte, i int) bool {
	return i == len(t) || t[i] == ')' || isSpaceOrEOL(t[i])
}

// enclosed reads the rest of a destination in angle brackets.
func enclosed(t []byte, i int) (target, bool) {
	d := target{start: i, angle: true}
	for ; i < len(t); i++ {
		switch t[i] {
		case '>':
			d.end, d.after = i, i+1
			return d, true
		case '<', '\n', '\r':
			return d, false
		case '\\':
			i += escapes(t, i, "<>\\")
		}
	}
	return d, false
}

// escapes returns 1 if the backslash at t[i] is followed by one of the
// characters, 0 if it is not.
func escapes(t []byte, i int, characters string) int {
	if i+1 < len(t) && strings.IndexByte(characters, t[i+1]) >= 0 {
		return 1
	}
	return 0
}

// titleEnd returns the offset behind the title at t[i]. missing notes the
// markers that do not come any more.
func titleEnd(t []byte, i int, missing *[3]bool) (int, bool) {
	const markers = "\"')"
	if i >= len(t) {
		return 0, false
	}
	kind := strings.IndexByte("\"'(", t[i])
	if kind < 0 || missing[kind] {
		return 0, false
	}
	marker := markers[kind]
	for i++; i < len(t); i++ {
		switch t[i] {
		case marker:
			return i + 1, true
		case '\\':
			i += escapes(t, i, string(marker)+"\\")
		}
	}
	missing[kind] = true
	return 0, false
}

// normalize returns what makes two labels equal.
func normalize(label []byte) string {
	s := strings.ToUpper(strings.ToLower(strings.Join(strings.Fields(string(label)), " ")))
	return strings.ReplaceAll(s, "ß", "SS")
}
