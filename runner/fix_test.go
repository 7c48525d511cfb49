package runner_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
	"poly/runner"
)

// mend makes a linter for Go.
func mend(name string, f lintFunc) engine.Engine { return linter(name, f, lang.Go) }

// replace reports each occurrence of each old word.
func replace(pairs ...string) lintFunc {
	return func(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
		var out []diag.Diagnostic
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, find(src.Text, "R"+pairs[i], pairs[i], pairs[i+1], diag.Warning)...)
		}
		return out, nil
	}
}

// TestFix: what --fix writes, and what it reports afterwards.
func TestFix(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		engines []engine.Engine
		config  string
		text    string
		want    string // "": as text
		fixed   int
		left    string // outcome afterwards
	}{
		{"one", []engine.Engine{mend("m", replace("X", "x"))}, "", "a X b X\n", "a x b x\n", 2, "checked"},
		{"one fix makes work for another", []engine.Engine{mend("m", replace("X", "Z", "Z", "z"))}, "", "X\n", "z\n", 2, "checked"},
		{"two engines", []engine.Engine{mend("m", replace("X", "x")), mend("n", replace("Z", "z"))}, "", "X Z\n", "x z\n", 2, "checked"},
		{"overlapping fixes of two engines", []engine.Engine{mend("m", replace("abc", "1")), mend("n", replace("cd", "2"))}, "", "abcd\n", "1d\n", 1, "checked"},
		{"the same fix twice", []engine.Engine{mend("m", replace("X", "x")), mend("n", replace("X", "x"))}, "", "X\n", "x\n", 1, "checked"},
		{"per-file-ignores", []engine.Engine{mend("m", replace("X", "x", "Z", "z"))}, "[per-file-ignores]\n\"*.go\" = [\"RX\"]\n", "X Z\n", "X z\n", 1, "checked"},
		{"not selected", []engine.Engine{mend("m", replace("X", "x", "Z", "z"))}, "[lint.go.m]\nselect = [\"RZ\"]\n", "X Z\n", "X z\n", 1, "checked"},
		{"all or nothing", []engine.Engine{mend("m", func(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
			i := bytes.IndexByte(src.Text, 'X')
			if i < 0 {
				return nil, nil
			}
			return []diag.Diagnostic{{Code: "A", Severity: diag.Warning, Title: "t", Fix: []diag.Edit{{Start: i, End: i + 1}, {Start: 900, End: 901}}}}, nil
		})}, "", "X\n", "", 0, "checked, 1"},
		{"never ends", []engine.Engine{mend("m", func(context.Context, engine.Source) ([]diag.Diagnostic, error) {
			return []diag.Diagnostic{{Code: "A", Severity: diag.Warning, Title: "t", Fix: []diag.Edit{{Replacement: "+"}}}}, nil
		})}, "", "X\n", "+++++X\n", 5, "checked, 1"},
		{"breaks the file", []engine.Engine{mend("m", replace("X", "BROKEN")), mend("p", func(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
			return find(src.Text, "syntax", "BROKEN", "", diag.Error), nil
		})}, "", "X\n", "", 0, "checked, 1"},
		{"breaks the file in the second pass", []engine.Engine{mend("m", replace("X", "Z", "Z", "BROKEN")), mend("p", func(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
			return find(src.Text, "syntax", "BROKEN", "", diag.Error), nil
		})}, "", "X\n", "Z\n", 1, "checked, 1"},
		{"one of two breaks the file", []engine.Engine{mend("m", replace("X", "x", "Q", "BROKEN")), mend("p", func(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
			return find(src.Text, "syntax", "BROKEN", "", diag.Error), nil
		})}, "", "X Q\n", "x Q\n", 1, "checked, 1"},
		{"an error that was there stays", []engine.Engine{mend("m", replace("X", "x")), mend("p", func(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
			return find(src.Text, "syntax", "BAD", "", diag.Error), nil
		})}, "", "BAD X\n", "BAD x\n", 1, "checked, 1"},
		{"makes the engine decline", []engine.Engine{mend("m", func(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
			if bytes.Contains(src.Text, []byte("gone")) {
				return nil, engine.Skip("gone")
			}
			return replace("X", "gone")(ctx, src)
		})}, "", "X\n", "", 0, "checked, 1"},
		{"makes the engine fail", []engine.Engine{mend("m", func(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
			if bytes.Contains(src.Text, []byte("fail")) {
				return nil, errors.New("no")
			}
			return replace("X", "fail")(ctx, src)
		})}, "", "X\n", "", 0, "checked, 1"},
		{"cross-cutting engine on a skipped file", []engine.Engine{cross()}, "", "TODO\n", "done\n", 1, "skipped: no lint rules for Go"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			for _, warm := range []bool{false, true} {
				p := newPlace(t, tc.engines...)
				p.Write("a.go", tc.text)
				if tc.config != "" {
					p.Write("poly.toml", "[discovery]\nexclude = [\"poly.toml\"]\n"+tc.config)
				}
				if warm {
					p.lint()
				}
				rep, s := p.fix(engine.Lint, nil)
				want, writes := tc.want, 1
				if want == "" {
					want, writes = tc.text, 0
				}
				if got := p.Read("a.go"); got != want || len(s.written) != writes {
					t.Errorf("warm %v: wrote %q, want %q; %d writes", warm, got, want, len(s.written))
				}
				f, _ := file(rep, "a.go")
				left := outcomes(diag.Report{Files: []diag.FileReport{f}})["a.go"]
				if f.Path == "" {
					left = "checked"
				}
				if f.Fixed != tc.fixed || left != tc.left {
					t.Errorf("warm %v: fixed %d and %q, want %d and %q", warm, f.Fixed, left, tc.fixed, tc.left)
				}
				// What is reported is what is there now.
				if again, _ := file(p.lint(), "a.go"); f.Outcome != diag.Errored {
					if d := cmp.Diff(again.Diagnostics, f.Diagnostics); d != "" {
						t.Errorf("warm %v: a later run finds (-) where this one found (+):\n%s", warm, d)
					}
				}
			}
		})
	}
}

