package enginetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
)

// good is an engine that keeps every law: it reports each "x" and deletes
// spaces, but not those of another line ending.
func good() engine.Engine {
	e := engine.Engine{Spec: engine.Spec{
		Name: "good", Revision: 1, Langs: nil, Cross: true, Verbs: engine.Lint | engine.Format, Doc: "Finds x.",
		Options: []config.Option{{Name: "letter", Type: config.String, Default: "x", Doc: "what to find"}},
		Rules:   []engine.Rule{{Code: "x", Severity: diag.Warning, Default: true, Fixable: true, Doc: "An x.\n\nIt is one.\n\n    x\n\nWrite another."}},
	}}
	e.Bind = func(_ context.Context, env engine.Env) (engine.Bound, error) {
		letter := env.Options.String("letter")
		return engine.Bound{
			Inputs: engine.Inputs{Names: []string{"letter.txt"}},
			Same: func(before, after []byte) error {
				if !bytes.Equal(bytes.ReplaceAll(before, []byte(" "), nil), bytes.ReplaceAll(after, []byte(" "), nil)) {
					return errors.New("more than blanks changed")
				}
				return nil
			},
			Open: engine.Stateless(engine.Funcs{
				LintFunc: func(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
					l := letter
					if len(src.Inputs) > 0 {
						l = strings.TrimSpace(string(src.Inputs[0].Text))
					}
					return findAll(src.Text, l), ctx.Err()
				},
				FormatFunc: func(ctx context.Context, src engine.Source) ([]byte, error) {
					return bytes.ReplaceAll(src.Text, []byte(" "), nil), ctx.Err()
				},
			}),
		}, nil
	}
	return e
}

func findAll(text []byte, letter string) []diag.Diagnostic {
	var out []diag.Diagnostic
	for i := 0; len(out) < 100; {
		j := bytes.Index(text[i:], []byte(letter))
		if j < 0 {
			break
		}
		i += j
		out = append(out, diag.Diagnostic{
			Engine: "good", Code: "x", Severity: diag.Warning, Title: "an " + letter,
			Span: &diag.Span{Start: i, End: i + len(letter)},
			Fix:  []diag.Edit{{Start: i, End: i + len(letter)}},
		})
		i += len(letter)
	}
	return out
}

// wrap replaces what the workers of good do.
func wrap(lint func(next engine.Worker, ctx context.Context, src engine.Source) ([]diag.Diagnostic, error),
	format func(next engine.Worker, ctx context.Context, src engine.Source) ([]byte, error),
) engine.Engine {
	e := good()
	bind := e.Bind
	e.Bind = func(ctx context.Context, env engine.Env) (engine.Bound, error) {
		b, err := bind(ctx, env)
		open := b.Open
		b.Open = func(ctx context.Context) (engine.Worker, error) {
			w, err := open(ctx)
			f := engine.Funcs{LintFunc: w.Lint, FormatFunc: w.Format}
			if lint != nil {
				f.LintFunc = func(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) { return lint(w, ctx, src) }
			}
			if format != nil {
				f.FormatFunc = func(ctx context.Context, src engine.Source) ([]byte, error) { return format(w, ctx, src) }
			}
			return f, err
		}
		return b, err
	}
	return e
}

func spec(change func(*engine.Spec)) engine.Engine {
	e := good()
	change(&e.Spec)
	return e
}

// lintWith changes each diagnostic of good.
func lintWith(change func(*diag.Diagnostic)) engine.Engine {
	return wrap(func(next engine.Worker, ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
		ds, err := next.Lint(ctx, src)
		for i := range ds {
			change(&ds[i])
		}
		return ds, err
	}, nil)
}

// formatWith replaces good's formatting.
func formatWith(f func(src engine.Source) ([]byte, error)) engine.Engine {
	return wrap(nil, func(_ engine.Worker, ctx context.Context, src engine.Source) ([]byte, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return f(src)
	})
}

// bindWith changes what good binds.
func bindWith(change func(*engine.Bound)) engine.Engine {
	e := good()
	bind := e.Bind
	e.Bind = func(ctx context.Context, env engine.Env) (engine.Bound, error) {
		b, err := bind(ctx, env)
		change(&b)
		return b, err
	}
	return e
}

