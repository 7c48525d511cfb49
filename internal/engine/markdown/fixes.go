package markdown

import (
	"bytes"
	"strconv"
	"strings"

	"poly/internal/diag"
	"poly/internal/mdtree"
)

// Fixes of these rules keep what a document says. The first ones move or rename
// things; the others add and take blanks.
const (
	moving = " MD004 MD005 MD007 MD027 MD029 MD030 MD049 MD050 "
	spaces = " MD009 MD010 MD012 MD019 MD021 MD022 MD023 MD031 MD032 MD047 MD058 "
)

// together makes one fix of those of the findings from i on: each of them has
// the edits of all, so that none is made without the others.
func (c *check) together(i int) {
	var all []diag.Edit
	for k := range c.out[i:] {
		all = append(all, c.out[i+k].Fix...)
	}
	for k := range c.out[i:] {
		if c.out[i+k].Fix != nil {
			c.out[i+k].Fix = all
		}
	}
}

// verify drops the fixes of this rule if the document would mean something
// else with them.
func (c *check) verify() {
	if codes := " " + c.is.code + " "; !c.same(codes, c.first) {
		c.drop(codes, c.first)
	}
}

// settle drops fixes that are right for themselves but not along with others,
// or if only some of them can be made.
func (f *file) settle() {
	if f.same(moving+spaces, 0) {
		return
	}
	f.drop(moving, 0)
	if !f.same(spaces, 0) {
		f.drop(spaces, 0)
	}
}

// same reports whether the document says the same with the fixes of some rules
// applied, of the findings from first on.
func (f *file) same(codes string, first int) bool {
	var fixes [][]diag.Edit
	for i := range f.out[first:] {
		if d := &f.out[first+i]; d.Fix != nil && strings.Contains(codes, " "+d.Code+" ") {
			fixes = append(fixes, d.Fix)
		}
	}
	if len(fixes) == 0 {
		return true
	}
	text, _ := diag.Apply(f.text, fixes)
	if f.shape == nil {
		f.shape = shape([]byte{0}, f.doc, f.doc.Root)
	}
	other := mdtree.Parse(text, f.doc.Root.Start)
	return bytes.Equal(f.shape, shape([]byte{0}, other, other.Root))
}

// drop takes the fixes of some rules away, of the findings from first on.
func (f *file) drop(codes string, first int) {
	for i := range f.out[first:] {
		if d := &f.out[first+i]; strings.Contains(codes, " "+d.Code+" ") {
			d.Fix = nil
		}
	}
}

// shape writes down what a document says: its nodes and their text, but no
// markers and no blanks.
func shape(b []byte, d *mdtree.Doc, n *mdtree.Node) []byte {
	for _, c := range n.Children {
		switch c.Kind {
		case mdtree.HeadingSpace, mdtree.TableSpace, mdtree.LineSuffix:
			continue
		}
		b = append(b, byte(c.Kind))
		switch c.Kind {
		case mdtree.ListPrefix, mdtree.EmphasisSequence, mdtree.StrongSequence, mdtree.LineEnding, mdtree.HardBreak:
			continue
		case mdtree.ListOrdered, mdtree.ListUnordered:
			b = appendList(b, d, c)
		case mdtree.CodeFenced, mdtree.CodeIndented: // its blank lines are no nodes
			b = strconv.AppendInt(b, int64(d.LineAt(c.End)-d.LineAt(c.Start)), 10)
		case mdtree.HTMLFlow, mdtree.Data:
			b = append(b, bytes.Join(bytes.Fields(d.Source(c)), []byte(" "))...)
			continue
		}
		if len(c.Children) == 0 {
			b = append(b, d.Source(c)...)
			continue
		}
		b = append(shape(append(b, '('), d, c), ')')
	}
	return b
}

// appendList writes down with which number a list starts, and whether there
// are blank lines between its blocks: its items are set wider apart then.
func appendList(b []byte, d *mdtree.Doc, list *mdtree.Node) []byte {
	if list.Kind == mdtree.ListOrdered {
		b = append(b, d.Source(list.Children[0].Children[0])...)
	}
	for i, c := range list.Children[1:] {
		if d.LineAt(c.Start)-d.LineAt(list.Children[i].End) > 1 {
			return append(b, 'L')
		}
	}
	return append(b, 'T')
}
