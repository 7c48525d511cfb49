package report

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"poly/internal/diag"
)

func sample() *diag.Report {
	return &diag.Report{
		Verb: "lint",
		Files: []diag.FileReport{
			{
				Path: "app/a.yaml", Config: 1, Fixed: 2,
				Diagnostics: []diag.Diagnostic{
					{
						Engine: "yaml", Code: "duplicate-key", Severity: diag.Error, Title: `key "a" <again> & more`, Description: "two\nlines", URL: "https://example.org/?a=1&b=2",
						Span: &diag.Span{Start: 5, End: 6, StartLine: 2, StartCol: 1, EndLine: 2, EndCol: 2}, Excerpt: "a: 1",
						Fix:      []diag.Edit{{Start: 5, End: 10, Replacement: "b\u2028"}, {Start: 12, End: 12}},
						Metadata: map[string]string{"z": "1", "a": "\x00"},
					},
					{Engine: "text", Severity: diag.Hint, Title: "whole file", Excerpt: "never shown in documents"},
				},
				More: &diag.Extras{Engines: []diag.EngineRun{{Engine: "yaml", Version: "1.2", Micros: 1250}, {Engine: "text", CacheHit: true}}},
			},
			{Path: "app/clean.go"},
			{Path: "app/gen.go", FixWithheld: true, Diagnostics: []diag.Diagnostic{{Engine: "text", Code: "x", Severity: diag.Info, Title: "t"}}},
			{Path: "bad\xffname", Outcome: diag.Errored, Reason: "boom"},
			{Path: "main.zig", Outcome: diag.Skipped, Reason: "no lint rules for Zig"},
		},
		Summary: diag.Summary{Checked: 12, Skipped: 1, Errored: 1},
		Configs: []string{"1/9f2c4a1b7e3d05f8", "1/0000000000000001"},
	}
}

func TestAppendJSONLint(t *testing.T) {
	t.Parallel()
	want := `{"results":[` +
		`{"path":"a.yaml","diagnostics":[` +
		`{"engine":"yaml","code":"duplicate-key","severity":"error","title":"key \"a\" <again> & more","description":"two\nlines",` +
		`"span":{"start_line":2,"start_col":1,"end_line":2,"end_col":2},"url":"https://example.org/?a=1&b=2",` +
		`"fix":[{"start_byte":5,"end_byte":10,"replacement":"b\u2028"},{"start_byte":12,"end_byte":12,"replacement":""}],` +
		`"metadata":{"a":"\u0000","z":"1"}},` +
		`{"engine":"text","code":null,"severity":"hint","title":"whole file","description":null,"span":null,"url":null,"fix":null,"metadata":null}` +
		`],"config":1,"fixed":2},` +
		`{"path":"gen.go","diagnostics":[{"engine":"text","code":"x","severity":"info","title":"t","description":null,"span":null,"url":null,"fix":null,"metadata":null}],"fix_withheld_generated":true},` +
		`{"path":"../bad` + "\ufffd" + `name","path_bytes":"Li4vYmFk/25hbWU=","diagnostics":[],"error":"boom"},` +
		`{"path":"../main.zig","diagnostics":[],"skipped":"no lint rules for Zig"}` +
		`],"errors":[{"path":"../bad` + "\ufffd" + `name","path_bytes":"Li4vYmFk/25hbWU=","error":"boom"}],` +
		`"skipped":[{"path":"../main.zig","reason":"no lint rules for Zig"}],` +
		`"summary":{"checked":12,"skipped":1,"errored":1},` +
		`"configs":[{"hash":"1/9f2c4a1b7e3d05f8"},{"hash":"1/0000000000000001"}]}`
	if diff := cmp.Diff(want, string(AppendJSON(nil, sample(), Options{Prefix: "app"}))); diff != "" {
		t.Errorf("AppendJSON (-want +got):\n%s", diff)
	}
}

