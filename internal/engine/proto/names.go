package proto

import (
	"fmt"
	"strings"

	"github.com/bufbuild/protocompile/ast"
)

// scope is where names must differ: a file, a message or a service.
type scope struct {
	l     *linter
	names map[string]ast.Node
}

// names reports names that stand twice in one scope.
func (l *linter) names() {
	file := scope{l, map[string]ast.Node{}}
	for _, d := range l.file.Decls {
		file.add(d)
	}
}

// declare notes a name, and reports it if it is there already.
func (s scope) declare(id *ast.IdentNode, as string) {
	first, twice := s.names[as]
	if !twice {
		s.names[as] = id
		return
	}
	line := s.l.file.NodeInfo(first).Start().Line
	s.l.node(codeDuplicate, id, fmt.Sprintf("%q is declared already, on line %d", as, line), "Values of an enum belong to the scope around it.")
}

func (s scope) add(n ast.Node) {
	switch d := n.(type) {
	case *ast.MessageNode:
		s.declare(d.Name, d.Name.Val)
		s.message(d.Decls)
	case *ast.GroupNode:
		s.declare(d.Name, d.Name.Val)
		if lower := strings.ToLower(d.Name.Val); lower != d.Name.Val {
			s.declare(d.Name, lower)
		}
		s.message(d.Decls)
	case *ast.FieldNode:
		s.declare(d.Name, d.Name.Val)
	case *ast.MapFieldNode:
		s.declare(d.Name, d.Name.Val)
	case *ast.OneofNode:
		s.declare(d.Name, d.Name.Val)
		for _, e := range d.Decls {
			s.add(e)
		}
	case *ast.ExtendNode:
		for _, e := range d.Decls {
			s.add(e)
		}
	case *ast.EnumNode:
		s.declare(d.Name, d.Name.Val)
		for _, e := range d.Decls {
			if v, ok := e.(*ast.EnumValueNode); ok {
				s.declare(v.Name, v.Name.Val)
			}
		}
	case *ast.ServiceNode:
		s.declare(d.Name, d.Name.Val)
		s.service(d)
	}
}

func (s scope) service(d *ast.ServiceNode) {
	own := scope{s.l, map[string]ast.Node{}}
	for _, e := range d.Decls {
		if r, ok := e.(*ast.RPCNode); ok {
			own.declare(r.Name, r.Name.Val)
		}
	}
}

func (s scope) message(decls []ast.MessageElement) {
	own := scope{s.l, map[string]ast.Node{}}
	for _, e := range decls {
		own.add(e)
	}
	if s.l.file.Syntax != nil && s.l.file.Syntax.Syntax.AsString() == "proto3" {
		s.l.jsonNames(decls)
	}
}

// jsonNames reports fields of a message of proto3 that JSON cannot tell apart.
func (l *linter) jsonNames(decls []ast.MessageElement) {
	seen := map[string]*ast.IdentNode{}
	for _, e := range decls {
		if o, ok := e.(*ast.OptionNode); ok && strings.HasPrefix(optionName(o), "deprecated_legacy_json") {
			return
		}
	}
	for _, e := range decls {
		switch d := e.(type) {
		case *ast.FieldNode:
			l.jsonField(seen, d.Name, d.Options)
		case *ast.MapFieldNode:
			l.jsonField(seen, d.Name, d.Options)
		case *ast.OneofNode:
			for _, e := range d.Decls {
				if f, ok := e.(*ast.FieldNode); ok {
					l.jsonField(seen, f.Name, f.Options)
				}
			}
		}
	}
}

func (l *linter) jsonField(seen map[string]*ast.IdentNode, id *ast.IdentNode, o *ast.CompactOptionsNode) {
	if o != nil {
		for _, opt := range o.Options {
			if optionName(opt) == "json_name" {
				return
			}
		}
	}
	as := jsonName(id.Val)
	first, twice := seen[as]
	if !twice {
		seen[as] = id
	} else if first.Val != id.Val {
		l.node(codeJSONName, id, fmt.Sprintf("Fields %q and %q are both %q in JSON", first.Val, id.Val, as), "")
	}
}

// optionName is the name of a plain option, "" of one in parts or parentheses.
func optionName(o *ast.OptionNode) string {
	if p := o.Name.Parts; len(p) == 1 && !p[0].IsExtension() {
		return string(p[0].Name.AsIdentifier())
	}
	return ""
}

// jsonName is the default name of a field in JSON.
func jsonName(s string) string {
	var b strings.Builder
	start := false
	for i := range len(s) {
		switch c := s[i]; {
		case c == '_':
			start = true
		case start:
			b.WriteString(strings.ToUpper(s[i : i+1]))
			start = false
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
