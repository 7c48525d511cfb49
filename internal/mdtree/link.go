package mdtree

import (
	"strings"
)

// maxParens bounds the parentheses in the destination of a link.
const maxParens = 32

// bracket notes `[` or `![`.
func (x *inline) bracket(size int) {
	x.flush(false)
	x.open = append(x.open, len(x.items))
	x.items = append(x.items, mark{kind: itemBracket, start: x.i, end: x.i + size, image: size == 2})
	x.i += size
	x.data = x.i
	if !x.runs {
		x.labels = true
	}
}

// closeBracket makes a link or an image, if there is one.
func (x *inline) closeBracket() bool {
	top := len(x.open) - 1
	if top < 0 {
		return false
	}
	x.flush(false)
	k := x.open[top]
	x.open = x.open[:top]
	defer func() { x.inactive = min(x.inactive, top) }()
	b := x.items[k]
	tail, end, ok := (*Node)(nil), x.i+1, false
	if !b.inactive {
		tail, end, ok = x.linkTail(&b, end)
	}
	if !ok {
		x.undefined(k)
		return false
	}
	kind := Link
	if b.image {
		kind = Image
	}
	n := x.node(kind, b.start, end)
	label := x.node(Label, b.start, x.i+1)
	text := x.node(LabelText, b.end, x.i)
	n.adopt(label)
	label.adopt(text)
	text.adopt(x.nodes(x.emphasize(x.items[k+1:]), true, false)...)
	if tail != nil {
		n.adopt(tail)
	}
	if kind == Link {
		for _, j := range x.open[min(x.inactive, top):] {
			x.items[j].inactive = !x.items[j].image
		}
		x.inactive = top
	}
	x.items = append(x.items[:k], mark{node: n, start: b.start, end: end})
	x.i, x.data = end, end
	return true
}

// linkTail reads what follows a label: (destination "title"), [label], [] or
// nothing.
func (x *inline) linkTail(b *mark, after int) (tail *Node, end int, ok bool) {
	t := x.text
	defined := len(x.p.defs) > 0 && x.p.defs[normalize(t[b.end:x.i])]
	if after < len(t) {
		switch t[after] {
		case '(':
			if n, end := x.resource(after); n != nil {
				return n, end, true
			}
		case '[':
			if stop, ok := labelEnd(t, after+1); ok && len(x.p.defs) > 0 && x.p.defs[normalize(t[after+1:stop])] {
				n := x.node(Reference, after, stop+1)
				n.adopt(x.node(ReferenceString, after+1, stop))
				return n, stop + 1, true
			}
			if defined && after+1 < len(t) && t[after+1] == ']' {
				return x.node(Reference, after, after+2), after + 2, true
			}
			return nil, 0, false
		}
	}
	return nil, after, defined
}

// resource reads `(destination "title")`.
func (x *inline) resource(start int) (*Node, int) {
	t := x.text
	i := skipSpaceEOL(t, start+1)
	if i >= len(t) {
		return nil, 0
	}
	var parts []*Node
	if t[i] != ')' {
		d, ok := destination(t, i, maxParens)
		if !ok {
			return nil, 0
		}
		n := x.node(ResourceDestination, d.start, d.end)
		n.Angle = d.angle
		parts = append(parts, n)
		i = skipSpaceEOL(t, d.after)
		if i > d.after && i < len(t) && strings.IndexByte("\"'(", t[i]) >= 0 {
			stop, ok := titleEnd(t, i, &x.noTitle)
			if !ok {
				return nil, 0
			}
			parts = append(parts, x.node(ResourceTitle, i+1, stop-1))
			i = skipSpaceEOL(t, stop)
		}
		if i >= len(t) || t[i] != ')' {
			return nil, 0
		}
	}
	n := x.node(Resource, start, i+1)
	n.adopt(parts...)
	return n, i + 1
}

// undefined notes the label of the bracket at x.items[k], which ends here and is
// no link.
func (x *inline) undefined(k int) {
	if x.p.flat {
		return
	}
	b := &x.items[k]
	end := x.i + 1
	if b.inactive {
		end = x.i
	}
	u := Undefined{Start: x.source(b.start), End: x.sourceEnd(end), Shortcut: true}
	var label strings.Builder
	for i := k + 1; i < len(x.items); i++ {
		n := x.items[i].node
		if n != nil {
			x.labelOf(n, &label)
		} else if x.items[i].kind == itemBracket {
			label.WriteByte(']') // it has one, or it would be open
			break
		}
	}
	all := &x.p.doc.Undefined
	last := len(*all) - 1
	if last >= 0 && (*all)[last].End == u.Start {
		u.Shortcut = false
		if label.Len() == 0 {
			(*all)[last].Shortcut, (*all)[last].End = false, u.End
			return
		}
		u.Start = (*all)[last].Start
		*all = (*all)[:last]
	}
	if u.Label = strings.TrimSpace(label.String()); u.Label != "" && !strings.Contains(u.Label, "]") {
		*all = append(*all, u)
	}
}

// labelOf adds the plain text of n.
func (x *inline) labelOf(n *Node, to *strings.Builder) {
	switch n.Kind {
	case Data:
		to.Write(x.p.text[n.Start:n.End])
	case LineEnding:
		to.WriteByte('\n')
	default:
		for _, c := range n.Children {
			x.labelOf(c, to)
		}
	}
}
