package gofumpt

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strconv"
)

// node writes a node and all below it. Kinds that a formatter may write in
// more than one way have their own method; the others are written field by
// field.
func (o *outliner) node(n ast.Node) {
	if n == nil || reflect.ValueOf(n).IsNil() {
		o.word("nil")
		return
	}
	switch n := n.(type) {
	case *ast.FuncDecl:
		o.function(n.Type, n)
	case *ast.FuncLit:
		o.function(n.Type, n)
	case *ast.ReturnStmt:
		o.returns(n)
	case *ast.RangeStmt:
		o.ranges(n)
	case *ast.DeclStmt:
		o.localDecl(n)
	case *ast.FieldList:
		o.fieldList(n)
	case *ast.TypeSpec:
		o.word(strconv.FormatBool(n.Assign.IsValid()))
		o.fields(n)
	case ast.Expr:
		o.expr(n)
	default:
		o.fields(n)
	}
}

func (o *outliner) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
		o.word(e.Name)
	case *ast.BasicLit:
		o.literal(e)
	case *ast.ParenExpr:
		o.node(e.X)
	case *ast.CompositeLit:
		o.composite(e, nil)
	case *ast.SliceExpr:
		o.slice(e)
	case *ast.CallExpr:
		o.word(strconv.FormatBool(e.Ellipsis.IsValid()))
		o.fields(e)
	default:
		o.fields(e)
	}
}

// fields writes a node field by field: operators, flags, nodes. Positions and
// comments are layout; the few positions that are more are written by node.
func (o *outliner) fields(n ast.Node) {
	v := reflect.ValueOf(n).Elem()
	o.word(v.Type().Name())
	for _, field := range v.Fields() {
		switch f := field.Interface().(type) {
		case token.Pos, *ast.CommentGroup:
		case token.Token:
			o.word(f.String())
		case ast.ChanDir:
			o.word(strconv.Itoa(int(f)))
		case bool:
			o.word(strconv.FormatBool(f))
		case []ast.Stmt:
			f = slices.DeleteFunc(slices.Clone(f), isEmpty)
			list(o, f)
		case []ast.Expr:
			list(o, f)
		case []*ast.Ident:
			list(o, f)
		case ast.Node:
			o.node(f)
		case nil:
			o.word("nil")
		default:
			o.word(fmt.Sprint(f)) // nothing in go/ast today; equal values stay equal
		}
	}
}

func list[N ast.Node](o *outliner, nodes []N) {
	o.word(strconv.Itoa(len(nodes)))
	for _, n := range nodes {
		o.node(n)
	}
}

func isEmpty(s ast.Stmt) bool {
	_, ok := s.(*ast.EmptyStmt)
	return ok
}

// fieldList writes one entry a name; an empty list is none.
func (o *outliner) fieldList(l *ast.FieldList) {
	if l.NumFields() == 0 {
		o.word("nil")
		return
	}
	o.word("fields", strconv.Itoa(l.NumFields()))
	for _, f := range l.List {
		names := f.Names
		if len(names) == 0 {
			names = []*ast.Ident{{Name: "(none)"}}
		}
		for _, name := range names {
			o.word(name.Name)
			o.node(f.Type)
			if f.Tag != nil {
				o.word(f.Tag.Value)
			}
		}
	}
}

// composite writes a composite literal. elided is the type its element type
// gives it when it names none.
func (o *outliner) composite(l *ast.CompositeLit, elided ast.Expr) {
	typ := l.Type
	if typ == nil {
		typ = elided
	}
	o.word("composite")
	if typ == nil {
		o.word("elided")
	} else {
		o.node(typ)
	}
	var key, elem ast.Expr
	switch t := ast.Unparen(orNil(typ)).(type) {
	case *ast.ArrayType:
		elem = t.Elt
	case *ast.MapType:
		key, elem = t.Key, t.Value
	}
	o.word(strconv.Itoa(len(l.Elts)))
	for _, e := range l.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			o.word(":")
			o.element(kv.Key, key)
			e = kv.Value
		}
		o.element(e, elem)
	}
}

// orNil keeps ast.Unparen from a nil interface.
func orNil(e ast.Expr) ast.Expr {
	if e == nil {
		return ast.NewIdent("nil")
	}
	return e
}

