package markdown

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"poly/internal/diag"
	"poly/internal/mdtree"
)

func (f *file) headings() []*mdtree.Node { return f.both(mdtree.ATXHeading, mdtree.SetextHeading) }

func headingIncrement(c *check) {
	last := math.MaxInt - 1
	if c.frontTitle() {
		last = 1
	}
	for _, h := range c.headings() {
		level := c.level(h)
		if level > last+1 {
			c.node(h, fmt.Sprintf("Heading of level %d follows one of level %d", level, last))
		}
		last = level
	}
}

// headingStyleOf tells how a heading is written.
func headingStyleOf(h *mdtree.Node) string {
	if h.Kind == mdtree.SetextHeading {
		return "setext"
	}
	n := 0
	for _, c := range h.Children {
		if c.Kind == mdtree.HeadingSequence {
			n++
		}
	}
	if n > 1 {
		return "atx_closed"
	}
	return "atx"
}

func headingStyle(c *check) {
	style := c.params.str("style", consistent)
	for _, h := range c.headings() {
		is := headingStyleOf(h)
		if style == consistent {
			style = is
		}
		want := style
		if rest, ok := strings.CutPrefix(style, "setext_with_"); ok {
			want = "setext"
			if c.level(h) > 2 {
				want = rest
			}
		}
		if is != want {
			c.node(h, fmt.Sprintf("Heading style is %s, expected %s", is, want))
		}
	}
}

// hashLine reports whether a rule that looks for headings in plain lines looks
// at line i.
func (c *check) hashLine(i int) ([]byte, bool) {
	s := c.source(i)
	return s, len(s) > 0 && s[0] == '#' && c.flag(i)&(inCode|inHTML) == 0
}

func missingSpaceATX(c *check) {
	for i := range c.doc.Lines {
		s, ok := c.hashLine(i)
		if !ok {
			continue
		}
		n := len(s) - len(bytes.TrimLeft(s, "#"))
		if n == len(s) || s[n] == ' ' || s[n] == '\t' || bytes.HasSuffix(bytes.TrimSpace(s), []byte("#")) || bytes.HasPrefix(s, []byte("#️⃣")) {
			continue
		}
		start := c.doc.Lines[i].Start
		_, w := utf8.DecodeRune(s[n:])
		c.at(i, start, start+n+w, "No blank after the `#` of a heading: this is a paragraph")
	}
}

func missingSpaceClosedATX(c *check) {
	for i := range c.doc.Lines {
		s, ok := c.hashLine(i)
		if !ok {
			continue
		}
		m := closedHeading(s)
		if m == nil || !m.left && !m.right {
			continue
		}
		l := c.doc.Lines[i]
		if m.left {
			c.at(i, l.Start, l.Start+m.open+1, "No blank inside the `#` of a closed heading")
			continue
		}
		c.at(i, l.Start+m.close-1, l.Start+m.end, "No blank inside the `#` of a closed heading")
	}
}

// closed is a line that looks like a heading with `#` on both sides: where its
// sequences are, and on which side a blank is missing.
type closed struct {
	open, close, end int
	left, right      bool
}

