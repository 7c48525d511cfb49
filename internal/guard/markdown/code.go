package markdown

import (
	"bytes"

	"poly/internal/mdtree"
)

// tabSize is where tabs stop.
const tabSize = 4

// fenced emits fenced code: its info string, and its lines.
func (r *reader) fenced(n *mdtree.Node) {
	open := n.Child(mdtree.Fence)
	info := r.doc.Source(open)
	info = bytes.TrimSpace(info[open.Child(mdtree.FenceSequence).End-open.Start:])
	from, to := r.doc.LineAt(open.Start)+1, r.doc.LineAt(n.End)
	if last := n.Children[len(n.Children)-1]; last.Kind == mdtree.Fence && last != open {
		to = r.doc.LineAt(last.Start)
	} else if l := r.doc.Lines[to]; l.Start < n.End {
		to++
	}
	e := r.emit("code", n.Start, info, 0)
	e.info = []byte{}
	if i := open.Child(mdtree.FenceInfo); i != nil {
		e.info = r.doc.Source(i)
	}
	e.code = r.code(n, from, to, r.column(open.Start))
}

// indented emits indented code.
func (r *reader) indented(n *mdtree.Node) {
	margin := tabSize
	switch p := n.Parent; p.Kind {
	case mdtree.Root:
	case mdtree.ListOrdered, mdtree.ListUnordered:
		margin += r.content(p, n)
	default:
		margin = r.column(n.Start)
	}
	e := r.emit("code", n.Start, nil, 0)
	code := bytes.TrimRight(r.code(n, r.doc.LineAt(n.Start), 0, margin), "\n")
	e.code = append(code, '\n')
}

// content returns the column where the content of the item starts that holds n.
func (r *reader) content(list, n *mdtree.Node) int {
	var prefix *mdtree.Node
	for _, c := range list.Children {
		if c == n {
			break
		}
		if c.Kind == mdtree.ListPrefix {
			prefix = c
		}
	}
	marker := prefix.Child(mdtree.ListMarker)
	if prefix.End == marker.End || prefix.End == n.Start && prefix.End == marker.End+1 {
		return r.column(marker.End) + 1
	}
	return r.column(prefix.End)
}

// column returns the column of an offset.
func (r *reader) column(at int) int {
	col := 0
	for _, b := range r.src[r.doc.Lines[r.doc.LineAt(at)].Start:at] {
		switch {
		case b == '\t':
			col += tabSize - col%tabSize
		case b&0xc0 != 0x80:
			col++
		}
	}
	return col
}

// code returns the lines of code in n, of which line from is the first and to
// the one behind the last. Code behind a tab starts at the column margin.
func (r *reader) code(n *mdtree.Node, from, to, margin int) []byte {
	var out []byte
	for _, c := range n.Children {
		if c.Kind != mdtree.CodeLine {
			continue
		}
		for at := r.doc.LineAt(c.Start); from < at; from++ {
			out = append(out, '\n')
		}
		if c.Start > 0 && r.src[c.Start-1] == '\t' {
			for col := r.column(c.Start); col > margin; col-- {
				out = append(out, ' ')
			}
		}
		out = append(append(out, r.doc.Source(c)...), '\n')
		from++
	}
	for ; from < to; from++ {
		out = append(out, '\n')
	}
	return out
}