// TestFixWithheld: generated files are not fixed, which is said; but for
// --fix-generated.
func TestFixWithheld(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"banner.go":   "// Code generated by t. DO NOT EDIT.\n\npackage a  // X\n",
		"attr.go":     "package a  // X\n",
		"not.go":      "// Code generated by t. DO NOT EDIT.\n\npackage a  // X Z\n",
		"stamp.yaml":  "# x:hash:0123456789abcdef0123456789abcdef\nW: X\n",
		"clean.go":    "// Code generated by t. DO NOT EDIT.\n",
		"nothing.go":  "// Code generated by t. DO NOT EDIT.\n// Y\n",
		"attr2.yaml":  "W: 1\n",
		"normal.yaml": "W: X\n",
	}
	for _, all := range []bool{false, true} {
		for _, warm := range []bool{false, true} {
			t.Run(fmt.Sprintf("all %v warm %v", all, warm), func(t *testing.T) {
				t.Parallel()
				p := newPlace(t, xs(), goFormat(), yamlFormat())
				p.Write(".gitattributes", "attr* linguist-generated\nnot.go -linguist-generated\n")
				for name, text := range texts {
					p.Write(name, text)
				}
				if warm {
					p.lint()
					p.format()
				}
				change := func(q *runner.Request) { q.FixGenerated = all }
				rep, s := p.fix(engine.Lint, change)
				withheld := map[string]bool{}
				for _, f := range rep.Files {
					if f.FixWithheld {
						withheld[f.Path] = true
					}
				}
				wantWithheld, wantLint := map[string]bool{"banner.go": true, "attr.go": true, "stamp.yaml": true}, []string{"normal.yaml", "not.go"}
				wantFmt := []string{"banner.go", "normal.yaml", "not.go"}
				if all {
					wantWithheld = map[string]bool{}
					wantLint = []string{"attr.go", "banner.go", "normal.yaml", "not.go", "stamp.yaml"}
					wantFmt = []string{"attr.go", "attr2.yaml", "banner.go", "normal.yaml", "not.go", "stamp.yaml"}
				}
				if d := cmp.Diff(wantWithheld, withheld); d != "" {
					t.Errorf("withheld -want +got:\n%s", d)
				}
				if d := cmp.Diff(wantLint, s.written); d != "" {
					t.Errorf("lint --fix wrote -want +got:\n%s", d)
				}
				rep, s = p.fix(engine.Format, change)
				if d := cmp.Diff(wantFmt, s.written); d != "" {
					t.Errorf("fmt --fix wrote -want +got:\n%s", d)
				}
				for _, f := range rep.Files {
					if f.Changed != (f.Outcome == diag.Checked) {
						t.Errorf("%s: %v, changed %v", f.Path, f.Outcome, f.Changed)
					}
				}
				// Now there is nothing left to write.
				if _, s = p.fix(engine.Format, change); len(s.written) > 0 {
					t.Errorf("wrote again: %v", s.written)
				}
			})
		}
	}
}

