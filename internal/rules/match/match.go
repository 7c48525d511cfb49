// Package match is ast-grep's rule language over the trees of internal/syntax:
// patterns, kinds, relations, composition, transforms and fixes. A [Compiler]
// turns YAML into rules, a [Matcher] runs them over a [Doc].
//
// It knows bytes only: no files, no configuration, no commands. What a rule
// means is what ast-grep 0.51.1 takes it for; internal/docs/rules.md lists the
// few places where that is not so.
package match

import (
	"bytes"
	"slices"
	"sort"
	"unicode/utf8"

	"poly/internal/syntax"
)

// Node is the index of a node of a [Doc], in preorder.
type Node uint32

// None is no node.
const None Node = ^Node(0)

// Doc is a parsed text. It is used by one goroutine, and only until its parser
// parses again.
type Doc struct {
	Lang   *Language
	Source []byte

	nodes []syntax.Node
	tree  *syntax.Tree // whose nodes these are, but for the start
	lines []int        // offsets of line starts; made on first use
	prev  []Node       // previous siblings; made on first use
	masks []uint64     // kinds below and at each node, as bits; made on first use
}

// NewDoc returns a parsed text. start is how many bytes of source lie before
// the text that was parsed, for code within another language.
func NewDoc(l *Language, source []byte, tree *syntax.Tree, start int) *Doc {
	d := &Doc{Lang: l, Source: source, nodes: tree.Nodes, tree: tree}
	if start > 0 {
		d.nodes = slices.Clone(tree.Nodes)
		for i := range d.nodes {
			d.nodes[i].Start += uint32(start)
			d.nodes[i].End += uint32(start)
		}
	}
	return d
}

// Len returns how many nodes there are. The root is 0.
func (d *Doc) Len() int { return len(d.nodes) }

// Range returns the bytes of a node.
func (d *Doc) Range(n Node) (start, end int) {
	return min(int(d.nodes[n].Start), len(d.Source)), min(int(d.nodes[n].End), len(d.Source))
}

// Text returns the text of a node, which must not be modified.
func (d *Doc) Text(n Node) []byte {
	start, end := d.Range(n)
	return d.Source[start:max(start, end)]
}

// Kind returns the name of a node's kind.
func (d *Doc) Kind(n Node) string { return d.Lang.KindName(d.nodes[n].Kind) }

func (d *Doc) named(n Node) bool { return d.nodes[n].Flags&syntax.Named != 0 }
func (d *Doc) extra(n Node) bool { return d.nodes[n].Flags&syntax.Extra != 0 }

// first returns the first child of n.
func (d *Doc) first(n Node) Node {
	if d.nodes[n].Next > uint32(n)+1 {
		return n + 1
	}
	return None
}

// next returns the sibling after n.
func (d *Doc) next(n Node) Node {
	up := d.nodes[n].Parent
	if up == uint32(None) {
		return None
	}
	if at := d.nodes[n].Next; at < d.nodes[up].Next {
		return Node(at)
	}
	return None
}

func (d *Doc) parent(n Node) Node { return Node(d.nodes[n].Parent) }

// before returns the sibling before n.
func (d *Doc) before(n Node) Node {
	if d.prev == nil {
		d.prev = make([]Node, len(d.nodes))
		d.prev[0] = None
		for up := range d.nodes {
			last := None
			for c := d.first(Node(up)); c != None; c = d.next(c) {
				d.prev[c] = last
				last = c
			}
		}
	}
	return d.prev[n]
}

// namedLeaf reports whether n has no named child.
func (d *Doc) namedLeaf(n Node) bool {
	for c := d.first(n); c != None; c = d.next(c) {
		if d.named(c) {
			return false
		}
	}
	return true
}

// child returns the node for a field of n, which is a child of it as a rule.
func (d *Doc) child(n Node, field syntax.Field) Node {
	return Node(d.tree.ByField(uint32(n), field))
}

// mask returns which kinds occur at and below n, as bits of [kindBit].
func (d *Doc) mask(n Node) uint64 {
	if d.masks == nil {
		d.masks = make([]uint64, len(d.nodes))
		for i := len(d.nodes) - 1; i >= 0; i-- {
			d.masks[i] |= kindBit(d.nodes[i].Kind)
			if up := d.nodes[i].Parent; up != uint32(None) {
				d.masks[up] |= d.masks[i]
			}
		}
	}
	return d.masks[n]
}

func kindBit(kind syntax.Kind) uint64 { return 1 << (kind * 0x9e37 >> 10) }

// Pos returns the line and the column, in characters, of an offset; both from 0.
func (d *Doc) Pos(offset int) (line, col int) {
	if d.lines == nil {
		d.lines = []int{0}
		for at := 0; ; {
			i := bytes.IndexByte(d.Source[at:], '\n')
			if i < 0 {
				break
			}
			at += i + 1
			d.lines = append(d.lines, at)
		}
	}
	offset = min(offset, len(d.Source))
	line = sort.SearchInts(d.lines, offset+1) - 1
	return line, utf8.RuneCount(d.Source[d.lines[line]:offset])
}

func (d *Doc) line(offset int) int {
	line, _ := d.Pos(offset)
	return line
}

// equal reports whether two nodes have the same structure and texts.
func (m *Matcher) equal(a, b Node) bool {
	m.step()
	d := m.doc
	if a == b {
		return true
	}
	if d.namedLeaf(a) || d.namedLeaf(b) {
		return bytes.Equal(d.Text(a), d.Text(b))
	}
	if d.nodes[a].Kind != d.nodes[b].Kind {
		return false
	}
	x, y := d.first(a), d.first(b)
	for x != None && y != None {
		if !m.equal(x, y) {
			return false
		}
		x, y = d.next(x), d.next(y)
	}
	return x == None && y == None
}

// Past returns the node after the last one below n.
func (d *Doc) Past(n Node) Node { return Node(d.nodes[n].Next) }

// Parent returns the node above n, [None] above the root.
func (d *Doc) Parent(n Node) Node { return d.parent(n) }