// yielding is a worker that judges its own work and accepts everything.
type yielding struct{ engine.Worker }

func (yielding) Same(_, _ []byte) error { return nil }

// TestLaws: a sound engine keeps the laws, and each kind of fault breaks its law.
func TestLaws(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		engine engine.Engine
		law    string // "": none is broken
	}{
		{"good", good(), ""},
		{"no doc", spec(func(s *engine.Spec) { s.Doc = "" }), "spec"},
		{"wrapped without licence", spec(func(s *engine.Spec) { s.Wrapped = "1.0" }), "spec"},
		{"rule without doc", spec(func(s *engine.Spec) { s.Rules[0].Doc = "An x." }), "spec"},
		{"default of another type", spec(func(s *engine.Spec) { s.Options[0].Default = 1 }), "spec"},
		{"rule without example", spec(func(s *engine.Spec) { s.Rules[0].Doc = "An x.\n\nIt is one.\n\nNone.\n\nWrite another." }), "spec"},
		{"unlisted code", lintWith(func(d *diag.Diagnostic) { d.Code = "y" }), "ranges"},
		{"foreign engine", lintWith(func(d *diag.Diagnostic) { d.Engine = "bad" }), "ranges"},
		{"span behind the end", lintWith(func(d *diag.Diagnostic) { d.Span.End += 1 << 20 }), "ranges"},
		{"overlapping edits", lintWith(func(d *diag.Diagnostic) { d.Fix = append(d.Fix, d.Fix[0]) }), "ranges"},
		{"endless fix", lintWith(func(d *diag.Diagnostic) { d.Fix[0].Replacement = "xx" }), "idempotent"},
		{"growing format", formatWith(func(src engine.Source) ([]byte, error) { return append(bytes.Clone(src.Text), 'y'), nil }), "idempotent"},
		{"no guard", bindWith(func(b *engine.Bound) { b.Same = nil }), "damage"},
		{"a guard that accepts everything", bindWith(func(b *engine.Bound) { b.Same = yielding{}.Same }), "damage"},
		{"a worker that accepts everything", bindWith(func(b *engine.Bound) {
			open := b.Open
			b.Open = func(ctx context.Context) (engine.Worker, error) {
				w, err := open(ctx)
				return yielding{w}, err
			}
		}), "damage"},
		{"LF everywhere", formatWith(func(src engine.Source) ([]byte, error) {
			return bytes.ReplaceAll(src.Text, []byte("\r\n"), []byte("\n")), nil
		}), "endings"},
		{"drops the mark", formatWith(func(src engine.Source) ([]byte, error) { return bytes.TrimPrefix(src.Text, []byte(bom)), nil }), "endings"},
		{"writes to the source", formatWith(func(src engine.Source) ([]byte, error) {
			if len(src.Text) > 0 {
				src.Text[0] = 'y'
			}
			return src.Text, nil
		}), "unmodified"},
		{"writes behind the source", formatWith(func(src engine.Source) ([]byte, error) {
			_ = append(src.Text, 'y')
			return src.Text, nil
		}), "unmodified"},
		{"panics", formatWith(func(src engine.Source) ([]byte, error) {
			if len(src.Text) == 0 {
				panic("empty")
			}
			return src.Text, nil
		}), "hostile"},
		{"panics on half a file", formatWith(func(src engine.Source) ([]byte, error) {
			if n := len(src.Text); n > 10 && n < 20 {
				panic("half")
			}
			return src.Text, nil
		}), "truncated"},
		{"deaf", wrap(func(engine.Worker, context.Context, engine.Source) ([]diag.Diagnostic, error) { return nil, nil }, nil), "cancelled"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s := &suite{engine: tc.engine, cases: cases(t, tc.engine), rules: []ruleCases{rule(t, &tc.engine.Spec, goodCases)}}
			for _, l := range laws {
				problems := l.check(t.Context(), s)
				switch {
				case tc.law == "" && len(problems) > 0:
					t.Errorf("law %s is broken: %s", l.name, problems)
				case tc.law == l.name && len(problems) == 0:
					t.Errorf("law %s holds", l.name)
				}
			}
		})
	}
}

