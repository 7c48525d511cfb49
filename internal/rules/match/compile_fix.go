package match

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"poly/internal/rules/rustre"
)

// transforms compiles the key transform, those first that others read.
func (c *Compiler) transforms(s *scope, v *yaml.Node) ([]transform, error) {
	list, err := c.fields(v, "transform")
	if err != nil {
		return nil, err
	}
	all := map[string]*transform{}
	for _, f := range list {
		t, err := c.transform(s, f)
		if err != nil {
			return nil, placed(f.value, err)
		}
		all[f.key] = t
	}
	var out []transform
	state := map[string]int{}
	var visit func(name string) bool
	visit = func(name string) bool {
		t := all[name]
		if t == nil || state[name] == 2 {
			return true
		}
		if state[name] == 1 {
			return false
		}
		state[name] = 1
		ok := visit(t.source.name)
		state[name] = 2
		out = append(out, *t)
		return ok
	}
	for _, f := range list {
		if !visit(f.key) {
			return nil, errorAt(f.value, "transform %s needs itself", f.key)
		}
	}
	return out, nil
}

// transform compiles one entry: an object with one key, or a call as text.
func (c *Compiler) transform(s *scope, f field) (*transform, error) {
	var kind string
	var args map[string]*yaml.Node
	if f.value.Kind == yaml.ScalarNode {
		t, err := text(f.value, "transform")
		if err != nil {
			return nil, err
		}
		if kind, args, err = parseCall(t); err != nil {
			return nil, err
		}
	} else {
		list, err := c.fields(f.value, "transform")
		if err != nil {
			return nil, err
		}
		if len(list) != 1 {
			return nil, errorAt(f.value, "a transform has one of replace, substring, convert and rewrite")
		}
		kind = list[0].key
		if args, err = c.closed(list[0].value, kind, append(transformKeys(kind), "source")...); err != nil {
			return nil, err
		}
	}
	keys := transformKeys(kind)
	if keys == nil {
		return nil, fmt.Errorf("%q is none of replace, substring, convert and rewrite", kind)
	}
	for _, k := range sortedKeys(args) {
		if k != "source" && !slices.Contains(keys, k) {
			return nil, fmt.Errorf("%s has no argument %s", kind, k)
		}
	}
	if null(args["source"]) {
		return nil, fmt.Errorf("%s needs a source", kind)
	}
	source, err := text(args["source"], "source")
	if err != nil {
		return nil, err
	}
	v, ok := s.lang.metavar(s.lang.rewrite(source))
	if !ok || v.name == "" {
		return nil, fmt.Errorf("source %q is no variable", source)
	}
	t := &transform{name: f.key, source: v}
	return t, c.operation(t, kind, args)
}

func transformKeys(kind string) []string {
	switch kind {
	case "replace":
		return []string{"replace", "by"}
	case "substring":
		return []string{"startChar", "endChar"}
	case "convert":
		return []string{"toCase", "separatedBy"}
	case "rewrite":
		return []string{"rewriters", "joinBy"}
	}
	return nil
}

// operation sets what a transform does.
func (c *Compiler) operation(t *transform, kind string, args map[string]*yaml.Node) error {
	for _, k := range map[string][]string{"replace": {"replace", "by"}, "convert": {"toCase"}, "rewrite": {"rewriters"}}[kind] {
		if null(args[k]) {
			return fmt.Errorf("%s needs %s", kind, k)
		}
	}
	switch kind {
	case "replace":
		return c.replaceOp(t, args)
	case "substring":
		var at [2]*int
		for i, k := range transformKeys(kind) {
			if !null(args[k]) {
				n, err := whole(args[k], k)
				if err != nil {
					return err
				}
				at[i] = &n
			}
		}
		t.apply = textual(substring(at[0], at[1]))
	case "convert":
		return c.convertOp(t, args)
	case "rewrite":
		ids, err := c.texts(args["rewriters"], "rewriters")
		if err != nil {
			return err
		}
		var joiner *string
		if !null(args["joinBy"]) {
			j, err := text(args["joinBy"], "joinBy")
			if err != nil {
				return err
			}
			joiner = &j
		}
		t.rewriters, t.apply = ids, rewrite(ids, joiner)
	}
	return nil
}

func (c *Compiler) replaceOp(t *transform, args map[string]*yaml.Node) error {
	expr, err := text(args["replace"], "replace")
	if err != nil {
		return err
	}
	by, err := text(args["by"], "by")
	if err != nil {
		return err
	}
	re, err := rustre.Compile(expr)
	if err != nil {
		return fmt.Errorf("replace %q: %w", expr, err)
	}
	t.apply = textual(replace(re, by))
	return nil
}

