package config

import (
	"strings"
	"testing"
)

// TestForm: what an option takes, in words.
func TestForm(t *testing.T) {
	t.Parallel()
	tests := []struct {
		o    Option
		want string
	}{
		{Option{Type: Bool, Default: false}, "boolean, default false"},
		{Option{Type: Int, Min: 1, Max: 8, Default: 2}, "integer from 1 to 8, default 2"},
		{Option{Type: Int, Min: 1}, "integer from 1"},
		{Option{Type: Float, Max: 1, Default: 0.5}, "number from 0 to 1, default 0.5"},
		{Option{Type: String, Default: ""}, `string, default ""`},
		{Option{Type: String, Enum: []string{"a", "b"}, Default: "b"}, `one of a, b, default "b"`},
		{Option{Type: Strings}, "strings"},
		{Option{Type: Strings, Enum: []string{"a", "b"}, Default: []string{"a", "b"}}, "strings out of a, b, default a b"},
		{Option{Type: StringMap}, "table of strings"},
		{Option{Type: Table}, "table"},
	}
	for _, tc := range tests {
		if got := tc.o.Form(); got != tc.want {
			t.Errorf("Form of %+v = %q, want %q", tc.o, got, tc.want)
		}
	}
}

// TestOptionLangs: an option stands in the tables of its languages, and two of
// different languages may share a name.
func TestOptionLangs(t *testing.T) {
	t.Parallel()
	schema := func(files map[string]string) Options {
		o := options(files)
		o.Schema.Engines = append(o.Schema.Engines, EngineTable{Name: "both", Langs: []string{"json", "lua"}, Fmt: true, Options: []Option{
			{Name: "array.width", Type: Int, Langs: []string{"json"}},
			{Name: "quotes", Type: String, Enum: []string{"a"}, Langs: []string{"json"}},
			{Name: "quotes", Type: Bool, Langs: []string{"lua"}},
		}})
		return o
	}
	set, err := Load(t.Context(), schema(map[string]string{"poly.toml": "[fmt.json.both]\n\"array.width\" = 3\nquotes = \"a\"\n[fmt.lua.both]\nquotes = true\n"}))
	if err != nil {
		t.Fatal(err)
	}
	if v := set.For("a").Fmt("json", "both").Values; v.Int("array.width") != 3 || v.String("quotes") != "a" {
		t.Errorf("values for json: %v", v)
	}
	if v := set.For("a").Fmt("lua", "both").Values; !v.Bool("quotes") {
		t.Errorf("values for lua: %v", v)
	}
	for text, want := range map[string]string{
		"[fmt.json.both]\narray.width = 3\n":         `a key with a dot stands in quotes: "array.width"`,
		"[fmt.lua.both]\n\"array.width\" = 3\n":      "array.width is for json",
		"[fmt.json.both]\nquotes = true\n":           "",
		"[fmt.json.both]\n\"array.width\" = \"a\"\n": "",
	} {
		if msg, hint := refuse(t, schema(map[string]string{"poly.toml": text})); !strings.Contains(hint, want) {
			t.Errorf("%q: %s: %s, want %q", text, msg, hint, want)
		}
	}
}
