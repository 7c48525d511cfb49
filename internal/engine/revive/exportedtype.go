package revive

import (
	"fmt"
	"go/ast"

	"github.com/mgechev/revive/lint"
)

// unexportedReturn finds exported functions that return a type which is not, by
// its name: the library's rule needs the types of the whole package for that.
type unexportedReturn struct{}

// Name returns the code.
func (*unexportedReturn) Name() string { return "unexported-return" }

// Apply applies the rule to a file.
func (*unexportedReturn) Apply(file *lint.File, _ lint.Arguments) []lint.Failure {
	if !file.IsImportable() {
		return nil
	}
	var out []lint.Failure
	for _, d := range file.AST.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Type.Results == nil || !fn.Name.IsExported() {
			continue
		}
		thing := "func"
		params := map[string]bool{}
		typeParams(params, fn.Type.TypeParams)
		if fn.Recv != nil && len(fn.Recv.List) > 0 {
			thing = "method"
			if !ast.IsExported(receiverType(params, fn.Recv.List[0].Type)) {
				continue
			}
		}
		for _, r := range fn.Type.Results.List {
			typ, ok := hidden(r.Type, file.AST.Name.Name, params)
			if !ok {
				continue
			}
			out = append(out, lint.Failure{
				Category: lint.FailureCategoryUnexportedTypeInAPI, Node: r.Type, Confidence: 0.8,
				Failure: fmt.Sprintf("exported %s %s returns unexported type %s, which can be annoying to use", thing, fn.Name.Name, typ),
			})
			break
		}
	}
	return out
}

// typeParams notes the names of type parameters.
func typeParams(into map[string]bool, list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		for _, id := range f.Names {
			into[id.Name] = true
		}
	}
}

// receiverType returns the name of a receiver's type, and notes the names that
// it gives to type parameters.
func receiverType(params map[string]bool, x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiverType(params, x.X)
	case *ast.ParenExpr:
		return receiverType(params, x.X)
	case *ast.IndexExpr:
		note(params, x.Index)
		return receiverType(params, x.X)
	case *ast.IndexListExpr:
		for _, i := range x.Indices {
			note(params, i)
		}
		return receiverType(params, x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

func note(params map[string]bool, x ast.Expr) {
	if id, ok := x.(*ast.Ident); ok {
		params[id.Name] = true
	}
}

// hidden returns a type as it is written if it is not exported. Structs,
// functions, interfaces and types of other packages never are hidden.
func hidden(x ast.Expr, pkg string, params map[string]bool) (string, bool) {
	inner := func(prefix string, x ast.Expr) (string, bool) {
		text, ok := hidden(x, pkg, params)
		return prefix + text, ok
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		return inner("", x.X)
	case *ast.StarExpr:
		return inner("*", x.X)
	case *ast.ArrayType:
		return inner("[]", x.Elt)
	case *ast.ChanType:
		return inner("chan ", x.Value)
	case *ast.MapType:
		if text, ok := hidden(x.Key, pkg, params); ok {
			return "map[" + text + "]", true
		}
		return inner("map[...]", x.Value)
	case *ast.IndexExpr:
		return inner("", x.X)
	case *ast.IndexListExpr:
		return inner("", x.X)
	case *ast.Ident:
		return pkg + "." + x.Name, !x.IsExported() && !params[x.Name] && !predeclared(x)
	}
	return "", false
}

// predeclared reports whether a name is one of the language. A package that
// declares it anew is not noticed unless it does so in the same file.
func predeclared(id *ast.Ident) bool {
	if id.Obj != nil {
		return false
	}
	switch id.Name {
	case "any", "bool", "byte", "comparable", "complex64", "complex128", "error", "float32", "float64", "int", "int8", "int16",
		"int32", "int64", "rune", "string", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr":
		return true
	}
	return false
}
