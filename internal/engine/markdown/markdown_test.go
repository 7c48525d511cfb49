package markdown

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
	"poly/internal/mdtree"
)

// run lints text with the native files in inputs, which are path and text by
// turns, nearest first.
func run(tb testing.TB, env engine.Env, text string, inputs ...string) ([]diag.Diagnostic, error) {
	tb.Helper()
	env.Lang = lang.Markdown
	b, err := Engine.Bind(tb.Context(), env)
	if err != nil {
		tb.Fatalf("Bind: %v", err)
	}
	w, err := b.Open(tb.Context())
	if err != nil {
		tb.Fatalf("Open: %v", err)
	}
	src := engine.Source{Path: "f.md", Lang: lang.Markdown, Text: []byte(text)}
	for i := 0; i+1 < len(inputs); i += 2 {
		src.Inputs = append(src.Inputs, engine.Input{Path: inputs[i], Text: []byte(inputs[i+1])})
	}
	return w.Lint(tb.Context(), src)
}

// found lists what was found as line and code.
func found(text string, diags []diag.Diagnostic) string {
	var out []string
	for _, d := range diags {
		out = append(out, fmt.Sprint(1+strings.Count(text[:d.Span.Start], "\n"), " ", d.Code))
	}
	return strings.Join(out, ", ")
}

func TestNative(t *testing.T) {
	t.Parallel()
	const text = "# a\n\nb \n\n<b>c</b>\n\n- d\n    - e\n"
	for _, tc := range []struct {
		name   string
		inputs []string
		want   string
	}{
		{"none", nil, "3 MD009, 5 MD033, 8 MD007"},
		{"off", []string{".markdownlint.json", `{"MD009": false}`}, "5 MD033, 8 MD007"},
		{"alias", []string{".markdownlint.json", `{"no-inline-html": false}`}, "3 MD009, 8 MD007"},
		{"tag", []string{".markdownlint.json", `{"whitespace": false, "MD009": true}`}, "3 MD009, 5 MD033, 8 MD007"},
		{"default", []string{".markdownlint.yaml", "default: false\nMD007: true\n"}, "8 MD007"},
		{"parameter", []string{".markdownlint.yml", "MD007:\n  indent: 4\nMD033: {allowed_elements: [b]}\n"}, "3 MD009"},
		{"comments", []string{".markdownlint.jsonc", "// a\n{\n\t\"MD009\": false, /* \"b\" */\n  \"MD033\": {\"allowed_elements\": [\"b\",],},\n}\n"}, "8 MD007"},
		{"disabled object", []string{".markdownlint.json", `{"MD009": {"enabled": false, "strict": true}}`}, "5 MD033, 8 MD007"},
		{"style", []string{".markdownlint.json", `{"extends": "markdownlint/style/relaxed"}`}, ""},
		{"cli2", []string{".markdownlint-cli2.yaml", "config:\n  MD009: false\n"}, "5 MD033, 8 MD007"},
		{"cli2 adds", []string{"a/.markdownlint-cli2.jsonc", `{"config": {"MD009": false}}`, ".markdownlint-cli2.jsonc", `{"config": {"MD009": true, "MD033": false}}`}, "8 MD007"},
		{"plain beside cli2", []string{".markdownlint.json", `{"MD009": false}`, ".markdownlint-cli2.yaml", "config: {MD033: false}"}, "5 MD033, 8 MD007"},
		{"nearest plain", []string{"a/.markdownlint.json", `{"MD009": false}`, ".markdownlint.json", `{"MD033": false}`}, "5 MD033, 8 MD007"},
		{"cli2 hides plain above", []string{"a/.markdownlint-cli2.yaml", "config: {MD009: false}", ".markdownlint.json", `{"MD033": false}`}, "5 MD033, 8 MD007"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d, err := run(t, engine.Env{}, text, tc.inputs...)
			if got := found(text, d); err != nil || got != tc.want {
				t.Errorf("found %q, %v; want %q", got, err, tc.want)
			}
		})
	}
}

// TestOwnOptionsWin: what poly.toml says wins over a native file.
func TestOwnOptionsWin(t *testing.T) {
	t.Parallel()
	const text = "# a\n\n- b\n    - c\n"
	env := engine.Env{Params: map[string]config.Values{"MD007": {"indent": 4}}}
	d, err := run(t, env, text, ".markdownlint.json", `{"MD007": {"indent": 2}}`)
	if got := found(text, d); err != nil || got != "" {
		t.Errorf("found %q, %v; want nothing", got, err)
	}
}

