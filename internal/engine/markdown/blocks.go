package markdown

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"

	"poly/internal/diag"
	"poly/internal/mdtree"
)

func dollarCommands(c *check) {
	for _, n := range c.both(mdtree.CodeFenced, mdtree.CodeIndented) {
		var dollars [][2]int
		lines := 0
		for _, l := range n.Children {
			if l.Kind != mdtree.CodeLine {
				continue
			}
			lines++
			s := c.doc.Source(l)
			at := len(s) - len(bytes.TrimLeftFunc(s, isJSSpace))
			if at+1 < len(s) && s[at] == '$' && isJSSpace(rune(s[at+1])) {
				end := len(s) - len(bytes.TrimLeftFunc(s[at+1:], isJSSpace))
				dollars = append(dollars, [2]int{l.Start + at, l.Start + end})
			}
		}
		if len(dollars) < lines {
			continue
		}
		for _, d := range dollars {
			c.at(c.doc.LineAt(d[0]), d[0], d[1], "`$` before a command, though no output is shown")
		}
	}
}

func blanksAroundFences(c *check) {
	lists := c.params.flag("list_items", true)
	for _, n := range c.nodes(mdtree.CodeFenced) {
		list := n.Within(mdtree.ListOrdered, mdtree.ListUnordered) != nil
		if list && !lists {
			continue
		}
		fix := func(line, pre int) []diag.Edit {
			if list { // it would be set with more room
				return nil
			}
			return []diag.Edit{c.insertBefore(line, pre)}
		}
		first, last := c.lines(n)
		if !c.blank(first - 1) {
			c.line(first, "No blank line above a code block", fix(first, first)...)
		}
		if !c.blank(last+1) && !c.blank(last) {
			c.line(last, "No blank line below a code block", fix(last+1, last)...)
		}
	}
	c.verify()
}

func spacesInCode(c *check) {
	for _, n := range c.nodes(mdtree.CodeText) {
		var data, padding []*mdtree.Node
		for _, x := range n.Children {
			if x.Kind == mdtree.CodeData {
				data = append(data, x)
			} else {
				padding = append(padding, x)
			}
		}
		if len(data) == 0 {
			continue
		}
		first, last := data[0], data[len(data)-1]
		padded := len(padding) > 0
		s := c.doc.Source(first)
		rest := bytes.TrimLeftFunc(s, isJSSpace)
		left := len(s) - len(rest)
		if len(rest) == 0 {
			left = 0
		}
		leftTick := left > 0 && rest[0] == '`'
		if leftTick && !padded {
			left--
		}
		t := c.doc.Source(last)
		rest = bytes.TrimRightFunc(t, isJSSpace)
		right := len(t) - len(rest)
		if len(rest) == 0 {
			right = 0
		}
		rightTick := right > 0 && rest[len(rest)-1] == '`'
		if rightTick && !padded {
			right--
		}
		both := left > 0 && right > 0 && padded && !leftTick && !rightTick
		if left > 0 {
			start, end := first.Start, first.Start+left
			if both {
				start = padding[0].Start
			}
			c.at(c.doc.LineAt(first.Start), start, end, "Blank at the start of code "+quote(c.doc.Source(n)))
		}
		if right > 0 {
			start, end := last.End-right, last.End
			if both {
				end = padding[len(padding)-1].End
			}
			c.at(c.doc.LineAt(last.End), start, end, "Blank at the end of code "+quote(c.doc.Source(n)))
		}
	}
}

func fenceLanguage(c *check) {
	allowed := c.params.strs("allowed_languages", nil)
	only := c.params.flag("language_only", false)
	for _, n := range c.nodes(mdtree.CodeFenced) {
		fence := n.Child(mdtree.Fence)
		info := fence.Child(mdtree.FenceInfo)
		if info == nil {
			c.node(fence, "Code block has no language")
		} else if s := string(c.doc.Source(info)); len(allowed) > 0 && !contains(allowed, s) {
			c.node(info, "Language "+quote([]byte(s))+" is not among those allowed")
		}
		if meta := fence.Child(mdtree.FenceMeta); only && meta != nil {
			c.node(meta, "More than a language after a fence")
		}
	}
}

func codeBlockStyle(c *check) {
	style := c.params.str("style", consistent)
	for _, n := range c.both(mdtree.CodeFenced, mdtree.CodeIndented) {
		is := "fenced"
		if n.Kind == mdtree.CodeIndented {
			is = "indented"
		}
		if style == consistent {
			style = is
		}
		if is != style {
			c.node(n, fmt.Sprintf("Code block is %s, expected %s", is, style))
		}
	}
}

