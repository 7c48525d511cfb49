package imports

import (
	"go/ast"
	"go/token"
	"reflect"
)

// shape lists the nodes of a file outside of its imports and comments, and
// where each ends: what brackets and the ends of statements make of the tokens.
// Parentheses have no node of their own, since a tree says what they say, and
// neither has a statement of nothing.
func shape(file *ast.File) []string {
	s := shaper{}
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(d, s.visit)
	}
	return s.out
}

type shaper struct {
	out []string
	// open tells of every node that is not left yet whether it was listed.
	open []bool
}

func (s *shaper) visit(n ast.Node) bool {
	if n == nil {
		last := len(s.open) - 1
		if s.open[last] {
			s.out = append(s.out, ")")
		}
		s.open = s.open[:last]
		return true
	}
	switch n := n.(type) {
	case *ast.Comment, *ast.CommentGroup, *ast.EmptyStmt:
		return false
	case *ast.ParenExpr:
		s.open = append(s.open, false)
		return true
	case *ast.FieldList:
		if len(n.List) == 0 {
			return false
		}
	}
	s.open = append(s.open, true)
	s.out = append(s.out, reflect.TypeOf(n).Elem().Name()+parts(n))
	return true
}

// parts tells which of its optional parts a node has, and what of it is no node.
func parts(n ast.Node) string {
	switch n := n.(type) {
	case *ast.ForStmt:
		return given(n.Init != nil, n.Cond != nil, n.Post != nil)
	case *ast.IfStmt:
		return given(n.Init != nil, n.Else != nil)
	case *ast.SwitchStmt:
		return given(n.Init != nil, n.Tag != nil)
	case *ast.TypeSwitchStmt:
		return given(n.Init != nil)
	case *ast.RangeStmt:
		return given(n.Key != nil, n.Value != nil)
	case *ast.ChanType:
		return given(n.Dir&ast.SEND != 0, n.Dir&ast.RECV != 0)
	case *ast.SliceExpr:
		return given(n.Low != nil, n.High != nil, n.Max != nil)
	case *ast.TypeSpec:
		return given(n.TypeParams != nil, n.Assign.IsValid())
	case *ast.BinaryExpr:
		return n.Op.String()
	case *ast.UnaryExpr:
		return n.Op.String()
	}
	return ""
}

func given(all ...bool) string {
	out := make([]byte, len(all))
	for i, b := range all {
		out[i] = '-'
		if b {
			out[i] = '+'
		}
	}
	return string(out)
}
