package jsonnet

import (
	"context"
	"slices"

	"github.com/google/go-jsonnet/ast"
	upstream "github.com/google/go-jsonnet/formatter"

	"poly/internal/diag"
	"poly/internal/engine"
)

func lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	body, _ := engine.Plain(src.Text)
	if err := judgeable(body); err != nil {
		return nil, err
	}
	lines := diag.NewLines(src.Text)
	root, _, err := upstream.SnippetToRawAST("", string(body))
	if err != nil {
		at := place(err)
		return []diag.Diagnostic{{
			Engine: name, Code: codeSyntax, Severity: diag.Error, Title: reason(err), Span: span(lines, at),
		}}, nil
	}
	v := &visitor{lines: lines}
	std := &scope{vars: []*variable{{name: "std", used: true}}}
	v.visit(root, std)
	return v.out, nil
}

// span turns a place of the library's into ours. The library counts bytes of a
// line, and its last column is inside.
func span(lines *diag.Lines, at ast.LocationRange) *diag.Span {
	s := &diag.Span{Start: offset(lines, at.Begin)}
	s.End = max(s.Start, offset(lines, at.End))
	return s
}

func offset(lines *diag.Lines, at ast.Location) int {
	start := lines.Offset(at.Line, 1)
	return start + min(max(0, at.Column-1), len(lines.Line(at.Line)))
}

// scope holds the variables of one construct; those around it are above.
type scope struct {
	vars  []*variable
	above *scope
}

type variable struct {
	name ast.Identifier
	used bool
}

// visitor looks at every expression with the variables that it may use.
type visitor struct {
	lines   *diag.Lines
	out     []diag.Diagnostic
	unknown []ast.Identifier // those reported: once is enough
}

// local is a variable that has to be used.
type local struct {
	*variable
	at ast.LocationRange
}

func (v *visitor) define(s *scope, name ast.Identifier) *variable {
	x := &variable{name: name}
	s.vars = append(s.vars, x)
	return x
}

func (v *visitor) use(s *scope, n *ast.Var) {
	for ; s != nil; s = s.above {
		for _, x := range s.vars {
			if x.name == n.Id {
				x.used = true
				return
			}
		}
	}
	if slices.Contains(v.unknown, n.Id) {
		return
	}
	v.unknown = append(v.unknown, n.Id)
	v.report(codeUnknown, diag.Error, "unknown variable "+string(n.Id), n.LocRange)
}

func (v *visitor) report(code string, s diag.Severity, title string, at ast.LocationRange) {
	v.out = append(v.out, diag.Diagnostic{Engine: name, Code: code, Severity: s, Title: title, Span: span(v.lines, at)})
}

// unused reports the locals that nothing has used.
func (v *visitor) unused(locals []local) {
	for _, l := range locals {
		if l.used || l.name == "" {
			continue
		}
		at := l.at
		at.End = at.Begin
		at.End.Column += len(l.name)
		v.report(codeUnused, diag.Warning, "unused variable "+string(l.name), at)
	}
}

func (v *visitor) visitAll(s *scope, nodes ...ast.Node) {
	for _, n := range nodes {
		v.visit(n, s)
	}
}

func (v *visitor) visit(n ast.Node, s *scope) {
	switch n := n.(type) {
	case nil:
	case *ast.Var:
		v.use(s, n)
	case *ast.Local:
		v.locals(n, s)
	case *ast.Function:
		v.function(n, s)
	case *ast.Object:
		v.object(n.Fields, s)
	case *ast.ObjectComp:
		v.object(n.Fields, v.loop(&n.Spec, s))
	case *ast.ArrayComp:
		v.visit(n.Body, v.loop(&n.Spec, s))
	case *ast.Apply:
		v.visit(n.Target, s)
		for i := range n.Arguments.Positional {
			v.visit(n.Arguments.Positional[i].Expr, s)
		}
		for i := range n.Arguments.Named {
			v.visit(n.Arguments.Named[i].Arg, s)
		}
	case *ast.Array:
		for i := range n.Elements {
			v.visit(n.Elements[i].Expr, s)
		}
	default:
		v.visitAll(s, parts(n)...)
	}
}

// parts are the expressions in one that defines nothing.
func parts(n ast.Node) []ast.Node {
	switch n := n.(type) {
	case *ast.ApplyBrace:
		return []ast.Node{n.Left, n.Right}
	case *ast.Assert:
		return []ast.Node{n.Cond, n.Message, n.Rest}
	case *ast.Binary:
		return []ast.Node{n.Left, n.Right}
	case *ast.Conditional:
		return []ast.Node{n.Cond, n.BranchTrue, n.BranchFalse}
	case *ast.Error:
		return []ast.Node{n.Expr}
	case *ast.Index:
		return []ast.Node{n.Target, n.Index}
	case *ast.Slice:
		return []ast.Node{n.Target, n.BeginIndex, n.EndIndex, n.Step}
	case *ast.Parens:
		return []ast.Node{n.Inner}
	case *ast.SuperIndex:
		return []ast.Node{n.Index}
	case *ast.InSuper:
		return []ast.Node{n.Index}
	case *ast.Unary:
		return []ast.Node{n.Expr}
	}
	return nil
}

func (v *visitor) locals(n *ast.Local, s *scope) {
	inner := &scope{above: s}
	var all []local
	for i := range n.Binds {
		b := &n.Binds[i]
		all = append(all, local{v.define(inner, b.Variable), b.LocRange})
	}
	for i := range n.Binds {
		if b := &n.Binds[i]; b.Fun != nil {
			v.function(b.Fun, inner)
		} else {
			v.visit(b.Body, inner)
		}
	}
	v.visit(n.Body, inner)
	v.unused(all)
}

func (v *visitor) function(f *ast.Function, s *scope) {
	inner := &scope{above: s}
	for i := range f.Parameters {
		v.define(inner, f.Parameters[i].Name)
	}
	for i := range f.Parameters {
		v.visit(f.Parameters[i].DefaultArg, inner)
	}
	v.visit(f.Body, inner)
}

// loop returns the scope inside of a comprehension.
func (v *visitor) loop(f *ast.ForSpec, s *scope) *scope {
	if f.Outer != nil {
		s = v.loop(f.Outer, s)
	}
	v.visit(f.Expr, s)
	inner := &scope{above: s}
	v.define(inner, f.VarName)
	for i := range f.Conditions {
		v.visit(f.Conditions[i].Expr, inner)
	}
	return inner
}

// object looks at fields: their names see what is around the object, the rest
// sees its locals too.
func (v *visitor) object(fields ast.ObjectFields, s *scope) {
	inner := &scope{above: s}
	var all []local
	for i := range fields {
		if f := &fields[i]; f.Kind == ast.ObjectLocal && f.Id != nil {
			all = append(all, local{v.define(inner, *f.Id), f.LocRange})
		}
	}
	for i := range fields {
		f := &fields[i]
		v.visit(f.Expr1, s)
		if f.Method != nil {
			v.function(f.Method, inner)
		} else {
			v.visit(f.Expr2, inner)
		}
		v.visit(f.Expr3, inner)
	}
	v.unused(all)
}
