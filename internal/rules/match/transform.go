package match

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"poly/internal/rules/rustre"
)

// transform makes the text of a new variable of that of another one.
type transform struct {
	name   string
	source metavar
	apply  func(m *Matcher, t *transform, s *scope, enclosing *env) (string, bool)
	// rewriters are the ids that it refers to.
	rewriters []string
}

// apply computes t and binds its variable.
func (m *Matcher) apply(t *transform, s *scope, enclosing *env) {
	at := len(m.env.made)
	m.env.made = append(m.env.made, transformed{t.name, ""})
	text, ok := t.apply(m, t, s, enclosing)
	if !ok {
		text = ""
	}
	if n := m.sourceNode(&t.source); n != None {
		start, _ := m.doc.Range(n)
		text = deindent(text, indentAt(m.doc.Source[:start]))
	}
	m.env.made[at].text = text
}

// sourceNode returns the node that a source begins with, [None] for a text.
func (m *Matcher) sourceNode(v *metavar) Node {
	if !v.list {
		return m.env.get(v.name)
	}
	if nodes, _ := m.env.list(v.name); len(nodes) > 0 {
		return nodes[0]
	}
	return None
}

// varText returns the text of a variable; ok is false if it is not bound.
func (m *Matcher) varText(v *metavar) (text string, ok bool) {
	if v.list {
		nodes, _ := m.env.list(v.name)
		if len(nodes) == 0 {
			return "", false
		}
		return string(m.doc.slice(nodes)), true
	}
	if n := m.env.get(v.name); n != None {
		return string(m.doc.Text(n)), true
	}
	return m.env.transformed(v.name)
}

// slice returns the text from the first to the last of some nodes.
func (d *Doc) slice(nodes []Node) []byte {
	start, _ := d.Range(nodes[0])
	_, end := d.Range(nodes[len(nodes)-1])
	return d.Source[start:max(start, end)]
}

// textual makes a transform that needs only the text.
func textual(f func(string) string) func(*Matcher, *transform, *scope, *env) (string, bool) {
	return func(m *Matcher, t *transform, _ *scope, _ *env) (string, bool) {
		text, ok := m.varText(&t.source)
		if !ok {
			return "", false
		}
		return f(text), true
	}
}

// substring cuts characters out; start and end may be nil.
func substring(start, end *int) func(string) string {
	return func(text string) string {
		chars := []rune(text)
		from, to := clamp(start, 0, len(chars)), clamp(end, len(chars), len(chars))
		if from > to || from >= len(chars) {
			return ""
		}
		return string(chars[from:to])
	}
}

func clamp(given *int, otherwise, length int) int {
	at := otherwise
	if given != nil {
		at = *given
	}
	if at < 0 {
		at += length
	}
	return min(max(at, 0), length)
}

func replace(re *rustre.Regexp, by string) func(string) string {
	return func(text string) string { return re.ReplaceAll(text, by) }
}

// edit replaces the bytes of a range.
type edit struct {
	start, end int
	text       string
}

// rewriter is a rule with a fix that transforms use.
type rewriter struct {
	core *core
	fix  *fixer
}

// rewrite returns a transform that applies rewriters. joiner is nil if what
// they leave alone stays.
func rewrite(ids []string, joiner *string) func(*Matcher, *transform, *scope, *env) (string, bool) {
	return func(m *Matcher, t *transform, s *scope, enclosing *env) (string, bool) {
		var nodes []Node
		if t.source.list {
			nodes, _ = m.env.list(t.source.name)
		} else if n := m.env.get(t.source.name); n != None {
			nodes = []Node{n}
		}
		if len(nodes) == 0 {
			return "", false
		}
		var rules []*rewriter
		for _, id := range ids {
			if r := s.rewriters[id]; r != nil {
				rules = append(rules, r)
			}
		}
		var edits []edit
		for _, n := range nodes {
			edits = m.rewriteBelow(n, rules, enclosing, edits)
		}
		start, _ := m.doc.Range(nodes[0])
		if joiner != nil {
			return joined(edits, *joiner), true
		}
		return applied(m.doc.slice(nodes), edits, start), true
	}
}

