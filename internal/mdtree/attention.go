package mdtree

// nodes makes data of what became nothing else. It is joined with the data
// beside it if it was a run of attention and runs is set, or a bracket and
// brackets is.
func (x *inline) nodes(items []mark, runs, brackets bool) []*Node {
	out := make([]*Node, 0, len(items))
	joined := false // the last node may be joined with the next
	for i := range items {
		m := &items[i]
		n, joins := m.node, true
		if n == nil {
			n = x.node(Data, m.start, m.end)
			joins = m.kind == itemAttention && runs || m.kind == itemBracket && brackets
		}
		if k := len(out) - 1; joins && joined && n.Kind == Data && out[k].Kind == Data && out[k].End == n.Start {
			out[k].End = n.End
			continue
		}
		out = append(out, n)
		joined = joins
	}
	return out
}

// bottom tells below which item a run of some kind found no opener.
type bottom struct {
	marker byte
	open   bool
	size   int
}

// emphasize pairs the runs of attention in items.
func (x *inline) emphasize(items []mark) []mark {
	runs := 0
	for i := range items {
		if items[i].kind == itemAttention {
			runs++
		}
	}
	if runs < 2 {
		return items
	}
	out := make([]mark, 0, len(items))
	bottoms := map[bottom]int{}
	for _, m := range items {
		if m.kind != itemAttention || !m.close {
			out = append(out, m)
			continue
		}
		for m.end > m.start {
			key := bottom{x.text[m.start], m.open, (m.end - m.start) % 3}
			k := x.opener(out, m, bottoms[key])
			if k < 0 {
				// Whatever may start emphasis from here on lies above.
				bottoms[key] = len(out)
				break
			}
			out = x.pair(out, k, &m)
			for b, at := range bottoms {
				bottoms[b] = min(at, len(out))
			}
		}
		if m.end > m.start {
			out = append(out, m)
		}
	}
	return out
}

// opener returns the index in out of the run that m closes, -1 if none does.
func (x *inline) opener(out []mark, m mark, floor int) int {
	size := m.end - m.start
	for k := len(out) - 1; k >= floor; k-- {
		o := &out[k]
		if o.kind != itemAttention || !o.open || x.text[o.start] != x.text[m.start] {
			continue
		}
		length := o.end - o.start
		if (o.close || m.open) && size%3 != 0 && (length+size)%3 == 0 {
			continue
		}
		return k
	}
	return -1
}

// pair makes emphasis of out[k] and the start of m, with what lies between.
func (x *inline) pair(out []mark, k int, m *mark) []mark {
	o := &out[k]
	use, outer, sequence, inner := 1, Emphasis, EmphasisSequence, EmphasisText
	if o.end-o.start > 1 && m.end-m.start > 1 {
		use, outer, sequence, inner = 2, Strong, StrongSequence, StrongText
	}
	start, end := o.end-use, m.start+use
	group := x.node(outer, start, end)
	text := x.node(inner, o.end, m.start)
	group.adopt(x.node(sequence, start, o.end), text, x.node(sequence, m.start, end))
	text.adopt(x.nodes(out[k+1:], true, x.labels)...)
	o.end -= use
	m.start += use
	if o.end > o.start {
		k++
	}
	return append(out[:k], mark{node: group, start: start, end: end})
}
