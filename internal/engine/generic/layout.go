package generic

import (
	"bytes"
	"strings"

	"poly/internal/syntax"
)

// line is a line of the text.
type line struct {
	start, end int    // without its end
	solid      int    // behind the last byte that is in a token
	from, to   int    // pieces that start on it
	old, now   string // blanks before its first token, as they are and will be
	frozen     bool   // its start is inside a token
	open       bool   // its end is inside a token
	base       bool   // blocks may be indented from it
}

// piece is a token, or a node that counts as one.
type piece struct {
	node       uint32
	start, end int
}

// frame is an open bracket.
type frame struct {
	node   uint32 // whose bracket it is
	opened int    // line on which it stands
	line   int    // that its lines move with
	base   int    // line from which its lines are indented; -1: they keep their place
	last   int    // line that what continues an item moves with
	above  []int  // lines of comments that await what they are about
}

// layout is a text on its way to another.
type layout struct {
	style  *style
	tree   *syntax.Tree
	lines  []line
	pieces []piece
	frames []frame
	seen   map[string]int // levels of indentation that lines have
}

// layoutOf works out how each line of a text is indented. unit chooses a level
// among those that were seen.
func layoutOf(s *style, t *syntax.Tree, unit func(map[string]int) string) *layout {
	l := &layout{style: s, tree: t}
	l.split()
	l.collect()
	if s.blocks == "" {
		return l
	}
	l.seen = map[string]int{}
	l.indent("")
	l.indent(unit(l.seen))
	return l
}

// split finds the lines.
func (l *layout) split() {
	at := 0
	for text := range bytes.Lines(l.tree.Text) {
		body := bytes.TrimSuffix(text, []byte("\n"))
		blanks := body[:len(body)-len(bytes.TrimLeft(body, " \t"))]
		l.lines = append(l.lines, line{start: at, end: at + len(body), old: string(blanks), now: string(blanks)})
		at += len(text)
	}
}

// collect finds the pieces and the lines that are inside of one.
func (l *layout) collect() {
	nodes := l.tree.Nodes
	at := 0
	for i := uint32(0); int(i) < len(nodes); {
		n, text := &nodes[i], l.tree.NodeText(i)
		if n.Children > 0 && !opaque(l.kind(i)) {
			i++
			continue
		}
		p := piece{node: i, start: int(n.Start), end: int(n.End)}
		i = n.Next
		if len(bytes.TrimSpace(text)) == 0 { // a line end, or nothing at all
			continue
		}
		for at+1 < len(l.lines) && l.lines[at+1].start <= p.start {
			at++
			l.lines[at].from, l.lines[at].to = len(l.pieces), len(l.pieces)
		}
		l.pieces = append(l.pieces, p)
		l.lines[at].to = len(l.pieces)
		l.cover(at, p)
	}
	for at++; at < len(l.lines); at++ {
		l.lines[at].from, l.lines[at].to = len(l.pieces), len(l.pieces)
	}
}

// cover notes which lines, from the given one, a piece is on.
func (l *layout) cover(at int, p piece) {
	for j := at; j < len(l.lines) && l.lines[j].start < p.end; j++ {
		ln := &l.lines[j]
		ln.frozen = ln.frozen || ln.start > p.start
		ln.open = ln.open || ln.end < p.end
		ln.solid = max(ln.solid, min(p.end, ln.end))
	}
}

// indent works out the blanks of each line. Without a unit it only notes which
// levels there are.
func (l *layout) indent(unit string) {
	l.frames = l.frames[:0]
	for i := range l.lines {
		ln := &l.lines[i]
		ln.now, ln.base = ln.old, false
		if ln.from == ln.to {
			continue
		}
		if !ln.frozen && l.pieces[ln.from].start == ln.start+len(ln.old) {
			l.place(i, unit)
		}
		l.brackets(i)
	}
}

// place works out the blanks of line i, which starts with a piece.
func (l *layout) place(i int, unit string) {
	ln := &l.lines[i]
	p := &l.pieces[ln.from]
	if len(l.frames) == 0 {
		ln.base = l.statement(p.node)
		return
	}
	f := &l.frames[len(l.frames)-1]
	closer := l.bracket(p, "})]")
	node, item := l.item(p.node, f.node)
	switch {
	case l.tree.Text[p.start] == '#' && l.style.hash:
	case f.base < 0:
		l.along(ln, f, item)
	case closer:
		ln.now = l.lines[f.base].now
		l.settle(f, f.last)
	case l.tree.Nodes[p.node].Is(syntax.Extra):
		f.above = append(f.above, i)
		return
	case item && !has(l.style.keep, l.kind(node)):
		l.move(f, i, node, unit)
	default:
		l.along(ln, f, item)
	}
	ln.base = l.statement(p.node) || item && l.holds(f) || closer && l.closes(f, ln)
	if item {
		f.last = i
	}
}

// move gives line i, which starts what stands directly in a block, the blanks
// of the block and a level.
func (l *layout) move(f *frame, i int, node uint32, unit string) {
	ln := &l.lines[i]
	l.note(ln, f)
	if unit != "" && l.movable(f, i, node) {
		ln.now = l.lines[f.base].now + unit
	}
	l.settle(f, i)
}

// bracket reports whether a piece is a token that is one of some brackets.
func (l *layout) bracket(p *piece, which string) bool {
	return p.end-p.start == 1 && strings.IndexByte(which, l.tree.Text[p.start]) >= 0 && !l.tree.Nodes[p.node].Is(syntax.Named)
}

