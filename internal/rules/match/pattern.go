package match

import (
	"fmt"
	"strings"

	"poly/internal/syntax"
)

// strictness tells which nodes a pattern may pass over.
type strictness uint8

const (
	smart strictness = iota
	cst
	ast
	relaxed
	signature
	template
)

func parseStrictness(s string) (strictness, bool) {
	for i, name := range [...]string{"smart", "cst", "ast", "relaxed", "signature", "template"} {
		if name == s {
			return strictness(i), true
		}
	}
	return 0, false
}

// ignoresExtras reports whether comments between candidates are passed over.
func (s strictness) ignoresExtras() bool { return s != cst && s != ast }

// ignoresPunctuation reports whether unnamed nodes of a pattern may lack.
func (s strictness) ignoresPunctuation() bool { return s == ast || s == relaxed || s == signature }

// errorKind is the kind of what did not parse. In a pattern it stands for any.
const errorKind = syntax.KindError

// shape says what a node of a pattern is.
type shape uint8

const (
	terminal shape = iota
	internal
	variable
)

// goal is a node of a pattern.
type goal struct {
	shape shape
	named bool // a terminal that is named
	kind  syntax.Kind
	text  string
	meta  metavar
	kids  []goal
}

// trivial reports whether g is punctuation.
func (g *goal) trivial() bool { return g.shape == terminal && !g.named }

// list reports whether g stands for any number of nodes.
func (g *goal) list() bool { return g.shape == variable && g.meta.list }

// pattern is a rule: code with metavariables.
type pattern struct {
	root     goal
	kind     syntax.Kind // of the node that a selector chose; 0: none did
	strict   strictness
	selected bool
}

// newPattern parses a pattern. selector is the kind of the node that counts, or "".
func (c *Compiler) newPattern(l *Language, text, selector string, strict strictness) (*pattern, error) {
	code := []byte(l.rewrite(text))
	tree, err := c.parser.Parse(l.Language, code)
	if err != nil {
		return nil, err
	}
	d := NewDoc(l, code, tree, 0)
	p := &pattern{strict: strict}
	at := Node(0)
	if selector == "" {
		if at, err = d.single(text); err != nil {
			return nil, err
		}
	} else {
		if p.kind = l.kind(selector); p.kind == 0 {
			return nil, fmt.Errorf("%s has no kind %s", l.Name, selector)
		}
		for at < Node(len(d.nodes)) && d.nodes[at].Kind != p.kind {
			at++
		}
		if int(at) == len(d.nodes) {
			return nil, fmt.Errorf("no %s in the pattern", selector)
		}
		p.selected = true
	}
	p.root = d.goal(at)
	if p.root.list() {
		return nil, fmt.Errorf("a pattern cannot be $$$ alone")
	}
	return p, nil
}

// single returns the node that a whole pattern stands for.
func (d *Doc) single(text string) (Node, error) {
	if d.first(0) == None {
		return None, fmt.Errorf("the pattern %q has no content", text)
	}
	if !d.lonely(0) {
		return None, fmt.Errorf("the pattern %q is more than one node", text)
	}
	n := Node(0)
	for d.lonely(n) {
		n = d.first(n)
	}
	return n, nil
}

// lonely reports whether n has one child, or one and another that is not there.
func (d *Doc) lonely(n Node) bool {
	one := d.first(n)
	if one == None {
		return false
	}
	two := d.next(one)
	return two == None || d.next(two) == None && (d.nodes[two].Flags&syntax.Missing != 0 || d.Kind(two) == "")
}

func (d *Doc) goal(n Node) goal {
	text := string(d.Text(n))
	if v, ok := d.Lang.metavar(text); ok {
		return goal{shape: variable, meta: v}
	}
	g := goal{kind: d.nodes[n].Kind, named: d.named(n)}
	if d.first(n) == None {
		g.text = text
		return g
	}
	g.shape = internal
	for c := d.first(n); c != None; c = d.next(c) {
		if d.nodes[c].Flags&syntax.Missing == 0 {
			g.kids = append(g.kids, d.goal(c))
		}
	}
	return g
}

