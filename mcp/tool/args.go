package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"poly/internal/usererr"
)

// field is one argument: a member of an argument struct.
type field struct {
	name  string
	doc   string
	index int
	typ   reflect.Type
}

// fields lists the arguments of a struct: names from the tag json, descriptions
// from the tag doc. Types are string, bool, int, []string and [Format].
func fields(t reflect.Type) []field {
	var out []field
	for i := range t.NumField() {
		f := t.Field(i)
		out = append(out, field{name: f.Tag.Get("json"), doc: f.Tag.Get("doc"), index: i, typ: f.Type})
	}
	return out
}

// decode reads arguments strictly: a key that In does not have, that has other
// capitals, or that stands there twice, null, and a value of another type are
// refused by name. None at all is the zero In.
func decode[In any](args json.RawMessage) (in In, format Format, e *Error) {
	if len(args) == 0 || string(args) == "null" {
		return in, "", nil
	}
	v := reflect.ValueOf(&in).Elem()
	all := fields(v.Type())
	d := json.NewDecoder(bytes.NewReader(args))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return in, "", NewError("invalid_argument", "the arguments are not an object", "")
	}
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return in, format, NewError("invalid_argument", "the arguments are not JSON", "")
		}
		name, _ := t.(string)
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return in, format, NewError("invalid_argument", "the arguments are not JSON", "")
		}
		f := find(all, name)
		e = wrongKey(all, f, name, seen)
		if e == nil && string(raw) == "null" {
			e = NewError("invalid_argument", fmt.Sprintf("argument %q must not be null", name), "leave it out instead")
		}
		if e == nil {
			e = f.set(v.Field(f.index), raw)
		}
		if e != nil {
			return in, format, e
		}
		if f, ok := reflect.TypeAssert[Format](v.Field(f.index)); ok {
			format = f
		}
	}
	return in, format, nil
}

func find(all []field, name string) *field {
	for i := range all {
		if all[i].name == name {
			return &all[i]
		}
	}
	return nil
}

func wrongKey(all []field, f *field, name string, seen map[string]bool) *Error {
	if f == nil {
		names := make([]string, len(all))
		for i := range all {
			names[i] = all[i].name
		}
		hint := "accepted: " + strings.Join(names, ", ")
		if near := usererr.Nearest(strings.ToLower(name), names); near != "" {
			hint += "; did you mean " + near + "?"
		}
		return NewError("unknown_argument", "unknown argument "+quote(name), hint)
	}
	if seen[name] {
		return NewError("duplicate_argument", fmt.Sprintf("argument %q appears twice", name), "")
	}
	seen[name] = true
	return nil
}

// quote bounds what is echoed of a client's text.
func quote(s string) string {
	const most = 200
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return fmt.Sprintf("%q", s)
}

func (f *field) set(to reflect.Value, raw json.RawMessage) *Error {
	wrong := func(want string) *Error {
		return NewError("invalid_argument", fmt.Sprintf("argument %q must be %s", f.name, want), "")
	}
	switch p := to.Addr().Interface().(type) {
	case *Format:
		if json.Unmarshal(raw, p) != nil || *p != "json" && *p != "toon" {
			*p = ""
			return wrong(`"json" or "toon"`)
		}
	case *string:
		if json.Unmarshal(raw, p) != nil || hollow(*p) {
			return wrong("a string that is not empty")
		}
	case *bool:
		if json.Unmarshal(raw, p) != nil {
			return wrong("true or false")
		}
	case *int:
		if json.Unmarshal(raw, p) != nil || *p < 0 {
			return wrong("a whole number that is not negative")
		}
	case *[]string:
		return f.list(p, raw, wrong)
	}
	return nil
}

// hollow reports whether a text names nothing.
func hollow(s string) bool { return s == "" || strings.ContainsRune(s, 0) }

// list decodes strings. null among them, which json would take for "", is refused.
func (f *field) list(to *[]string, raw json.RawMessage, wrong func(string) *Error) *Error {
	var items []*string
	if raw[0] != '[' || json.Unmarshal(raw, &items) != nil {
		return wrong("an array of strings")
	}
	for _, s := range items {
		if s == nil || hollow(*s) {
			return wrong("an array of strings that are not empty")
		}
		*to = append(*to, *s)
	}
	return nil
}
