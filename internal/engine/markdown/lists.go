package markdown

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"poly/internal/diag"
	"poly/internal/mdtree"
)

func (f *file) lists() []*mdtree.Node { return f.both(mdtree.ListOrdered, mdtree.ListUnordered) }

// items returns the prefixes of the items of a list.
func items(list *mdtree.Node) []*mdtree.Node {
	var out []*mdtree.Node
	for _, c := range list.Children {
		if c.Kind == mdtree.ListPrefix {
			out = append(out, c)
		}
	}
	return out
}

// indent returns how many bytes stand before n on its line.
func (f *file) indent(n *mdtree.Node) int {
	return n.Start - f.doc.Lines[f.doc.LineAt(n.Start)].Start
}

func bulletStyle(marker byte) string {
	switch marker {
	case '-':
		return "dash"
	case '+':
		return "plus"
	}
	return "asterisk"
}

func bulletOf(style string) string {
	switch style {
	case "dash":
		return "-"
	case "plus":
		return "+"
	}
	return "*"
}

func unorderedStyle(c *check) {
	style := c.params.str("style", consistent)
	want := style
	var nested []string
	for _, list := range c.nodes(mdtree.ListUnordered) {
		depth := 0
		if style == "sublist" {
			for n := list.Within(mdtree.ListOrdered, mdtree.ListUnordered); n != nil; depth++ {
				n = n.Within(mdtree.ListOrdered, mdtree.ListUnordered)
			}
		}
		begin := len(c.out)
		for _, it := range items(list) {
			m := it.Children[0]
			is := bulletStyle(c.text[m.Start])
			switch {
			case style == "sublist":
				want = sublistStyle(&nested, depth, is)
			case want == consistent:
				want = is
			}
			if is != want {
				c.node(m, fmt.Sprintf("List marker is %s, expected %s", is, want), diag.Edit{Start: m.Start, End: m.End, Replacement: bulletOf(want)})
			}
		}
		c.together(begin)
	}
	c.verify()
}

// sublistStyle returns the marker of lists of a depth: that of the first one,
// unless the lists around it have the same.
func sublistStyle(nested *[]string, depth int, is string) string {
	for len(*nested) <= depth {
		*nested = append(*nested, "")
	}
	s := *nested
	if s[depth] == "" {
		s[depth] = is
		if depth > 0 && s[depth-1] == is {
			s[depth] = map[string]string{"dash": "plus", "plus": "asterisk"}[is]
			if s[depth] == "" {
				s[depth] = "dash"
			}
		}
	}
	return s[depth]
}

func listIndent(c *check) {
	for _, list := range c.lists() {
		want, wantEnd, ends := c.indent(list), 0, false
		for _, it := range items(list) {
			line := c.doc.Lines[c.doc.LineAt(it.Start)]
			is := it.Start - line.Start
			if list.Kind == mdtree.ListUnordered {
				if is != want {
					c.at(c.doc.LineAt(it.Start), line.Start, it.End, fmt.Sprintf("List item is indented by %d, others of its list by %d", is, want))
				}
				continue
			}
			width := len(bytes.TrimSpace(c.doc.Source(it)))
			end := is + width
			if wantEnd == 0 {
				wantEnd = end
			}
			if is == want && !ends {
				continue
			}
			if end == wantEnd {
				ends = true
				continue
			}
			expected := want
			if ends {
				expected = wantEnd - width
			}
			c.at(c.doc.LineAt(it.Start), line.Start, it.End, fmt.Sprintf("List item is indented by %d, expected %d", is, expected),
				c.reindent(it, expected-is)...)
		}
	}
	c.verify()
}

// reindent moves n to the right by some columns. Only blanks are taken away.
func (c *check) reindent(n *mdtree.Node, by int) []diag.Edit {
	if by >= 0 {
		return []diag.Edit{{Start: n.Start, End: n.Start, Replacement: strings.Repeat(" ", by)}}
	}
	start := n.Start + by
	if start < 0 || len(bytes.Trim(c.text[start:n.Start], " ")) > 0 {
		return nil
	}
	return []diag.Edit{{Start: start, End: n.Start}}
}

func unorderedIndent(c *check) {
	step := max(c.params.num("indent", 2), 1)
	first := 0
	if c.params.flag("start_indented", false) {
		first = c.params.num("start_indent", step)
	}
	k := 0 // in Prefixes
	quoteEnd := 0
	for _, it := range c.nodes(mdtree.ListPrefix) {
		for ; k < len(c.doc.Prefixes) && c.doc.Prefixes[k].Start < it.Start; k++ {
			if c.doc.Prefixes[k].Kind == mdtree.QuotePrefix {
				quoteEnd = c.doc.Prefixes[k].End
			}
		}
		depth, ok := unorderedDepth(it.Parent)
		if !ok {
			continue
		}
		want := first + depth*step
		if it.Within(mdtree.FootnoteDefinition) != nil {
			want += 4
		}
		line := c.doc.LineAt(it.Start)
		start := c.doc.Lines[line].Start
		is := it.Start - max(start, quoteEnd)
		if is != want {
			c.at(line, start, it.End, fmt.Sprintf("List item is indented by %d, expected %d", is, want), c.reindent(it, want-is)...)
		}
	}
	c.verify()
}

// unorderedDepth returns in how many unordered lists a list is, if it is one
// itself and in no ordered one. A quote starts anew.
func unorderedDepth(list *mdtree.Node) (int, bool) {
	if list.Kind != mdtree.ListUnordered {
		return 0, false
	}
	depth := 0
	for n := list; ; depth++ {
		n = n.Within(mdtree.BlockQuote, mdtree.ListOrdered, mdtree.ListUnordered)
		if n == nil || n.Kind == mdtree.BlockQuote {
			return depth, true
		}
		if n.Kind == mdtree.ListOrdered {
			return 0, false
		}
	}
}