func fenceStyle(c *check) {
	style := c.params.str("style", consistent)
	for _, n := range c.nodes(mdtree.CodeFenced) {
		seq := n.Child(mdtree.Fence).Child(mdtree.FenceSequence)
		is := "backtick"
		if c.text[seq.Start] == '~' {
			is = "tilde"
		}
		if style == consistent {
			style = is
		}
		if is != style {
			c.node(seq, fmt.Sprintf("Fence is of %ss, expected %ss", is, style))
		}
	}
}

func (f *file) rows() []*mdtree.Node { return f.both(mdtree.TableRow, mdtree.TableDelimiterRow) }

func pipeStyle(c *check) {
	style := c.params.str("style", consistent)
	lead, trail := style != "no_leading_or_trailing" && style != "trailing_only", style != "no_leading_or_trailing" && style != "leading_only"
	first := style == consistent
	for _, r := range c.rows() {
		isLead := r.Children[0].Kind == mdtree.TableDivider
		last := r.Children[len(r.Children)-1]
		if last.Kind == mdtree.TableSpace && len(r.Children) > 1 {
			last = r.Children[len(r.Children)-2]
		}
		isTrail := last.Kind == mdtree.TableDivider
		if first {
			first, lead, trail = false, isLead, isTrail
		}
		line := c.doc.LineAt(r.Start)
		if isLead != lead {
			c.at(line, r.Start, r.Start+1, map[bool]string{true: "No pipe at the start of a table row", false: "Pipe at the start of a table row"}[lead])
		}
		if isTrail != trail {
			c.at(line, max(r.End-1, r.Start), r.End, map[bool]string{true: "No pipe at the end of a table row", false: "Pipe at the end of a table row"}[trail])
		}
	}
}

func columnCount(c *check) {
	for _, t := range c.nodes(mdtree.Table) {
		want := 0
		for _, r := range t.Children {
			n := len(r.Cells)
			if want == 0 {
				want = n
			}
			line := c.doc.LineAt(r.Start)
			switch {
			case n < want:
				c.at(line, max(r.End-1, r.Start), r.End, fmt.Sprintf("Table row has %d cells, expected %d", n, want))
			case n > want:
				c.at(line, r.Cells[want], r.End, fmt.Sprintf("Table row has %d cells, expected %d: what is too much is not shown", n, want))
			}
		}
	}
}

func blanksAroundTables(c *check) {
	for _, t := range c.nodes(mdtree.Table) {
		list := t.Within(mdtree.ListOrdered, mdtree.ListUnordered) != nil
		fix := func(line, pre int) []diag.Edit {
			if list {
				return nil
			}
			return []diag.Edit{c.insertBefore(line, pre)}
		}
		first, last := c.lines(t)
		if !c.blank(first - 1) {
			c.line(first, "No blank line above a table", fix(first, first)...)
		}
		if !c.blank(last + 1) {
			c.line(last, "No blank line below a table", fix(last+1, last)...)
		}
	}
	c.verify()
}

// fault is something wrong with a pipe.
type fault struct {
	at    int
	title string
}

func columnStyle(c *check) {
	style := c.params.str("style", "any")
	aligned, compact, tight := style == "any" || style == "aligned", style == "any" || style == "compact", style == "any" || style == "tight"
	for _, t := range c.nodes(mdtree.Table) {
		var ifAligned, ifCompact, ifTight []fault
		if aligned {
			ifAligned = c.alignment(t.Children, "Pipe is not below that of the head of the table")
		}
		if (compact || tight) && (!aligned || len(ifAligned) > 0) {
			if c.params.flag("aligned_delimiter", false) {
				both := c.alignment(t.Children[:2], "Pipe is not below that of the head of the table")
				ifCompact, ifTight = append(ifCompact, both...), append(ifTight, both...)
			}
			for _, r := range t.Children {
				ifCompact, ifTight = c.pipes(r, ifCompact, ifTight)
			}
		}
		faults := ifAligned
		if compact && (len(ifCompact) < len(faults) || !aligned) {
			faults = ifCompact
		}
		if tight && (len(ifTight) < len(faults) || !aligned && !compact) {
			faults = ifTight
		}
		for _, f := range faults {
			c.at(c.doc.LineAt(f.at), f.at, f.at+1, f.title)
		}
	}
}

