package json

import (
	"bytes"
	"context"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

func run(tb testing.TB, l lang.ID, text string) []diag.Diagnostic {
	tb.Helper()
	b, err := Engine.Bind(tb.Context(), engine.Env{Lang: l})
	if err != nil {
		tb.Fatalf("Bind: %v", err)
	}
	w, err := b.Open(tb.Context())
	if err != nil {
		tb.Fatalf("Open: %v", err)
	}
	in := []byte(text)
	d, err := w.Lint(tb.Context(), engine.Source{Path: "f." + string(l), Lang: l, Text: in})
	if err != nil {
		tb.Fatalf("Lint(%.40q) as %s: %v", text, l, err)
	}
	if string(in) != text {
		tb.Fatalf("Lint(%.40q) modified its input", text)
	}
	for _, x := range d {
		if s := x.Span; s.Start < 0 || s.End < s.Start || s.End > len(text) || (s.Start == s.End && len(text) > 0) {
			tb.Errorf("Lint(%.40q) as %s: span %d-%d of %q is not inside %d bytes", text, l, s.Start, s.End, x.Title, len(text))
		}
		if !utf8.ValidString(x.Title) {
			tb.Errorf("Lint(%.40q) as %s: title %q is not UTF-8", text, l, x.Title)
		}
	}
	return d
}

func errorsOf(d []diag.Diagnostic) (codes []string) {
	for _, x := range d {
		if x.Severity == diag.Error {
			codes = append(codes, x.Code)
		}
	}
	return codes
}

// valid and invalid are texts and, for each, the languages that allow it.
var grammar = []struct{ text, langs string }{
	{`{}`, "json jsonc json5"},
	{`[]`, "json jsonc json5"},
	{`0`, "json jsonc json5"},
	{`-0`, "json jsonc json5"},
	{`-0.0e+00`, "json jsonc json5"},
	{`123456789012345678901234567890.123456789012345678901234567890E-99999999`, "json jsonc json5"},
	{`"\ud800"`, "json jsonc json5"},
	{`"\uDC00\uD800x\uD83D\uDE00"`, "json jsonc json5"},
	{"\"\u007f\u0080\u2028\U0010ffff\"", "json jsonc json5"},
	{"\ufeff[1]", "json jsonc json5"},
	{" \t\r\n[ 1 ,\r2 ]\n\n", "json jsonc json5"},
	{`{"":"","\u0000":null}`, "json jsonc json5"},
	{`[true,false,null]`, "json jsonc json5"},
	{`{"//":1,"//":2}`, "json jsonc json5"},
	{`[{"a":1},{"a":1},{"b":{"a":{"a":1}}}]`, "json jsonc json5"},
	{`{"__proto__":1,"constructor":2}`, "json jsonc json5"},

	{"// c\n[]", "jsonc json5"},
	{"[ // c\u2028]", "json5"},
	{"[ // c\u2029 1, // d\u20282]", "json5"},
	{`{\u0061\u0031\u200d: 1}`, "json5"},
	{`{\u0031: 1}`, ""},
	{`{a\u002d: 1}`, ""},
	{`{\ud83d\ude00: 1}`, ""},
	{"[] // c", "jsonc json5"},
	{"[/**/1/***/,/* * / */2]", "jsonc json5"},
	{`[1,]`, "jsonc json5"},
	{`{"a":1,}`, "jsonc json5"},
	{``, "jsonc"},
	{"\ufeff", "jsonc"},
	{"// only a remark\n", "jsonc"},

	{`'a'`, "json5"},
	{`{a:1,$b_1:2,é:3,\u0061b:4,null:5,ℵ:6}`, "json5"},
	{`[.5,5.,+1,-.5e3,0x1F,-0XfF,Infinity,-Infinity,+NaN,NaN]`, "json5"},
	{"'a\\\nb\\\r\nc\\\u2028d'", "json5"},
	{`"\x41\v\0\a\'\é"`, "json5"},
	{"\v\f\u00a0\u2028\u3000[1]\u2029", "json5"},
	{"'it\u2028s'", "json5"},
	{"\"\t\"", "json5"},

	{`[,]`, ""},
	{`[1,,2]`, ""},
	{`[,1]`, ""},
	{`{,}`, ""},
	{`{"a":1,,}`, ""},
	{`[1,,]`, ""},
	{`{"a"}`, ""},
	{`{"a":}`, ""},
	{`{"a" 1}`, ""},
	{`{:1}`, ""},
	{`{1:1}`, ""},
	{`{"a":1 "b":2}`, ""},
	{`[1 2]`, ""},
	{`[`, ""},
	{`{`, ""},
	{`]`, ""},
	{`}`, ""},
	{`[}`, ""},
	{`{]`, ""},
	{`[1}`, ""},
	{`{"a":1]`, ""},
	{`[1]]`, ""},
	{`{"a":1}{"b":2}`, ""},
	{"1\n2", ""},
	{`1 2`, ""},
	{`"a" "b"`, ""},
	{`,`, ""},
	{`:`, ""},
	{`01`, ""},
	{`-01`, ""},
	{`00`, ""},
	{`1e`, ""},
	{`1e+`, ""},
	{`-`, ""},
	{`+`, ""},
	{`.`, ""},
	{`-.`, ""},
	{`.e1`, ""},
	{`1.2.3`, ""},
	{`0x`, ""},
	{`0xg`, ""},
	{`1a`, ""},
	{`--1`, ""},
	{`+-1`, ""},
	{`1_000`, ""},
	{`0b1`, ""},
	{`0o7`, ""},
	{`1n`, ""},
	{`tru`, ""},
	{`True`, ""},
	{`nan`, ""},
	{`undefined`, ""},
	{`nulll`, ""},
	{`infinity`, ""},
	{`-infinity`, ""},
	{`-Inf`, ""},
	{`"`, ""},
	{`"a`, ""},
	{`"\`, ""},
	{`"\"`, ""},
	{"\"a\nb\"", ""},
	{"\"a\rb\"", ""},
	{`"\u12"`, ""},
	{`"\u12G4"`, ""},
	{`"\u`, ""},
	{`"\uD83D\u`, ""},
	{`"\1"`, ""},
	{`"\01"`, ""},
	{`"\xg1"`, ""},
	{`"a'`, ""},
	{`'a"`, ""},
	{`/`, ""},
	{`/*`, ""},
	{`/* *`, ""},
	{`[]/`, ""},
	{`# c`, ""},
	{`{"a"=1}`, ""},
	{`{"a";1}`, ""},
	{"\x00", ""},
	{"[\x00]", ""},
	{"{\"a\":1}\x00", ""},
	{"[\u200b]", ""},
	{"`a`", ""},
	{"“a”", ""},
	{"\ufeff\ufeff", ""},
	{`{a b:1}`, ""},
	{`{\u0g:1}`, ""},
	{`{"a":1,"a":2}`, ""},
	{`{"a":1,"\u0061":2}`, ""},
	{`{"😀":1,"\ud83d\ude00":2}`, ""},
	{`{"\ud800":1,"\ud801":2,"\uD800":3}`, ""},
	{`{a:1,'a':2}`, ""},
}

func TestGrammar(t *testing.T) {
	t.Parallel()
	for _, tc := range grammar {
		for _, l := range Engine.Langs {
			t.Run(fmt.Sprintf("%s/%.40q", l, tc.text), func(t *testing.T) {
				t.Parallel()
				want := strings.Contains(" "+tc.langs+" ", " "+string(l)+" ")
				if got := errorsOf(run(t, l, tc.text)); (len(got) == 0) != want {
					t.Errorf("Lint(%q) as %s: errors %v, want valid: %v", tc.text, l, got, want)
				}
			})
		}
	}
}

// TestAgreesWithStandardLibrary holds the table against encoding/json, which
// knows neither duplicate names nor byte order marks.
func TestAgreesWithStandardLibrary(t *testing.T) {
	t.Parallel()
	for _, tc := range grammar {
		agree(t, tc.text)
	}
	for _, tc := range grammar {
		for _, other := range grammar {
			agree(t, "["+tc.text+","+other.text+"]")
		}
	}
}

func agree(tb testing.TB, text string) {
	tb.Helper()
	text = strings.TrimLeft(text, mark)
	var bad []string
	for _, c := range errorsOf(run(tb, lang.JSON, text)) {
		if c != codeDuplicate {
			bad = append(bad, c)
		}
	}
	if want := stdjson.Valid([]byte(text)); (len(bad) == 0) != want {
		tb.Errorf("Lint(%q): errors %v, encoding/json says valid: %v", text, bad, want)
	}
}

func FuzzJSON(f *testing.F) {
	for _, tc := range grammar {
		f.Add(tc.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range Engine.Langs {
			run(t, l, text)
		}
		if strings.Count(text, "[")+strings.Count(text, "{") < 9000 { // the standard library stops at 10,000 levels
			agree(t, text)
		}
	})
}

func TestHostile(t *testing.T) {
	t.Parallel()
	deep := 1_000_000
	for _, tc := range []struct {
		name, text string
		errors     int
	}{
		{"closed arrays", strings.Repeat("[", deep) + strings.Repeat("]", deep), 0},
		{"open arrays", strings.Repeat("[", deep), 1},
		{"closed objects", strings.Repeat(`{"a":`, deep) + "1" + strings.Repeat("}", deep), 0},
		{"open objects", strings.Repeat(`{"":{"a":1},"b":`, deep/4), 1},
		{"one long string", `"` + strings.Repeat("x", 10<<20) + `"`, 0},
		{"one long number", strings.Repeat("9", 10<<20), 0},
		{"bad long number", strings.Repeat("9", 10<<20) + "x", 1},
		{"bad long word", strings.Repeat("é", 5<<20), 1},
		{"one name many times", "{" + strings.Repeat(`"a":1,`, 20_000) + `"a":1}`, 20_000},
		{"many names", manyNames(200_000), 0},
		{"open comments", strings.Repeat("/* ", 1_000_000), 1},
		{"invalid UTF-8", "[\"\xff\xfe\xed\xa0\x80\xe2\"]", 0},
		{"invalid UTF-8 outside", "[\xff\xfe\xed]", 1},
		{"zero bytes", strings.Repeat("\x00", 1<<20), 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			if got := errorsOf(run(t, lang.JSON, tc.text)); len(got) != tc.errors {
				t.Errorf("%d errors, want %d", len(got), tc.errors)
			}
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
}

func manyNames(n int) string {
	var b bytes.Buffer
	b.WriteString(`{"x":0`)
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":%d`, i, i)
	}
	b.WriteString("}")
	return b.String()
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := lint(ctx, engine.Source{Lang: lang.JSON, Text: []byte("[]")}); !errors.Is(err, context.Canceled) {
		t.Errorf("lint with a cancelled context: %v", err)
	}
}

func TestTrailingCommaFix(t *testing.T) {
	t.Parallel()
	const text = `{"a": [1, 2, ], "b": {"c": 1,},}`
	var fixes [][]diag.Edit
	for _, d := range run(t, lang.JSON, text) {
		fixes = append(fixes, d.Fix)
	}
	got, n := diag.Apply([]byte(text), fixes)
	if want := `{"a": [1, 2 ], "b": {"c": 1}}`; string(got) != want || n != 3 {
		t.Errorf("fixed %d: %s, want %s", n, got, want)
	}
}

func TestRulesAreDocumented(t *testing.T) {
	t.Parallel()
	for _, r := range Engine.Rules {
		if head, _, ok := strings.Cut(r.Doc, "\n\n"); !ok || head == "" || strings.Contains(head, "\n") {
			t.Errorf("rule %s: its doc has no summary line", r.Code)
		}
	}
}

func BenchmarkLint(b *testing.B) {
	var doc bytes.Buffer
	for i := range 20_000 {
		fmt.Fprintf(&doc, "%c\n  {\"name\": \"item %d\", \"tags\": [\"a\", \"b\"], \"n\": %d.5, \"ok\": true}", "[,"[min(i, 1)], i, i)
	}
	doc.WriteString("]")
	src := engine.Source{Lang: lang.JSON, Text: doc.Bytes()}
	b.SetBytes(int64(doc.Len()))
	for b.Loop() {
		if d, err := lint(b.Context(), src); err != nil || len(d) > 0 {
			b.Fatal(d, err)
		}
	}
}