func orderedPrefix(c *check) {
	style := c.params.str("style", "one_or_ordered")
	for _, list := range c.nodes(mdtree.ListOrdered) {
		all := items(list)
		number := func(it *mdtree.Node) int {
			m := it.Children[0]
			n, _ := strconv.Atoi(string(c.text[m.Start : m.End-1]))
			return n
		}
		want, is := 1, style
		incrementing := len(all) > 1 && (number(all[1]) != 1 || number(all[0]) == 0)
		if incrementing && number(all[0]) == 0 {
			want = 0
		}
		switch {
		case style == "one_or_ordered" && incrementing:
			is = "ordered"
		case style == "one_or_ordered", style == "one":
			is, want = "one", 1
		case style == "zero":
			want = 0
		}
		safe := number(all[0]) == want // the first number is what readers see
		for _, it := range all {
			if n := number(it); n != want {
				m := it.Children[0]
				var fix []diag.Edit
				if safe {
					fix = []diag.Edit{{Start: m.Start, End: m.End - 1, Replacement: strconv.Itoa(want)}}
				}
				c.node(it, fmt.Sprintf("List item is number %d, expected %d", n, want), fix...)
			}
			if is == "ordered" {
				want++
			}
		}
	}
	c.verify()
}

func markerSpace(c *check) {
	for _, list := range c.lists() {
		all := items(list)
		first, last := c.lines(list)
		key := "ul_"
		if list.Kind == mdtree.ListOrdered {
			key = "ol_"
		}
		if last-first+1 == len(all) {
			key += "single"
		} else {
			key += "multi"
		}
		want := c.params.num(key, 1)
		for _, it := range all {
			s := it.Child(mdtree.ListSpace)
			if s == nil || s.End-s.Start == want {
				continue
			}
			c.node(it, fmt.Sprintf("%s after a list marker, expected %d", count(s.End-s.Start, "blank"), want),
				diag.Edit{Start: s.Start, End: s.End, Replacement: strings.Repeat(" ", want)})
		}
	}
	c.verify()
}

func blanksAroundLists(c *check) {
	for _, list := range c.lists() {
		if list.Within(mdtree.ListOrdered, mdtree.ListUnordered) != nil {
			continue
		}
		first := c.doc.LineAt(list.Start)
		if !c.blank(first - 1) {
			c.line(first, "No blank line above a list", c.insertBefore(first, first)...)
		}
		last := c.doc.LineAt(contentEnd(list))
		if !c.blank(last + 1) {
			c.line(last, "No blank line below a list", c.insertBefore(last+1, last)...)
		}
	}
	c.verify()
}

// contentEnd returns where the last thing in n ends that is more than a prefix.
func contentEnd(n *mdtree.Node) int {
	last := n
	for i := len(last.Children); i > 0; i = len(last.Children) {
		last = last.Children[i-1]
		switch last.Kind {
		case mdtree.BlockQuote, mdtree.ListOrdered, mdtree.ListUnordered, mdtree.FootnoteDefinition, mdtree.CodeFenced:
			continue
		}
		break
	}
	if last.Kind == mdtree.BlockQuote || last.Kind == mdtree.FootnoteDefinition {
		return last.Start
	}
	return last.End
}

func blanksInQuote(c *check) { c.quotesIn(c.doc.Root) }

// quotesIn reports the blank lines between quotes that stand next to each other.
func (c *check) quotesIn(n *mdtree.Node) {
	for i, q := range n.Children {
		switch q.Kind {
		case mdtree.BlockQuote, mdtree.ListOrdered, mdtree.ListUnordered, mdtree.FootnoteDefinition, mdtree.DirectiveContainer:
			c.quotesIn(q)
		}
		if q.Kind != mdtree.BlockQuote || i+1 >= len(n.Children) || n.Children[i+1].Kind != mdtree.BlockQuote {
			continue
		}
		for l := c.doc.LineAt(q.End) + 1; l < c.doc.LineAt(n.Children[i+1].Start); l++ {
			c.line(l, "A blank line ends a quote here; the next one is another")
		}
	}
}

func spacesInQuote(c *check) {
	lists := c.params.flag("list_items", true)
	all := c.doc.Prefixes
	for i := range all {
		p := &all[i]
		if p.Kind != mdtree.LinePrefix || p.InCode || i == 0 || all[i-1].Kind != mdtree.QuotePrefix || all[i-1].End != p.Start {
			continue
		}
		// To markdownlint blanks before a closing fence are part of it.
		if c.inSpan(p.Start) || c.insideNode(mdtree.Fence, p.End) || !lists && c.atList(p) {
			continue
		}
		line := c.doc.LineAt(p.Start)
		c.at(line, p.Start, p.End, "More than one blank after the `>` of a quote", diag.Edit{Start: p.Start, End: p.End})
	}
	c.verify()
}

// inSpan reports whether the offset is in code or math of several lines.
func (c *check) inSpan(at int) bool {
	return c.insideNode(mdtree.CodeText, at) || c.insideNode(mdtree.MathText, at)
}

// atList reports whether a prefix stands before a list or inside of one.
func (c *check) atList(p *mdtree.Prefix) bool {
	for _, list := range c.lists() {
		if list.Start == p.End || list.Start <= p.Start && p.Start < list.End {
			return true
		}
	}
	return false
}
