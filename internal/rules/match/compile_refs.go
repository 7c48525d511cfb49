package match

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// matches compiles the rule matches: an id, or calls with arguments.
func (c *Compiler) matches(s *scope, v *yaml.Node) (rule, error) {
	if v.Kind != yaml.MappingNode {
		id, err := text(v, "matches")
		if err != nil {
			return nil, err
		}
		if slices.Contains(s.params, id) {
			return &param{name: id}, nil
		}
		return &ref{scope: s, id: id}, nil
	}
	list, err := c.fields(v, "matches")
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, errorAt(v, "matches calls nothing")
	}
	slices.SortFunc(list, func(a, b field) int { return strings.Compare(a.key, b.key) })
	rules := make([]rule, len(list))
	for i, f := range list {
		if rules[i], err = c.call(s, f); err != nil {
			return nil, err
		}
	}
	if len(rules) == 1 {
		return rules[0], nil
	}
	return newAll(rules), nil
}

func (c *Compiler) call(s *scope, f field) (rule, error) {
	if slices.Contains(s.params, f.key) {
		return nil, errorAt(f.name, "argument %s cannot be called", f.key)
	}
	g := s.globals.find(f.key)
	switch {
	case g != nil && len(g.params) > 0:
	case g != nil || s.local[f.key] != nil:
		return nil, errorAt(f.name, "utility %s takes no arguments", f.key)
	default:
		return nil, errorAt(f.name, "utility %s is not defined", f.key)
	}
	args, err := c.fields(f.value, "the arguments of "+f.key)
	if err != nil {
		return nil, err
	}
	r := &call{scope: s, id: f.key, args: map[string]rule{}}
	for _, a := range args {
		if !slices.Contains(g.params, a.key) {
			return nil, errorAt(a.name, "utility %s has no argument %s", f.key, a.key)
		}
		arg, err := c.rule(s, a.value)
		if err != nil {
			return nil, err
		}
		if arg.refers(f.key) {
			return nil, errorAt(a.name, "utility %s refers to itself", f.key)
		}
		r.args[a.key] = arg
		arg.vars(func(name string) {
			if !slices.Contains(r.names, name) {
				r.names = append(r.names, name)
			}
		})
	}
	for _, p := range g.params {
		if r.args[p] == nil {
			return nil, errorAt(f.value, "argument %s of utility %s is missing", p, f.key)
		}
	}
	return r, nil
}

// utilName checks the id of a utility or of an argument.
func utilName(n *yaml.Node, name string) error {
	if name == "" || strings.ContainsAny(name, "(),=") {
		return errorAt(n, "utility %q: a name holds none of ( ) , =", name)
	}
	return nil
}

// utils compiles the utilities of a document, those first that others need.
func (c *Compiler) utils(s *scope, v *yaml.Node) error {
	list, err := c.fields(v, "utils")
	if err != nil {
		return err
	}
	nodes := map[string]*yaml.Node{}
	for _, f := range list {
		if err := utilName(f.name, f.key); err != nil {
			return err
		}
		if s.local[f.key] != nil {
			return errorAt(f.name, "utility %s is defined twice", f.key)
		}
		nodes[f.key] = f.value
	}
	order, err := c.sorted(nodes, nil)
	if err != nil {
		return err
	}
	for _, id := range order {
		r, err := c.rule(s, nodes[id])
		if err != nil {
			return err
		}
		s.local[id] = r
		if r.refers(id) {
			return errorAt(nodes[id], "utility %s refers to itself", id)
		}
	}
	return nil
}

// sorted orders rules by what they need at the same node. params are names that
// stand for arguments, by rule.
func (c *Compiler) sorted(rules map[string]*yaml.Node, params map[string][]string) ([]string, error) {
	var order []string
	state := map[string]int{} // 1: under way, 2: done
	var visit func(id string) error
	visit = func(id string) error {
		n := rules[id]
		if n == nil || state[id] == 2 {
			return nil
		}
		if state[id] == 1 {
			return errorAt(n, "utility %s refers to itself", id)
		}
		state[id] = 1
		err := c.needed(n, func(other string) error {
			if slices.Contains(params[id], other) {
				return nil
			}
			return visit(other)
		}, 0)
		state[id] = 2
		order = append(order, id)
		return err
	}
	for _, id := range sortedKeys(rules) {
		if err := visit(id); err != nil {
			return nil, err
		}
	}
	return order, nil
}