// goodCases are the cases of the rule of good.
const goodCases = `The letter x.
real: golang/example, hello/hello.go
-- config --
path = a.txt
-- fires/one.txt --
x
-- fires/nested/dir/a.txt --
z
-- fires/nested/letter.txt --
z
-- fires/quoted.txt.q --
"ax\x00"
-- silent/none.txt --
a
-- silent/other/a.txt --
x
-- silent/other/letter.txt --
z
-- silent/real.txt --
y
`

// TestRuleCases: each way in which the cases of a rule do not show what it does.
func TestRuleCases(t *testing.T) {
	t.Parallel()
	swap := func(old, replacement string) string { return strings.Replace(goodCases, old, replacement, 1) }
	tests := []struct {
		name   string
		engine engine.Engine
		text   string // "": the rule has no cases
		want   string // "": nothing is wrong
	}{
		{"good", good(), goodCases, ""},
		{"no cases", good(), "", "rule x has no cases in rules/x.txtar"},
		{"upstream", spec(func(s *engine.Spec) { s.Rules[0].Upstream = true }), "", ""},
		{"does not fire", good(), swap("-- fires/one.txt --\nx", "-- fires/one.txt --\ny"), "x fires/one.txt: not reported"},
		{"fires in a silent case", good(), swap("\na\n", "\nax x\n"), "x silent/none.txt: reported 2 times"},
		{"two that fire", good(), swap("-- fires/one.txt --\nx\n", ""), "2 cases that fire"},
		{"two silent", good(), swap("-- silent/none.txt --\na\n", ""), "2 silent"},
		{"none from real code", good(), swap("silent/real.txt", "silent/made-up.txt"), "one from real code false"},
		{"fix not declared", spec(func(s *engine.Spec) { s.Rules[0].Fixable = false }), goodCases, "fixable is false, a case shows a fix: true"},
		{"fix not shown", lintWith(func(d *diag.Diagnostic) { d.Fix = nil }), goodCases, "fixable is true, a case shows a fix: false"},
		{"fails", wrap(func(engine.Worker, context.Context, engine.Source) ([]diag.Diagnostic, error) {
			return nil, errors.New("broken")
		}, nil), goodCases, "x fires/one.txt: broken"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := &suite{engine: tc.engine}
			if tc.text != "" {
				s.rules = append(s.rules, rule(t, &tc.engine.Spec, tc.text))
			}
			got := strings.Join(checkRuleCases(t.Context(), s), "\n")
			if !strings.Contains(got, tc.want) || tc.want == "" && got != "" {
				t.Errorf("problems %q, want %q", got, tc.want)
			}
		})
	}
}

// TestRuleCaseMistakes: an archive of cases with a mistake is an error.
func TestRuleCaseMistakes(t *testing.T) {
	t.Parallel()
	e := good()
	for name, text := range map[string]string{
		"x.txtar":     "-- burns/a.txt --\nx\n",
		"y.txtar":     goodCases,
		"two/x.txtar": "-- fires/a.txt --\nx\n-- fires/a.txt --\nx\n",
		"set/x.txtar": "-- config --\nlettre = x\n-- fires/a.txt --\nx\n",
		"q/x.txtar":   "-- fires/a.txt.q --\nx\n",
		"met/x.txtar": strings.Replace(goodCases, "real: golang/example, hello/hello.go\n", "", 1),
		"who/x.txtar": strings.Replace(goodCases, "golang/example, hello", "nobody, hello", 1),
	} {
		if _, err := readRuleCases(archive(t, name, text), &e.Spec); err == nil {
			t.Errorf("readRuleCases accepts %s %q", name, text)
		}
	}
}