func TestAppendJSONBase(t *testing.T) {
	t.Parallel()
	r := &diag.Report{Verb: "lint", Delta: &diag.Delta{Base: "main", New: 1, Old: 2, Moved: 3, Gone: 4}, Files: []diag.FileReport{{
		Path: "a", Diagnostics: []diag.Diagnostic{{Engine: "e", Severity: diag.Error, State: "new"}, {Engine: "e"}},
	}}}
	want := `{"results":[{"path":"a","diagnostics":[` +
		`{"engine":"e","code":null,"severity":"error","title":"","description":null,"span":null,"url":null,"fix":null,"metadata":null,"state":"new"},` +
		`{"engine":"e","code":null,"severity":"warning","title":"","description":null,"span":null,"url":null,"fix":null,"metadata":null,"state":null}]}],` +
		`"errors":[],"skipped":[],"summary":{"checked":0,"skipped":0,"errored":0},"configs":[],"delta":{"base":"main","new":1,"old":2,"moved":3,"gone":4}}`
	if diff := cmp.Diff(want, string(AppendJSON(nil, r, Options{}))); diff != "" {
		t.Errorf("AppendJSON (-want +got):\n%s", diff)
	}
}

func TestAppendJSONFmt(t *testing.T) {
	t.Parallel()
	r := &diag.Report{
		Verb: "fmt",
		Files: []diag.FileReport{
			{Path: "a.go", Changed: true, Config: 2, More: &diag.Extras{Diff: "never in documents", Engines: []diag.EngineRun{{Engine: "gofumpt", Version: "v0.12.0", Micros: 1500}}}},
			{Path: "b.go"},
			{Path: "c.go", Outcome: diag.Errored, Reason: "does not parse"},
			{Path: "d.zig", Outcome: diag.Skipped, Reason: "no formatter for Zig", Config: 1},
			{Path: "e.go", FixWithheld: true, Changed: true},
		},
		Summary: diag.Summary{Checked: 3, Skipped: 1, Errored: 1},
		Configs: []string{"1/a", "1/b", "1/c"},
	}
	want := `{"results":[` +
		`{"path":"a.go","changed":true,"config":2,"debug":{"engines":[{"engine":"gofumpt","version":"v0.12.0","duration_ms":1.5,"cache_hit":false}]}},` +
		`{"path":"c.go","changed":false,"error":"does not parse","debug":{"engines":[]}},` +
		`{"path":"d.zig","changed":false,"skipped":"no formatter for Zig","config":1,"debug":{"engines":[]}},` +
		`{"path":"e.go","changed":true,"fix_withheld_generated":true,"debug":{"engines":[]}}` +
		`],"errors":[{"path":"c.go","error":"does not parse"}],"skipped":[{"path":"d.zig","reason":"no formatter for Zig"}],` +
		`"summary":{"checked":3,"skipped":1,"errored":1},"configs":[{"hash":"1/a"},{"hash":"1/b"},{"hash":"1/c"}]}`
	if diff := cmp.Diff(want, string(AppendJSON(nil, r, Options{Debug: true}))); diff != "" {
		t.Errorf("AppendJSON (-want +got):\n%s", diff)
	}
}

func TestRelative(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ prefix, path, want string }{
		{"", "a/b", "a/b"},
		{".", "a/b", "a/b"},
		{"a", "a/b", "b"},
		{"a", "a", "."},
		{"a/b", "a/b/c/d", "c/d"},
		{"a/b", "a/b", "."},
		{"a/b", "a/c", "../c"},
		{"a/b", "a", "../../a"},
		{"a/b", "x", "../../x"},
		{"a/b", "ab/x", "../../ab/x"},
		{"a", "ab", "../ab"},
		{"a/b/c", "a/x/y", "../../x/y"},
	} {
		if got := Relative(tc.prefix, tc.path); got != tc.want {
			t.Errorf("Relative(%q, %q) = %q, want %q", tc.prefix, tc.path, got, tc.want)
		}
	}
}