// holds reports whether what stands directly in a bracket is a declaration or
// the like.
func (l *layout) holds(f *frame) bool {
	return f.base >= 0 || strings.HasSuffix(l.kind(f.node), "declaration_list")
}

// closes reports whether a line that starts with the closing bracket stands
// below the line that opened it, so that a block may follow.
func (l *layout) closes(f *frame, ln *line) bool {
	return f.base >= 0 || ln.now == l.lines[f.line].now && l.lines[f.line].base
}

// movable reports whether an item may move: no line of it is inside a token,
// and no comment above it, which would move along, has several lines.
func (l *layout) movable(f *frame, i int, node uint32) bool {
	for _, c := range f.above {
		if p := &l.pieces[l.lines[c].from]; l.lines[c].old == l.lines[i].old && p.end > l.lines[c].end {
			return false
		}
	}
	end := int(l.tree.Nodes[node].End)
	for j := i; j < len(l.lines) && l.lines[j].start < end; j++ {
		if l.lines[j].frozen {
			return false
		}
	}
	return true
}

// settle gives the comments above line i the blanks that it has, where they had
// the same.
func (l *layout) settle(f *frame, i int) {
	for _, c := range f.above {
		if l.lines[c].old == l.lines[i].old && l.pieces[l.lines[c].from].end <= l.lines[c].end {
			l.lines[c].now = l.lines[i].now
		}
	}
	f.above = f.above[:0]
}

// note counts the level that a line has.
func (l *layout) note(ln *line, f *frame) {
	base := l.lines[f.base].old
	if len(ln.old) > len(base) && ln.old[:len(base)] == base {
		if s := ln.old[len(base):]; s == "\t" || len(s) <= 8 && strings.Trim(s, " ") == "" {
			l.seen[s]++
		}
	}
}

// along moves a line as far as the line it belongs to was moved.
func (l *layout) along(ln *line, f *frame, item bool) {
	if l.pieces[ln.from].end > ln.end {
		return // what has several lines stays
	}
	anchor := &l.lines[f.last]
	if item {
		anchor = &l.lines[f.line]
	}
	if anchor.old != anchor.now && len(ln.old) >= len(anchor.old) && ln.old[:len(anchor.old)] == anchor.old {
		ln.now = anchor.now + ln.old[len(anchor.old):]
	}
}

// item returns what starts with node i and stands directly in a block, and
// whether there is such a thing.
func (l *layout) item(i, block uint32) (uint32, bool) {
	nodes := l.tree.Nodes
	start := nodes[i].Start
	for i != syntax.NoParent && nodes[i].Start == start && i != block {
		up := nodes[i].Parent
		for up != syntax.NoParent && up != block && has(through, l.kind(up)) {
			up = nodes[up].Parent
		}
		if up == block {
			return i, nodes[i].Is(syntax.Named) && !has(through, l.kind(i))
		}
		i = nodes[i].Parent
	}
	return 0, false
}

// statement reports whether a node starts a statement or the like, or something
// at the top.
func (l *layout) statement(i uint32) bool {
	nodes := l.tree.Nodes
	start := nodes[i].Start
	for i != 0 && i != syntax.NoParent && nodes[i].Start == start {
		if starts(l.kind(i)) || nodes[i].Parent == 0 && nodes[i].Is(syntax.Named) {
			return true
		}
		i = nodes[i].Parent
	}
	return false
}

func (l *layout) kind(i uint32) string { return l.tree.Language.KindName(l.tree.Nodes[i].Kind) }

// brackets opens and closes those of line i.
func (l *layout) brackets(i int) {
	base := i // from which a block that opens on this line is indented
	for k := l.lines[i].from; k < l.lines[i].to; k++ {
		n, p := len(l.frames), &l.pieces[k]
		switch {
		case l.bracket(p, "([{"):
			l.frames = append(l.frames, l.frame(i, k, base))
		case n > 0 && l.bracket(p, ")]}"):
			if was := l.frames[n-1].line; was < base && k != l.lines[i].from {
				base = was
			}
			l.frames = l.frames[:n-1]
		}
	}
}

// frame returns what piece k of line i opens. A block is indented if nothing
// but a comment follows its brace, and if it is clear from which line.
func (l *layout) frame(i, k, base int) frame {
	ln, p, n := &l.lines[i], &l.pieces[k], len(l.frames)
	f := frame{node: l.tree.Nodes[p.node].Parent, opened: i, line: base, base: -1, last: base}
	if l.tree.Text[p.start] != '{' || !l.block(f.node) || !l.ends(k, ln.to) {
		return f
	}
	crowded := n > 1 && l.frames[n-1].opened == i && l.frames[n-2].opened == i
	if !crowded && (k == ln.from || l.lines[base].base) {
		f.base = base
	}
	return f
}

// block reports whether the lines in the braces of a node are indented.
func (l *layout) block(i uint32) bool {
	if !has(l.style.blocks, l.kind(i)) {
		return false
	}
	up := l.tree.Nodes[i].Parent
	return up == syntax.NoParent || !has(l.style.without, l.kind(up))
}

// ends reports whether nothing but a comment follows piece k before piece to.
func (l *layout) ends(k, to int) bool {
	return k+1 == to || k+2 == to && l.tree.Nodes[l.pieces[k+1].node].Is(syntax.Extra)
}
