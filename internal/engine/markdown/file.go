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

// file is one source while its rules run.
type file struct {
	text  []byte
	doc   *mdtree.Doc
	front []byte // the front matter, fences included
	// clear is text with the content of comments made unsuspicious. Rules that
	// look at lines look at these.
	clear []byte
	// on tells which rules are enabled on each line of doc, as a set of indices.
	on  []uint64
	all uint64 // on every line, if on is nil
	out []diag.Diagnostic

	shape []byte      // of doc, see [file.same]
	flags []lineFlags // see [file.flag]
	refs  *references // see [file.references]
}

// check is one rule at work.
type check struct {
	*file
	rule   int // its index
	is     *rule
	params params
	first  int // index in out of its first finding
	count  int // findings so far
}

// maxFindings bounds what one rule says about one file. Nobody reads more, and
// a file of a million blank lines has a million of them.
const maxFindings = 10_000

// at reports the range on a line, unless a comment forbids it there.
func (c *check) at(line, start, end int, title string, fix ...diag.Edit) {
	set := c.all
	if c.on != nil && line < len(c.on) {
		set = c.on[line]
	}
	if set&(1<<c.rule) == 0 || c.count >= maxFindings {
		return
	}
	c.count++
	start = min(max(start, 0), len(c.text))
	end = min(max(end, start), len(c.text))
	c.out = append(c.out, diag.Diagnostic{
		Engine: name, Code: c.is.code, Severity: c.is.severity, Title: title,
		Span: &diag.Span{Start: start, End: end}, Fix: fix,
	})
}

// line reports a whole line.
func (c *check) line(line int, title string, fix ...diag.Edit) {
	l := c.doc.Lines[min(line, len(c.doc.Lines)-1)]
	c.at(line, l.Start, l.End, title, fix...)
}

// node reports what n spans of its first line.
func (c *check) node(n *mdtree.Node, title string, fix ...diag.Edit) {
	line := c.doc.LineAt(n.Start)
	c.at(line, n.Start, min(n.End, c.doc.Lines[line].End), title, fix...)
}

// source returns line i with the content of comments made unsuspicious; nil if
// there is no such line.
func (f *file) source(i int) []byte {
	if i < 0 || i >= len(f.doc.Lines) {
		return nil
	}
	l := f.doc.Lines[i]
	return f.clear[l.Start:l.End]
}

// blank reports whether line i holds nothing but blanks, quotes and comments.
// What lies outside of the text is blank.
func (f *file) blank(i int) bool {
	s := f.source(i)
	if len(bytes.TrimSpace(s)) == 0 {
		return true
	}
	if s[0] != '>' && s[0] != '<' && s[0] != ' ' && s[0] != '\t' && !bytes.Contains(s, []byte("-->")) {
		return false
	}
	rest := string(s)
	for {
		start, end := strings.Index(rest, "<!--"), strings.Index(rest, "-->")
		switch {
		case end >= 0 && (start < 0 || end < start):
			rest = rest[end+3:]
		case start >= 0 && end >= 0:
			rest = rest[:start] + rest[end+3:]
		case start >= 0:
			rest = rest[:start]
		default:
			return strings.TrimSpace(strings.ReplaceAll(rest, ">", "")) == ""
		}
	}
}

// lines returns the first and the last line of n.
func (f *file) lines(n *mdtree.Node) (first, last int) {
	return f.doc.LineAt(n.Start), f.doc.LineAt(n.End)
}

// nodes returns the nodes of a kind outside of HTML blocks.
func (f *file) nodes(k mdtree.Kind) []*mdtree.Node {
	all := f.doc.All(k)
	for i, n := range all {
		if n.HTML {
			out := append([]*mdtree.Node(nil), all[:i]...)
			for _, n := range all[i:] {
				if !n.HTML {
					out = append(out, n)
				}
			}
			return out
		}
	}
	return all
}

// both returns the nodes of two kinds outside of HTML blocks, in the order of
// the source.
func (f *file) both(a, b mdtree.Kind) []*mdtree.Node {
	x, y := f.nodes(a), f.nodes(b)
	if len(x) == 0 || len(y) == 0 {
		return append(slices.Clip(x), y...)
	}
	out := make([]*mdtree.Node, 0, len(x)+len(y))
	for len(x) > 0 && len(y) > 0 {
		if x[0].Start <= y[0].Start {
			out, x = append(out, x[0]), x[1:]
		} else {
			out, y = append(out, y[0]), y[1:]
		}
	}
	return append(append(out, x...), y...)
}

// lineFlags tell what a line belongs to.
type lineFlags uint8

const (
	inCode  lineFlags = 1 << iota
	inFence           // between the fences
	inHTML
	inMath
	inHeading
	inTable
)

