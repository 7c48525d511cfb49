package php

import (
	"bytes"
	"slices"

	"poly/internal/guard"
)

// startsStatement reports whether the node at i may start a statement.
func startsStatement(nodes []node, i int) bool {
	return i == 0 || nodes[i-1].is(";") || nodes[i-1].is("{") || nodes[i-1].kind == html
}

// imports returns how many nodes behind the `use` at i its semicolon stands, 0
// if it is no import but a closure's, or a class's that names traits with rules.
func imports(nodes []node, i int) int {
	for j := i + 1; j < len(nodes); j++ {
		switch n := &nodes[j]; {
		case n.is(";"):
			return j - i
		case n.is("(") || n.is("{") && !bytes.HasSuffix(nodes[j-1].text, []byte("\\")):
			return 0
		}
	}
	return 0
}

// imports emits the imports that stand together in one order, each name by
// itself, and returns the index behind them.
func (r *reader) imports(nodes []node, i int) int {
	at := nodes[i].at
	var sums []uint64
	for i < len(nodes) && nodes[i].is("use") {
		n := imports(nodes, i)
		if n == 0 {
			break
		}
		sums = append(sums, names(nodes[i+1:i+n], nil, 0)...)
		i += n + 1
	}
	slices.Sort(sums)
	for _, s := range sums {
		r.events = append(r.events, guard.Event{Sum: s, At: at})
	}
	return i
}

// names digests the names of an import. prefix stands before all of them; sum is
// the digest of the words before the first.
func names(nodes []node, prefix []byte, sum uint64) []uint64 {
	var out []uint64
	first := sum
	h := first
	started := false
	for i := range nodes {
		n := &nodes[i]
		switch {
		case n.is(","):
			if started {
				out = append(out, h)
			}
			h, started = first, false
		case n.is("function") || n.is("const"):
			h = guard.Mix(h, n.text)
			if i == 0 && sum == 0 {
				first = h
			}
		case n.is("{"):
			// h is that of the prefix, which the names in the braces repeat.
			out = append(out, names(n.inner, nodes[i-1].text, first)...)
			h, started = first, false
		case i+1 < len(nodes) && nodes[i+1].is("{"):
		default:
			text := n.text
			if !started {
				text = bytes.TrimPrefix(append(bytes.Clone(prefix), text...), []byte("\\"))
			}
			h, started = guard.Mix(h, text), true
		}
	}
	if started {
		out = append(out, h)
	}
	return out
}
