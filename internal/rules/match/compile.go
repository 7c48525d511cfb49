package match

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"poly/internal/rules/rustre"
	"poly/internal/syntax"
)

// Compiler turns YAML into rules. It is used by one goroutine. Close it.
type Compiler struct {
	parser    *syntax.Parser
	globals   *Globals
	relations []*relation // to be sealed
	nodes     int         // of YAML that were looked at in this document
	depth     int
	passed    []*Error // keys that have no effect
}

// NewCompiler returns a compiler.
func NewCompiler() *Compiler {
	return &Compiler{parser: &syntax.Parser{}, globals: &Globals{rules: map[string]*global{}}}
}

// Close releases the parser.
func (c *Compiler) Close() { c.parser.Close() }

// maxNesting bounds how deep a rule nests.
const maxNesting = 500

// seal ends the compilation of a document.
func (c *Compiler) seal() {
	for _, r := range c.relations {
		r.seal()
	}
	c.relations = c.relations[:0]
}

// ruleKeys are the keys of a rule, in the order in which they are matched.
func ruleKeys() []string {
	return []string{"pattern", "kind", "regex", "nthChild", "range", "all", "any", "not", "matches", "inside", "has", "precedes", "follows"}
}

// rule compiles a rule object.
func (c *Compiler) rule(s *scope, n *yaml.Node, extra ...string) (rule, error) {
	if c.depth++; c.depth > maxNesting {
		return nil, errorAt(n, "the rule nests too deep")
	}
	defer func() { c.depth-- }()
	keys := ruleKeys()
	read := c.closed
	if len(extra) > 0 {
		read = c.open
	}
	fields, err := read(n, "a rule", append(keys, extra...)...)
	if err != nil {
		return nil, err
	}
	var rules []rule
	for _, key := range keys {
		v, ok := fields[key]
		if !ok {
			continue
		}
		if null(v) {
			return nil, errorAt(v, "%s has no value", key)
		}
		r, err := c.part(s, key, v)
		if err != nil {
			return nil, placed(v, err)
		}
		rules = append(rules, r)
	}
	switch len(rules) {
	case 0:
		return nil, errorAt(n, "a rule needs one of %s", strings.Join(keys, ", "))
	case 1:
		return rules[0], nil
	}
	return newAll(rules), nil
}

// part compiles the value of one key of a rule.
func (c *Compiler) part(s *scope, key string, v *yaml.Node) (rule, error) {
	switch key {
	case "pattern":
		return c.pattern(s, v)
	case "kind":
		t, err := text(v, key)
		if err != nil {
			return nil, err
		}
		return c.kindRule(s.lang, t)
	case "regex":
		t, err := text(v, key)
		if err != nil {
			return nil, err
		}
		re, err := rustre.Compile(t)
		if err != nil {
			return nil, fmt.Errorf("regex %q: %w", t, err)
		}
		return &regexRule{re: re}, nil
	case "nthChild":
		return c.nth(s, v)
	case "range":
		return c.rangeOf(v)
	case "all", "any":
		return c.composite(s, key, v)
	case "not":
		inner, err := c.rule(s, v)
		return &notRule{inner}, err
	case "matches":
		return c.matches(s, v)
	}
	return c.relation(s, key, v)
}

func (c *Compiler) composite(s *scope, key string, v *yaml.Node) (rule, error) {
	list, err := c.items(v, key)
	if err != nil {
		return nil, err
	}
	rules := make([]rule, len(list))
	for i := range list {
		if rules[i], err = c.rule(s, list[i]); err != nil {
			return nil, err
		}
	}
	if key == "any" {
		return newAny(rules), nil
	}
	return newAll(rules), nil
}

func (c *Compiler) pattern(s *scope, v *yaml.Node) (rule, error) {
	if v.Kind == yaml.ScalarNode {
		t, err := text(v, "pattern")
		if err != nil {
			return nil, err
		}
		return c.newPattern(s.lang, t, "", smart)
	}
	fields, err := c.closed(v, "pattern", "context", "selector", "strictness")
	if err != nil {
		return nil, err
	}
	if null(fields["context"]) {
		return nil, errorAt(v, "pattern needs a context")
	}
	context, err := text(fields["context"], "context")
	if err != nil {
		return nil, err
	}
	selector, strict := "", smart
	if f := fields["selector"]; !null(f) {
		if selector, err = text(f, "selector"); err != nil {
			return nil, err
		}
	}
	if f := fields["strictness"]; !null(f) {
		name, err := text(f, "strictness")
		if err != nil {
			return nil, err
		}
		var ok bool
		if strict, ok = parseStrictness(name); !ok {
			return nil, errorAt(f, "strictness %q is none of cst, smart, ast, relaxed, signature and template", name)
		}
	}
	return c.newPattern(s.lang, context, selector, strict)
}