// texts make up the strings of random reports.
var texts = []string{
	"", "a", "dir/", "é", "日本", "😀", "\xff", "\xc3", "\xed\xa0\x80", "\x00", "\n", "\r", "\t", "\"", "\\", "/", "<", ">", "&", "\u2028", "\u2029", "\ufeff",
	"\x7f", "\u0085", "\x1b[31m", "\u202e", "0", "true", "null", "-", "#", ":", ",", "[", "}", " ", "  ", "word", "\ufffd", "\u200d", "\xf0\x9f",
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(5) {
		b.WriteString(texts[r.IntN(len(texts))])
	}
	return b.String()
}

func randomReport(r *rand.Rand) *diag.Report {
	rep := &diag.Report{
		Verb: []string{"lint", "fmt"}[r.IntN(2)], Fix: r.IntN(2) == 0,
		Summary: diag.Summary{Checked: r.IntN(3), Skipped: r.IntN(3), Errored: r.IntN(3)},
		Notes: diag.Notes{
			Excluded:     []diag.Rule{{Pattern: randomText(r), Files: r.IntN(5)}},
			Unrecognised: r.IntN(2), Samples: []string{randomText(r)}, Warnings: []string{randomText(r)}, Symlinks: r.IntN(3),
		},
		Stats: diag.Stats{Micros: int64(r.IntN(1e6))},
	}
	for range r.IntN(4) {
		rep.Configs = append(rep.Configs, randomText(r))
	}
	if r.IntN(3) == 0 {
		rep.Delta = &diag.Delta{Base: randomText(r), New: r.IntN(4)}
	}
	for range r.IntN(6) {
		rep.Files = append(rep.Files, randomFile(r))
	}
	return rep
}

func randomFile(r *rand.Rand) diag.FileReport {
	f := diag.FileReport{
		Path: "p" + randomText(r), Outcome: diag.Outcome(r.IntN(3)), Config: r.IntN(3), Changed: r.IntN(2) == 0,
		Fixed: r.IntN(3), FixWithheld: r.IntN(4) == 0,
	}
	if f.Outcome != diag.Checked {
		f.Reason = randomText(r)
	}
	var x diag.Extras
	for range r.IntN(3) {
		x.Engines = append(x.Engines, diag.EngineRun{Engine: randomText(r), Version: randomText(r), Micros: int64(r.IntN(1e7)), CacheHit: r.IntN(2) == 0})
		f.More = &x
	}
	for range r.IntN(4) {
		d := diag.Diagnostic{
			Engine: randomText(r), Code: randomText(r), Severity: diag.Severity(1 + r.IntN(4)), Title: randomText(r), Description: randomText(r), URL: randomText(r),
			Excerpt: randomText(r), State: []string{"", "new", "old", "moved"}[r.IntN(4)],
		}
		if r.IntN(3) > 0 {
			d.Span = &diag.Span{StartLine: 1 + r.IntN(3), StartCol: 1 + r.IntN(9), EndLine: 1 + r.IntN(3), EndCol: 1 + r.IntN(9)}
		}
		for range r.IntN(3) {
			d.Fix = append(d.Fix, diag.Edit{Start: r.IntN(9), End: r.IntN(9), Replacement: randomText(r)})
		}
		if r.IntN(3) == 0 {
			d.Metadata = map[string]string{"k" + strconv.Itoa(r.IntN(3)): randomText(r), "é\n": randomText(r)}
		}
		f.Diagnostics = append(f.Diagnostics, d)
	}
	return f
}

type tree = map[string]any

