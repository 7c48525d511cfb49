package match

import (
	"bytes"
	"context"
	"slices"
	"strings"
)

// fixer makes the text that replaces a match.
type fixer struct {
	template   fixTemplate
	start, end *expansion
	title      string
}

// expansion widens what is replaced to a sibling.
type expansion struct {
	inner rule
	reach reach
	stop  rule
}

// fixTemplate is text with variables in between: parts has one more than vars.
type fixTemplate struct {
	parts []string
	vars  []hole
}

type hole struct {
	name   string
	list   bool
	indent int // of the line it stands on, up to it
}

// newTemplate reads a template. made are the names of transforms.
func newTemplate(text string) fixTemplate {
	var t fixTemplate
	from := 0
	for at := 0; at < len(text); {
		if text[at] != '$' {
			at++
			continue
		}
		n := 1
		for n < 3 && strings.HasPrefix(text[at+n:], "$") {
			n++
		}
		end := at + n
		for end < len(text) && inName(rune(text[end])) {
			end++
		}
		if end == at+n || !firstOfName(rune(text[at+n])) {
			at++
			continue
		}
		t.parts = append(t.parts, text[from:at])
		t.vars = append(t.vars, hole{text[at+n : end], n == 3, indentAt([]byte(text[:at]))})
		at, from = end, end
	}
	t.parts = append(t.parts, text[from:])
	return t
}

// Fill returns the text that a template makes at n.
func (m *Matcher) fill(t *fixTemplate, n Node) string {
	var b strings.Builder
	for i, part := range t.parts {
		b.WriteString(part)
		if i < len(t.vars) {
			b.WriteString(m.hole(&t.vars[i]))
		}
	}
	start, _ := m.doc.Range(n)
	return reindent(b.String(), 0, indentAt(m.doc.Source[:start]))
}

func (m *Matcher) hole(h *hole) string {
	var nodes []Node
	if h.list {
		nodes, _ = m.env.list(h.name)
	} else if n := m.env.get(h.name); n != None {
		nodes = []Node{n}
	} else if text, ok := m.env.transformed(h.name); ok {
		return reindent(text, 0, h.indent)
	}
	if len(nodes) == 0 {
		return ""
	}
	text := m.doc.slice(nodes)
	if bytes.IndexByte(text, '\n') < 0 {
		return string(text)
	}
	start, _ := m.doc.Range(nodes[0])
	return reindent(string(text), indentAt(m.doc.Source[:start]), h.indent)
}

// lookBack is how far back the start of a line is looked for, in bytes.
const lookBack = 512

// indentAt returns how many spaces the line begins with that ends in text.
func indentAt(text []byte) int {
	from := max(0, len(text)-lookBack)
	indent := 0
	for i := len(text) - 1; i >= from; i-- {
		switch text[i] {
		case '\n':
			return indent
		case ' ':
			indent++
		default:
			indent = 0
		}
	}
	if from > 0 {
		return 0
	}
	return indent
}

// deindent takes the indentation of a line away from the lines after the first.
func deindent(text string, indent int) string { return reindent(text, indent, 0) }

// reindent moves all lines but the first from one indentation to another.
func reindent(text string, from, to int) string {
	if from == to || !strings.Contains(text, "\n") {
		return text
	}
	lines := strings.Split(text, "\n")
	pad := strings.Repeat(" ", max(from-to, to-from))
	for i := range lines {
		switch {
		case from > to:
			lines[i] = strings.TrimPrefix(lines[i], pad)
		case i > 0:
			lines[i] = pad + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// edit returns what a fixer does to n.
func (m *Matcher) edit(f *fixer, n Node) edit {
	start, end := m.doc.Range(n)
	e := edit{start, max(start, end), m.fill(&f.template, n)}
	if s := f.start.find(m, n, follows); s != None {
		e.start, _ = m.doc.Range(s)
	}
	if s := f.end.find(m, n, precedes); s != None {
		_, e.end = m.doc.Range(s)
	}
	return e
}

// find returns the sibling that an expansion reaches.
func (x *expansion) find(m *Matcher, n Node, dir direction) Node {
	if x == nil {
		return None
	}
	r := relation{dir: dir, inner: x.inner, reach: x.reach, stop: x.stop}
	mk := m.env.mark()
	found := r.match(m, n)
	m.env.undo(mk)
	return found
}

// Edit replaces the bytes of a range of a text.
type Edit struct {
	Start, End int
	Text       string
	Title      string // "": it has none
}

// Label is a part of a text that a match is about.
type Label struct {
	Start, End int
	Style      string // primary or secondary
	Message    string // "": none
}

// Var is a variable and the nodes that it is bound to.
type Var struct {
	Name  string
	Nodes []Node
}

// use makes the bindings of a match those that count.
func (m *Matcher) use(x *Match) { m.env = x.env.snapshot() }

// Message returns the message of a match. The text must be the one scanned last.
func (m *Matcher) Message(x *Match) string {
	if len(x.Rule.message.vars) == 0 && !strings.Contains(x.Rule.Message, "\n") {
		return x.Rule.Message
	}
	m.use(x)
	return m.fill(&x.Rule.message, x.Node)
}

// Edits returns what the fixes of a match do, the first one being that which is
// applied. The error is [ErrBudget].
func (m *Matcher) Edits(ctx context.Context, x *Match) (out []Edit, err error) {
	if len(x.Rule.fixes) == 0 {
		return nil, nil
	}
	m.use(x)
	err = m.guard(ctx, func() {
		for _, f := range x.Rule.fixes {
			e := m.edit(f, x.Node)
			out = append(out, Edit{e.start, e.end, e.text, f.title})
		}
	})
	return out, err
}

// Labels returns the labels of a match.
func (x *Match) Labels(d *Doc) []Label {
	if x.Rule.labels != nil {
		var out []Label
		for _, l := range x.Rule.labels {
			nodes, _ := x.env.list(l.name)
			if n := x.env.get(l.name); n != None {
				nodes = []Node{n}
			}
			if len(nodes) > 0 {
				start, _ := d.Range(nodes[0])
				_, end := d.Range(nodes[len(nodes)-1])
				out = append(out, Label{start, end, l.style, l.message})
			}
		}
		return out
	}
	start, end := d.Range(x.Node)
	out := []Label{{start, end, "primary", ""}}
	for _, n := range x.env.labels {
		start, end := d.Range(n)
		out = append(out, Label{start, end, "secondary", ""})
	}
	return out
}

// Variables returns what is bound, by name: single nodes, lists of nodes, among
// them the nodes that relations found as "secondary", and the texts of transforms.
func (x *Match) Variables() (single, multi []Var, made map[string]string) {
	seen := map[string]bool{}
	for _, b := range slices.Backward(x.env.single) {
		if !seen[b.name] {
			seen[b.name] = true
			single = append(single, Var{b.name, []Node{b.node}})
		}
	}
	clear(seen)
	for _, b := range slices.Backward(x.env.multi) {
		if !seen[b.name] {
			seen[b.name] = true
			multi = append(multi, Var{b.name, b.nodes})
		}
	}
	if len(x.env.labels) > 0 {
		multi = append(multi, Var{"secondary", x.env.labels})
	}
	byName := func(a, b Var) int { return strings.Compare(a.Name, b.Name) }
	slices.SortFunc(single, byName)
	slices.SortFunc(multi, byName)
	made = map[string]string{}
	for _, t := range x.env.made {
		made[t.name] = t.text
	}
	return single, multi, made
}
