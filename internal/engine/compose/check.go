package compose

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/usererr"
	"poly/internal/yamlevent"
)

// file is a Compose file that was read.
type file struct {
	text  []byte
	root  *yamlevent.Node
	whole bool
	out   []diag.Diagnostic
	maps  map[*yamlevent.Node][]entry
	spent int
	seen  map[seen]bool
	told  map[told]bool
}

// seen is a node that was held against a shape.
type seen struct {
	node  *yamlevent.Node
	shape *shape
}

// told is something that was reported.
type told struct {
	start       int
	code, title string
}

func (l *linter) lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	c := classOf(src.Path)
	if c == other || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	f, err := read(src.Text)
	if err != nil || f == nil {
		return nil, err
	}
	if !f.composed() {
		return nil, engine.Skip("no services: not a Compose file of today's format")
	}
	f.whole = c == whole && f.get(f.root, "include") == nil && !overridden(src)
	f.check(f.root, root, "")
	f.project()
	diag.Sort(f.out)
	return f.out, ctx.Err()
}

// read parses a file. It returns nil for what is no YAML, of which the engine
// yaml tells, and for an empty file. An error is a Skip.
func read(text []byte) (*file, error) {
	docs, err := yamlevent.Tree(text)
	switch {
	case errors.Is(err, yamlevent.ErrDeep):
		return nil, engine.Skip(err.Error())
	case err == nil && len(docs) > 1:
		return nil, engine.Skip("several documents in a Compose file")
	case err == nil && len(docs) == 1:
		return &file{
			text: text, root: docs[0].Follow(), maps: map[*yamlevent.Node][]entry{}, seen: map[seen]bool{}, told: map[told]bool{},
		}, nil
	}
	return nil, nil
}

// composed tells that the file is for Compose: it has services, or includes
// some, or nothing that Compose does not know.
func (f *file) composed() bool {
	if f.root == nil || f.root.Kind != yamlevent.MappingStart {
		return false
	}
	known := true
	for _, e := range f.entries(f.root) {
		switch {
		case e.name == "services" || e.name == "include":
			return true
		case !strings.HasPrefix(e.name, "x-") && root.field(e.name) == nil:
			known = false
		}
	}
	return known
}

// overridden tells that Compose may read more files than this one. Where they
// lie is not looked at: what is found is all that joins the key of a result.
func overridden(src engine.Source) bool {
	for _, in := range src.Inputs {
		if path.Base(in.Path) != ".env" || strings.Contains(string(in.Text), "COMPOSE_FILE") {
			return true
		}
	}
	return false
}

func (s *shape) field(name string) *shape {
	for i := range s.fields {
		if s.fields[i].name == name {
			return s.fields[i].shape
		}
	}
	return nil
}

// check holds a node against a shape; where names it, as in services.a.ports.
func (f *file) check(n *yamlevent.Node, s *shape, where string) {
	if n == nil || f.seen[seen{n, s}] || tagged(n) {
		return
	}
	f.seen[seen{n, s}] = true
	k := kindOf(n)
	if k&s.kinds == 0 {
		f.wrongType(n, s, where)
		return
	}
	switch n.Kind {
	case yamlevent.MappingStart:
		f.checkMap(n, s, where)
	case yamlevent.SequenceStart:
		if s.items != nil {
			for _, i := range n.Items {
				f.check(i.Follow(), s.items, where+"[]")
			}
		}
		if s.unique {
			f.checkUnique(n, where)
		}
	case yamlevent.Scalar:
		if at, bad := badVariable(n.Value); bad {
			f.variable(n, at, where)
		} else if len(s.enum) > 0 && k == isString && !slices.Contains(s.enum, n.Value) {
			f.report(n, codeBadValue, diag.Error, fmt.Sprintf("%s is %q", where, short(n.Value)), "It is one of "+strings.Join(s.enum, ", ")+".")
		}
	}
}

func (f *file) checkMap(n *yamlevent.Node, s *shape, where string) {
	if s == anything || s.open && s.fields == nil {
		f.checkVariables(n, where)
		return
	}
	for _, e := range f.entries(n) {
		at := strings.TrimPrefix(where+"."+e.name, ".")
		if sub := s.field(e.name); sub != nil {
			f.check(e.value, sub, at)
			continue
		}
		switch own := strings.HasPrefix(e.name, "x-") && s.fields != nil; {
		case own:
		case s.values != nil:
			f.checkName(e, s, at)
			f.check(e.value, s.values, at)
		case s.open:
			f.checkVariables(e.value, at)
		case e.value == nil || !tagged(e.value):
			f.unknown(e, s, where)
		}
	}
	for _, key := range s.need {
		if f.whole && f.get(n, key) == nil {
			f.report(n, codeMissingKey, diag.Error, fmt.Sprintf("%s has no %s", where, key), "")
		}
	}
}