// element writes an element of a literal as if it named its type: {} is T{} or &T{}.
func (o *outliner) element(e, typ ast.Expr) {
	star, pointer := typ.(*ast.StarExpr)
	switch x := e.(type) {
	case *ast.CompositeLit:
		if x.Type == nil && pointer {
			o.word("&")
			o.composite(x, star.X)
			return
		}
		o.composite(x, typ)
	case *ast.UnaryExpr:
		if inner, ok := x.X.(*ast.CompositeLit); ok && x.Op == token.AND {
			o.word("&")
			o.composite(inner, nil)
			return
		}
		o.node(e)
	default:
		o.node(e)
	}
}

func (o *outliner) function(t *ast.FuncType, n ast.Node) {
	o.results = append(o.results, t.Results)
	o.fields(n)
	o.results = o.results[:len(o.results)-1]
}

// returns writes a naked return with the names it returns.
func (o *outliner) returns(r *ast.ReturnStmt) {
	if len(r.Results) > 0 || len(o.results) == 0 {
		o.word("return")
		list(o, r.Results)
		return
	}
	results := o.results[len(o.results)-1]
	o.word("return", strconv.Itoa(results.NumFields()))
	if results == nil {
		return
	}
	for _, f := range results.List {
		for _, name := range f.Names {
			o.node(name)
		}
	}
}

func (o *outliner) ranges(r *ast.RangeStmt) {
	clone := *r
	if isBlank(clone.Value) {
		clone.Value = nil
	}
	if clone.Value == nil && isBlank(clone.Key) {
		clone.Key, clone.Tok = nil, token.ILLEGAL
	}
	o.fields(&clone)
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// slice writes s[a:len(s)] as s[a:].
func (o *outliner) slice(s *ast.SliceExpr) {
	clone := *s
	if call, ok := s.High.(*ast.CallExpr); ok && !s.Slice3 && len(call.Args) == 1 {
		x, isName := s.X.(*ast.Ident)
		fun, isLen := call.Fun.(*ast.Ident)
		arg, isArg := call.Args[0].(*ast.Ident)
		if isName && isLen && isArg && fun.Name == "len" && arg.Name == x.Name {
			clone.High = nil
		}
	}
	o.fields(&clone)
}

// localDecl writes var x = y as x := y.
func (o *outliner) localDecl(d *ast.DeclStmt) {
	g, ok := d.Decl.(*ast.GenDecl)
	if !ok {
		o.node(d.Decl)
		return
	}
	if v, ok := single(g); ok && g.Tok == token.VAR && v.Type == nil {
		assign := &ast.AssignStmt{Tok: token.ASSIGN, Rhs: v.Values}
		for _, name := range v.Names {
			assign.Lhs = append(assign.Lhs, name)
			if name.Name != "_" {
				assign.Tok = token.DEFINE
			}
		}
		o.node(assign)
		return
	}
	if g.Tok == token.CONST {
		o.constants(g, func(token.Pos) {})
		return
	}
	o.word(g.Tok.String(), strconv.Itoa(len(g.Specs)))
	for _, s := range g.Specs {
		o.node(s)
	}
}

func single(g *ast.GenDecl) (*ast.ValueSpec, bool) {
	if len(g.Specs) != 1 {
		return nil, false
	}
	v, ok := g.Specs[0].(*ast.ValueSpec)
	return v, ok
}

// constants writes each constant with the values it stands for: those of the
// spec before if it has none, and iota as a number. Grouping then shows only
// where it counts.
func (o *outliner) constants(g *ast.GenDecl, flush func(token.Pos)) {
	var last *ast.ValueSpec
	for i, s := range g.Specs {
		s, ok := s.(*ast.ValueSpec)
		if !ok {
			continue
		}
		flush(s.Pos())
		if len(s.Values) > 0 || last == nil {
			last = s
		}
		o.word("const")
		list(o, s.Names)
		o.iota(i, func() {
			o.node(last.Type)
			list(o, last.Values)
		})
	}
}

// iota runs write and puts i where it wrote iota.
func (o *outliner) iota(i int, write func()) {
	from := len(o.words)
	write()
	for j, w := range o.words[from:] {
		if w == "iota" {
			o.words[from+j] = "iota=" + strconv.Itoa(i)
		}
	}
}
