package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"poly/internal/diag"
)

func pretty(t *testing.T, r *diag.Report, o Options) string {
	t.Helper()
	text, err := appendPretty(nil, r, o)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestPrettyLint(t *testing.T) {
	t.Parallel()
	r := sample()
	r.Stats = diag.Stats{Micros: 12345, FromCache: 11}
	r.Files[0].Diagnostics = append(r.Files[0].Diagnostics, diag.Diagnostic{
		Engine: "typos", Severity: diag.Warning, Title: "the", Excerpt: "\t日本\tthe end",
		Span: &diag.Span{StartLine: 120, StartCol: 5, EndLine: 120, EndCol: 8},
	})
	for i := range 5 {
		r.Files = append(r.Files, diag.FileReport{Path: fmt.Sprintf("z/%d.png", i), Outcome: diag.Skipped, Reason: "binary"})
	}
	r.Summary.Skipped = 6
	r.Notes = diag.Notes{
		Excluded: []diag.Rule{{Pattern: "vendor/", Files: 35}, {Pattern: "*.min.js", Files: 5}}, Unrecognised: 4, Samples: []string{"x.q", "y.q"},
		Symlinks: 1, Submodules: 2, Warnings: []string{"the cache is read-only"},
	}
	same(t, "lint", pretty(t, r, Options{Prefix: "app"}), `a.yaml
  error    2:1    yaml/duplicate-key  key "a" <again> & more
    2 | a: 1
      | ^
  hint            text  whole file
  warning  120:5  typos  the
    120 |     日本    the end
        |             ^^^
gen.go
  info     text/x  t

Lint did not complete. 4 issues found. (1 error, 1 warning; 12 files checked; 6 skipped: 5 binary, 1 no lint rules for Zig; 1 failed; 40 excluded by configuration; 4 files of unrecognized type not checked; in 12 ms, 11 from cache)
Fixed 2 issues in 1 file.
1 fixable with --fix
note: 40 files excluded by configuration: vendor/ (35), *.min.js (5)
note: 4 files of unrecognized type not checked, such as ../x.q, ../y.q
note: 1 symbolic link not followed
note: 2 submodules not entered
note: 6 files skipped:
  5 files: binary (../z/0.png, ../z/1.png, ../z/2.png, ...)
  ../main.zig: no lint rules for Zig
note: fixes withheld from 1 generated file (--fix-generated applies them)
warning: the cache is read-only
error: "../bad\377name": boom
1 file could not be checked
`)
	same(t, "quiet", pretty(t, &diag.Report{Verb: "lint", Files: r.Files[2:], Summary: r.Summary, Notes: r.Notes}, Options{Quiet: true}),
		"app/gen.go\n  info     text/x  t\nerror: \"bad\\377name\": boom\n1 file could not be checked\n")
}

// TestFailedAlike: files that fail in the same way are one line, unless each is
// asked for.
func TestFailedAlike(t *testing.T) {
	t.Parallel()
	r := &diag.Report{Verb: "lint", Summary: diag.Summary{Errored: 6}}
	for _, f := range []string{"a", "b", "c", "d"} {
		r.Files = append(r.Files, diag.FileReport{Path: f, Outcome: diag.Errored, Reason: "x.toml:1: broken"})
	}
	r.Files = append(r.Files, diag.FileReport{Path: "e", Outcome: diag.Errored, Reason: "boom"}, diag.FileReport{Path: "f", Outcome: diag.Errored, Reason: "boom"})
	same(t, "short", string(AppendNotes(nil, r, Options{Quiet: true})),
		"error: 4 files: x.toml:1: broken (a, b, c, ...)\nerror: e: boom\nerror: f: boom\n6 files could not be checked\n")
	same(t, "verbose", string(AppendNotes(nil, r, Options{Quiet: true, Verbose: true})),
		"error: a: x.toml:1: broken\nerror: b: x.toml:1: broken\nerror: c: x.toml:1: broken\nerror: d: x.toml:1: broken\n"+
			"error: e: boom\nerror: f: boom\n6 files could not be checked\n")
}

func TestPrettyDetails(t *testing.T) {
	t.Parallel()
	r := sample()
	r.Files = r.Files[:1]
	r.Summary = diag.Summary{Checked: 1}
	same(t, "verbose and debug", pretty(t, r, Options{Verbose: true, Debug: true}), `app/a.yaml
  error    2:1  yaml/duplicate-key  key "a" <again> & more
    2 | a: 1
      | ^
      two
      lines
      https://example.org/?a=1&b=2
      a=␀
      z=1
  hint          text  whole file
  [debug] yaml v1.2  ran  1.25 ms
  [debug] text  cache hit

2 issues found. (1 error, 0 warnings; 1 file checked)
Fixed 2 issues in 1 file.
1 fixable with --fix
`)
	r.Files[0].Diagnostics = r.Files[0].Diagnostics[:1]
	same(t, "colour", pretty(t, r, Options{Color: true, Quiet: true}),
		"\x1b[1mapp/a.yaml\x1b[0m\n  \x1b[1;31merror\x1b[0m    2:1  \x1b[2myaml/duplicate-key\x1b[0m  key \"a\" <again> & more\n"+
			"\x1b[2m    2 | \x1b[0ma: 1\n\x1b[2m      | \x1b[0m\x1b[1;31m^\x1b[0m\n")
}

func TestPrettyHeadlines(t *testing.T) {
	t.Parallel()
	finding := []diag.Diagnostic{{Engine: "e", Severity: diag.Info, Title: "t", Fix: []diag.Edit{{}}}}
	for _, tc := range []struct {
		name string
		r    diag.Report
		want string
	}{
		{"clean", diag.Report{Summary: diag.Summary{Checked: 2}}, "No issues found. (2 files checked)\n"},
		{"slow", diag.Report{Summary: diag.Summary{Checked: 1}, Stats: diag.Stats{Micros: 12_340_000, FromCache: 1}}, "No issues found. (1 file checked; in 12.3 s, 1 from cache)\n"},
		{"fast", diag.Report{Summary: diag.Summary{Checked: 1}, Stats: diag.Stats{Micros: 1_260}}, "No issues found. (1 file checked; in 1.3 ms, 0 from cache)\n"},
		{"nothing", diag.Report{}, "Nothing was checked. (0 files checked)\n"},
		{
			"all skipped",
			diag.Report{Summary: diag.Summary{Skipped: 1}, Files: []diag.FileReport{{Path: "a", Outcome: diag.Skipped, Reason: "binary"}}},
			"Nothing was checked. (0 files checked; 1 skipped: binary)\nnote: 1 file skipped:\n  a: binary\n",
		},
		{"fixed", diag.Report{Fix: true, Summary: diag.Summary{Checked: 2}, Files: []diag.FileReport{{Path: "a", Fixed: 3}}}, "Fixed 3 issues in 1 file. (2 files checked)\n"},
		{"failed", diag.Report{Summary: diag.Summary{Errored: 1}}, "Lint did not complete. (0 files checked; 1 failed)\n"},
		{
			"withheld is not fixable",
			diag.Report{Summary: diag.Summary{Checked: 1}, Files: []diag.FileReport{{Path: "a", FixWithheld: true, Diagnostics: finding}}},
			"a\n  info     e  t\n\n1 issue found. (1 file checked)\nnote: fixes withheld from 1 generated file (--fix-generated applies them)\n",
		},
		{
			"fixable",
			diag.Report{Summary: diag.Summary{Checked: 1}, Files: []diag.FileReport{{Path: "a", Diagnostics: finding}}},
			"a\n  info     e  t\n\n1 issue found. (1 file checked)\n1 fixable with --fix\n",
		},
		{"formatted", diag.Report{Verb: "fmt", Summary: diag.Summary{Checked: 2}}, "All formatted. (2 files checked)\n"},
		{"no formatter", diag.Report{Verb: "fmt"}, "Nothing was checked. (0 files checked)\n"},
		{
			"drift",
			diag.Report{Verb: "fmt", Summary: diag.Summary{Checked: 3}, Files: []diag.FileReport{{Path: "a", Changed: true}, {Path: "b\n", Changed: true}}},
			"would reformat a\nwould reformat \"b\\n\"\n\n2 files would be reformatted. (3 files checked)\n",
		},
		{
			"rewritten",
			diag.Report{Verb: "fmt", Fix: true, Summary: diag.Summary{Checked: 3}, Files: []diag.FileReport{{Path: "a", Changed: true}}},
			"reformatted a\n\n1 file reformatted. (3 files checked)\n",
		},
		{
			"format failed",
			diag.Report{Verb: "fmt", Summary: diag.Summary{Errored: 1}, Files: []diag.FileReport{{Path: "a", Outcome: diag.Errored, Reason: "does\nnot parse"}}},
			"Formatting did not complete. (0 files checked; 1 failed)\nerror: a: does not parse\n1 file could not be checked\n",
		},
	} {
		if tc.r.Verb == "" {
			tc.r.Verb = "lint"
		}
		same(t, tc.name, pretty(t, &tc.r, Options{}), tc.want)
	}
}

func TestSkipsAreGrouped(t *testing.T) {
	t.Parallel()
	r := &diag.Report{Verb: "lint"}
	for i := range 4 {
		r.Files = append(r.Files, diag.FileReport{Path: fmt.Sprintf("t%d", i), Outcome: diag.Skipped, Reason: "Helm template"})
	}
	for i := range 3 {
		r.Files = append(r.Files, diag.FileReport{Path: fmt.Sprintf("b%d", i), Outcome: diag.Skipped, Reason: "binary"})
	}
	r.Summary.Skipped = 7
	same(t, "grouped", string(AppendNotes(nil, r, Options{})), `note: 7 files skipped:
  4 files: Helm template (t0, t1, t2, ...)
  b0: binary
  b1: binary
  b2: binary
`)
	if got := string(AppendNotes(nil, r, Options{Verbose: true})); strings.Count(got, "\n") != 8 {
		t.Errorf("with Verbose each of 7 skips has a line:\n%s", got)
	}
	if got := AppendNotes(nil, r, Options{Quiet: true}); len(got) > 0 {
		t.Errorf("with Quiet there are notes:\n%s", got)
	}
	if got := AppendOverBudget(nil, r, 7, Options{}); len(got) > 0 {
		t.Errorf("7 of 7 skips allowed, but:\n%s", got)
	}
	r.Files = r.Files[:2]
	same(t, "over budget", string(AppendOverBudget(nil, r, 6, Options{})), "skipped t0: Helm template\nskipped t1: Helm template\nerror: 7 files skipped, at most 6 allowed\n")
}

func TestExcludedRules(t *testing.T) {
	t.Parallel()
	r := &diag.Report{Verb: "lint"}
	for i := range 7 {
		r.Notes.Excluded = append(r.Notes.Excluded, diag.Rule{Pattern: fmt.Sprintf("r%d/", i), Files: 7 - i})
	}
	same(t, "rules", string(AppendNotes(nil, r, Options{})), "note: 28 files excluded by configuration: r0/ (7), r1/ (6), r2/ (5), r3/ (4), r4/ (3), and 2 more rules\n")
}

func TestPrettyDiff(t *testing.T) {
	t.Parallel()
	patch := string(Unified("f", []byte("a\nb\n"), []byte("a\nc\n")))
	r := &diag.Report{Verb: "fmt", Summary: diag.Summary{Checked: 2}, Files: []diag.FileReport{
		{Path: "f", Changed: true, More: &diag.Extras{Diff: patch}}, {Path: "g", Outcome: diag.Skipped, Reason: "binary"},
	}}
	same(t, "patch alone", pretty(t, r, Options{Diff: true}), patch)
	same(t, "colour", pretty(t, r, Options{Diff: true, Color: true}),
		"\x1b[1mdiff --git a/f b/f\x1b[0m\n\x1b[1m--- a/f\x1b[0m\n\x1b[1m+++ b/f\x1b[0m\n\x1b[1;34m@@ -1,2 +1,2 @@\x1b[0m\n a\n\x1b[31m-b\x1b[0m\n\x1b[32m+c\x1b[0m\n")
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300) + "HERE" + strings.Repeat("y", 300)
	for _, tc := range []struct {
		name, line                     string
		startCol, endLine, endCol, max int
		want, under                    string
	}{
		{"plain", "let x = 1", 5, 2, 6, 40, "let x = 1", "    ^"},
		{"empty span", "abc", 2, 2, 2, 40, "abc", " ^"},
		{"at the end", "abc", 4, 2, 4, 40, "abc", "   ^"},
		{"past the end", "abc", 9, 2, 12, 40, "abc", "   ^"},
		{"several lines", "if x {", 4, 5, 2, 40, "if x {", "   ^^^"},
		{"tabs", "\ta\tb", 4, 2, 5, 40, "    a    b", "         ^"},
		{"wide", "日本語x", 2, 2, 4, 40, "日本語x", "  ^^^^"},
		{"combining", "e\u0301x", 3, 2, 4, 40, "e\u0301x", " ^"},
		{"controls", "a\x1b[31mb\xff", 2, 2, 3, 40, "a␛[31mb\ufffd", " ^"},
		{"cut on both sides", long, 301, 2, 305, 40, "…xxxxxxxxxxxxxHEREyyyyyyyyyyyyyyyyyyyyy…", "              ^^^^"},
		{"cut on the right", "abc" + long, 2, 2, 4, 20, "abcxxxxxxxxxxxxxxxx…", " ^^"},
		{"cut on the left", long + "END", 605, 2, 608, 20, "…yyyyyyEND", "       ^^^"},
	} {
		text, pad, carets := window(tc.line, &diag.Span{StartLine: 2, StartCol: tc.startCol, EndLine: tc.endLine, EndCol: tc.endCol}, tc.max)
		same(t, tc.name, text, tc.want)
		same(t, tc.name+": carets", strings.Repeat(" ", pad)+strings.Repeat("^", carets), tc.under)
	}
	text, pad, _ := window("\ufeffab", &diag.Span{StartLine: 1, StartCol: 2, EndLine: 1, EndCol: 3}, 40)
	if text != "ab" || pad != 1 {
		t.Errorf("behind a byte order mark: %q, %d", text, pad)
	}
}