// TestFixTemplates: a file that is skipped is never rewritten by a formatter,
// be it one that takes every language.
func TestFixTemplates(t *testing.T) {
	t.Parallel()
	p := newPlace(t, textFormat(), cross(), yamlFormat())
	p.Write("deploy.properties", "{% if x %}\na = 1   \n{% endif %}\n")
	p.Write("ok.properties", "a = 1   \n")
	for range 2 {
		rep, s := p.fix(engine.Format, nil)
		if strings.Contains(strings.Join(s.written, " "), "deploy") {
			t.Errorf("wrote %v", s.written)
		}
		if f, _ := file(rep, "deploy.properties"); f.Outcome != diag.Skipped {
			t.Errorf("%+v", f)
		}
	}
}

// TestWriterFails: a file that cannot be written is errored; the others are written.
func TestWriterFails(t *testing.T) {
	t.Parallel()
	for _, verb := range []engine.Verb{engine.Lint, engine.Format} {
		p := newPlace(t, xs(), goFormat())
		for i := range 150 {
			p.Write(fmt.Sprintf("a%03d.go", i), "package  a // X\n")
		}
		s := &sink{place: p, refuse: map[string]bool{"a007.go": true, "a149.go": true}}
		rep := p.run(verb, true, func(q *runner.Request) { q.Fix = s })
		if rep.Summary != (diag.Summary{Checked: 148, Errored: 2}) || len(s.written) != 148 {
			t.Errorf("%v: %+v, %d written", verb, rep.Summary, len(s.written))
		}
		f, _ := file(rep, "a007.go")
		if f.Reason != "not written: no room" || f.Fixed != 0 || f.Changed {
			t.Errorf("%v: %+v", verb, f)
		}
		if again := p.run(verb, true, nil); len(again.Files) != 2 {
			t.Errorf("%v: %d files are left, want 2", verb, len(again.Files))
		}
	}
}

// TestDiff: --diff writes nothing, and shows what --fix would write.
func TestDiff(t *testing.T) {
	t.Parallel()
	for _, verb := range []engine.Verb{engine.Lint, engine.Format} {
		p := newPlace(t, xs(), goFormat())
		p.Write("a.go", "package  a // X\n")
		p.Write("gen.go", "// Code generated by t. DO NOT EDIT.\n// X\n")
		p.Write("clean.go", "package a\n")
		var before string
		for range 2 {
			rep := p.run(verb, true, func(q *runner.Request) { q.Diff = true })
			f, _ := file(rep, "a.go")
			if !strings.Contains(f.Extras().Diff, "+package a // X\n") && !strings.Contains(f.Extras().Diff, "+package  a // x\n") {
				t.Errorf("%v: %+v", verb, f)
			}
			if before != "" && f.Extras().Diff != before {
				t.Errorf("%v: another diff when warm:\n%s\n%s", verb, before, f.Extras().Diff)
			}
			if before = f.Extras().Diff; f.Fixed != 0 {
				t.Errorf("%v: fixed %d by --diff", verb, f.Fixed)
			}
			if f, _ := file(rep, "gen.go"); f.Extras().Diff != "" {
				t.Errorf("%v: generated file: %s", verb, f.Extras().Diff)
			}
		}
		if p.Read("a.go") != "package  a // X\n" {
			t.Error("--diff wrote")
		}
	}
}
