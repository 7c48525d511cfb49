package tool

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// inputSchema describes the arguments of In, all of them optional.
func inputSchema[In any]() json.RawMessage {
	var b schema
	b.str(`{"type":"object","properties":{`)
	for i, f := range fields(reflect.TypeFor[In]()) {
		b.comma(i)
		b.quoted(f.name)
		b.str(`:{`)
		b.argument(f.typ)
		if f.doc != "" {
			b.str(`,"description":`)
			b.quoted(f.doc)
		}
		b.str(`}`)
	}
	b.str(`},"additionalProperties":false}`)
	return json.RawMessage(b)
}

// Identity tells which poly answered.
type Identity struct {
	Version    string `json:"version"`
	BuildID    string `json:"build_id"`
	Channel    string `json:"channel"`
	Executable string `json:"executable"`
	PID        int    `json:"pid"`
	Engines    string `json:"engines"` // digest of the engines built in, 64 hex
}

// outputSchema describes the documents of a tool: that of a success, which has
// the members of Out, or that of an error; each with the member poly.
func outputSchema[Out any]() json.RawMessage {
	var b schema
	t := reflect.TypeFor[Out]()
	b.str(`{"type":"object","properties":{`)
	b.members(t)
	b.str(`,"error":`)
	b.value(reflect.TypeFor[Error]())
	b.str(`,"poly":`)
	b.value(reflect.TypeFor[Identity]())
	b.str(`},"required":["poly"],"anyOf":[{"required":`)
	b.required(t)
	b.str(`},{"required":["error"]}]}`)
	return json.RawMessage(b)
}

// schema is a JSON Schema as it is written. It uses only what every client
// understands: no references, and no lists of types.
type schema []byte

func (b *schema) str(s string)    { *b = append(*b, s...) }
func (b *schema) quoted(s string) { *b = append(*b, Marshal(s)...) }

func (b *schema) comma(i int) {
	if i > 0 {
		b.str(",")
	}
}

func (b *schema) argument(t reflect.Type) {
	switch {
	case t == reflect.TypeFor[Format]():
		b.str(`"type":"string","enum":["json","toon"],"default":"json"`)
	case t.Kind() == reflect.String:
		b.str(`"type":"string"`)
	case t.Kind() == reflect.Bool:
		b.str(`"type":"boolean","default":false`)
	case t.Kind() == reflect.Int:
		b.str(`"type":"integer","minimum":0`)
	default:
		b.str(`"type":"array","items":{"type":"string"}`)
	}
}

// members writes the properties of a struct, without braces.
func (b *schema) members(t reflect.Type) {
	for i := range t.NumField() {
		b.comma(i)
		name, _ := tag(t.Field(i))
		b.quoted(name)
		b.str(":")
		b.value(t.Field(i).Type)
	}
}

// required lists the members that are always there.
func (b *schema) required(t reflect.Type) {
	b.str("[")
	n := 0
	for f := range t.Fields() {
		if name, optional := tag(f); !optional {
			b.comma(n)
			b.quoted(name)
			n++
		}
	}
	b.str("]")
}

func tag(f reflect.StructField) (name string, optional bool) {
	name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name, rest == "omitempty"
}

// value writes the schema of a type: a pointer may be null, a map is an object
// of any members, an interface is anything.
func (b *schema) value(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer:
		b.str(`{"anyOf":[`)
		b.value(t.Elem())
		b.str(`,{"type":"null"}]}`)
	case reflect.Struct:
		b.str(`{"type":"object","properties":{`)
		b.members(t)
		b.str(`},"required":`)
		b.required(t)
		b.str(`}`)
	case reflect.Slice:
		b.str(`{"type":"array","items":`)
		b.value(t.Elem())
		b.str(`}`)
	case reflect.Map:
		b.str(`{"type":"object"}`)
	case reflect.String:
		b.str(`{"type":"string"}`)
	case reflect.Bool:
		b.str(`{"type":"boolean"}`)
	case reflect.Int, reflect.Int64:
		b.str(`{"type":"integer"}`)
	case reflect.Interface:
		b.str(`{}`)
	default:
		panic("no schema for " + strconv.Quote(t.String())) // the types are ours
	}
}
