package config

import (
	"encoding/json"
	"maps"
	"strings"
)

// SchemaJSON returns the JSON Schema (2020-12) of poly.toml for a build, as
// `poly schema config` prints it. It is made of the shapes that Load validates
// with: a document either of them refuses, the other refuses too.
func SchemaJSON(s Schema) []byte {
	x := newIndex(&s)
	g := &schemaWriter{defs: map[string]any{}}
	top := g.inline(x.top)
	top["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	top["title"] = "poly.toml"
	top["$defs"] = g.defs
	out, err := json.Marshal(top)
	if err != nil {
		panic(err) // maps, slices and scalars always marshal
	}
	return append(out, '\n')
}

type object = map[string]any

type schemaWriter struct{ defs map[string]any }

// write returns a reference for shapes that are written once, else the schema.
func (g *schemaWriter) write(s *shape) any {
	if s.free {
		return true
	}
	if s.ref == "" {
		return g.inline(s)
	}
	if _, ok := g.defs[s.ref]; !ok {
		g.defs[s.ref] = true // holds the place: shapes may recur
		g.defs[s.ref] = g.inline(s)
	}
	return object{"$ref": "#/$defs/" + s.ref}
}

func (g *schemaWriter) inline(s *shape) object {
	var alternatives []object
	if s.kinds&kindBool != 0 {
		alternatives = append(alternatives, object{"type": "boolean"})
	}
	if s.kinds&kindNumber != 0 {
		alternatives = append(alternatives, number(s))
	}
	if s.kinds&kindString != 0 {
		alternatives = append(alternatives, textSchema(s))
	}
	if s.kinds&kindArray != 0 {
		a := object{"type": "array", "items": g.write(s.elem)}
		if s.nonEmpty {
			a["minItems"] = 1
		}
		alternatives = append(alternatives, a)
	}
	if s.kinds&kindTable != 0 {
		alternatives = append(alternatives, g.table(s))
	}
	out := object{"anyOf": alternatives}
	if len(alternatives) == 1 {
		out = alternatives[0]
	}
	maps.Copy(out, s.schema)
	if s.doc != "" {
		out["description"] = s.doc
	}
	if s.def != nil {
		out["default"] = s.def
	}
	if s.dead != "" {
		out["deprecated"] = true
	}
	return out
}

func number(s *shape) object {
	n := object{"type": "integer"}
	if s.kinds&kindFloat != 0 {
		n["type"] = "number"
	}
	if s.min != noMin {
		n["minimum"] = s.min
	}
	if s.max != 0 {
		n["maximum"] = s.max
	}
	return n
}

func textSchema(s *shape) object {
	if s.wrap && s.elem != nil {
		s = s.elem
	}
	t := object{"type": "string"}
	if s.nonEmpty {
		t["minLength"] = 1
	}
	switch {
	case s.enum == nil:
	case s.fold:
		t["anyOf"] = []any{object{"enum": s.enum}, object{"pattern": foldPattern(s.enum)}}
	default:
		t["enum"] = s.enum
	}
	return t
}

// foldPattern matches the words in any case, in every dialect of patterns.
func foldPattern(words []string) string {
	var b strings.Builder
	for i, w := range words {
		b.WriteString([]string{"^(", "|"}[min(i, 1)])
		for _, c := range w {
			b.WriteString("[" + string(c) + strings.ToUpper(string(c)) + "]")
		}
	}
	return b.String() + ")$"
}

func (g *schemaWriter) table(s *shape) object {
	properties := object{}
	for _, name := range s.known() {
		if c := s.find(name); c != nil {
			properties[name] = g.write(c)
		}
	}
	t := object{"type": "object", "additionalProperties": false}
	if len(properties) > 0 {
		t["properties"] = properties
	}
	if s.rest != nil {
		t["additionalProperties"] = g.write(s.rest)
	}
	return t
}
