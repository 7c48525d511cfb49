package mdtree

// table makes a table of the last line of the open paragraph if this line is
// the delimiter row for it. before is where the line starts.
func (p *parser) table(before cursor) bool {
	lines := p.flow.lines
	head := lines[len(lines)-1]
	if head.plain {
		return false
	}
	start := skipSpace(p.text, head.start, head.end)
	n, ok := delimiters(p.text[p.cur.off:p.cur.end])
	if !ok || n != headCells(p.text[start:head.end]) {
		return false
	}
	p.flow = flow{}
	if len(lines) > 1 {
		p.closeParagraph(lines[:len(lines)-1], false)
	}
	p.prefix(LinePrefix, before.off, p.cur.off)
	t := p.node(Table, start, p.cur.end, p.parent())
	p.row(TableRow, start, head.end, t)
	p.row(TableDelimiterRow, p.cur.off, p.cur.end, t)
	p.flow = flow{kind: flowTable, node: t}
	return true
}

// headCells counts the cells of a line that may be the head of a table.
func headCells(row []byte) int {
	n := 0
	seen := len(row) > 0 && row[0] != '|'
	for i := 0; i < len(row); {
		if isSpace(row[i]) {
			i++
			continue
		}
		if seen {
			seen = false
			n++
		}
		if row[i] == '|' {
			seen = true
			i++
			continue
		}
		i = cellData(row, i)
	}
	return n
}

// cellData returns the end of a run of text in a row.
func cellData(row []byte, i int) int {
	for i < len(row) && row[i] != '|' && !isSpace(row[i]) {
		if row[i] == '\\' && i+1 < len(row) && (row[i+1] == '\\' || row[i+1] == '|') {
			i++
		}
		i++
	}
	return i
}

// delimiters counts the cells of a delimiter row; ok is false if it is none.
func delimiters(row []byte) (n int, ok bool) {
	seen := false // a pipe or a colon: dashes alone are a heading's
	for i := 0; ; {
		if i < len(row) && row[i] == '|' {
			seen = true
			i = skipSpace(row, i+1, len(row))
		} else if n > 0 {
			return n, seen && i >= len(row)
		}
		if i >= len(row) {
			return n, seen && n > 0
		}
		j := dashes(row, i)
		if j == 0 {
			return 0, false
		}
		seen = seen || row[i] == ':' || row[j-1] == ':'
		n++
		i = skipSpace(row, j, len(row))
	}
}

// dashes returns the end of a cell of a delimiter row, 0 if it is none.
func dashes(row []byte, i int) int {
	if row[i] == ':' {
		i++
	}
	start := i
	for i < len(row) && row[i] == '-' {
		i++
	}
	if i == start {
		return 0
	}
	if i < len(row) && row[i] == ':' {
		i++
	}
	return i
}

// tableLine takes a row.
func (p *parser) tableLine() bool {
	if p.lazy {
		return false
	}
	before := p.cur
	n := p.cur.skip(p.text, -1)
	if p.cur.off >= p.cur.end || n >= tabSize && !p.flat || p.interrupts(false) {
		p.cur = before
		return false
	}
	p.prefix(LinePrefix, before.off, p.cur.off)
	p.row(TableRow, p.cur.off, p.cur.end, p.flow.node)
	p.flow.node.End = p.cur.end
	return true
}

// row adds a row to a table.
func (p *parser) row(k Kind, start, end int, table *Node) {
	r := p.node(k, start, end, table)
	cells := cellCounter{cell: start, waiting: -1, first: true}
	for i := start; i < end; {
		switch {
		case isSpace(p.text[i]):
			j := skipSpace(p.text, i, end)
			p.node(TableSpace, i, j, r)
			i = j
		case p.text[i] == '|':
			p.node(TableDivider, i, i+1, r)
			cells.divider(r, i)
			i++
		default:
			cells.text(r)
			text := i
			stop := i
			for i < end && p.text[i] != '|' { // words and the blanks between
				stop = min(cellData(p.text[:end], i), end)
				i = skipSpace(p.text, stop, end)
			}
			n := p.node(TableText, text, stop, r)
			if k == TableRow {
				p.chunks = append(p.chunks, chunk{n, []line{{start: text, end: stop}}})
			}
			i = stop
		}
	}
	cells.end(r)
}

// cellCounter notes where the cells of a row start: at the divider before them;
// the first one at the start of the row, its own divider included. What follows
// the last divider is a cell only if there is something in it.
type cellCounter struct {
	cell    int  // start of the current cell
	waiting int  // start of a cell that counts if another one follows, or the row ends; -1: none
	first   bool // neither divider nor text so far
	filled  bool // the current cell has text
}

func (c *cellCounter) flush(r *Node) {
	if c.waiting >= 0 {
		r.Cells = append(r.Cells, c.waiting)
	}
	c.waiting = -1
}

func (c *cellCounter) divider(r *Node, at int) {
	if !c.first {
		c.flush(r)
		c.waiting, c.cell, c.filled = c.cell, at, false
	}
	c.first = false
}

func (c *cellCounter) text(r *Node) {
	if c.first = false; !c.filled {
		c.flush(r)
	}
	c.filled = true
}

func (c *cellCounter) end(r *Node) {
	if c.waiting < 0 {
		c.waiting = c.cell
	}
	c.flush(r)
}
