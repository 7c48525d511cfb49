package dprint

import (
	"testing"

	"poly/internal/config"
	"poly/internal/wasm/dprint"
	"poly/internal/wasm/wasmtest"
)

// TestOptions: a plugin takes every option and every value that poly.toml does.
func TestOptions(t *testing.T) {
	t.Parallel()
	host := wasmtest.Host(t)
	plugins := map[string]bool{}
	for i := range Engine.Langs {
		l := Engine.Langs[i]
		d := dialectOf(l)
		if plugins[d.plugin] {
			continue
		}
		plugins[d.plugin] = true
		for n := range maxValues(string(l)) {
			s := settings{global: object{}, plugin: object{}}
			for i := range options {
				if o := &options[i]; o.For(string(l)) {
					s.plugin[o.Name] = sample(o, n)
				}
			}
			s.takeEnds()
			p := dprint.New(host, "dprint-"+d.plugin, dprint.Options{Plugin: s.plugin})
			if err := p.Open(t.Context()); err != nil {
				t.Errorf("%s with %v: %v", d.plugin, s.plugin, err)
			}
		}
	}
}

// maxValues is how many values the options of a language have at most.
func maxValues(l string) int {
	most := 2
	for i := range options {
		if o := &options[i]; o.For(l) {
			most = max(most, len(o.Enum))
		}
	}
	return most
}

// sample is the nth value of an option.
func sample(o *config.Option, n int) any {
	switch o.Type {
	case config.Bool:
		return n == 0
	case config.Int:
		return o.Min + n
	case config.Strings:
		return []string{"a"}
	case config.StringMap:
		return map[string]string{"a": "b"}
	}
	if len(o.Enum) > 0 {
		return o.Enum[n%len(o.Enum)]
	}
	return "text"
}

// TestPlainJSON: what is left of a configuration with comments.
func TestPlainJSON(t *testing.T) {
	t.Parallel()
	for _, tc := range [][2]string{
		{`{"a": "//\"/*", // b` + "\n}", `{"a": "//\"/*"      ` + "\n}"},
		{"\xef\xbb\xbf[1, /* , */ ]", "   [1          ]"},
		{`[",]", 2,]`, `[",]", 2 ]`},
		{`"a`, `"a`},
		{"/* a", "    "},
	} {
		if got := string(plainJSON([]byte(tc[0]))); got != tc[1] {
			t.Errorf("plainJSON(%q) = %q, want %q", tc[0], got, tc[1])
		}
	}
}

// TestSameKeys: another order of names is the same, everything else is not.
func TestSameKeys(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[{"c":1,"d":2}]}`, `{"b":[{"d":2,"c":1}],"a":1}`, true},
		{`[1,2]`, `[2,1]`, false},
		{`{"a":1}`, `{"a":1.0}`, false},
		{`{"a":1,"a":2}`, `{"a":1,"a":2}`, false},
		{`{} {}`, `{} {}`, false},
		{`{`, `{`, false},
		{`{"a":1 /**/}`, `{"a":1 /**/}`, false},
	} {
		if got := sameKeys([]byte(tc.a), []byte(tc.b)); got != tc.want {
			t.Errorf("sameKeys(%s, %s) = %v", tc.a, tc.b, got)
		}
	}
}
