package revive

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/mgechev/revive/lint"
	"github.com/mgechev/revive/rule"
)

// atomic is the library's rule where sync/atomic is imported: without types it
// would take any method of that name for an atomic operation.
type atomic struct{ rule.AtomicRule }

// Apply applies the rule to a file.
func (r *atomic) Apply(file *lint.File, args lint.Arguments) []lint.Failure {
	if imported(file.AST, "sync/atomic") != "atomic" {
		return nil
	}
	return r.AtomicRule.Apply(withoutTypes(file), args)
}

// withoutTypes is a file of another package, for a rule that trusts types more
// than names.
func withoutTypes(file *lint.File) *lint.File {
	clone := *file
	clone.Pkg = &lint.Package{}
	return &clone
}

// imported returns the name of an import, "" if there is none.
func imported(file *ast.File, path string) string {
	for _, i := range file.Imports {
		if strings.Trim(i.Path.Value, "\"`") != path {
			continue
		}
		if i.Name != nil {
			return i.Name.Name
		}
		return path[strings.LastIndexByte(path, '/')+1:]
	}
	return ""
}

// contextKeys is the library's rule; where the call has no type the key keeps
// that of a constant, which is named as it would be in the call.
type contextKeys struct{ rule.ContextKeysType }

// Apply applies the rule to a file.
func (r *contextKeys) Apply(file *lint.File, args lint.Arguments) []lint.Failure {
	out := r.ContextKeysType.Apply(file, args)
	for i := range out {
		out[i].Failure = typed.Replace(out[i].Failure)
	}
	return out
}

var typed = strings.NewReplacer("untyped string", "string", "untyped int", "int", "untyped float", "float64", "untyped rune", "rune", "untyped bool", "bool")

// errorf is the library's rule, and what it needs the types of package testing
// for: t.Error(fmt.Sprintf(...)) with a parameter t.
type errorf struct{ rule.ErrorfRule }

// Apply applies the rule to a file.
func (r *errorf) Apply(file *lint.File, args lint.Arguments) []lint.Failure {
	out := r.ErrorfRule.Apply(file, args)
	if imported(file.AST, "testing") != "testing" {
		return out
	}
	ast.Inspect(file.AST, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		inner, isCall := call.Args[0].(*ast.CallExpr)
		if ok && isCall && sel.Sel.Name == "Error" && isTestingT(sel.X) && isSelector(inner.Fun, "fmt", "Sprintf") {
			t := file.Render(sel.X)
			out = append(out, lint.Failure{
				Category: lint.FailureCategoryErrors, Node: call, Confidence: 1,
				Failure: fmt.Sprintf("should replace %s(fmt.Sprintf(...)) with %s.Errorf(...)", file.Render(sel), t),
			})
		}
		return true
	})
	return out
}

// isTestingT reports whether an expression is a parameter of type *testing.T.
func isTestingT(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	if !ok || id.Obj == nil {
		return false
	}
	field, ok := id.Obj.Decl.(*ast.Field)
	if !ok {
		return false
	}
	star, ok := field.Type.(*ast.StarExpr)
	return ok && isSelector(star.X, "testing", "T")
}

func isSelector(x ast.Expr, pkg, name string) bool {
	sel, ok := x.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && id.Name == pkg
}

// modifiesValueReceiver is the library's rule for types of the same file: it
// must know that a receiver is no map or slice.
type modifiesValueReceiver struct{ rule.ModifiesValRecRule }

// Apply applies the rule to a file.
func (r *modifiesValueReceiver) Apply(file *lint.File, args lint.Arguments) []lint.Failure {
	declared := typeSpecs(file.AST)
	tree := *file.AST
	tree.Decls = nil
	for _, d := range file.AST.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil || len(fn.Recv.List) == 0 || fn.Body == nil {
			continue
		}
		if id, ok := fn.Recv.List[0].Type.(*ast.Ident); ok && declared[id.Name] != nil {
			tree.Decls = append(tree.Decls, d)
		}
	}
	clone := *file
	clone.AST = &tree
	return r.ModifiesValRecRule.Apply(&clone, args)
}

// typeSpecs returns the types that a file declares, by name.
func typeSpecs(file *ast.File) map[string]*ast.TypeSpec {
	out := map[string]*ast.TypeSpec{}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, s := range g.Specs {
			if t, ok := s.(*ast.TypeSpec); ok {
				out[t.Name.Name] = t
			}
		}
	}
	return out
}
