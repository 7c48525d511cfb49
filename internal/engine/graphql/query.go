package graphql

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// operations looks at operations and fragments.
func (l *linter) operations(doc *ast.QueryDocument) {
	q := &queries{linter: l, fragments: map[string]*fragment{}}
	names := seen{}
	for _, f := range doc.Fragments {
		if first := names.twice(f.Name, f.Position); first != nil {
			l.name(codeFragments, f.Position, f.Name, "Fragment %q is defined already, on line %d", f.Name, l.line(first))
			continue
		}
		q.fragments[f.Name] = &fragment{FragmentDefinition: f, parts: q.collect(f.SelectionSet, f.Directives, f.VariableDefinition)}
		q.order = append(q.order, f.Name)
	}
	q.cycles()
	names = seen{}
	for _, o := range doc.Operations {
		if o.Name == "" {
			if len(doc.Operations) > 1 {
				l.put(codeAnonymous, l.offset(o.Position), l.offset(o.Position)+1, "An operation without a name must be the only one")
			}
		} else if first := names.twice(o.Name, o.Position); first != nil {
			l.name(codeOperations, o.Position, o.Name, "Operation %q is defined already, on line %d", o.Name, l.line(first))
		}
		q.operation(o)
	}
	if len(doc.Operations) > 0 {
		q.unused()
	}
}

// queries knows the fragments of a file.
type queries struct {
	*linter
	fragments map[string]*fragment
	order     []string
}

// parts are the names that selections use, in order.
type parts struct {
	variables []use
	spreads   []use
}

type use struct {
	name string
	at   *ast.Position
}

type fragment struct {
	*ast.FragmentDefinition
	parts parts
	used  bool
}

// collector gathers the names of selections.
type collector struct {
	*linter
	parts
	own map[string]bool // variables of a fragment, which are no operation's
}

func (q *queries) collect(s ast.SelectionSet, d ast.DirectiveList, own ast.VariableDefinitionList) parts {
	c := &collector{linter: q.linter, own: map[string]bool{}}
	for _, v := range own {
		c.own[v.Variable] = true
	}
	c.directives(d)
	c.selections(s)
	return c.parts
}

func (c *collector) selections(set ast.SelectionSet) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			c.arguments(s.Arguments)
			c.directives(s.Directives)
			c.selections(s.SelectionSet)
		case *ast.InlineFragment:
			c.directives(s.Directives)
			c.selections(s.SelectionSet)
		case *ast.FragmentSpread:
			c.directives(s.Directives)
			c.spreads = append(c.spreads, use{s.Name, s.Position})
		}
	}
}

func (c *collector) directives(list ast.DirectiveList) {
	names := seen{}
	for _, d := range list {
		switch d.Name {
		case "skip", "include":
			if names.twice(d.Name, d.Position) != nil {
				c.linter.name(codeDirectiveTwice, d.Position, d.Name, "Directive %q stands here twice", "@"+d.Name)
			}
		}
		c.arguments(d.Arguments)
	}
}

func (c *collector) arguments(list ast.ArgumentList) {
	names := seen{}
	for _, a := range list {
		if first := names.twice(a.Name, a.Position); first != nil {
			c.linter.name(codeArguments, a.Position, a.Name, "Argument %q is given already, on line %d", a.Name, c.line(first))
		}
		c.value(a.Value)
	}
}

func (c *collector) value(v *ast.Value) {
	if v == nil {
		return
	}
	if v.Kind == ast.Variable && !c.own[v.Raw] {
		c.variables = append(c.variables, use{v.Raw, v.Position})
	}
	names := seen{}
	for _, child := range v.Children {
		if v.Kind == ast.ObjectValue {
			if first := names.twice(child.Name, child.Position); first != nil {
				c.linter.name(codeInputFields, child.Position, child.Name, "Field %q is given already, on line %d", child.Name, c.line(first))
			}
		}
		c.value(child.Value)
	}
}

// operation checks the variables of one operation.
func (q *queries) operation(o *ast.OperationDefinition) {
	declared, used := seen{}, map[string]bool{}
	for _, v := range o.VariableDefinitions {
		if first := declared.twice(v.Variable, v.Position); first != nil {
			q.name(codeVariables, v.Position, v.Variable, "Variable %q is declared already, on line %d", "$"+v.Variable, q.line(first))
		}
	}
	what := "the query"
	if o.Name != "" {
		what = string(o.Operation) + " " + o.Name
	}
	whole := q.walk(q.collect(o.SelectionSet, o.Directives, nil), map[string]bool{}, func(u use) {
		if _, ok := declared[u.name]; !ok && !used[u.name] {
			q.name(codeUndefined, u.at, u.name, "Variable %q is not declared by %s", "$"+u.name, what)
		}
		used[u.name] = true
	})
	if !whole {
		return
	}
	for _, v := range o.VariableDefinitions {
		if !used[v.Variable] {
			used[v.Variable] = true
			q.name(codeUnusedVariables, v.Position, v.Variable, "Variable %q of %s is not used", "$"+v.Variable, what)
		}
	}
}

// walk visits the variables of parts and of the fragments they spread. It
// returns false if one of those is defined elsewhere.
func (q *queries) walk(p parts, done map[string]bool, visit func(use)) (whole bool) {
	for _, u := range p.variables {
		visit(u)
	}
	whole = true
	for _, s := range p.spreads {
		f := q.fragments[s.name]
		if f == nil {
			whole = false
			continue
		}
		f.used = true
		if !done[s.name] {
			done[s.name] = true
			whole = q.walk(f.parts, done, visit) && whole
		}
	}
	return whole
}

// unused reports fragments that no operation of the file spreads.
func (q *queries) unused() {
	for _, n := range q.order {
		if f := q.fragments[n]; !f.used {
			q.name(codeUnusedFragments, f.Position, n, "Fragment %q is not used in this file", n)
		}
	}
}

// cycles reports fragments that spread themselves.
func (q *queries) cycles() {
	done := map[string]bool{}
	var path []string
	var visit func(n string)
	visit = func(n string) {
		done[n] = true
		path = append(path, n)
		for _, s := range q.fragments[n].parts.spreads {
			if slices.Contains(path, s.name) {
				q.name(codeCycles, s.at, s.name, "Fragment %q spreads itself", s.name)
			}
			if q.fragments[s.name] != nil && !done[s.name] {
				visit(s.name)
			}
		}
		path = path[:len(path)-1]
	}
	for _, n := range q.order {
		if !done[n] {
			visit(n)
		}
	}
}