// needed hands on the ids of the utilities that a rule needs at the same node.
func (c *Compiler) needed(n *yaml.Node, use func(string) error, depth int) error {
	n = c.deref(n)
	if depth > maxNesting {
		return errorAt(n, "the rule nests too deep")
	}
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if err := c.neededPart(n.Content[i].Value, c.deref(n.Content[i+1]), use, depth); err != nil {
			return err
		}
	}
	return nil
}

// neededPart does that for one key of a rule, or of the document at depth 0.
func (c *Compiler) neededPart(key string, v *yaml.Node, use func(string) error, depth int) error {
	var subs []*yaml.Node
	switch {
	case key == "matches":
		return c.neededCalls(v, use, depth)
	case key == "all" || key == "any":
		subs = v.Content
	case key == "not" || key == "rule" && depth == 0:
		subs = []*yaml.Node{v}
	case (key == "constraints" || key == "utils") && depth == 0:
		for j := 1; j < len(v.Content); j += 2 {
			subs = append(subs, v.Content[j])
		}
	}
	for _, sub := range subs {
		if err := c.needed(sub, use, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (c *Compiler) neededCalls(v *yaml.Node, use func(string) error, depth int) error {
	if v.Kind == yaml.ScalarNode {
		return use(v.Value)
	}
	for i := 0; v.Kind == yaml.MappingNode && i+1 < len(v.Content); i += 2 {
		if err := use(v.Content[i].Value); err != nil {
			return err
		}
		args := c.deref(v.Content[i+1])
		for j := 1; args.Kind == yaml.MappingNode && j < len(args.Content); j += 2 {
			if err := c.needed(args.Content[j], use, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// coreOf compiles rule, utils, constraints and transform.
func (c *Compiler) coreOf(s *scope, n *yaml.Node, fields map[string]*yaml.Node) (*core, error) {
	if f := fields["utils"]; !null(f) {
		if err := c.utils(s, f); err != nil {
			return nil, err
		}
	}
	if null(fields["rule"]) {
		return nil, errorAt(n, "rule is missing")
	}
	k := &core{scope: s}
	var err error
	if k.rule, err = c.rule(s, fields["rule"]); err != nil {
		return nil, err
	}
	if f := fields["constraints"]; !null(f) {
		list, err := c.fields(f, "constraints")
		if err != nil {
			return nil, err
		}
		for _, x := range list {
			r, err := c.rule(s, x.value)
			if err != nil {
				return nil, err
			}
			k.constraints = append(k.constraints, constraint{x.key, r})
		}
	}
	if f := fields["transform"]; !null(f) {
		if k.transforms, err = c.transforms(s, f); err != nil {
			return nil, err
		}
	}
	k.known = k.rule.kinds()
	return k, c.checkCore(k, fields)
}

// checkCore checks that what constraints and transforms use is bound.
func (c *Compiler) checkCore(k *core, fields map[string]*yaml.Node) error {
	seen := map[string]bool{}
	if err := k.rule.check(seen); err != nil && !k.scope.global {
		return placed(fields["rule"], err)
	}
	for i := range k.constraints {
		if err := k.constraints[i].rule.check(seen); err != nil && !k.scope.global {
			return placed(fields["constraints"], err)
		}
	}
	vars := k.defined(false)
	for i := range k.constraints {
		if name := k.constraints[i].name; !vars[name] {
			return errorAt(fields["constraints"], "constraints: $%s is not defined", name)
		}
	}
	for i := range k.transforms {
		t := &k.transforms[i]
		if vars[t.name] {
			return errorAt(fields["transform"], "transform: $%s is defined twice", t.name)
		}
		vars[t.name] = true
	}
	for i := range k.transforms {
		if t := &k.transforms[i]; !vars[t.source.name] {
			return errorAt(fields["transform"], "transform: $%s is not defined", t.source.name)
		}
	}
	return nil
}

// defined returns the names of the variables that may be bound, with those of
// transforms if all are asked for.
func (c *core) defined(all bool) map[string]bool {
	out := map[string]bool{}
	c.vars(func(name string) { out[name] = true })
	for i := range c.transforms {
		if all {
			out[c.transforms[i].name] = true
		}
	}
	return out
}

// pendingGlobal is a utility for all rules that is not compiled yet.
type pendingGlobal struct {
	node   *yaml.Node
	fields map[string]*yaml.Node
	lang   *Language
	params []string
}

// AddGlobals compiles utilities for all rules, one a document. It returns the
// error of each, nil for those that were added; the others do without.
func (c *Compiler) AddGlobals(docs []*yaml.Node) []error {
	errs := make([]error, len(docs))
	pending := map[string]*pendingGlobal{}
	index := map[string]int{}
	nodes, params := map[string]*yaml.Node{}, map[string][]string{}
	for i, n := range docs {
		id, p, err := c.globalHead(n)
		if err == nil && pending[id] != nil {
			err = errorAt(n, "utility %s is defined twice", id)
		}
		if err != nil {
			errs[i] = err
			continue
		}
		pending[id], index[id], nodes[id], params[id] = p, i, p.node, p.params
	}
	order, err := c.sorted(nodes, params)
	if err != nil {
		for id := range pending {
			errs[index[id]] = err
		}
		return errs
	}
	for _, id := range order {
		p := pending[id]
		s := &scope{lang: p.lang, local: map[string]rule{}, globals: c.globals, params: p.params, global: true}
		k, err := c.coreOf(s, p.node, p.fields)
		c.seal()
		if err != nil {
			errs[index[id]] = err
			continue
		}
		c.globals.rules[id] = &global{p.params, k}
	}
	return errs
}

func (c *Compiler) globalHead(n *yaml.Node) (id string, p *pendingGlobal, err error) {
	c.nodes = 0
	n = c.deref(n)
	fields, err := c.closed(n, "a utility", "id", "language", "arguments", "rule", "constraints", "utils", "transform")
	if err != nil {
		return "", nil, err
	}
	if null(fields["id"]) || null(fields["language"]) {
		return "", nil, errorAt(n, "a utility needs an id and a language")
	}
	if id, err = text(fields["id"], "id"); err != nil {
		return "", nil, err
	}
	if err := utilName(fields["id"], id); err != nil {
		return "", nil, err
	}
	p = &pendingGlobal{node: n, fields: fields}
	if p.lang, err = language(fields["language"]); err != nil {
		return "", nil, err
	}
	if f := fields["arguments"]; !null(f) {
		if p.params, err = c.texts(f, "arguments"); err != nil {
			return "", nil, err
		}
		for i, name := range p.params {
			if err := utilName(f, name); err != nil {
				return "", nil, err
			}
			if slices.Contains(p.params[:i], name) {
				return "", nil, errorAt(f, "argument %s is declared twice", name)
			}
		}
	}
	return id, p, nil
}

// UnbuiltError is a rule for a language whose grammar is not part of the binary.
type UnbuiltError struct{ Language string }

func (e *UnbuiltError) Error() string {
	return fmt.Sprintf("the grammar of %s is not built in: run make engines", e.Language)
}

// language reads the name of a language.
func language(n *yaml.Node) (*Language, error) {
	name, err := text(n, "language")
	if err != nil {
		return nil, err
	}
	l, ok := Find(name)
	if !ok {
		return nil, errorAt(n, "unknown language %q", name)
	}
	if !l.Built() {
		return nil, &UnbuiltError{l.Name}
	}
	return l, nil
}