// flag returns the flags of line i.
func (f *file) flag(i int) lineFlags {
	if f.flags == nil {
		f.flags = make([]lineFlags, len(f.doc.Lines)+1)
		f.mark(mdtree.CodeFenced, inCode)
		f.mark(mdtree.CodeIndented, inCode)
		f.mark(mdtree.HTMLFlow, inHTML)
		f.mark(mdtree.MathFlow, inMath)
		f.mark(mdtree.ATXHeading, inHeading)
		f.mark(mdtree.SetextHeading, inHeading)
		f.mark(mdtree.Table, inTable)
		for _, n := range f.nodes(mdtree.CodeFenced) {
			first, last := f.lines(n)
			for l := first + 1; l < last; l++ {
				f.flags[l] |= inFence
			}
		}
		for _, n := range f.nodes(mdtree.CodeIndented) {
			first, last := f.lines(n)
			for l := first; l <= last; l++ {
				f.flags[l] |= inFence
			}
		}
	}
	return f.flags[i]
}

func (f *file) mark(k mdtree.Kind, flag lineFlags) {
	for _, n := range f.nodes(k) {
		first, last := f.lines(n)
		for l := first; l <= last; l++ {
			f.flags[l] |= flag
		}
	}
}

// insertBefore returns the edit that adds a blank line above line i, with the
// prefix of the quotes that line pre is in. Beside the fence of a directive
// there is none: not every reader takes it for one.
func (f *file) insertBefore(i, pre int) []diag.Edit {
	for _, l := range [...]int{i - 1, i} {
		if bytes.HasPrefix(bytes.TrimLeft(f.source(l), " >"), []byte(":::")) {
			return nil
		}
	}
	ending := "\n"
	if first := f.doc.Lines[0]; first.End < len(f.text) && f.text[first.End] == '\r' {
		ending = string(f.text[first.End:f.doc.Lines[min(1, len(f.doc.Lines)-1)].Start])
	}
	at := len(f.text)
	if i < len(f.doc.Lines) {
		at = f.doc.Lines[i].Start
	}
	return []diag.Edit{{Start: at, End: at, Replacement: f.quotes(pre) + ending}}
}

// quotes returns the prefixes of line i without the blanks at their end.
func (f *file) quotes(i int) string {
	if i < 0 || i >= len(f.doc.Lines) {
		return ""
	}
	l := f.doc.Lines[i]
	var b strings.Builder
	for _, p := range f.doc.Prefixes {
		if p.Start >= l.Start && p.Start <= l.End {
			b.Write(f.text[p.Start:p.End])
		}
	}
	return strings.TrimRight(b.String(), " \t")
}

// heading helpers

// level returns the level of a heading.
func (f *file) level(h *mdtree.Node) int {
	if s := h.Child(mdtree.HeadingSequence); s != nil && h.Kind == mdtree.ATXHeading {
		return s.End - s.Start
	}
	if s := h.Child(mdtree.SetextLine); s != nil && f.text[s.Start] == '-' {
		return 2
	}
	return 1
}

// headingText returns the source of a heading's text without its tags.
func (f *file) headingText(h *mdtree.Node) string {
	t := h.Child(mdtree.HeadingText)
	if t == nil {
		return ""
	}
	var b strings.Builder
	for _, c := range t.Children {
		switch c.Kind {
		case mdtree.HTMLText:
		case mdtree.LineEnding:
			b.WriteByte(' ')
		default:
			b.Write(f.doc.Source(c))
		}
	}
	return b.String()
}

// tag returns the name of the tag n is; "" if it is a comment or the like.
func (f *file) tag(n *mdtree.Node) (name string, closing bool) {
	s := f.doc.Source(n)
	if n.Kind != mdtree.HTMLText || len(s) < 3 || s[1] == '!' {
		return "", false
	}
	s = s[1:]
	if s[0] == '/' {
		closing, s = true, s[1:]
	}
	end := bytes.IndexFunc(s, func(r rune) bool { return r == '/' || r == '>' || unicode.IsSpace(r) })
	if end < 0 {
		end = len(s)
	}
	return string(s[:end]), closing
}

// utf16Len returns the length of s in UTF-16, as editors of the web count.
func utf16Len(s []byte) int {
	n := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			n++
			i++
			continue
		}
		r, w := utf8.DecodeRune(s[i:])
		if n++; r > 0xffff {
			n++
		}
		i += w
	}
	return n
}

// column returns the offset in s that is n UTF-16 units in.
func column(s []byte, n int) int {
	i := 0
	for i < len(s) && n > 0 {
		r, w := utf8.DecodeRune(s[i:])
		if n--; r > 0xffff {
			n--
		}
		i += w
	}
	return i
}

// count writes a number of things.
func count(n int, thing string) string {
	switch n {
	case 0:
		return "No " + thing
	case 1:
		return "1 " + thing
	}
	return fmt.Sprint(n, " ", thing, "s")
}

// quote shows a piece of source in a title: its first line, at most 40
// characters of it.
func quote(s []byte) string {
	text := strings.ToValidUTF8(string(s), "\uFFFD")
	text, _, cut := strings.Cut(strings.TrimSpace(text), "\n")
	r := []rune(strings.TrimSpace(text))
	if len(r) > 40 {
		r, cut = r[:40], true
	}
	for i, c := range r {
		if !unicode.IsPrint(c) {
			r[i] = ' '
		}
	}
	if cut {
		return "`" + string(r) + "...`"
	}
	return "`" + string(r) + "`"
}