// TestUnreadable: settings that cannot be known decline the file, broken ones
// fail.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	for path, text := range map[string]string{
		".markdownlint.cjs":       "module.exports = {}",
		".markdownlint-cli2.mjs":  "export default {}",
		".markdownlint.json":      `{"extends": "../base.json"}`,
		".markdownlint-cli2.yaml": "config:\n  extends: base.yaml\n",
	} {
		_, err := run(t, engine.Env{}, "# a\n", path, text)
		if _, ok := engine.SkipReason(err); !ok {
			t.Errorf("%s: %v, want a skip", path, err)
		}
	}
	for path, text := range map[string]string{".markdownlint.json": `{"MD001": `, ".markdownlint.yaml": "- a\n"} {
		_, err := run(t, engine.Env{}, "# a\n", path, text)
		if _, ok := engine.SkipReason(err); err == nil || ok || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want an error that names it", path, err)
		}
	}
}

func TestBadPattern(t *testing.T) {
	t.Parallel()
	_, err := Engine.Bind(t.Context(), engine.Env{Params: map[string]config.Values{"MD051": {"ignored_pattern": "("}}})
	if err == nil || !strings.Contains(err.Error(), "MD051.ignored_pattern") {
		t.Errorf("Bind with a bad pattern: %v", err)
	}
}

func TestComments(t *testing.T) {
	t.Parallel()
	const c = "<!-- markdownlint-"
	for _, tc := range []struct{ name, text, want string }{
		{"disable", "# a\n\n" + c + "disable MD009 -->\nb \n", ""},
		{"alias", "# a\n\n" + c + "disable No-Trailing-Spaces -->\nb \n", ""},
		{"tag", "# a\n\n" + c + "disable whitespace -->\nb \n", ""},
		{"all", "# a\n\n" + c + "disable -->\nb \n<b>\n", ""},
		{"from here on", "# a\n\nb \n" + c + "disable -->\nc \n", "3 MD009"},
		{"enable", "# a\n\n" + c + "disable -->\nb \n" + c + "enable MD009 -->\nc \n", "6 MD009"},
		{"line", "# a\n\nb " + c + "disable-line --> \nb \n", "4 MD009"},
		{"next line", "# a\n\n" + c + "disable-next-line MD009 -->\nb \nc \n", "5 MD009"},
		{"file", "# a\n\nb \n" + c + "disable-file MD009 -->\n", ""},
		{"file and enable", c + "disable-file MD009 -->\n\n# a\n\nb \n" + c + "enable-file MD009 -->\n", "5 MD009"},
		{"capture", "# a\n\n" + c + "capture -->\n" + c + "disable -->\nb \n" + c + "restore -->\nc \n", "7 MD009"},
		{"configure", "# a\n\nb   \n\n" + c + "configure-file { \"MD009\": { \"br_spaces\": 3 } } -->\n", ""},
		{"configure lines", "# a\n\nb \n\n" + c + "configure-file {\n  \"MD009\": false\n} -->\n", ""},
		{"configure badly", "# a\n\nb \n\n" + c + "configure-file { -->\n", "3 MD009"},
		{"unknown", "# a\n\n" + c + "disabled -->\nb \n", "4 MD009"},
		{"not closed", "# a\n\nb \n" + c + "disable\n", "3 MD009"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d, err := run(t, engine.Env{}, tc.text)
			if got := found(tc.text, d); err != nil || got != tc.want {
				t.Errorf("%q: found %q, %v; want %q", tc.text, got, err, tc.want)
			}
		})
	}
	const text = "# a\n\n" + c + "disable -->\nb \n"
	d, err := run(t, engine.Env{}, text, ".markdownlint-cli2.jsonc", `{"noInlineConfig": true}`)
	if got := found(text, d); err != nil || got != "4 MD009" {
		t.Errorf("noInlineConfig: found %q, %v", got, err)
	}
}

