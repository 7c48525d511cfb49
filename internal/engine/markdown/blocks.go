package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
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
			return c.insertBefore(line, pre)
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
		left, leftTick := edge(c.doc.Source(first), true, len(padding) > 0)
		right, rightTick := edge(c.doc.Source(last), false, len(padding) > 0)
		start, end := first.Start, last.End
		if left > 0 && right > 0 && len(padding) > 0 && !leftTick && !rightTick { // the padding goes too
			start, end = padding[0].Start, padding[len(padding)-1].End
		}
		if left > 0 {
			c.at(c.doc.LineAt(first.Start), start, first.Start+left, "Blank at the start of code "+quote(c.doc.Source(n)))
		}
		if right > 0 {
			c.at(c.doc.LineAt(last.End), last.End-right, end, "Blank at the end of code "+quote(c.doc.Source(n)))
		}
	}
}

// edge counts the blanks at one end of code, and tells whether a tick is next
// to them, which needs one unless there is padding. Code that is all blank has
// none.
func edge(s []byte, start, padded bool) (n int, tick bool) {
	rest := bytes.TrimRightFunc(s, isJSSpace)
	if start {
		rest = bytes.TrimLeftFunc(s, isJSSpace)
	}
	n = len(s) - len(rest)
	if n == 0 || len(rest) == 0 {
		return 0, false
	}
	tick = rest[len(rest)-1] == '`'
	if start {
		tick = rest[0] == '`'
	}
	if tick && !padded {
		n--
	}
	return n, tick
}

func fenceLanguage(c *check) {
	allowed := c.params.strs("allowed_languages", nil)
	only := c.params.flag("language_only", false)
	for _, n := range c.nodes(mdtree.CodeFenced) {
		fence := n.Child(mdtree.Fence)
		info := fence.Child(mdtree.FenceInfo)
		if info == nil {
			c.node(fence, "Code block has no language")
		} else if s := string(c.doc.Source(info)); len(allowed) > 0 && !slices.Contains(allowed, s) {
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
			return c.insertBefore(line, pre)
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
	may := func(s string) bool { return style == "any" || style == s }
	for _, t := range c.nodes(mdtree.Table) {
		var faults []fault
		if may("aligned") {
			faults = c.alignment(t.Children)
		}
		if !may("aligned") || len(faults) > 0 && style == "any" {
			faults = c.spacing(t, faults, may)
		}
		for _, f := range faults {
			c.at(c.doc.LineAt(f.at), f.at, f.at+1, f.title)
		}
	}
}

// spacing returns the faults against the styles that ask for blanks, if they
// are fewer than those against the aligned one.
func (c *check) spacing(t *mdtree.Node, aligned []fault, may func(string) bool) []fault {
	var compact, tight []fault
	if c.params.flag("aligned_delimiter", false) {
		both := c.alignment(t.Children[:2])
		compact, tight = append(compact, both...), append(tight, both...)
	}
	for _, r := range t.Children {
		compact, tight = c.pipes(r, compact, tight)
	}
	faults := aligned
	if may("compact") && (len(compact) < len(faults) || !may("aligned")) {
		faults = compact
	}
	if may("tight") && (len(tight) < len(faults) || !may("aligned") && !may("compact")) {
		faults = tight
	}
	return faults
}

// alignment compares the columns of the pipes of rows with those of the first.
func (c *check) alignment(rows []*mdtree.Node) []fault {
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
			out = append(out, fault{at, "Pipe is not below that of the head of the table"})
		})
	}
	return out
}

// pipes compares the blanks beside the pipes of a row with the compact style,
// which has one, and the tight one, which has none.
func (c *check) pipes(r *mdtree.Node, compact, tight []fault) (_, _ []fault) {
	parts := r.Children
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

// wide are the ranges of characters that take two columns.
const wide = "\u1100\u115f\u2e80\u303e\u3041\ua4cf\ua960\ua97c\uac00\ud7a3\uf900\ufaff\ufe30\ufe6f\uff01\uff60\uffe0\uffe6" +
	"\U0001f004\U0001f004\U0001f0cf\U0001f0cf\U0001f18e\U0001f18e\U0001f191\U0001f19a\U0001f1e6\U0001f1ff\U0001f200\U0001f265" +
	"\U0001f300\U0001f64f\U0001f680\U0001f6ff\U0001f7e0\U0001f7eb\U0001f900\U0001f9ff\U0001fa70\U0001faff\U00020000\U0003fffd"

// pictures are the characters of the basic plane that are shown as pictures.
const pictures = "⌚⌛⏩⏪⏫⏬⏰⏳◽◾☔☕♈♉♊♋♌♍♎♏♐♑♒♓♿⚓⚡⚪⚫⚽⚾⛄⛅⛎⛔⛪⛲⛳⛵⛺⛽✅✊✋✨❌❎❓❔❕❗➕➖➗➰➿⬛⬜⭐⭕"

func isWide(r rune) bool {
	if r < 0x1100 {
		return false
	}
	low := rune(-1)
	for _, x := range wide {
		switch {
		case low < 0:
			low = x
		case low <= r && r <= x:
			return true
		default:
			low = -1
		}
	}
	return strings.ContainsRune(pictures, r)
}
