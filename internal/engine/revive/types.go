package revive

import (
	"bytes"
	"go/ast"
	"go/token"

	"github.com/mgechev/revive/lint"
)

// types is the first rule of every set. It has the package type-checked without
// its imports: the library, which does it when a rule asks first, would run the
// go command to load them. What an import offers has no type then, and rules
// are silent about it.
type types struct{ active func(code string) bool }

// Name is no code of revive's.
func (*types) Name() string { return "poly-types" }

// Apply reports nothing.
func (t *types) Apply(file *lint.File, _ lint.Arguments) []lint.Failure {
	all, needed := file.AST.Decls, t.needed(file)
	defer func() { file.AST.Decls = all }()
	file.AST.Decls = nil
	if needed {
		for _, d := range all {
			if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
				file.AST.Decls = append(file.AST.Decls, d)
			}
		}
	}
	// An error is what is expected: names of imports are not declared.
	_ = file.Pkg.TypeCheck()
	return nil
}

// needed reports whether a file has anything that a rule looks at with types.
// Without it the check, which costs more than all rules, is of an empty file.
func (t *types) needed(file *lint.File) bool {
	text := file.Content()
	if t.active("context-keys-type") && bytes.Contains(text, []byte("context.WithValue")) || t.active("string-of-int") && bytes.Contains(text, []byte("string(")) {
		return true
	}
	declarations, methods := t.active("var-declaration"), t.active("modifies-value-receiver")
	found := false
	ast.Inspect(file.AST, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			found = found || declarations && n.Type != nil && len(n.Values) > 0
		case *ast.FuncDecl:
			found = found || methods && n.Recv != nil
		}
		return !found
	})
	return found
}
