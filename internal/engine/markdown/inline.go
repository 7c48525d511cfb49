package markdown

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"poly/internal/diag"
	"poly/internal/mdtree"
)

func inlineHTML(c *check) {
	allowed, _ := c.params.list("allowed_elements")
	inTables, ok := c.params.list("table_allowed_elements")
	if !ok {
		inTables = allowed
	}
	fold := func(list []string, s string) bool {
		return slices.ContainsFunc(list, func(x string) bool { return strings.EqualFold(x, s) })
	}
	for _, n := range c.doc.All(mdtree.HTMLText) {
		name, closing := c.tag(n)
		if name == "" || closing {
			continue
		}
		if list := allowed; n.Within(mdtree.Table) != nil {
			list = inTables
			if fold(list, name) {
				continue
			}
		} else if fold(list, name) {
			continue
		}
		c.node(n, "HTML element "+quote([]byte(name)))
	}
}

func ruleStyle(c *check) {
	style := strings.TrimSpace(c.params.str("style", consistent))
	for _, n := range c.nodes(mdtree.ThematicBreak) {
		is := string(c.doc.Source(n))
		if style == consistent {
			style = is
		}
		if is != style {
			c.node(n, fmt.Sprintf("Thematic break is %s, expected %s", quote([]byte(is)), quote([]byte(style))))
		}
	}
}

func spacesInEmphasis(c *check) { c.emphasisIn(c.doc.Root) }

// emphasisIn looks for pairs of markers that make no emphasis, since there are
// blanks inside of them.
func (c *check) emphasisIn(n *mdtree.Node) {
	var loose map[string][]*mdtree.Node
	for _, x := range n.Children {
		if x.Kind != mdtree.Data || x.HTML {
			c.emphasisIn(x)
			continue
		}
		s := string(c.doc.Source(x))
		if len(s) <= 3 && (strings.Trim(s, "*") == "" || strings.Trim(s, "_") == "") {
			if loose == nil {
				loose = map[string][]*mdtree.Node{}
			}
			loose[s] = append(loose[s], x)
		}
	}
	if loose == nil {
		return
	}
	for _, marker := range [...]string{"_", "__", "___", "*", "**", "***"} {
		all := loose[marker]
		for i := 0; i+1 < len(all); i += 2 {
			c.emphasisSpace(all[i], all[i+1])
		}
	}
}

func (c *check) emphasisSpace(first, second *mdtree.Node) {
	line := c.doc.LineAt(first.Start)
	s := c.clear[first.End:c.doc.Lines[line].End]
	if rest := bytes.TrimLeftFunc(s, isJSSpace); len(rest) > 0 && len(rest) < len(s) {
		c.at(line, first.End, first.End+len(s)-len(rest), "Blank after a marker of emphasis: it is plain text so")
	}
	line = c.doc.LineAt(second.Start)
	s = c.clear[c.doc.Lines[line].Start:second.Start]
	if rest := bytes.TrimRightFunc(s, isJSSpace); len(rest) > 0 && len(rest) < len(s) {
		c.at(line, second.Start-(len(s)-len(rest)), second.Start, "Blank before a marker of emphasis: it is plain text so")
	}
}

func emphasisStyle(c *check) { c.markers(mdtree.Emphasis) }

func strongStyle(c *check) { c.markers(mdtree.Strong) }

func (c *check) markers(k mdtree.Kind) {
	style := c.params.str("style", consistent)
	for _, n := range c.nodes(k) {
		first, last := n.Children[0], n.Children[len(n.Children)-1]
		is := "asterisk"
		if c.text[first.Start] == '_' {
			is = "underscore"
		}
		if style == consistent {
			style = is
		}
		if is == style || style == "underscore" && (c.wordBefore(first.Start) || c.wordAfter(last.End)) {
			continue
		}
		marker := "*"
		if style == "underscore" {
			marker = "_"
		}
		begin := len(c.out)
		for _, s := range [...]*mdtree.Node{first, last} {
			c.node(s, fmt.Sprintf("Emphasis is of %ss, expected %ss", is, style),
				diag.Edit{Start: s.Start, End: s.End, Replacement: strings.Repeat(marker, s.End-s.Start)})
		}
		c.together(begin)
	}
	c.verify()
}

func isWordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z'
}

func (c *check) wordBefore(at int) bool { return at > 0 && isWordByte(c.text[at-1]) }

func (c *check) wordAfter(at int) bool { return at < len(c.text) && isWordByte(c.text[at]) }

func properNames(c *check) {
	names := slices.Clone(c.params.strs("names", nil))
	if len(names) == 0 {
		return
	}
	// The same place is looked at once: by the longest name first.
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	kinds := []mdtree.Kind{mdtree.Data}
	if c.params.flag("code_blocks", true) {
		kinds = append(kinds, mdtree.CodeLine, mdtree.CodeData)
	}
	html := c.params.flag("html_elements", true)
	if html {
		kinds = append(kinds, mdtree.HTMLText)
	}
	var taken [][2]int
	for _, k := range [...]mdtree.Kind{mdtree.LiteralAutolink, mdtree.Autolink} {
		for _, n := range c.doc.All(k) {
			taken = append(taken, [2]int{n.Start, n.End})
		}
	}
	for _, name := range names {
		re := nameRE(name)
		for _, k := range kinds {
			for _, n := range c.doc.All(k) {
				if html || !n.HTML {
					taken = c.properName(n, name, re, names, taken)
				}
			}
		}
	}
}

// properName looks for a name in n. It returns the places that are taken.
func (c *check) properName(n *mdtree.Node, name string, re *regexp.Regexp, names []string, taken [][2]int) [][2]int {
	for _, m := range re.FindAllSubmatchIndex(c.doc.Source(n), -1) {
		start, end := n.Start+m[2], n.Start+m[3]
		is := string(c.text[start:end])
		free := !slices.ContainsFunc(taken, func(t [2]int) bool { return t[0] < end && start < t[1] })
		if free && !slices.Contains(names, is) && !c.inURL(start, end) {
			var fix []diag.Edit
			if n.Kind == mdtree.Data {
				fix = []diag.Edit{{Start: start, End: end, Replacement: name}}
			}
			c.at(c.doc.LineAt(start), start, end, fmt.Sprintf("Name is %s, expected %s", quote([]byte(is)), quote([]byte(name))), fix...)
		}
		taken = append(taken, [2]int{start, end})
	}
	return taken
}

// inURL reports whether a range is part of something that looks like a URL,
// also in code.
func (c *check) inURL(start, end int) bool {
	from := start
	for from > 0 && c.text[from-1] > ' ' && !bytes.ContainsRune([]byte("\"'<>()[]`"), rune(c.text[from-1])) {
		from--
	}
	s := string(c.text[from:end])
	i := strings.LastIndex(s, "://")
	return i > 0 && from+i < start || strings.HasPrefix(s, "www.")
}

// nameRE finds a name as a word of its own, in any case.
func nameRE(name string) *regexp.Regexp {
	left, right := `\b_*`, `_*\b`
	if r, _ := utf8.DecodeRuneInString(name); r < utf8.RuneSelf && !isWordByte(byte(r)) {
		left = ""
	}
	if r, _ := utf8.DecodeLastRuneInString(name); r < utf8.RuneSelf && !isWordByte(byte(r)) {
		right = ""
	}
	return regexp.MustCompile(`(?i)` + left + `(` + regexp.QuoteMeta(name) + `)` + right)
}
