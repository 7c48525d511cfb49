package markdown

import (
	"bytes"

	"poly/internal/guard"
	"poly/internal/mdtree"
)

// maxDepth bounds the nesting that is followed.
const maxDepth = 1000

// reader writes a text down as events.
type reader struct {
	src    []byte
	doc    *mdtree.Doc
	front  []byte
	events []event
	buf    []byte // canonical text of the block at hand
	pre    bool   // in an element that shows its blanks
	bad    string
	badAt  int
	depth  int
}

func (r *reader) blocks(start int) {
	r.doc = mdtree.Parse(r.src, start)
	r.children(r.doc.Root)
}

// emit adds an event, of which text and number are what is compared.
func (r *reader) emit(what string, at int, text []byte, number int) *event {
	sum := guard.MixWord(guard.Mix(uint64(len(what)), text), uint64(number))
	r.events = append(r.events, event{what: what, sum: sum, at: at})
	return &r.events[len(r.events)-1]
}

func (r *reader) children(n *mdtree.Node) {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > maxDepth {
		r.bad, r.badAt = "nested too deeply", n.Start
		return
	}
	for _, c := range n.Children {
		r.block(c)
	}
}

// within emits a block that holds blocks.
func (r *reader) within(what string, n *mdtree.Node, text []byte, number int) {
	r.emit(what, n.Start, text, number)
	r.children(n)
	r.emit("the end of "+what, n.End, nil, 0)
}

func (r *reader) block(n *mdtree.Node) {
	switch n.Kind {
	case mdtree.BlockQuote:
		r.within("a quote", n, nil, 0)
	case mdtree.ListOrdered, mdtree.ListUnordered:
		r.list(n)
	case mdtree.ListPrefix:
		r.emit("an item", n.Start, nil, 0)
	case mdtree.FootnoteDefinition:
		r.within("a footnote", n, label(r.doc.Source(n.Child(mdtree.FootnoteLabel))), 0)
	case mdtree.FootnoteLabel:
	case mdtree.ATXHeading, mdtree.SetextHeading:
		r.emit("a heading", n.Start, r.text(n.Child(mdtree.HeadingText)), r.level(n))
	case mdtree.CodeFenced:
		r.fenced(n)
	case mdtree.CodeIndented:
		r.indented(n)
	case mdtree.MathFlow:
		r.emit("math", n.Start, r.lines(n), 0)
	case mdtree.HTMLFlow:
		r.html(n)
	case mdtree.ThematicBreak:
		r.emit("a rule", n.Start, nil, 0)
	case mdtree.Definition:
		r.definition(n)
	case mdtree.Table:
		r.table(n)
	case mdtree.DirectiveContainer:
		r.directive(n)
	default:
		r.emit("a paragraph", n.Start, r.text(n), 0)
	}
}

// level returns the level of a heading.
func (r *reader) level(n *mdtree.Node) int {
	if line := n.Child(mdtree.SetextLine); line != nil {
		if r.src[line.Start] == '=' {
			return 1
		}
		return 2
	}
	seq := n.Child(mdtree.HeadingSequence)
	return seq.End - seq.Start
}

// list emits a list: where it starts to count, and whether its items are
// paragraphs of their own.
func (r *reader) list(n *mdtree.Node) {
	var number []byte
	if marker := n.Child(mdtree.ListPrefix).Child(mdtree.ListMarker); n.Kind == mdtree.ListOrdered {
		if number = bytes.TrimLeft(r.src[marker.Start:marker.End-1], "0"); len(number) == 0 {
			number = []byte("0")
		}
	}
	loose := 0
	if n.Child(mdtree.Paragraph) != nil && r.loose(n) {
		loose = 1
	}
	r.within("a list", n, number, loose)
}