// expected builds the document that a report stands for, in another way than
// the encoder: as a tree of values.
func expected(r *diag.Report, o Options) tree {
	results, errs, skipped, configs := []any{}, []any{}, []any{}, []any{}
	for i := range r.Files {
		f := &r.Files[i]
		entry := pathOf(f.Path, o)
		switch f.Outcome {
		case diag.Skipped:
			entry["reason"] = utf(f.Reason)
			skipped = append(skipped, entry)
		case diag.Errored:
			entry["error"] = utf(f.Reason)
			errs = append(errs, entry)
		}
		said := f.Changed
		if r.Verb != "fmt" {
			said = len(f.Diagnostics) > 0 || f.Fixed > 0
		}
		if said || f.Outcome != diag.Checked || f.FixWithheld {
			results = append(results, expectedRecord(r, f, o))
		}
	}
	for _, c := range r.Configs {
		configs = append(configs, tree{"hash": utf(c)})
	}
	doc := tree{
		"results": results, "errors": errs, "skipped": skipped, "configs": configs,
		"summary": tree{"checked": float64(r.Summary.Checked), "skipped": float64(r.Summary.Skipped), "errored": float64(r.Summary.Errored)},
	}
	if d := r.Delta; d != nil {
		doc["delta"] = tree{"base": utf(d.Base), "new": float64(d.New), "old": float64(d.Old), "moved": float64(d.Moved), "gone": float64(d.Gone)}
	}
	return doc
}

func expectedRecord(r *diag.Report, f *diag.FileReport, o Options) tree {
	record := pathOf(f.Path, o)
	if r.Verb == "fmt" {
		record["changed"] = f.Changed
	} else {
		diags := []any{}
		for _, d := range f.Diagnostics {
			diags = append(diags, expectedDiagnostic(d, r.Delta != nil))
		}
		record["diagnostics"] = diags
	}
	if r.Verb != "fmt" && f.Fixed > 0 {
		record["fixed"] = float64(f.Fixed)
	}
	if f.Config > 0 {
		record["config"] = float64(f.Config)
	}
	if f.FixWithheld {
		record["fix_withheld_generated"] = true
	}
	switch f.Outcome {
	case diag.Skipped:
		record["skipped"] = utf(f.Reason)
	case diag.Errored:
		record["error"] = utf(f.Reason)
	}
	if o.Debug {
		runs := []any{}
		for _, e := range f.Extras().Engines {
			runs = append(runs, tree{"engine": utf(e.Engine), "version": utf(e.Version), "duration_ms": float64(e.Micros) / 1000, "cache_hit": e.CacheHit})
		}
		record["debug"] = tree{"engines": runs}
	}
	return record
}

func expectedDiagnostic(d diag.Diagnostic, state bool) tree {
	t := tree{
		"engine": utf(d.Engine), "code": orNull(d.Code), "severity": d.Severity.String(), "title": utf(d.Title), "description": orNull(d.Description),
		"span": nil, "url": orNull(d.URL), "fix": nil, "metadata": nil,
	}
	if s := d.Span; s != nil {
		t["span"] = tree{"start_line": float64(s.StartLine), "start_col": float64(s.StartCol), "end_line": float64(s.EndLine), "end_col": float64(s.EndCol)}
	}
	if d.Fix != nil {
		var edits []any
		for _, e := range d.Fix {
			edits = append(edits, tree{"start_byte": float64(e.Start), "end_byte": float64(e.End), "replacement": utf(e.Replacement)})
		}
		t["fix"] = edits
	}
	if d.Metadata != nil {
		m := tree{}
		for k, v := range d.Metadata {
			m[utf(k)] = utf(v)
		}
		t["metadata"] = m
	}
	if state {
		t["state"] = orNull(d.State)
	}
	return t
}

func pathOf(path string, o Options) tree {
	path = Relative(o.Prefix, path)
	t := tree{"path": utf(path)}
	if !utf8.ValidString(path) {
		t["path_bytes"] = base64.StdEncoding.EncodeToString([]byte(path))
	}
	return t
}

// utf is what encoding/json makes of a string.
func utf(s string) string { return string([]rune(s)) }

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return utf(s)
}