// rule reads the cases of the rule x.
func rule(t *testing.T, spec *engine.Spec, text string) ruleCases {
	t.Helper()
	r, err := readRuleCases(archive(t, "x.txtar", text), spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// archive writes text to a file of that name in a directory of its own.
func archive(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func cases(t *testing.T, e engine.Engine) []testCase {
	t.Helper()
	f := write(t, "-- input.txt --\na x b xx\nsecond line\nthird x\n", &e.Spec)
	return f.cases
}

func write(t *testing.T, text string, spec *engine.Spec) *fixture {
	t.Helper()
	f, err := readFixture(archive(t, "a.txtar", text), spec)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestDeterministic: a worker that remembers is found out.
func TestDeterministic(t *testing.T) {
	t.Parallel()
	e := good()
	e.Bind = func(context.Context, engine.Env) (engine.Bound, error) {
		return engine.Bound{Open: func(context.Context) (engine.Worker, error) {
			calls := 0
			return engine.Funcs{FormatFunc: func(context.Context, engine.Source) ([]byte, error) {
				calls++
				return fmt.Append(nil, calls), nil
			}}, nil
		}}, nil
	}
	if problems := checkDeterministic(t.Context(), &suite{engine: e, cases: cases(t, e)}); len(problems) == 0 {
		t.Error("a counting worker counts as deterministic")
	}
}

// TestFixture: config, inputs and quoted sections arrive, and -update writes
// what compare then accepts.
func TestFixture(t *testing.T) {
	t.Parallel()
	e := good()
	f := write(t, `about
-- config --
# comment
path = dir/a.txt
exec = true
indent_width = 3
defaults.line_ending = "crlf"
letter = z
-- letter.txt --
b
-- dir/other --
-- input.txt.q --
"a b\r\n"
"b\x00"
`, &e.Spec)
	c := f.cases[0]
	if want := "a b\r\nb\x00"; string(c.src.Text) != want {
		t.Errorf("text %q, want %q", c.src.Text, want)
	}
	g := c.env.Globals
	if c.src.Path != "dir/a.txt" || !c.src.Exec || g.IndentWidth != 3 || !g.CRLF || c.env.Options.String("letter") != "z" {
		t.Errorf("config: %+v %+v", c.src, c.env)
	}
	got, err := results(t.Context(), e, c)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"want.diag":      "1:3-1:4 warning x: an b\n2:1-2:2 warning x: an b\n",
		"want.fixed":     "a \r\n\x00",
		"want.formatted": "ab\r\nb\x00",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatal(d)
	}
	f.update(t, got)
	f, err = readFixture(f.file, &e.Spec)
	if err != nil {
		t.Fatal(err)
	}
	f.compare(t, e, false)
	if d := cmp.Diff(c.src, f.cases[0].src); d != "" {
		t.Error(d)
	}
}

// TestSourcesOnly: an archive without an input section is a bag of sources.
func TestSourcesOnly(t *testing.T) {
	t.Parallel()
	e := good()
	f := write(t, "-- a.txt --\nx\n-- a.txt.want --\nwhatever\n-- b.txt --\n", &e.Spec)
	var names []string
	for _, c := range f.cases {
		names = append(names, c.src.Path)
	}
	if d := cmp.Diff([]string{"a.txt", "b.txt"}, names); d != "" || f.golden {
		t.Error(d, f.golden)
	}
}

// TestMistakes: a fixture with a mistake is an error, not a lesser test.
func TestMistakes(t *testing.T) {
	t.Parallel()
	e := good()
	for _, text := range []string{
		"-- config --\nlettre = x\n-- input.txt --\n",
		"-- config --\nindent_width = wide\n-- input.txt --\n",
		"-- config --\nselect = [\"nope\"]\n-- input.txt --\n",
		"-- input.txt.q --\nnot quoted\n",
	} {
		if _, err := readFixture(archive(t, "a.txtar", text), &e.Spec); err == nil {
			t.Errorf("readFixture accepts %q", text)
		}
	}
}

// TestJudge: an error that is no Skip is a problem, a Skip is an outcome.
func TestJudge(t *testing.T) {
	t.Parallel()
	e := good()
	w := engine.Funcs{FormatFunc: func(context.Context, engine.Source) ([]byte, error) { return nil, engine.Skip("no") }}
	if o, err := judge(t.Context(), &e, w, engine.Source{}); err != nil || o.fmtErr != "no" {
		t.Errorf("judge = %+v, %v", o, err)
	}
	w.FormatFunc = func(context.Context, engine.Source) ([]byte, error) { return nil, errors.New("broken") }
	if _, err := judge(t.Context(), &e, w, engine.Source{}); err == nil {
		t.Error("an error counts as an outcome")
	}
}
