package esbuild

import (
	"strings"
	"testing"

	"poly/internal/engine"
	"poly/internal/lang"
)

// deep are texts that go down once for each repetition.
var deep = []struct{ unit, end string }{
	{"(", "1"},
	{"[", "1"},
	{"{", "1"},
	{"!", "1"},
	{"- ", "1"},
	{"a?b:", "1"},
	{"if(a)", ";"},
	{"if(a)\n", ";"},
	{"if(a){;}else ", "{}"},
	{"if(a){;}\nelse ", "{}"},
	{"x=", "1"},
	{"x=\n", "1"},
	{"x=>", "1"},
	{"new ", "a"},
	{"typeof\n", "a"},
	{"a**", "b"},
	{"++ ", "a"},
	{"+-", "a"},
	{"`${", ""},
	{"<a>", ""},
	{"<a x={", ""},
	{"f(a,", ""},
	{"a:", ";"},
	{"function f(){", ""},
	{"for(;;)", ";"},
	{"a[", ""},
	{"/a/;(", ""},
	{"a.b", ""},
	{"()", ""},
	{"async()=>", "1"},
}

func TestTooDeep(t *testing.T) {
	t.Parallel()
	for _, c := range deep {
		if text := strings.Repeat(c.unit, 2*maxDepth) + c.end; !tooDeep([]byte(text), false) {
			t.Errorf("%q 8000 times is not too deep", c.unit)
		}
		// Half of it is survived, and judged in reasonable time.
		text := strings.Repeat(c.unit, maxDepth/2) + c.end
		_, err := linter{lang: "javascript"}.lint(t.Context(), engine.Source{Text: []byte(text)})
		if _, skipped := engine.SkipReason(err); err != nil && !skipped {
			t.Errorf("%q: %v", c.unit, err)
		}
	}
	if !tooDeep([]byte(strings.Repeat("a{", 2*maxDepth)), true) {
		t.Error("CSS in 8000 blocks is not too deep")
	}
}

// TestLongIsNotDeep: size alone does not nest.
func TestLongIsNotDeep(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{
		"a(b, c);\n",
		"a.b('c')\n",
		"const x = y ? z : 1;",
		"const x = a\n",
		"if (a) { b(); } else { c() }\n",
		"export class A {\n  b() { return 1 }\n\n  c = 2\n}\n",
		"'it''s' + \"(\" + `(${a})`;",
		"x = /[/(]/.test(y); // (\n",
		"a<=b&&c>=d||e===f&&g!=h??i",
		"switch (a) { case 1: b(); break; default: c() }\n",
	} {
		if tooDeep([]byte(strings.Repeat(unit, 3*maxDepth)), false) {
			t.Errorf("%q 12000 times is too deep", unit)
		}
	}
	list := "[" + strings.Repeat("{a: 1, 'b': [2]},", 3*maxDepth) + "]"
	if tooDeep([]byte(list), false) {
		t.Error("a list is too deep")
	}
	if svg := "x = <svg>" + strings.Repeat("<path d=\"a\" b={c}/>", 3*maxDepth) + "</svg>"; tooDeep([]byte(svg), false) {
		t.Error("a picture is too deep")
	}
	if css := strings.Repeat(".a:not(.b) > c { d: url(//e); f: \"}\" }", 3*maxDepth); tooDeep([]byte(css), true) {
		t.Error("a style sheet is too deep")
	}
}

func TestForeign(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lang         lang.ID
		path         string
		text, reason string
	}{
		{"javascript", "a.js", "// @flow\nimport typeof A from 'a'\n", "Flow"},
		{"javascript", "a.js", "#!/usr/bin/env node\n/* a\n * @flow\n */\n", "Flow"},
		{"javascript", "a.js", "const x = (y: any) => y\n", "types"},
		{"javascript", "a.js", "---\n---\nvar a = 1\n", "front matter"},
		{"css", "a.css", "---\n# Jekyll\n---\na { }\n", "front matter"},
		{"jsx", "a.jsx", "#include \"json2.js\"\nalert(1)\n", "host"},
		{"javascript", "a.js", "var a = 1\n#ifdef X\nvar b\n#endif\n", "host"},
		{"javascript", "a.js", "%OptimizeFunctionOnNextCall(f);\n", "host"},
		{lang.TypeScript, "a.ts", "<?xml version=\"1.0\"?>\n<!DOCTYPE TS>\n", "XML"},
		{"css", "a.pcss", "$a: 1;\n", "PostCSS"},
		{"javascript", "a.js", strings.Repeat("x = 1;\n", 700_000), "4 MB"},
	} {
		_, err := linter{lang: c.lang}.lint(t.Context(), engine.Source{Path: c.path, Text: []byte(c.text)})
		if reason, ok := engine.SkipReason(err); !ok || !strings.Contains(reason, c.reason) {
			t.Errorf("%.60q: %v, want a skip that says %q", c.text, err, c.reason)
		}
	}
	// These are not.
	for _, text := range []string{"// not @flowing\nx = 1\n", "x = '#include \"a\"'\n", "export default 1\n// @flow\n"} {
		d, err := linter{lang: "javascript"}.lint(t.Context(), engine.Source{Path: "a.js", Text: []byte(text)})
		if err != nil || len(d) > 0 {
			t.Errorf("%q: %v %v", text, d, err)
		}
	}
}