func FuzzReport(f *testing.F) {
	for i := range uint64(400) {
		f.Add(i, "x", i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, seed uint64, text string, debug bool) {
		r := rand.New(rand.NewPCG(seed, 1))
		rep := randomReport(r)
		if len(rep.Files) > 0 {
			f := &rep.Files[0]
			f.Path += text
			for i := range f.Diagnostics {
				f.Diagnostics[i].Title, f.Diagnostics[i].Excerpt = text, text
			}
		}
		o := Options{Debug: debug, Prefix: []string{"", "p", "q/r"}[r.IntN(3)]}
		doc := AppendJSON(nil, rep, o)
		if !json.Valid(doc) || !utf8.Valid(doc) {
			t.Fatalf("not JSON in UTF-8: %q", doc)
		}
		if bytes.ContainsAny(doc, "\n\r\u2028\u2029") {
			t.Fatalf("not one line: %q", doc)
		}
		var got tree
		if err := json.Unmarshal(doc, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(expected(rep, o), got); diff != "" {
			t.Fatalf("the document (-want +got):\n%s", diff)
		}
		checkSchema(t, doc)
		checkText(t, rep, o)
	})
}

// checkText verifies that text for people moves no cursor and is UTF-8.
func checkText(t *testing.T, rep *diag.Report, o Options) {
	t.Helper()
	o.Verbose, o.Width = true, 40
	text, err := appendPretty(nil, rep, o)
	if err != nil {
		t.Fatal(err)
	}
	text = AppendOverBudget(text, rep, 0, o)
	if !utf8.Valid(text) {
		t.Fatalf("not UTF-8: %q", text)
	}
	for _, r := range string(text) {
		if r != '\n' && hazard(r) {
			t.Fatalf("%U in %q", r, text)
		}
	}
}

func TestJSONAllocations(t *testing.T) {
	r := skippedReport(1000)
	buf := AppendJSON(nil, r, Options{})
	if n := testing.AllocsPerRun(10, func() { buf = AppendJSON(buf[:0], r, Options{}) }); n > 2 {
		t.Errorf("AppendJSON into a large buffer allocates %v times for 1000 records, want at most 2", n)
	}
}

func skippedReport(n int) *diag.Report {
	r := &diag.Report{Verb: "lint", Summary: diag.Summary{Skipped: n}, Configs: []string{"1/0123456789abcdef"}}
	for i := range n {
		r.Files = append(r.Files, diag.FileReport{Path: fmt.Sprintf("some/directory/of/the/repository/file%d.zig", i), Outcome: diag.Skipped, Reason: "no lint rules for Zig"})
	}
	return r
}

func BenchmarkAppendJSON(b *testing.B) {
	r := skippedReport(100_000)
	for b.Loop() {
		AppendJSON(nil, r, Options{})
	}
}

func BenchmarkTOON(b *testing.B) {
	r := skippedReport(100_000)
	for b.Loop() {
		if _, err := appendTOON(nil, r, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPretty(b *testing.B) {
	r := skippedReport(100_000)
	r.Stats.Micros = time.Second.Microseconds()
	for b.Loop() {
		if _, err := appendPretty(nil, r, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFindings: a file a finding, as in a repository that is new to poly.
func BenchmarkFindings(b *testing.B) {
	r := &diag.Report{Verb: "lint", Summary: diag.Summary{Checked: 3500}}
	for i := range 3500 {
		r.Files = append(r.Files, diag.FileReport{Path: fmt.Sprintf("some/directory/file%d.go", i), Diagnostics: []diag.Diagnostic{{
			Engine: "revive", Code: "exported", Severity: diag.Warning, Title: "exported var V should have comment or be unexported",
			Span: &diag.Span{StartLine: 3, StartCol: 5, EndLine: 3, EndCol: 6}, Excerpt: "var V = 0",
		}}})
	}
	for b.Loop() {
		if _, err := appendPretty(nil, r, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
