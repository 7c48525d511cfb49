package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"

	"poly/internal/diag"
	"poly/internal/mdtree"
)

func trailingSpaces(c *check) {
	expected := c.params.num("br_spaces", 2)
	if expected < 2 {
		expected = 0
	}
	code := c.params.flag("code_blocks", false)
	strict := c.params.flag("strict", false)
	var inList map[int]bool
	if c.params.flag("list_item_empty_lines", false) {
		inList = c.linesOf(mdtree.ListOrdered, mdtree.ListUnordered)
	}
	for i, l := range c.doc.Lines {
		if l.Start == l.End {
			continue
		}
		s := c.clear[l.Start:l.End]
		if last := s[len(s)-1]; last > ' ' && last < 0x80 {
			continue
		}
		rest := bytes.TrimRightFunc(s, isJSSpace)
		n := utf16Len(s[len(rest):])
		flags := c.flag(i)
		if n == 0 || !code && flags&inFence != 0 || inList[i] || n == expected && (!strict || c.breaksLine(i)) {
			continue
		}
		start := l.Start + len(rest)
		wants := "none"
		if expected > 0 {
			wants = fmt.Sprintf("none or %d", expected)
		}
		c.at(i, start, l.End, fmt.Sprintf("%s at the end of the line, expected %s", count(n, "blank"), wants), c.trim(i, start, n)...)
	}
}

func isJSSpace(r rune) bool { return unicode.IsSpace(r) && r != 0x85 || r == 0xfeff }

