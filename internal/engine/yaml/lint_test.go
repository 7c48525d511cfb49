package yaml

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

func run(tb testing.TB, text string) []diag.Diagnostic {
	tb.Helper()
	sel, err := engine.NewSelection(&Engine.Spec, engine.Picks{})
	if err != nil {
		tb.Fatal(err)
	}
	b, err := Engine.Bind(tb.Context(), engine.Env{Lang: lang.YAML, Rules: sel})
	if err != nil {
		tb.Fatalf("Bind: %v", err)
	}
	w, err := b.Open(tb.Context())
	if err != nil {
		tb.Fatalf("Open: %v", err)
	}
	in := []byte(text)
	d, err := w.Lint(tb.Context(), engine.Source{Path: "f.yaml", Lang: lang.YAML, Text: in})
	if err != nil {
		tb.Fatalf("Lint(%.60q): %v", text, err)
	}
	if string(in) != text {
		tb.Fatalf("Lint(%.60q) modified its input", text)
	}
	for _, x := range d {
		if s := x.Span; s.Start < 0 || s.End < s.Start || s.End > len(text) {
			tb.Errorf("Lint(%.60q): span %d-%d of %q is not inside %d bytes", text, s.Start, s.End, x.Title, len(text))
		}
		if !utf8.ValidString(x.Title) || strings.Contains(x.Title, "\n") {
			tb.Errorf("Lint(%.60q): title %q", text, x.Title)
		}
	}
	return d
}

// TestValidHasNoFindings keeps -update from accepting a false alarm.
func TestValidHasNoFindings(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../testdata/yaml/valid-*.txtar")
	if err != nil || len(files) < 5 {
		t.Fatalf("fixtures %q: %v", files, err)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if d := run(t, string(f.Data)); strings.HasPrefix(f.Name, "want.") || len(d) > 0 {
				t.Errorf("%s: %s %v", file, f.Name, d)
			}
		}
	}
}

func TestColumnInCodePoints(t *testing.T) {
	t.Parallel()
	const text = "{\"🦊漢é\": 1, k: 1, k: 2}\n"
	d := run(t, text)
	if len(d) != 1 || d[0].Code != codeDuplicate {
		t.Fatalf("Lint(%q) = %v, want one duplicate key", text, d)
	}
	diag.NewLines([]byte(text)).Fill(d[0].Span)
	if s := d[0].Span; s.StartLine != 1 || s.StartCol != 18 || s.EndCol != 19 {
		t.Errorf("Lint(%q): span %+v, want 1:18-1:19", text, s)
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	const n = 200_000
	var many strings.Builder
	for i := range n {
		fmt.Fprintf(&many, "k%d: %d\n", i, i)
	}
	for _, tc := range []struct {
		name, text string
		want       int
	}{
		{"alias bomb", "a: &a [x]\n" + strings.Repeat("- &a [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n", 2000), 1},
		{"nested aliases", "- &a [x]\n" + strings.Repeat("- &a [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n", 2000), 0},
		{"alias keys", "- &a x\n- " + strings.Repeat("{*a : ", n) + strings.Repeat("}", n), 0},
		{"deep keys", strings.Repeat("? ", 20_000) + "a", 0},
		{"many keys", many.String(), 0},
		{"nested twice", strings.Repeat("{a: 1, a: ", 10_000) + strings.Repeat("}", 10_000), 10_000},
		{"long line", "{" + strings.Repeat(`"k": [1, 2, 3],`, n) + "}", n - 1},
		{"zero bytes", strings.Repeat("\x00", n), 1},
		{"not UTF-8", "\xff: 1\n\xff: 2\n", 1},
		{"open", strings.Repeat("[", n), 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if d := run(t, tc.text); len(d) != tc.want {
				t.Errorf("%d findings, want %d; first %v", len(d), tc.want, d[:min(1, len(d))])
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := lint(ctx, []byte("a: b"), &settings{}); !errors.Is(err, context.Canceled) {
		t.Errorf("lint with a cancelled context: %v", err)
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

func FuzzLint(f *testing.F) {
	for _, s := range []string{"a: 1\n\"a\": 2\n", "? [a, {b: *c}]\n: 1\n? {}\n", "{a, a, ? : , *x : y}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { run(t, text) })
}