// Carets stand below the text of the span, and nothing is wider than allowed.
func TestExcerptFits(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	for range 20000 {
		var line []rune
		for range r.IntN(90) {
			line = append(line, []rune("ab\t日é\u0301\u200b😀\x1b")[r.IntN(9)])
		}
		// The span is one letter that occurs once.
		at := r.IntN(len(line) + 1)
		line = slices.Insert(line, at, 'Z')
		width := minWidth + r.IntN(60)
		text, pad, carets := window(string(line), &diag.Span{StartLine: 3, StartCol: at + 1, EndLine: 3, EndCol: at + 2}, width)
		if got := textWidth(text); got > width {
			t.Fatalf("window(%q, %d) = %q, which takes %d columns", string(line), width, text, got)
		}
		before, _, found := strings.Cut(text, "Z")
		if !found || textWidth(before) != pad || carets != 1 {
			t.Fatalf("window(%q, %d) = %q with %d carets after %d columns", string(line), width, text, carets, pad)
		}
	}
}

func TestCellWidth(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text string
		want int
	}{{"a", 1}, {"é", 1}, {"日", 2}, {"ｱ", 1}, {"Ａ", 2}, {"한", 2}, {"😀", 2}, {"\u0301", 0}, {"\u200d", 0}, {"→", 1}, {"─", 1}, {"\U00020000", 2}, {"⚡", 2}, {"☂", 1}} {
		r, _ := utf8.DecodeRuneInString(tc.text)
		if got := cellWidth(r); got != tc.want {
			t.Errorf("cellWidth(%q) = %d, want %d", tc.text, got, tc.want)
		}
	}
	for i := 1; i < len(wide); i++ {
		if wide[i][0] <= wide[i-1][1] || wide[i][0] > wide[i][1] {
			t.Errorf("wide[%d] is out of order", i)
		}
	}
}