func (p *pattern) kinds() *kindSet {
	if p.strict == template {
		return nil
	}
	switch p.root.shape {
	case terminal:
		return newKindSet(p.root.kind)
	case internal:
		if p.root.kind != errorKind {
			return newKindSet(p.root.kind)
		}
	case variable:
		if p.selected {
			return newKindSet(p.kind)
		}
	}
	return nil
}

func (p *pattern) vars(add func(string)) { p.root.vars(add) }

func (g *goal) vars(add func(string)) {
	if g.shape == variable && g.meta.name != "" {
		add(g.meta.name)
	}
	for i := range g.kids {
		g.kids[i].vars(add)
	}
}

// binds reports whether a match leaves bindings behind.
func (g *goal) binds() bool {
	found := false
	g.vars(func(string) { found = true })
	return found
}

// literal returns the longest text that every match contains.
func (g *goal) literal() string {
	if g.shape == terminal && g.named {
		return g.text
	}
	best := ""
	for i := range g.kids {
		if t := g.kids[i].literal(); len(t) > len(best) {
			best = t
		}
	}
	return best
}

func (p *pattern) match(m *Matcher, n Node) Node {
	if p.selected && m.doc.nodes[n].Kind != p.kind {
		return None
	}
	mk := m.env.mark()
	if m.matchRoot(&p.root, n, p.strict) {
		return n
	}
	m.env.undo(mk)
	return None
}

// Language is a language that rules can be written for.
type Language struct {
	*syntax.Language
	sigil string // what stands for $ in what is parsed
}

// Find returns the language that a rule calls name, in any case. ok is false if
// there is none; whether its grammar is part of the binary is another question.
func Find(name string) (l *Language, ok bool) {
	s, ok := syntax.ByName(name)
	if !ok {
		return nil, false
	}
	return Of(s), true
}

// Of returns a language of internal/syntax as one that rules are written for.
func Of(s *syntax.Language) *Language { return &Language{s, string(s.Sigil)} }

// Display returns the name as ast-grep prints it: "TypeScript".
func (l *Language) Display() string {
	switch l.Name {
	case "csharp":
		return "CSharp"
	case "javascript":
		return "JavaScript"
	case "typescript":
		return "TypeScript"
	}
	return strings.ToUpper(l.Name[:1]) + l.Name[1:]
}

// rewrite makes a pattern one that the grammar can read: a $ that may begin a
// metavariable becomes the sigil.
func (l *Language) rewrite(pattern string) string {
	var b strings.Builder
	run := 0
	flush := func(meta bool) {
		s := "$"
		if meta {
			s = l.sigil
		}
		for ; run > 0; run-- {
			b.WriteString(s)
		}
	}
	for _, r := range pattern {
		if r == '$' {
			run++
			continue
		}
		flush(run == 3 || firstOfName(r))
		b.WriteRune(r)
	}
	flush(run == 3)
	return b.String()
}

func firstOfName(r rune) bool { return 'A' <= r && r <= 'Z' || r == '_' }

func inName(r rune) bool { return firstOfName(r) || '0' <= r && r <= '9' }

// metavar is a metavariable of a pattern.
type metavar struct {
	name  string // "": it binds nothing
	list  bool
	named bool // it stands for named nodes only
}

// metavar reads the whole of a node's text as a metavariable.
func (l *Language) metavar(text string) (metavar, bool) {
	if rest, ok := strings.CutPrefix(text, l.sigil+l.sigil+l.sigil); ok {
		if !allInName(rest) {
			return metavar{}, false
		}
		if strings.HasPrefix(rest, "_") {
			rest = ""
		}
		return metavar{name: rest, list: true}, true
	}
	rest, ok := strings.CutPrefix(text, l.sigil)
	if !ok {
		return metavar{}, false
	}
	v := metavar{named: true}
	if two, ok := strings.CutPrefix(rest, l.sigil); ok {
		rest, v.named = two, false
	}
	if rest == "" || !firstOfName(rune(rest[0])) || !allInName(rest) {
		return metavar{}, false
	}
	if rest[0] != '_' {
		v.name = rest
	}
	return v, true
}

func allInName(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !inName(r) }) < 0
}

// OfPath returns the language of a file by its ending, as ast-grep sees it.
func OfPath(path string) (l *Language, ok bool) {
	s, ok := syntax.ByPath(path)
	if !ok {
		return nil, false
	}
	return Of(s), true
}
