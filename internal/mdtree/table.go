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
	seen := false
	i := 0
	for {
		if i < len(row) && row[i] == '|' {
			seen = true
			i = skipSpace(row, i+1, len(row))
		} else if i >= len(row) || row[i] != '-' && row[i] != ':' {
			return 0, false
		}
		if i >= len(row) {
			return n, seen
		}
		if row[i] == ':' {
			seen = true
			i++
			if i >= len(row) || row[i] != '-' {
				return 0, false
			}
		}
		if row[i] != '-' {
			return 0, false
		}
		n++
		for i < len(row) && row[i] == '-' {
			i++
		}
		if i < len(row) && row[i] == ':' {
			seen = true
			i++
		}
		i = skipSpace(row, i, len(row))
		if i >= len(row) {
			return n, seen
		}
		if row[i] != '|' {
			return 0, false
		}
	}
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

// row adds a row to a table. A cell starts at the divider before it; the first
// one at the start of the row, its own divider included. What follows the last
// divider is a cell only if there is something in it.
func (p *parser) row(k Kind, start, end int, table *Node) {
	r := p.node(k, start, end, table)
	first := true                             // no divider and no text so far
	waiting, cell, filled := -1, start, false // waiting: a cell that counts if another follows or the row ends
	text := -1
	stop := 0
	flush := func() {
		if text >= 0 {
			n := p.node(TableText, text, stop, r)
			if k == TableRow {
				p.chunks = append(p.chunks, chunk{n, []line{{start: text, end: stop}}})
			}
		}
		text = -1
	}
	var spaces [2]int
	for i := start; i < end; {
		switch {
		case isSpace(p.text[i]):
			j := skipSpace(p.text, i, end)
			spaces = [2]int{i, j}
			if text < 0 {
				p.node(TableSpace, i, j, r)
			}
			i = j
		case p.text[i] == '|':
			if text >= 0 {
				flush()
				if spaces[1] == i && spaces[0] < i {
					p.node(TableSpace, spaces[0], i, r)
				}
			}
			p.node(TableDivider, i, i+1, r)
			if !first {
				if waiting >= 0 {
					r.Cells = append(r.Cells, waiting)
				}
				waiting, cell, filled = cell, i, false
			}
			first = false
			i++
		default:
			first = false
			if !filled {
				if waiting >= 0 {
					r.Cells = append(r.Cells, waiting)
				}
				waiting, filled = -1, true
			}
			if text < 0 {
				text = i
			}
			i = min(cellData(p.text[:end], i), end)
			stop = i
		}
	}
	if text >= 0 {
		flush()
		if spaces[1] == end && spaces[0] < end {
			p.node(TableSpace, spaces[0], end, r)
		}
	}
	if waiting < 0 {
		waiting = cell
	}
	r.Cells = append(r.Cells, waiting)
}
