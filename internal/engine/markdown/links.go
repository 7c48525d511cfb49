package markdown

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"

	"poly/internal/diag"
	"poly/internal/mdtree"
)

// references are the labels a document defines and uses.
type references struct {
	definitions map[string]*mdtree.Node // the first definition of each label
	order       []string                // labels in the order of their definitions
	duplicates  []*mdtree.Node          // labels that are defined already
	used        map[string]bool         // by any link, image or footnote
}

// label returns what makes two labels equal.
func label(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

func (f *file) labelOf(n *mdtree.Node) string {
	s := string(f.doc.Source(n))
	if strings.Contains(s, "\n") { // without the prefixes of its lines
		lines := strings.Split(s, "\n")
		for i := 1; i < len(lines); i++ {
			lines[i] = strings.TrimLeft(lines[i], " \t>")
		}
		s = strings.Join(lines, "\n")
	}
	if n.Kind == mdtree.FootnoteLabel {
		s = "^" + s
	}
	return label(s)
}

// references returns the labels of the document.
func (f *file) references() *references {
	if f.refs != nil {
		return f.refs
	}
	r := &references{definitions: map[string]*mdtree.Node{}, used: map[string]bool{}}
	for _, n := range f.both(mdtree.DefinitionLabel, mdtree.FootnoteLabel) {
		key := f.labelOf(n)
		if r.definitions[key] != nil {
			r.duplicates = append(r.duplicates, n)
			continue
		}
		r.definitions[key] = n
		r.order = append(r.order, key)
	}
	for _, n := range f.both(mdtree.Link, mdtree.Image) {
		if n.Child(mdtree.Resource) == nil {
			r.used[f.reference(n)] = true
		}
	}
	for _, n := range f.nodes(mdtree.FootnoteCall) {
		r.used[label(string(f.text[n.Start+1:n.End-1]))] = true
	}
	for _, u := range f.doc.Undefined {
		r.used[label(u.Label)] = true
	}
	f.refs = r
	return r
}

// reference returns the label that a link or image without a destination of
// its own refers to.
func (f *file) reference(n *mdtree.Node) string {
	if s := n.Child(mdtree.Reference).Child(mdtree.ReferenceString); s != nil {
		return f.labelOf(s)
	}
	return f.labelOf(n.Child(mdtree.Label).Child(mdtree.LabelText))
}

// target returns the destination of the definition of a label.
func (f *file) target(label string) string {
	n := f.references().definitions[label]
	if n == nil || n.Parent.Kind != mdtree.Definition {
		return ""
	}
	d := n.Parent.Child(mdtree.DefinitionDestination)
	if d == nil || d.Angle {
		return ""
	}
	return string(f.doc.Source(d))
}

var reversedLink = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[^\\])\(([^()]+)\)\[([^\]^][^\]]*)\]`)
})

func reversedLinks(c *check) {
	for i, l := range c.doc.Lines {
		s := c.clear[l.Start:l.End]
		if !bytes.Contains(s, []byte(")[")) || c.flag(i)&(inCode|inMath) != 0 {
			continue
		}
		for at := 0; at < len(s); {
			m := reversedLink().FindSubmatchIndex(s[at:])
			if m == nil {
				break
			}
			start, end := at+m[3], at+m[1]
			text, dest := s[at+m[4]:at+m[5]], s[at+m[6]:at+m[7]]
			at = end
			if end < len(s) && s[end] == '(' || bytes.HasSuffix(text, []byte(`\`)) || bytes.HasSuffix(dest, []byte(`\`)) {
				continue
			}
			if c.overlapsSpan(l.Start+start, l.Start+end) {
				continue
			}
			var fix []diag.Edit
			if bytes.HasPrefix(dest, []byte("https://")) || bytes.HasPrefix(dest, []byte("http://")) {
				fix = []diag.Edit{{Start: l.Start + start, End: l.Start + end, Replacement: "[" + string(text) + "](" + string(dest) + ")"}}
			}
			c.at(i, l.Start+start, l.Start+end, "Reversed link: "+quote(s[start:end]), fix...)
		}
	}
}

// overlapsSpan reports whether a range touches code or math.
func (c *check) overlapsSpan(start, end int) bool {
	return c.touches(mdtree.CodeText, start, end) || c.touches(mdtree.MathText, start, end)
}

func (c *check) touches(k mdtree.Kind, start, end int) bool {
	all := c.doc.All(k)
	i := sort.Search(len(all), func(i int) bool { return all[i].End >= start })
	return i < len(all) && all[i].Start < end
}

func bareURLs(c *check) { c.bareIn(c.doc.Root) }

func (c *check) bareIn(n *mdtree.Node) {
	children := n.Children
	var elements map[int]int
	for i := 0; i < len(children); i++ {
		x := children[i]
		if x.Kind == mdtree.LiteralAutolink && !x.HTML && !c.bracketed(children, i) {
			var fix []diag.Edit
			if s := c.doc.Source(x); bytes.Contains(s, []byte("://")) && !bytes.ContainsAny(s, "<>") {
				fix = []diag.Edit{{Start: x.Start, End: x.Start, Replacement: "<"}, {Start: x.End, End: x.End, Replacement: ">"}}
			}
			c.node(x, "Bare URL "+quote(c.doc.Source(x)), fix...)
		}
		if name, closing := c.tag(x); name != "" && !closing {
			if elements == nil {
				elements = c.elements(children)
			}
			i = max(i, elements[i])
			continue
		}
		c.bareIn(x)
	}
}

// bracketed reports whether a URL stands in angle brackets that make no
// autolink.
func (c *check) bracketed(siblings []*mdtree.Node, i int) bool {
	if i+1 >= len(siblings) {
		return false
	}
	prev, next := siblings[(i-1+len(siblings))%len(siblings)], siblings[i+1]
	return prev.Kind == mdtree.Data && next.Kind == mdtree.Data && prev.End > 0 && c.text[prev.End-1] == '<' && c.text[next.Start] == '>'
}

// elements returns the index of the tag that closes the element, by that of the
// tag that opens it.
func (c *check) elements(siblings []*mdtree.Node) map[int]int {
	out := map[int]int{}
	open := map[string][]int{}
	for i, x := range siblings {
		name, closing := c.tag(x)
		switch all := open[name]; {
		case name == "":
		case !closing:
			open[name] = append(all, i)
		case len(all) > 0:
			out[all[len(all)-1]] = i
			open[name] = all[:len(all)-1]
		}
	}
	return out
}

func spacesInLinks(c *check) {
	for _, n := range c.nodes(mdtree.Link) {
		t := n.Child(mdtree.Label).Child(mdtree.LabelText)
		s := c.doc.Source(t)
		if len(s) == 0 {
			continue
		}
		title := "Blank at an end of the text of a link: " + quote(c.doc.Source(n))
		left, right := len(s)-len(bytes.TrimLeftFunc(s, isJSSpace)), len(s)-len(bytes.TrimRightFunc(s, isJSSpace))
		outside := func(i int) bool { return i < 0 || i >= len(c.text) || isJSSpace(rune(c.text[i])) }
		if left > 0 {
			c.linkSpace(t.Start, t.Start+left, title, outside(n.Start-1))
		}
		if right > 0 {
			c.linkSpace(t.End-right, t.End, title, outside(n.End))
		}
	}
}

// linkSpace reports blanks of a link. They can go if there is room outside.
func (c *check) linkSpace(start, end int, title string, room bool) {
	line := c.doc.LineAt(start)
	blank := c.text[start:end]
	if i := bytes.IndexAny(blank, "\r\n"); i >= 0 {
		if j := bytes.LastIndexAny(blank, "\r\n"); i == 0 {
			line = c.doc.LineAt(start + j + 1)
		}
		c.at(line, start, end, title)
		return
	}
	var fix []diag.Edit
	if room {
		fix = []diag.Edit{{Start: start, End: end}}
	}
	c.at(line, start, end, title, fix...)
}

func emptyLinks(c *check) {
	for _, n := range c.nodes(mdtree.Link) {
		ref, res := n.Child(mdtree.Reference), n.Child(mdtree.Resource)
		s := ref.Child(mdtree.ReferenceString)
		t := n.Child(mdtree.Label).Child(mdtree.LabelText)
		d := res.Child(mdtree.ResourceDestination)
		if d != nil && d.Start == d.End {
			d = nil
		}
		empty := false
		switch {
		case ref == nil && res == nil || ref != nil && s == nil:
			empty = c.target(strings.TrimSpace(string(c.doc.Source(t)))) == "#"
		case s != nil:
			empty = c.target(strings.TrimSpace(string(c.doc.Source(s)))) == "#"
		case d != nil:
			empty = strings.TrimSpace(string(c.doc.Source(d))) == "#"
		default:
			empty = true
		}
		if empty {
			c.node(n, "Link leads nowhere: "+quote(c.doc.Source(n)))
		}
	}
}

// attribute returns the value of an attribute in the source of a tag.
func attribute(tag []byte, name string) (string, bool) {
	s := string(tag)
	lower := strings.ToLower(s)
	for at := 0; ; {
		i := strings.Index(lower[at:], name)
		if i < 1 && at == 0 || i < 0 {
			return "", false
		}
		i += at
		at = i + len(name)
		if !isJSSpace(rune(s[i-1])) {
			continue
		}
		rest := strings.TrimLeft(s[at:], " \t\r\n")
		if rest == "" || rest[0] != '=' {
			continue
		}
		rest = strings.TrimLeft(rest[1:], " \t\r\n")
		if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
			rest = rest[1:]
		}
		if end := strings.IndexAny(rest, "'\" \t\r\n>"); end >= 0 {
			rest = rest[:end]
		}
		return rest, true
	}
}

func altText(c *check) {
	for _, n := range c.nodes(mdtree.Image) {
		if t := n.Child(mdtree.Label).Child(mdtree.LabelText); t.Start == t.End {
			c.node(n, "Image has no alternative text")
		}
	}
	for _, n := range c.doc.All(mdtree.HTMLText) {
		if name, closing := c.tag(n); closing || !strings.EqualFold(name, "img") {
			continue
		}
		s := c.doc.Source(n)
		_, alt := attribute(s, "alt")
		hidden, _ := attribute(s, "aria-hidden")
		if !alt && !strings.EqualFold(hidden, "true") {
			c.node(n, "Image has no alternative text")
		}
	}
}

func undefinedReferences(c *check) {
	ignored := c.params.strs("ignored_labels", []string{"x"})
	shortcuts := c.params.flag("shortcut_syntax", false)
	defined := c.references().definitions
	for _, u := range c.doc.Undefined {
		key := label(u.Label)
		if u.Shortcut && !shortcuts || defined[key] != nil || slices.Contains(ignored, key) {
			continue
		}
		line := c.doc.LineAt(u.Start)
		c.at(line, u.Start, min(u.End, c.doc.Lines[line].End), "Label "+quote([]byte(key))+" is not defined")
	}
}

func unusedDefinitions(c *check) {
	ignored := c.params.strs("ignored_definitions", []string{"//"})
	r := c.references()
	for _, key := range r.order {
		if !r.used[key] && !slices.Contains(ignored, key) {
			c.definition(r.definitions[key], "Label "+quote([]byte(key))+" is not used")
		}
	}
	for _, n := range r.duplicates {
		if key := c.labelOf(n); !slices.Contains(ignored, key) {
			c.definition(n, "Label "+quote([]byte(key))+" is defined already")
		}
	}
	c.verifyDefinitions()
}

// definition reports a definition. It can go if it is all there is on its
// lines and is no comment in disguise.
func (c *check) definition(l *mdtree.Node, title string) {
	d := l.Parent
	line, last := c.lines(d)
	var fix []diag.Edit
	dest := d.Child(mdtree.DefinitionDestination)
	if d.Kind == mdtree.Definition && d.Parent.Kind == mdtree.Root && line == last && line+1 < len(c.doc.Lines) && c.doc.LineAt(l.Start) == line &&
		dest.End > dest.Start && !bytes.Equal(c.doc.Source(dest), []byte("#")) {
		fix = []diag.Edit{{Start: c.doc.Lines[line].Start, End: c.doc.Lines[line+1].Start}}
	}
	at := c.doc.LineAt(l.Start)
	c.at(at, c.doc.Lines[at].Start, c.doc.Lines[at].End, title, fix...)
}

// verifyDefinitions drops the fixes if more than definitions would go.
func (c *check) verifyDefinitions() {
	for i := c.first; i < len(c.out); i++ {
		line := c.doc.LineAt(c.out[i].Span.Start)
		// What follows must not become part of what comes before.
		if line > 0 && line+1 < len(c.doc.Lines) && !c.blank(line-1) && !c.blank(line+1) {
			prev := c.source(line - 1)
			if t := bytes.TrimLeft(prev, " "); len(t) == 0 || t[0] != '[' {
				c.out[i].Fix = nil
			}
		}
	}
}

func linkStyle(c *check) {
	allow := func(key string) bool { return c.params.flag(key, true) }
	if !allow("autolink") {
		for _, n := range c.nodes(mdtree.Autolink) {
			c.node(n, "Autolink "+quote(c.doc.Source(n)))
		}
	}
	for _, n := range c.both(mdtree.Link, mdtree.Image) {
		what := ""
		if d := n.Child(mdtree.Resource).Child(mdtree.ResourceDestination); d != nil && d.End > d.Start {
			what = c.inlineStyle(n, string(c.doc.Source(d)), allow)
		} else {
			what = c.referenceStyle(n, allow)
		}
		if what != "" {
			c.node(n, what+" "+quote(c.doc.Source(n)))
		}
	}
}

// inlineStyle tells what is wrong with an inline link; "" if nothing is.
func (c *check) inlineStyle(n *mdtree.Node, dest string, allow func(string) bool) string {
	if !allow("inline") {
		return "Inline link"
	}
	if allow("url_inline") || !allow("autolink") || n.Kind != mdtree.Link || n.Child(mdtree.Resource).Child(mdtree.ResourceTitle) != nil {
		return ""
	}
	if text := n.Child(mdtree.Label).Child(mdtree.LabelText); string(c.doc.Source(text)) == dest && autolinkable(dest) {
		return "Inline link that could be an autolink:"
	}
	return ""
}

// referenceStyle is the same for a link with a label that leads somewhere.
func (c *check) referenceStyle(n *mdtree.Node, allow func(string) bool) string {
	if allow("full") && allow("collapsed") && allow("shortcut") || c.target(c.reference(n)) == "" {
		return ""
	}
	ref := n.Child(mdtree.Reference)
	switch {
	case ref == nil && !allow("shortcut"):
		return "Shortcut reference"
	case ref != nil && len(ref.Children) == 0 && !allow("collapsed"):
		return "Collapsed reference"
	case ref != nil && len(ref.Children) > 0 && !allow("full"):
		return "Full reference"
	}
	return ""
}

func autolinkable(dest string) bool {
	u, err := url.Parse(dest)
	return err == nil && u.IsAbs() && !strings.ContainsAny(dest, " <>")
}

func descriptiveText(c *check) {
	prohibited := map[string]bool{}
	for _, s := range c.params.strs("prohibited_texts", []string{"click here", "here", "link", "more"}) {
		prohibited[words(s)] = true
	}
	if len(prohibited) == 0 {
		return
	}
	for _, n := range c.nodes(mdtree.Link) {
		t := n.Child(mdtree.Label).Child(mdtree.LabelText)
		if t.Child(mdtree.CodeText, mdtree.HTMLText) == nil && prohibited[words(string(c.doc.Source(t)))] {
			c.node(t, "Text of a link says nothing: "+quote(c.doc.Source(t)))
		}
	}
}

// words returns the words of s in lower case, with a blank between.
func words(s string) string {
	isWord := func(r rune) bool { return r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' && r < 0x80 }
	return strings.ToLower(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return !isWord(r) }), " "))
}