// rewriteBelow appends an edit for each node at and below n that a rewriter matches.
func (m *Matcher) rewriteBelow(n Node, rules []*rewriter, enclosing *env, edits []edit) []edit {
	m.enter()
	defer m.leave()
	outer := m.env
	for at := n; at < Node(m.doc.nodes[n].Next); at++ {
		m.step()
		for _, r := range rules {
			m.env = enclosing.snapshot()
			if found := r.core.match(m, at, enclosing); found != None {
				edits = append(edits, m.edit(r.fix, found))
				break
			}
		}
	}
	m.env = outer
	return edits
}

func joined(edits []edit, joiner string) string {
	var b strings.Builder
	pos := 0
	for i, e := range edits {
		if i > 0 {
			if pos > e.start {
				continue
			}
			b.WriteString(joiner)
		}
		b.WriteString(e.text)
		pos = e.end
	}
	return b.String()
}

// applied applies edits in order, but for those that begin before the end of
// the one before.
func applied(text []byte, edits []edit, offset int) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		start, end := e.start-offset, e.end-offset
		if start < at || end > len(text) {
			continue
		}
		b.Write(text[at:start])
		b.WriteString(e.text)
		at = end
	}
	b.Write(text[at:])
	return b.String()
}

// separator says where words of a name begin.
type separator uint8

const caseChange separator = 0

// separators are the names that rules give them; others are the character itself.
func separators() map[string]separator {
	return map[string]separator{"caseChange": caseChange, "dash": '-', "dot": '.', "slash": '/', "space": ' ', "underscore": '_'}
}

// convert returns the function that writes a text in a case, nil if there is
// no case of that name. No seps: all of them.
func convert(name string, seps []separator) func(string) string {
	if seps == nil {
		seps = []separator{caseChange, '-', '.', '/', ' ', '_'}
	}
	joinLower := func(sep string) func(string) string {
		return func(s string) string {
			words := words(s, seps)
			for i := range words {
				words[i] = strings.ToLower(words[i])
			}
			return strings.Join(words, sep)
		}
	}
	switch name {
	case "lowerCase":
		return strings.ToLower
	case "upperCase":
		return strings.ToUpper
	case "capitalize":
		return capitalize
	case "snakeCase":
		return joinLower("_")
	case "kebabCase":
		return joinLower("-")
	case "pascalCase", "camelCase":
		return func(s string) string {
			words := words(s, seps)
			for i := range words {
				if i == 0 && name == "camelCase" {
					words[i] = strings.ToLower(words[i])
				} else {
					words[i] = capitalize(words[i])
				}
			}
			return strings.Join(words, "")
		}
	}
	return nil
}

func capitalize(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}

// words splits a name. With caseChange a word begins at an upper-case letter
// after a lower-case one, and at the last of several that a lower-case one follows.
func words(s string, seps []separator) []string {
	var out []string
	add := func(from, to int) {
		if from < to {
			out = append(out, s[from:to])
		}
	}
	byCase := slices.Contains(seps, caseChange)
	start, last, upper := 0, 0, 0 // upper counts upper-case letters in a row, up to 2
	for i, r := range s {
		switch {
		case r < utf8.RuneSelf && r != 0 && slices.Contains(seps, separator(r)):
			add(start, i)
			start, upper = i+1, 0
		case !byCase:
		case unicode.IsLower(r):
			if upper == 2 {
				add(start, last)
				start = last
			}
			upper = 0
		case upper == 0 && unicode.IsUpper(r):
			add(start, i)
			start, upper = i, 1
		case upper == 0:
			upper = 1
		default:
			upper = 2
		}
		last = i
	}
	add(start, len(s))
	return out
}