func (c *Compiler) nth(s *scope, v *yaml.Node) (rule, error) {
	r := &nthRule{}
	position := v
	if v.Kind == yaml.MappingNode {
		fields, err := c.open(v, "nthChild", "position", "ofRule", "reverse")
		if err != nil {
			return nil, err
		}
		if f := fields["ofRule"]; !null(f) {
			if r.of, err = c.rule(s, f); err != nil {
				return nil, err
			}
		}
		if f := fields["reverse"]; f != nil {
			if r.reverse, err = truth(f, "reverse"); err != nil {
				return nil, err
			}
		}
		if position = fields["position"]; null(position) {
			return nil, errorAt(v, "nthChild needs a position")
		}
	}
	var err error
	if position.Kind == yaml.ScalarNode && position.ShortTag() == "!!int" {
		if r.offset, err = whole(position, "nthChild"); err == nil && r.offset < 0 {
			err = errorAt(position, "nthChild must not be negative")
		}
		return r, err
	}
	t, err := text(position, "nthChild")
	if err != nil {
		return nil, err
	}
	r.step, r.offset, err = parseNth(t)
	return r, err
}

func (c *Compiler) rangeOf(v *yaml.Node) (rule, error) {
	fields, err := c.open(v, "range", "start", "end")
	if err != nil {
		return nil, err
	}
	var at [2][2]int
	for i, key := range [...]string{"start", "end"} {
		if null(fields[key]) {
			return nil, errorAt(v, "range needs a start and an end")
		}
		pos, err := c.open(fields[key], key, "line", "column")
		if err != nil {
			return nil, err
		}
		if null(pos["line"]) {
			return nil, errorAt(fields[key], "%s needs a line", key)
		}
		at[i][1] = -1
		for j, name := range [...]string{"line", "column"} {
			if f := pos[name]; !null(f) {
				if at[i][j], err = whole(f, name); err != nil {
					return nil, err
				}
				if at[i][j] < 0 {
					return nil, errorAt(f, "%s must not be negative", name)
				}
			}
		}
	}
	r := &rangeRule{startLine: at[0][0], startCol: at[0][1], endLine: at[1][0], endCol: at[1][1]}
	if r.startLine > r.endLine || r.startLine == r.endLine && r.startCol > r.endCol {
		return nil, errorAt(v, "the range ends before it starts")
	}
	return r, nil
}

// relation compiles inside, has, precedes and follows.
func (c *Compiler) relation(s *scope, key string, v *yaml.Node) (rule, error) {
	r := &relation{dir: map[string]direction{"inside": inside, "has": has, "follows": follows, "precedes": precedes}[key]}
	var err error
	if r.inner, err = c.rule(s, v, "stopBy", "field"); err != nil {
		return nil, err
	}
	list, err := c.fields(v, key)
	if err != nil {
		return nil, err
	}
	for _, f := range list {
		switch {
		case f.key == "stopBy" && !null(f.value):
			if r.reach, r.stop, err = c.stopBy(s, f.value); err != nil {
				return nil, err
			}
		case f.key == "field" && !null(f.value):
			name, err := text(f.value, "field")
			if err != nil {
				return nil, err
			}
			if r.dir == follows || r.dir == precedes {
				return nil, errorAt(f.name, "field is for has and inside only")
			}
			if r.field, _ = s.lang.Field(name); r.field == 0 {
				return nil, errorAt(f.value, "%s has no field %s", s.lang.Name, name)
			}
		}
	}
	c.relations = append(c.relations, r)
	return r, nil
}

func (c *Compiler) stopBy(s *scope, v *yaml.Node) (reach, rule, error) {
	if v.Kind == yaml.MappingNode {
		stop, err := c.rule(s, v)
		return toRule, stop, err
	}
	switch t, err := text(v, "stopBy"); {
	case err != nil:
		return 0, nil, err
	case t == "neighbor":
		return neighbor, nil, nil
	case t == "end":
		return toEnd, nil, nil
	default:
		return 0, nil, errorAt(v, "stopBy %q is neither neighbor nor end nor a rule", t)
	}
}