// checkVariables looks for variables only.
func (f *file) checkVariables(n *yamlevent.Node, where string) {
	if n == nil || f.seen[seen{n, anything}] {
		return
	}
	f.seen[seen{n, anything}] = true
	if n.Kind == yamlevent.Scalar {
		if at, bad := badVariable(n.Value); bad {
			f.variable(n, at, where)
		}
	}
	for i, c := range n.Items {
		if n.Kind == yamlevent.SequenceStart || i%2 == 1 {
			f.checkVariables(c.Follow(), where)
		}
	}
}

// checkName looks at the names a file gives to services, networks and so on.
func (f *file) checkName(e entry, s *shape, where string) {
	switch s.values {
	case service, network, volume, secret, config, model:
	default:
		return
	}
	if strings.Trim(e.name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != "" || e.name == "" {
		f.report(e.key, codeBadName, diag.Error, fmt.Sprintf("%s is no name", where), "Names are letters, digits, dots, dashes and underscores.")
	}
}

func (f *file) unknown(e entry, s *shape, where string) {
	names := make([]string, len(s.fields))
	for i := range s.fields {
		names[i] = s.fields[i].name
	}
	help := "Compose refuses it; own keys start with x-."
	if n := usererr.Nearest(e.name, names); n != "" {
		help = "Did you mean " + n + "?"
	}
	title := fmt.Sprintf("Unknown key %s", short(e.name))
	if where != "" {
		title += " in " + short(where)
	}
	f.report(e.key, codeUnknownKey, diag.Error, title, help)
}

func (f *file) wrongType(n *yamlevent.Node, s *shape, where string) {
	if where == "" {
		where = "The file"
	}
	help := ""
	if s.kinds&isString != 0 && n.Kind == yamlevent.Scalar {
		help = "Quote it."
	}
	f.report(n, codeWrongType, diag.Error, fmt.Sprintf("%s is %s, not %s", where, kindOf(n), s.kinds), help)
}

// String names kinds: "a string or a list".
func (k kind) String() string {
	var out []string
	for i, name := range [...]string{"a string", "a whole number", "a number", "true or false", "nothing", "a list", "a mapping"} {
		if k&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	if len(out) > 1 {
		return strings.Join(out[:len(out)-1], ", ") + " or " + out[len(out)-1]
	}
	return strings.Join(out, "")
}

// checkUnique reports scalars that stand twice in a list.
func (f *file) checkUnique(n *yamlevent.Node, where string) {
	first := map[string]bool{}
	for _, i := range n.Items {
		v := i.Follow()
		if v == nil || v.Kind != yamlevent.Scalar {
			continue
		}
		id := fmt.Sprint(kindOf(v)) + v.Value
		if first[id] {
			f.report(i, codeDuplicate, diag.Error, fmt.Sprintf("%s stands twice in %s", short(v.Value), short(where)), "")
		}
		first[id] = true
	}
}

func (f *file) variable(n *yamlevent.Node, at int, where string) {
	word := n.Value[at:]
	if i := strings.IndexAny(word, "} \n"); i >= 0 {
		word = word[:i+1]
	}
	f.report(n, codeVariable, diag.Error, fmt.Sprintf("%s: %q is no variable", short(where), short(strings.TrimSpace(word))),
		"Compose replaces variables before anything else reads the text; write $$ for a dollar sign.")
}

// report tells about a node, once.
func (f *file) report(n *yamlevent.Node, code string, sev diag.Severity, title, help string) {
	t := told{start: n.Start, code: code}
	if code == codeMissingKey { // there may be several in one place
		t.title = title
	}
	if f.told[t] {
		return
	}
	f.told[t] = true
	start, end := n.Start, n.End
	if n.Kind == yamlevent.MappingStart || n.Kind == yamlevent.SequenceStart || n.Style == yamlevent.Lit || n.Style == yamlevent.Fold {
		end = start
		for end < len(f.text) && f.text[end] != '\n' && f.text[end] != '\r' {
			end++
		}
	}
	f.out = append(f.out, diag.Diagnostic{
		Engine: name, Code: code, Severity: sev, Title: oneLine(title), Description: help,
		Span: &diag.Span{Start: start, End: end},
	})
}

// oneLine makes a title of text that may hold anything.
func oneLine(s string) string {
	const most = 200
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// short bounds a word that is quoted in a title.
func short(s string) string {
	if len(s) > 60 {
		s = s[:60] + "…"
	}
	return s
}