// trim returns the edit that takes blanks from the end of a line. A hard line
// break remains one, and code and HTML are left alone.
func (c *check) trim(i, start, n int) []diag.Edit {
	end := c.doc.Lines[i].End
	if c.flag(i)&(inCode|inHTML|inMath) != 0 || c.inSpan(start) || c.insideNode(mdtree.HTMLText, start) {
		return nil
	}
	blanks := string(c.text[start:end])
	if strings.Trim(blanks, " \t") != "" {
		return nil
	}
	e := diag.Edit{Start: start, End: end}
	if n > 2 && strings.Trim(blanks, " ") == "" && c.breaksLine(i) {
		e.Replacement = "  "
	}
	if strings.HasSuffix(string(c.text[c.doc.Lines[i].Start:start]), `\`) && e.Replacement == "" && c.breaksLine(i) {
		return nil // a backslash at the end of a line would break it
	}
	return []diag.Edit{e}
}

// insideNode reports whether the offset is inside of a node of a kind that does
// not nest.
func (c *check) insideNode(k mdtree.Kind, at int) bool {
	all := c.doc.All(k)
	i := sort.Search(len(all), func(i int) bool { return all[i].Start >= at })
	return i > 0 && at < all[i-1].End
}

// breaksLine reports whether blanks at the end of line i break it: it is a line
// of a paragraph, but not its last one and not in code.
func (c *check) breaksLine(i int) bool {
	end := c.doc.Lines[i].End
	return c.flag(i)&inHTML == 0 && c.insideNode(mdtree.Paragraph, end) && !c.inSpan(end)
}

// linesOf returns the lines of all nodes of some kinds.
func (c *check) linesOf(kinds ...mdtree.Kind) map[int]bool {
	out := map[int]bool{}
	for _, k := range kinds {
		for _, n := range c.nodes(k) {
			first, last := c.lines(n)
			for l := first; l <= last; l++ {
				out[l] = true
			}
		}
	}
	return out
}

func hardTabs(c *check) {
	if bytes.IndexByte(c.clear, '\t') < 0 {
		return
	}
	code := c.params.flag("code_blocks", true)
	languages := c.params.strs("ignore_code_languages", nil)
	width := max(c.params.num("spaces_per_tab", 1), 0)
	var skipped []*mdtree.Node
	for _, n := range c.nodes(mdtree.CodeFenced) {
		info := n.Child(mdtree.Fence).Child(mdtree.FenceInfo)
		if !code && len(languages) == 0 || len(languages) > 0 && (info == nil || slices.Contains(languages, strings.ToLower(string(c.doc.Source(info))))) {
			skipped = append(skipped, n)
		}
	}
	if !code {
		skipped = append(append(skipped, c.nodes(mdtree.CodeIndented)...), c.nodes(mdtree.CodeText)...)
	}
	for i, l := range c.doc.Lines {
		for at := l.Start; ; {
			j := bytes.IndexByte(c.clear[at:l.End], '\t')
			if j < 0 {
				break
			}
			start := at + j
			for at = start; at < l.End && c.clear[at] == '\t'; {
				at++
			}
			if c.within(skipped, i, start, at) {
				continue
			}
			c.at(i, start, at, "Hard tab", c.untab(i, start, at, width)...)
		}
	}
}

// within reports whether a range of line i is in one of the nodes; of fenced
// code, between its fences.
func (c *check) within(nodes []*mdtree.Node, i, start, end int) bool {
	for _, n := range nodes {
		if n.Kind == mdtree.CodeFenced {
			if first, last := c.lines(n); first < i && i < last {
				return true
			}
			continue
		}
		if n.Start < end && start <= n.End {
			return true
		}
	}
	return false
}

// untab returns the edit that makes blanks of tabs, where they are nothing but
// blanks: not in code or HTML, and not in what a line is indented by.
func (c *check) untab(i, start, end, width int) []diag.Edit {
	l := c.doc.Lines[i]
	if width == 0 || c.flag(i)&(inCode|inHTML|inMath) != 0 || c.inSpan(start) || c.insideNode(mdtree.HTMLText, start) ||
		len(bytes.TrimLeft(c.text[l.Start:start], " \t>-+*0123456789.)")) == 0 || len(bytes.TrimSpace(c.text[start:l.End])) == 0 {
		return nil
	}
	for _, k := range [...]mdtree.Kind{mdtree.CodeText, mdtree.MathText, mdtree.Link, mdtree.Image, mdtree.Definition} {
		if c.insideNode(k, start) {
			return nil
		}
	}
	return []diag.Edit{{Start: start, End: end, Replacement: strings.Repeat(" ", (end-start)*width)}}
}

func multipleBlanks(c *check) {
	limit := max(c.params.num("maximum", 1), 1)
	n := 0
	for i, l := range c.doc.Lines {
		if c.flag(i)&inCode != 0 || len(bytes.TrimSpace(c.clear[l.Start:l.End])) > 0 {
			n = 0
			continue
		}
		if n++; n > limit {
			c.at(i, l.Start, l.End, fmt.Sprintf("%s in a row, expected %d", count(n, "blank line"), limit), c.removeLine(i)...)
		}
	}
}

// removeLine returns the edit that takes a blank line out, unless it is HTML or
// math.
func (c *check) removeLine(i int) []diag.Edit {
	if c.flag(i)&(inHTML|inMath) != 0 {
		return nil
	}
	l := c.doc.Lines[i]
	if i+1 < len(c.doc.Lines) {
		return []diag.Edit{{Start: l.Start, End: c.doc.Lines[i+1].Start}}
	}
	if i > 0 && l.End > l.Start { // blanks without a line ending at the end of the text
		return []diag.Edit{{Start: l.Start, End: l.End}}
	}
	if i > 1 {
		return []diag.Edit{{Start: c.doc.Lines[i-1].Start, End: l.End}}
	}
	return nil
}

func lineLength(c *check) {
	limit := c.params.num("line_length", 80)
	limits := [...]int{limit, c.params.num("heading_line_length", limit), c.params.num("code_block_line_length", limit)}
	strict, stern := c.params.flag("strict", false), c.params.flag("stern", false)
	skip := c.longLines()
	var links, definitions map[int]bool
	for i, l := range c.doc.Lines {
		if l.End-l.Start <= slices.Min(limits[:]) {
			continue // it has no more characters than bytes
		}
		s := c.clear[l.Start:l.End]
		flags := c.flag(i)
		allowed := limits[kindOf(flags)]
		length := utf16Len(s)
		judged := length
		if !strict && !stern { // the last word may go beyond if it starts in time
			judged = utf16Len(bytes.TrimRightFunc(s, func(r rune) bool { return !isJSSpace(r) })) + 1
		}
		if judged <= allowed || length == allowed || flags&skip != 0 {
			continue
		}
		if definitions == nil {
			definitions, links = c.linesOf(mdtree.Definition, mdtree.FootnoteDefinition), c.linkLines()
		}
		if definitions[i] || !strict && (links[i] || stern && notWrappable(s)) {
			continue
		}
		c.at(i, l.Start+column(s, allowed), l.End, fmt.Sprintf("Line has %d characters, at most %d are allowed", length, allowed))
	}
}

// kindOf tells which limit counts for a line: 0 is that of text, 1 of headings,
// 2 of code.
func kindOf(flags lineFlags) int {
	switch {
	case flags&inCode != 0:
		return 2
	case flags&inHeading != 0:
		return 1
	}
	return 0
}

// longLines returns the flags of lines that may be long.
func (c *check) longLines() lineFlags {
	var skip lineFlags
	for _, x := range [...]struct {
		key  string
		flag lineFlags
	}{{"code_blocks", inCode}, {"tables", inTable}, {"headings", inHeading}} {
		if !c.params.flag(x.key, true) {
			skip |= x.flag
		}
	}
	return skip
}

// linkLines returns the lines of links that have no plain text of a paragraph.
func (c *check) linkLines() map[int]bool {
	out := c.linesOf(mdtree.Autolink, mdtree.Image, mdtree.Link, mdtree.LiteralAutolink)
	for _, p := range c.nodes(mdtree.Paragraph) {
		for _, n := range p.Children {
			if n.Kind == mdtree.Data {
				delete(out, c.doc.LineAt(n.Start))
			}
		}
	}
	return out
}

// notWrappable reports whether a line has no blank to break it at, but after
// the markers it starts with.
func notWrappable(s []byte) bool {
	rest := bytes.TrimLeft(s, "#> \t")
	if len(rest) < len(s) && !isJSSpace(rune(s[len(s)-len(rest)-1])) {
		rest = s[bytes.LastIndexAny(s[:len(s)-len(rest)], " \t")+1:]
	}
	return bytes.IndexFunc(rest, isJSSpace) < 0
}

func finalNewline(c *check) {
	i := len(c.doc.Lines) - 1
	if c.blank(i) {
		return
	}
	l := c.doc.Lines[i]
	ending := "\n"
	if i > 0 && bytes.HasSuffix(c.text[:l.Start], []byte("\r\n")) {
		ending = "\r\n"
	}
	c.at(i, l.End, l.End, "No line ending at the end of the file", diag.Edit{Start: l.End, End: l.End, Replacement: ending})
}