// loose reports whether a blank line stands between two items of a list, or
// between two blocks of one.
func (r *reader) loose(n *mdtree.Node) bool {
	for i := 1; i < len(n.Children); i++ {
		prev, c := n.Children[i-1], n.Children[i]
		end := prev.End
		for end > prev.Start && isSpace(r.src[end-1]) {
			end--
		}
		if r.doc.LineAt(c.Start)-r.doc.LineAt(max(end-1, prev.Start)) > 1 {
			return true
		}
	}
	return false
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

// lines returns the lines of a block without the blanks around them and the
// marks of the quotes it stands in.
func (r *reader) lines(n *mdtree.Node) []byte {
	var out []byte
	quoted := n.Within(mdtree.BlockQuote) != nil
	for rest := r.doc.Source(n); len(rest) > 0; {
		line, next := cutLine(rest, 0)
		rest = rest[next:]
		line = bytes.Trim(line, " \t\r")
		if quoted && len(out) > 0 {
			line = bytes.TrimLeft(line, " \t>")
		}
		out = append(append(out, line...), '\n')
	}
	return bytes.TrimRight(out, "\n")
}

// dedent returns the lines of a block without the columns that stand before its
// first one.
func (r *reader) dedent(n *mdtree.Node) []byte {
	first := r.doc.Lines[r.doc.LineAt(n.Start)]
	margin := n.Start - first.Start
	var out []byte
	for i, rest := 0, r.doc.Source(n); len(rest) > 0; i++ {
		line, next := cutLine(rest, 0)
		rest = rest[next:]
		for j := 0; i > 0 && j < margin && len(line) > 0 && bytes.IndexByte([]byte(" \t>"), line[0]) >= 0; j++ {
			line = line[1:]
		}
		out = append(append(out, bytes.TrimRight(line, " \t\r")...), '\n')
	}
	return bytes.TrimRight(out, "\n")
}

func (r *reader) definition(n *mdtree.Node) {
	dest := n.Child(mdtree.DefinitionDestination)
	out := append(label(r.doc.Source(n.Child(mdtree.DefinitionLabel))), 0xff)
	out = append(out, unescape(r.doc.Source(dest))...)
	end := dest.End
	if dest.Angle {
		end++
	}
	if title := bytes.TrimSpace(r.src[min(end, n.End):n.End]); len(title) > 1 {
		out = append(append(out, 0xff), fold(unescape(title[1:len(title)-1]))...)
	}
	r.emit("a definition", n.Start, out, 0)
}

// table emits a table row by row. Cells that are missing at the end of a row are
// empty ones.
func (r *reader) table(n *mdtree.Node) {
	r.emit("a table", n.Start, nil, 0)
	for _, row := range n.Children {
		cells := r.cells(row)
		for len(cells) > 0 && len(cells[len(cells)-1]) == 0 {
			cells = cells[:len(cells)-1]
		}
		r.emit("a row", row.Start, bytes.Join(cells, []byte{0xff}), len(cells))
	}
	r.emit("the end of a table", n.End, nil, 0)
}

func (r *reader) cells(row *mdtree.Node) [][]byte {
	var out [][]byte
	var cell []byte
	first := true
	for _, c := range row.Children {
		switch c.Kind {
		case mdtree.TableDivider:
			if !first {
				out = append(out, cell)
				cell = nil
			}
			first = false
		case mdtree.TableText:
			first = false
			if row.Kind == mdtree.TableDelimiterRow {
				cell = alignment(r.doc.Source(c))
			} else {
				cell = bytes.Clone(r.text(c))
			}
		}
	}
	return append(out, cell)
}

func alignment(cell []byte) []byte {
	out := []byte("-")
	if cell[0] == ':' {
		out = append(out, '<')
	}
	if cell[len(cell)-1] == ':' {
		out = append(out, '>')
	}
	return out
}

// directive emits a container of blocks by its fences. Readers without
// directives see paragraphs there, so the blank lines at both ends count.
func (r *reader) directive(n *mdtree.Node) {
	at := r.doc.LineAt(n.Start)
	head := r.doc.Lines[at]
	blanks := 0
	if at+1 < len(r.doc.Lines) && r.blank(at+1) {
		blanks = 1
	}
	if last := r.doc.LineAt(n.End); last > at && r.blank(last-1) {
		blanks |= 2
	}
	r.within("a directive", n, bytes.TrimRight(r.src[n.Start:max(n.Start, head.End)], " \t\r"), blanks)
}

func (r *reader) blank(line int) bool {
	l := r.doc.Lines[line]
	return len(bytes.Trim(r.src[l.Start:l.End], " \t\r>")) == 0
}