func (c *Compiler) convertOp(t *transform, args map[string]*yaml.Node) error {
	name, err := text(args["toCase"], "toCase")
	if err != nil {
		return err
	}
	var seps []separator
	if !null(args["separatedBy"]) {
		names, err := c.texts(args["separatedBy"], "separatedBy")
		if err != nil {
			return err
		}
		seps = []separator{}
		for _, n := range names {
			sep, ok := separators()[n]
			if !ok {
				return fmt.Errorf("separatedBy has no %q", n)
			}
			seps = append(seps, sep)
		}
	}
	f := convert(name, seps)
	if f == nil {
		return fmt.Errorf("toCase has no %q", name)
	}
	t.apply = textual(f)
	return nil
}

// parseCall reads a transform that is written as a call:
// replace($A, replace='x', by='y').
func parseCall(in string) (kind string, args map[string]*yaml.Node, err error) {
	bad := fmt.Errorf("transform %q is no call", in)
	kind, rest, ok := strings.Cut(strings.TrimSpace(in), "(")
	if !ok {
		return "", nil, bad
	}
	source, rest, ok := strings.Cut(strings.TrimRight(rest, ")"), ",")
	if !ok {
		return "", nil, bad
	}
	args = map[string]*yaml.Node{"source": {Kind: yaml.ScalarNode, Tag: "!!str", Value: strings.TrimSpace(source)}}
	for rest = strings.TrimSpace(rest); rest != ""; {
		key, value, ok := strings.Cut(rest, "=")
		value = strings.TrimLeft(value, " \t\n")
		if !ok || value == "" {
			return "", nil, bad
		}
		end := strings.IndexByte(value, ',')
		if end < 0 {
			end = len(value)
		}
		if i := strings.IndexByte(`'"[`, value[0]); i >= 0 {
			if end = strings.IndexByte(value[1:], `'"]`[i]); end < 0 {
				return "", nil, bad
			}
			end += 2
		}
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(value[:end]), &doc); err != nil || len(doc.Content) != 1 {
			return "", nil, bad
		}
		args[strings.TrimSpace(key)] = doc.Content[0]
		rest = strings.TrimSpace(strings.TrimLeft(strings.TrimLeft(value[end:], " \t\n"), ","))
	}
	return strings.TrimSpace(kind), args, nil
}

// fixers compiles the key fix: a template, an object, or a list of objects.
func (c *Compiler) fixers(s *scope, v *yaml.Node) ([]*fixer, error) {
	switch v.Kind {
	case yaml.ScalarNode:
		t, err := text(v, "fix")
		if err != nil {
			return nil, err
		}
		return []*fixer{{template: newTemplate(t)}}, nil
	case yaml.MappingNode:
		f, err := c.fixer(s, v)
		return []*fixer{f}, err
	}
	list, err := c.items(v, "fix")
	if err != nil {
		return nil, err
	}
	var out []*fixer
	for _, n := range list {
		f, err := c.fixer(s, n)
		if err != nil {
			return nil, err
		}
		if f.title == "" {
			return nil, errorAt(n, "a fix in a list needs a title")
		}
		out = append(out, f)
	}
	return out, nil
}

func (c *Compiler) fixer(s *scope, v *yaml.Node) (*fixer, error) {
	fields, err := c.open(v, "fix", "template", "expandStart", "expandEnd", "title")
	if err != nil {
		return nil, err
	}
	if null(fields["template"]) {
		return nil, errorAt(v, "fix needs a template")
	}
	t, err := text(fields["template"], "template")
	if err != nil {
		return nil, err
	}
	f := &fixer{template: newTemplate(t)}
	if x := fields["title"]; !null(x) {
		if f.title, err = text(x, "title"); err != nil {
			return nil, err
		}
	}
	if f.start, err = c.expansion(s, fields["expandStart"]); err != nil {
		return nil, err
	}
	f.end, err = c.expansion(s, fields["expandEnd"])
	return f, err
}

func (c *Compiler) expansion(s *scope, v *yaml.Node) (*expansion, error) {
	if null(v) {
		return nil, nil //nolint:nilnil // no expansion is no error
	}
	inner, err := c.rule(s, v, "stopBy", "field")
	if err != nil {
		return nil, err
	}
	x := &expansion{inner: inner}
	list, err := c.fields(v, "an expansion")
	if err != nil {
		return nil, err
	}
	for _, f := range list {
		if f.key == "stopBy" && !null(f.value) {
			if x.reach, x.stop, err = c.stopBy(s, f.value); err != nil {
				return nil, err
			}
		}
	}
	return x, nil
}

// checkFix checks that the variables of a template are bound.
func checkFix(v *yaml.Node, t *fixTemplate, vars map[string]bool) error {
	for i := range t.vars {
		if !vars[t.vars[i].name] {
			return errorAt(v, "fix: $%s is not defined", t.vars[i].name)
		}
	}
	return nil
}