func answer() Object {
	return Object{}.With("version", "0.1.0").With("ok", true).With("none", nil).
		With("engines", Object{}.With("gofumpt", "v1").With("empty", "")).
		With("per_namespace", []Object{
			Object{}.With("namespace", "lint").With("entries", 12), Object{}.With("namespace", "fmt").With("entries", int64(3000)),
		}).
		With("list", []string{"a", "b\x1b"}).With("nothing", []any{}).With("object", Object{}).
		With("deep", []any{Object{}.With("a", []string{"x"}).With("b", uint64(1)), []any{1, 2.5}, "z"})
}

func TestObject(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ format, want string }{
		{
			"json", `{"version":"0.1.0","ok":true,"none":null,"engines":{"gofumpt":"v1","empty":""},"per_namespace":[{"namespace":"lint","entries":12},` +
				`{"namespace":"fmt","entries":3000}],"list":["a","b\u001b"],"nothing":[],"object":{},"deep":[{"a":["x"],"b":1},[1,2.5],"z"]}` + "\n",
		},
		{
			"toon", "version: 0.1.0\nok: true\nnone: null\nengines:\n  gofumpt: v1\n  empty: \"\"\nper_namespace[2]{namespace,entries}:\n  lint,12\n  fmt,3000\n" +
				"list[2]: a,\"b\\u001b\"\nnothing: []\nobject:\ndeep[3]:\n  - a[1]: x\n    b: 1\n  - [2]: 1,2.5\n  - z",
		},
		{
			"pretty", `version: 0.1.0
ok: true
none: -
engines:
  gofumpt: v1
  empty: ""
per_namespace:
  namespace  entries
  lint       12
  fmt        3000
list:
  - a
  - b␛
nothing: none
object: none
deep:
  - a:
      - x
    b: 1
  -
    - 1
    - 2.5
  - z
`,
		},
	} {
		f, err := Find(tc.format)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Object([]byte("before:"), answer(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		same(t, tc.format, string(got), "before:"+tc.want)
	}
}

func TestObjectRefuses(t *testing.T) {
	t.Parallel()
	for _, v := range []any{math.NaN(), math.Inf(1), struct{}{}, map[string]any{}, []int{1}, []any{[]byte("x")}, Object{}.With("in", 1i)} {
		for _, f := range Formats() {
			if got, err := f.Object(nil, Object{}.With("key", v), Options{}); err == nil || !strings.Contains(err.Error(), "key") {
				t.Errorf("%s: Object with %T = %q, %v, want an error that names the key", f.Name, v, got, err)
			}
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	for _, f := range Formats() {
		got, err := Find(f.Name)
		if err != nil || got.Name != f.Name || f.Doc == "" || f.Report == nil {
			t.Errorf("Find(%q) = %+v, %v", f.Name, got, err)
		}
		if f.Structured() != (f.Name != Pretty) {
			t.Errorf("%s: Structured() = %v", f.Name, f.Structured())
		}
	}
	if Formats()[0].Name != Pretty {
		t.Errorf("the default is %s", Formats()[0].Name)
	}
	if f, err := Find("jsn"); err == nil || !strings.Contains(fmt.Sprintf("%+v", err), "jsn") {
		t.Errorf(`Find("jsn") = %v, %v`, f.Name, err)
	}
}

// A format appends to what it is given and ends as it should.
func TestFormatsAppend(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ format, start, end string }{
		{"pretty", "app/a.yaml\n", "could not be checked\n"},
		{"json", `{"results":[{"path":"app/a.yaml"`, "]}\n"},
		{"toon", "results[4]:\n  - path: app/a.yaml\n", "\n  1/9f2c4a1b7e3d05f8\n  1/0000000000000001"},
	} {
		f, err := Find(tc.format)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Report([]byte("before:"), sample(), Options{})
		if err != nil || !strings.HasPrefix(string(got), "before:"+tc.start) || !strings.HasSuffix(string(got), tc.end) {
			t.Errorf("%s: %v\n%s", tc.format, err, got)
		}
	}
}