// alignment compares the columns of the pipes of rows with those of the first.
func (c *check) alignment(rows []*mdtree.Node, title string) []fault {
	var out []fault
	columns := func(r *mdtree.Node, visit func(at, column int)) {
		at := c.doc.Lines[c.doc.LineAt(r.Start)].Start
		w := 0
		for _, d := range r.Children {
			if d.Kind == mdtree.TableDivider {
				w += width(c.clear[at:d.Start])
				at = d.Start
				visit(d.Start, w)
			}
		}
	}
	head := map[int]bool{}
	columns(rows[0], func(_, column int) { head[column] = true })
	for _, r := range rows[1:] {
		left := len(head)
		seen := map[int]bool{}
		columns(r, func(at, column int) {
			if left == 0 {
				return
			}
			if head[column] && !seen[column] {
				seen[column] = true
				left--
				return
			}
			out = append(out, fault{at, title})
		})
	}
	return out
}

// pipes compares the blanks beside the pipes of a row with the compact style,
// which has one, and the tight one, which has none.
func (c *check) pipes(r *mdtree.Node, compact, tight []fault) (_, _ []fault) {
	var parts []*mdtree.Node
	for _, p := range r.Children {
		parts = append(parts, p)
	}
	side := func(at int, p *mdtree.Node, where string) {
		if p.Kind != mdtree.TableSpace {
			compact = append(compact, fault{at, "No blank " + where + " a pipe"})
			return
		}
		if p.End-p.Start != 1 {
			compact = append(compact, fault{at, "More than one blank " + where + " a pipe"})
		}
		tight = append(tight, fault{at, "Blank " + where + " a pipe"})
	}
	for i, p := range parts {
		if p.Kind != mdtree.TableDivider {
			continue
		}
		if i > 0 {
			side(p.Start, parts[i-1], "before")
		}
		if i+1 < len(parts) {
			if n := parts[i+1]; n.Kind != mdtree.TableSpace || n.End != r.End {
				side(p.Start, n, "after")
			}
		}
	}
	return compact, tight
}

// width returns how many columns s takes in a terminal.
func width(s []byte) int {
	n := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			if s[i] >= ' ' && s[i] != 0x7f {
				n++
			}
			i++
			continue
		}
		r, w := utf8.DecodeRune(s[i:])
		i += w
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) || r == 0x200d || 0xfe00 <= r && r <= 0xfe0f:
			if r == 0xfe0f {
				n++ // it makes a picture of the character before it
			}
		case isWide(r):
			n += 2
		default:
			n++
		}
	}
	return n
}

// isWide reports whether r takes two columns.
func isWide(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r <= 0x115f, 0x2e80 <= r && r <= 0x303e, 0x3041 <= r && r <= 0x33ff, 0x3400 <= r && r <= 0x4dbf, 0x4e00 <= r && r <= 0xa4cf,
		0xa960 <= r && r <= 0xa97c, 0xac00 <= r && r <= 0xd7a3, 0xf900 <= r && r <= 0xfaff, 0xfe30 <= r && r <= 0xfe6f,
		0xff01 <= r && r <= 0xff60, 0xffe0 <= r && r <= 0xffe6, 0x1f300 <= r && r <= 0x1f64f, 0x1f900 <= r && r <= 0x1f9ff,
		0x1f680 <= r && r <= 0x1f6ff, 0x1fa70 <= r && r <= 0x1faff, 0x20000 <= r && r <= 0x3fffd, r == 0x1f004, r == 0x1f0cf, r == 0x1f18e,
		0x1f191 <= r && r <= 0x1f19a, 0x1f1e6 <= r && r <= 0x1f1ff, 0x1f200 <= r && r <= 0x1f265, 0x1f7e0 <= r && r <= 0x1f7eb:
		return true
	}
	return isEmoji(r)
}

// isEmoji reports whether r of the basic plane is shown as a picture.
func isEmoji(r rune) bool {
	for _, e := range "⌚⌛⏩⏪⏫⏬⏰⏳◽◾☔☕♈♉♊♋♌♍♎♏♐♑♒♓♿⚓⚡⚪⚫⚽⚾⛄⛅⛎⛔⛪⛲⛳⛵⛺⛽✅✊✋✨❌❎❓❔❕❗➕➖➗➰➿⬛⬜⭐⭕" {
		if e == r {
			return true
		}
	}
	return false
}
