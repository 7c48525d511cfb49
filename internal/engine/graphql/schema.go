package graphql

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// seen remembers where names stand.
type seen map[string]*ast.Position

// twice notes a name and returns where it stood before, nil if nowhere.
func (s seen) twice(name string, p *ast.Position) *ast.Position {
	if first, ok := s[name]; ok {
		return first
	}
	s[name] = p
	return nil
}

// types looks at definitions of types.
func (l *linter) types(doc *ast.SchemaDocument) {
	roots := seen{}
	for i, s := range doc.Schema {
		if i > 0 {
			l.name(codeLoneSchema, s.Position, "schema", "The schema is defined already, on line %d", l.line(doc.Schema[0].Position))
		}
		l.rootTypes(s, roots)
	}
	for _, s := range doc.SchemaExtension {
		l.rootTypes(s, roots)
	}
	names, insides := seen{}, map[string]*inside{}
	for _, d := range doc.Definitions {
		if first := names.twice(d.Name, d.Position); first != nil {
			l.name(codeTypes, d.Position, d.Name, "Type %q is defined already, on line %d", d.Name, l.line(first))
		}
		l.definition(d, insides)
	}
	for _, d := range doc.Extensions {
		l.definition(d, insides)
	}
	names = seen{}
	for _, d := range doc.Directives {
		if first := names.twice(d.Name, d.Position); first != nil {
			l.name(codeDirectives, d.Position, d.Name, "Directive %q is defined already, on line %d", "@"+d.Name, l.line(first))
		}
		l.arguments("directive @"+d.Name, d.Arguments)
	}
}

func (l *linter) rootTypes(s *ast.SchemaDefinition, names seen) {
	for _, o := range s.OperationTypes {
		if first := names.twice(string(o.Operation), o.Position); first != nil {
			l.name(codeOperationTypes, o.Position, string(o.Operation), "The type of %s is given already, on line %d", o.Operation, l.line(first))
		}
	}
}

// inside is what the definition of a type and its extensions share.
type inside struct{ fields, values, members seen }

// definition looks at a type or an extension of one.
func (l *linter) definition(d *ast.Definition, insides map[string]*inside) {
	l.reserved(d.Position, d.Name, "Type")
	in := insides[d.Name]
	if in == nil {
		in = &inside{seen{}, seen{}, seen{}}
		insides[d.Name] = in
	}
	for _, f := range d.Fields {
		if first := in.fields.twice(f.Name, f.Position); first != nil {
			code := codeFields
			if d.Kind == ast.InputObject {
				code = codeInputFields
			}
			l.name(code, f.Position, f.Name, "Field %q of %q is defined already, on line %d", f.Name, d.Name, l.line(first))
		}
		l.reserved(f.Position, f.Name, "Field")
		l.arguments("field "+d.Name+"."+f.Name, f.Arguments)
	}
	for _, v := range d.EnumValues {
		if first := in.values.twice(v.Name, v.Position); first != nil {
			l.name(codeEnumValues, v.Position, v.Name, "Value %q of enum %q is defined already, on line %d", v.Name, d.Name, l.line(first))
		}
	}
	for i, t := range d.Types {
		if i < len(d.TypePositions) && in.members.twice(t, d.TypePositions[i]) != nil {
			l.name(codeMembers, d.TypePositions[i], t, "Type %q is in union %q already", t, d.Name)
		}
	}
	l.interfaces(d)
}

// interfaces looks at what a type implements.
func (l *linter) interfaces(d *ast.Definition) {
	names := map[string]bool{}
	for _, n := range d.Interfaces {
		switch {
		case n == d.Name:
			l.name(codeInterfaces, d.Position, n, "%q implements itself", n)
		case names[n]:
			l.name(codeInterfaces, d.Position, n, "%q implements %q twice", d.Name, n)
		}
		names[n] = true
	}
}

func (l *linter) arguments(of string, list ast.ArgumentDefinitionList) {
	names := seen{}
	for _, a := range list {
		if first := names.twice(a.Name, a.Position); first != nil {
			l.name(codeArgumentDefinitions, a.Position, a.Name, "Argument %q of %s is defined already, on line %d", a.Name, of, l.line(first))
		}
		l.reserved(a.Position, a.Name, "Argument")
	}
}

// reserved reports names that belong to introspection, but those of it: a schema
// that was downloaded has them.
func (l *linter) reserved(p *ast.Position, word, what string) {
	if !strings.HasPrefix(word, "__") {
		return
	}
	switch word {
	case "__Schema", "__Type", "__TypeKind", "__Field", "__InputValue", "__EnumValue", "__Directive", "__DirectiveLocation",
		"__schema", "__type", "__typename":
		return
	}
	l.name(codeReserved, p, word, "%s name %q starts with two underscores, which are reserved", what, word)
}