func TestFrontMatter(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"---\na: b\n---\ntext":       13,
		"---\na: b\n---\n\n\ntext":   15,
		"---\r\na: b\r\n---\r\ntext": 16,
		"+++\na = 1\n+++\n":          14,
		"+++\na = 1\n...\nb":         14,
		"{\n\"a\": 1\n}\n# b":        11,
		"--- \na\n---\t\n":           12,
		"---\na: b\n---x\n":          0,
		"---\ntext":                  0,
		"----\na\n---\n":             0,
		"text\n---\na\n---\n":        0,
		"":                           0,
	} {
		if got := frontMatter([]byte(text)); got != want {
			t.Errorf("frontMatter(%q) = %d, want %d", text, got, want)
		}
	}
}

// TestFixes: what a fix leaves behind. Each input has findings that --fix of
// markdownlint mends by changing what the document says.
func TestFixes(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, in, want string }{
		{"lists that would be one", "# a\n\n- b\n\n* c\n", "# a\n\n- b\n\n* c\n"},
		{"bullets of one list", "# a\n\n- b\n  * c\n", "# a\n\n- b\n  - c\n"},
		{"first number", "# a\n\n2. b\n3. c\n", "# a\n\n2. b\n3. c\n"},
		{"other numbers", "# a\n\n1. b\n3. c\n", "# a\n\n1. b\n2. c\n"},
		{"number that moves the content", "# a\n\n1. b\n2. c\n10. d\n\n        e\n", "# a\n\n1. b\n2. c\n10. d\n\n        e\n"},
		{"break", "# a\n\nb     \nc\n", "# a\n\nb  \nc\n"},
		{"no break", "# a\n\nb     \n\nc \n", "# a\n\nb\n\nc\n"},
		{"blank after a backslash", "# a\n\nb\\ \nc\n", "# a\n\nb\\ \nc\n"},
		{"tab in code", "# a\n\n```make\nb:\n\tc\n```\n", "# a\n\n```make\nb:\n\tc\n```\n"},
		{"tab in a list", "# a\n\n-\tb\n\n\tc\n", "# a\n\n-\tb\n\n\tc\n"},
		{"tab in text", "# a\n\nb\tc\n", "# a\n\nb c\n"},
		{"blank lines in HTML", "# a\n\n<pre>\n\n\nb\n</pre>\n", "# a\n\n<pre>\n\n\nb\n</pre>\n"},
		{"hashtag", "# a\n\n#b\n", "# a\n\n#b\n"},
		{"emphasis", "# a\n\nb ** c ** d\n", "# a\n\nb ** c ** d\n"},
		{"dollar", "# a\n\n```sh\n$ b\n```\n", "# a\n\n```sh\n$ b\n```\n"},
		{"code", "# a\n\n` b`\n", "# a\n\n` b`\n"},
		{"www", "# a\n\nwww.example.com\n", "# a\n\nwww.example.com\n"},
		{"fence in an item", "# a\n\n- b\n  ```sh\n  c\n  ```\n", "# a\n\n- b\n  ```sh\n  c\n  ```\n"},
		{"fence", "# a\n\nb\n```sh\nc\n```\n", "# a\n\nb\n\n```sh\nc\n```\n"},
		{"quote", "# a\n\n> b\n> - c\n", "# a\n\n> b\n>\n> - c\n"},
		{"indented item with code", "# a\n\n-   b\n\n        c\n", "# a\n\n-   b\n\n        c\n"},
		{"nested emphasis", "# a\n\n*b* **_c_**\n", "# a\n\n*b* **_c_**\n"},
		{"exclamation", "# a!\n", "# a!\n"},
		{"list below a heading", "- a\n\n# b\n* c\n* d\n", "- a\n\n# b\n\n- c\n- d\n"},
		{"emphasis below a heading", "_a_\n\n# b\n*c*\n", "_a_\n\n# b\n\n_c_\n"},
		{"directive", "# a\n\n- b\n:::\n", "# a\n\n- b\n:::\n"},
		{"comment", "# a\n\n[b]: # (c)\n", "# a\n\n[b]: # (c)\n"},
		{"CRLF", "# a\r\nb\r\n\r\n\r\n\r\nc\r\n", "# a\r\n\r\nb\r\n\r\nc\r\n"},
		{"no line ending", "# a\n\nb", "# a\n\nb\n"},
		{"front matter", "---\na:  *b \n---\n\n#  c\n", "---\na:  *b \n---\n\n# c\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			text := tc.in
			for range 5 {
				d, err := run(t, engine.Env{}, text)
				if err != nil {
					t.Fatal(err)
				}
				var fixes [][]diag.Edit
				for i := range d {
					fixes = append(fixes, d[i].Fix)
				}
				out, n := diag.Apply([]byte(text), fixes)
				if text = string(out); n == 0 {
					break
				}
			}
			if diff := cmp.Diff(tc.want, text); diff != "" {
				t.Errorf("fixes of %q (-want +got):\n%s", tc.in, diff)
			}
		})
	}
}