func closedHeading(s []byte) *closed {
	end := len(bytes.TrimSpace(s))
	open := len(s) - len(bytes.TrimLeft(s, "#"))
	cl := end
	for cl > open && s[cl-1] == '#' {
		cl--
	}
	if cl == end || open == cl {
		return nil
	}
	m := &closed{open: open, close: cl, end: end}
	content := s[open:cl]
	if t := bytes.TrimLeft(content, " \t"); len(t) == len(content) {
		m.left = true
	} else {
		content = t
	}
	escaped := false
	if bytes.HasSuffix(content, []byte(`\`)) { // the first `#` is escaped
		if end-cl < 2 {
			return nil
		}
		escaped = true
		m.close++
		content = content[:len(content)-1]
	}
	t := bytes.TrimRight(content, " \t")
	m.right = len(t) == len(content) || escaped
	if len(t) == 0 || bytes.IndexByte(t, '#') >= 0 || t[len(t)-1] == '\\' {
		return nil
	}
	return m
}

// headingSpaces reports more than one blank beside a sequence of a heading.
func (c *check) headingSpaces(h *mdtree.Node, closing bool) {
	at, step := 0, 1
	if closing {
		at, step = len(h.Children)-1, -1
	}
	for at >= 0 && at < len(h.Children) && h.Children[at].Kind != mdtree.HeadingSequence {
		at += step
	}
	at += step
	if at < 0 || at >= len(h.Children) {
		return
	}
	if s := h.Children[at]; s.Kind == mdtree.HeadingSpace && s.End-s.Start > 1 {
		c.at(c.doc.LineAt(h.Start), s.Start+1, s.End, "More than one blank beside the `#` of a heading",
			diag.Edit{Start: s.Start, End: s.End, Replacement: " "})
	}
}

func multipleSpaceATX(c *check) {
	for _, h := range c.nodes(mdtree.ATXHeading) {
		if headingStyleOf(h) == "atx" {
			c.headingSpaces(h, false)
		}
	}
}

func multipleSpaceClosedATX(c *check) {
	for _, h := range c.nodes(mdtree.ATXHeading) {
		if headingStyleOf(h) == "atx_closed" {
			c.headingSpaces(h, false)
			c.headingSpaces(h, true)
		}
	}
}

func blanksAroundHeadings(c *check) {
	above, below := c.params.perLevel("lines_above"), c.params.perLevel("lines_below")
	for _, h := range c.headings() {
		first, last := c.lines(h)
		level := c.level(h)
		safe := h.Within(mdtree.ListOrdered, mdtree.ListUnordered) == nil
		blanks := func(want int, line func(int) int) int {
			n := 0
			for n < want && c.blank(line(n)) {
				n++
			}
			return n
		}
		fix := func(line, pre, n int) []diag.Edit {
			if !safe || n != 1 {
				return nil
			}
			return c.insertBefore(line, pre)
		}
		if want := above(level); want >= 0 {
			if n := blanks(want, func(k int) int { return first - 1 - k }); n < want {
				c.node(h, fmt.Sprintf("%s above a heading, expected %d", count(n, "blank line"), want), fix(first, first-1, want-n)...)
			}
		}
		if want := below(level); want >= 0 {
			if n := blanks(want, func(k int) int { return last + 1 + k }); n < want {
				c.node(h, fmt.Sprintf("%s below a heading, expected %d", count(n, "blank line"), want), fix(last+1, last+1, want-n)...)
			}
		}
	}
}

func headingStartLeft(c *check) {
	k := 0
	for _, h := range c.headings() {
		start := c.doc.Lines[c.doc.LineAt(h.Start)].Start
		var last *mdtree.Prefix
		for ; k < len(c.doc.Prefixes) && c.doc.Prefixes[k].Start <= h.Start; k++ {
			if p := &c.doc.Prefixes[k]; p.Kind == mdtree.LinePrefix && p.Start >= start {
				last = p
			}
		}
		if last == nil {
			continue
		}
		var fix []diag.Edit
		if last.End == h.Start {
			fix = []diag.Edit{{Start: last.Start, End: last.End}}
		}
		c.at(c.doc.LineAt(h.Start), last.Start, last.End, "Heading is indented", fix...)
	}
}

func duplicateHeading(c *check) {
	siblings := c.params.flag("siblings_only", false)
	levels := make([]map[string]bool, 8)
	levels[1] = map[string]bool{}
	last := 1
	for _, h := range c.headings() {
		text := c.headingText(h)
		known := levels[1]
		if siblings {
			level := c.level(h)
			for ; last < level; last++ {
				levels[last+1] = map[string]bool{}
			}
			for ; last > level; last-- {
				levels[last] = map[string]bool{}
			}
			known = levels[level]
		}
		if known[text] {
			c.node(h, "Another heading reads "+quote([]byte(text)))
		}
		known[text] = true
	}
}

// content reports whether a top-level block counts as content before the first
// heading.
func (f *file) content(n *mdtree.Node) bool {
	return n.Kind != mdtree.HTMLFlow || len(n.Children) > 0 || !isComment(f.doc.Source(n))
}

func isComment(html []byte) bool {
	return bytes.HasPrefix(html, []byte("<!--")) && bytes.HasSuffix(html, []byte("-->"))
}

func singleTitle(c *check) {
	level := c.params.num("level", 1)
	var titles []*mdtree.Node
	for _, h := range c.headings() {
		if c.level(h) == level && !c.docfxTab(h) {
			titles = append(titles, h)
		}
	}
	if len(titles) == 0 {
		return
	}
	front := c.frontTitle()
	if !front {
		for _, n := range c.doc.Root.Children {
			if n == titles[0] {
				titles = titles[1:]
				front = true
				break
			}
			if c.content(n) {
				break
			}
		}
	}
	if !front {
		return
	}
	for _, h := range titles {
		c.node(h, fmt.Sprintf("Another heading of level %d: the document has a title already", level))
	}
}

// docfxTab reports whether a heading is a tab of DocFX: nothing but a link to
// `#tab/`.
func (f *file) docfxTab(h *mdtree.Node) bool {
	t := h.Child(mdtree.HeadingText)
	if t == nil || h.Kind != mdtree.ATXHeading || len(t.Children) != 1 || t.Children[0].Kind != mdtree.Link {
		return false
	}
	d := t.Children[0].Child(mdtree.Resource).Child(mdtree.ResourceDestination)
	return d != nil && bytes.HasPrefix(f.doc.Source(d), []byte("#tab/"))
}

func trailingPunctuation(c *check) {
	marks := c.params.str("punctuation", punctuation)
	if marks == "" {
		return
	}
	for _, t := range c.nodes(mdtree.HeadingText) {
		s := c.doc.Source(t)
		rest := bytes.TrimRight(s, marks)
		if len(rest) == len(s) || endsInEntity(s) || endsInEmoji(s) {
			continue
		}
		rest = bytes.TrimRight(rest, " \t\r\n")
		var fix []diag.Edit
		if len(rest) > 0 && !bytes.ContainsAny(s[len(rest):], "!?！？") && bytes.IndexByte(s[len(rest):], '\n') < 0 && rest[len(rest)-1] != '\\' {
			fix = []diag.Edit{{Start: t.Start + len(rest), End: t.End}}
		}
		c.at(c.doc.LineAt(t.End), t.Start+len(rest), t.End, "Heading ends in "+quote(s[len(rest):]), fix...)
	}
}

// endsInEntity reports whether s ends in something like a character reference.
func endsInEntity(s []byte) bool {
	i := bytes.LastIndexByte(s, '&')
	if i < 0 || s[len(s)-1] != ';' {
		return false
	}
	const letters, digits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	name := string(s[i+1 : len(s)-1])
	if number, ok := strings.CutPrefix(name, "#"); ok {
		hex := strings.TrimLeft(number, "xX")
		return hex != "" && strings.Trim(hex, digits+"abcdefABCDEF") == "" && (hex != number || strings.Trim(hex, digits) == "")
	}
	word := strings.TrimRight(name, digits)
	switch word {
	case "blk", "frac", "emsp", "sup", "there":
		return true
	}
	return len(name) >= 2 && strings.Trim(name, letters) == ""
}

// endsInEmoji reports whether s ends in a name of an emoji such as :tada:.
func endsInEmoji(s []byte) bool {
	if len(s) < 3 || s[len(s)-1] != ':' {
		return false
	}
	i := bytes.LastIndexByte(s[:len(s)-1], ':')
	if i < 0 {
		return false
	}
	name := string(s[i+1 : len(s)-1])
	if strings.Contains(" +1 -1 100 1234 1st_place_medal 2nd_place_medal 3rd_place_medal e-mail non-potable_water o2 t-rex ", " "+name+" ") {
		return true
	}
	letters := strings.TrimRight(name, "0123456789_abcdefghijklmnopqrstuvwxyz")
	return letters == "" && name != "" && name[0] >= 'a' && name[0] <= 'z'
}

func emphasisAsHeading(c *check) {
	marks := c.params.str("punctuation", allPunctuation)
	for _, p := range c.doc.All(mdtree.Paragraph) {
		top := p.Parent
		if top.Kind == mdtree.HTMLFlow {
			top = top.Parent
		}
		if top.Kind != mdtree.Root {
			continue
		}
		var only *mdtree.Node
		n := 0
		for _, x := range p.Children {
			if x.Kind == mdtree.HTMLText || x.Kind == mdtree.Data && len(bytes.TrimSpace(c.doc.Source(x))) == 0 {
				continue
			}
			only = x
			n++
		}
		if n != 1 {
			continue
		}
		t := only.Child(mdtree.EmphasisText, mdtree.StrongText)
		if t == nil || len(t.Children) != 1 || t.Children[0].Kind != mdtree.Data {
			continue
		}
		s := c.doc.Source(t)
		if r, _ := utf8.DecodeLastRune(s); marks != "" && strings.ContainsRune(marks, r) {
			continue
		}
		c.node(t, "Emphasis stands where a heading would: "+quote(s))
	}
}

func firstLineHeading(c *check) {
	level := c.params.num("level", 1)
	preamble := c.params.flag("allow_preamble", false)
	if c.frontTitle() {
		return
	}
	for _, n := range c.doc.Root.Children {
		if !c.content(n) {
			continue
		}
		is := 0
		if n.Kind == mdtree.ATXHeading || n.Kind == mdtree.SetextHeading {
			is = c.level(n)
		} else {
			is = c.htmlHeading(n)
		}
		if is == level || is == 0 && preamble {
			if is == level {
				return
			}
			continue
		}
		c.line(c.doc.LineAt(n.Start), fmt.Sprintf("The document does not start with a heading of level %d", level))
		return
	}
}

// htmlHeading returns the level of the heading a block of HTML starts with; 0
// if it starts with something else.
func (f *file) htmlHeading(n *mdtree.Node) int {
	if n.Kind != mdtree.HTMLFlow {
		return 0
	}
	first := firstOf(n, mdtree.HTMLText)
	if first == nil {
		return 0
	}
	tag, _ := f.tag(first)
	if len(tag) == 2 && tag[0]|0x20 == 'h' && tag[1] >= '1' && tag[1] <= '6' {
		return int(tag[1] - '0')
	}
	return 0
}

func firstOf(n *mdtree.Node, k mdtree.Kind) *mdtree.Node {
	for _, c := range n.Children {
		if c.Kind == k {
			return c
		}
		if x := firstOf(c, k); x != nil {
			return x
		}
	}
	return nil
}

func requiredHeadings(c *check) {
	want, ok := c.params.list("headings")
	if !ok {
		return
	}
	m := matcher{want: want, fold: !c.params.flag("match_case", false)}
	all := c.headings()
	for _, h := range all {
		is := strings.Repeat("#", c.level(h)) + " " + c.headingText(h)
		if expected, ok := m.match(is); !ok {
			c.node(h, "Heading is "+quote([]byte(is))+", expected "+quote([]byte(expected)))
			return
		}
	}
	extra := len(want) - m.next
	if extra < 1 || extra == 1 && want[m.next] == "*" || len(all) == 0 && strings.Trim(strings.Join(want, ""), "*") == "" {
		return
	}
	c.line(len(c.doc.Lines)-1, "Heading is missing: "+quote([]byte(want[m.next])))
}

// matcher compares headings with those that are required.
type matcher struct {
	want []string
	fold bool
	next int
	any  bool // headings that are not required may come
}

func (m *matcher) expected() string {
	m.next++
	if m.next > len(m.want) {
		return "[None]"
	}
	return m.want[m.next-1]
}

func (m *matcher) equal(a, b string) bool { return a == b || m.fold && strings.EqualFold(a, b) }

// match reports whether a heading may be the next one, and which one was
// expected.
func (m *matcher) match(is string) (string, bool) {
	expected := m.expected()
	switch {
	case expected == "*":
		if !m.equal(m.expected(), is) {
			m.any = true
			m.next--
		}
	case expected == "+":
		m.any = true
	case expected == "?":
	case m.equal(expected, is):
		m.any = false
	case m.any:
		m.next--
	default:
		return expected, false
	}
	return expected, true
}