// TestShape: what fixes are judged by tells documents apart that say different
// things, and no others.
func TestShape(t *testing.T) {
	t.Parallel()
	of := func(s string) string {
		d := mdtree.Parse([]byte(s), 0)
		return string(shape(nil, d, d.Root))
	}
	for _, tc := range []struct {
		name, a, b string
		same       bool
	}{
		{"bullet", "- a\n- b\n", "* a\n* b\n", true},
		{"two lists", "- a\n* b\n", "- a\n- b\n", false},
		{"number", "1. a\n3. b\n", "1. a\n2. b\n", true},
		{"first number", "2. a\n", "1. a\n", false},
		{"room", "- a\n- b\n", "- a\n\n- b\n", false},
		{"more room", "- a\n\n- b\n", "- a\n\n\n- b\n", true},
		{"code", "-   a\n\n        b\n", "- a\n\n        b\n", false},
		{"nesting", "- a\n    - b\n", "- a\n  - b\n", true},
		{"out of the list", "- a\n\n  b\n", "- a\n\nb\n", false},
		{"break", "a  \nb\n", "a\nb\n", false},
		{"longer break", "a    \nb\n", "a  \nb\n", true},
		{"blank at the end", "a \n", "a\n", true},
		{"emphasis", "*a* __b__", "_a_ **b**", true},
		{"no emphasis", "a*b*c", "a_b_c", false},
		{"text", "a b", "a c", false},
		{"heading", "#a", "# a", false},
		{"fence", "a\n```\nb\n```\n", "a\n\n```\nb\n```\n", true},
		{"blank line in code", "```\na\n\nb\n```\n", "```\na\nb\n```\n", false},
	} {
		if got := of(tc.a) == of(tc.b); got != tc.same {
			t.Errorf("%s: %q and %q are the same: %v, want %v", tc.name, tc.a, tc.b, got, tc.same)
		}
	}
}

// TestHostile: the time a rule takes grows with the text, not with its square.
func TestHostile(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{
		"a \n", "\t\n", "`a`   \n", "a\tb `c`\n", "> a\n\n", ">  a\n", "- a\n* b\n", "1. a\n1. b\n2. c\n", "  - a\n", "# a\n", "a\n=\n", "*a* _b_ ",
		"**a** __b__\n", "[a][b] ", "[a]: b\n\n", "[a](#b)\n", "# a\n[a](#A)\n", "(a)[b] `c` ", "http://a.b\n", "<b>", "<a>http://b.c</a>", "| a | b |\n|---|--|\n\n",
		"```\na\n```\n", "<!-- a -->\n", "<!--", "`<!--`", "<!-- markdownlint-disable MD009 -->\n", "![](a)\n", "***a***\n\n---\n", "* * *\n", " * ", "a ** b ** ",
	} {
		t.Run(piece, func(t *testing.T) {
			t.Parallel()
			text := strings.Repeat(piece, 1+150_000/len(piece))
			begin := time.Now()
			if _, err := run(t, engine.Env{}, text); err != nil {
				t.Error(err)
			}
			if d := time.Since(begin); d > 20*time.Second {
				t.Errorf("%q took %v", piece, d)
			}
		})
	}
}

func FuzzLint(f *testing.F) {
	f.Add("# a\n\n- b \n\n| c |\n| - |\n")
	f.Add("---\ntitle: a\n---\n\n> [b]: c\n\n<!-- markdownlint-disable -->\n")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := run(t, engine.Env{}, text)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range d {
			if s := x.Span; s.Start < 0 || s.End < s.Start || s.End > len(text) || strings.ContainsAny(x.Title, "\n\r") {
				t.Errorf("Lint(%.60q): %q at %d-%d of %d", text, x.Title, s.Start, s.End, len(text))
			}
		}
	})
}
