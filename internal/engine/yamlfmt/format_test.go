package yamlfmt

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/yamlfmt/formatters/basic"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/lang"
)

func open(tb testing.TB, v config.Values) (engine.Bound, func(text string) ([]byte, error)) {
	tb.Helper()
	b, err := Engine.Bind(tb.Context(), engine.Env{Lang: lang.YAML, Options: v, Globals: engine.Globals{FinalNewline: true, IndentWidth: 2}})
	if err != nil {
		tb.Fatalf("Bind: %v", err)
	}
	w, err := b.Open(tb.Context())
	if err != nil {
		tb.Fatalf("Open: %v", err)
	}
	return b, func(text string) ([]byte, error) {
		return w.Format(tb.Context(), engine.Source{Path: "f.yaml", Lang: lang.YAML, Text: []byte(text)})
	}
}

// command formats as the yamlfmt command does with these settings.
func command(tb testing.TB, settings map[string]any, text string) string {
	tb.Helper()
	f, err := new(basic.BasicFormatterFactory).NewFormatter(settings)
	if err != nil {
		tb.Fatal(err)
	}
	out, err := f.Format([]byte(text))
	if err != nil {
		tb.Fatalf("yamlfmt on %q: %v", text, err)
	}
	return string(out)
}

const layout = `# head

a:   1 # one
b:
- x:    [1,2 , {y:   z}]

# between
-   "quoted"
-   - nested
    -   'single'
c: >-
    folded
    text
d:   |
    literal
      text


e: {f:   g}
---
h:   [ ]
`

// TestEqualsCommand: where nothing has to be mended, the bytes are those of
// the yamlfmt command with the same settings.
func TestEqualsCommand(t *testing.T) {
	t.Parallel()
	for _, settings := range []map[string]any{
		{},
		{"indent": 4},
		{"include_document_start": true},
		{"retain_line_breaks": true},
		{"retain_line_breaks": true, "scan_folded_as_literal": true, "indent": 3},
		{"retain_line_breaks_single": true, "trim_trailing_whitespace": true},
		{"retain_line_breaks_single": true},
		{"scan_folded_as_literal": true},
		{"indentless_arrays": true},
		{"pad_line_comments": 2},
		{"trim_trailing_whitespace": true},
		{"array_indent": 4},
		{"indent_root_array": true, "array_indent": 2},
		{"max_line_length": 20},
		{"force_array_style": "block"},
		{"force_array_style": "flow"},
		{"force_quote_style": "single"},
		{"force_quote_style": "double"},
	} {
		want := command(t, settings, layout)
		_, format := open(t, settings)
		got, err := format(layout)
		if err != nil {
			t.Errorf("%v: %v", settings, err)
		} else if d := cmp.Diff(want, string(got)); d != "" {
			t.Errorf("%v (-yamlfmt +poly):\n%s", settings, d)
		}
	}
}

// TestOptionsAreUpstreams: every option is a key of yamlfmt's basic formatter.
func TestOptionsAreUpstreams(t *testing.T) {
	t.Parallel()
	f, err := new(basic.BasicFormatterFactory).NewFormatter(nil)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := f.ConfigMap()
	if err != nil {
		t.Fatal(err)
	}
	var missing []string
	for _, o := range Engine.Options {
		if _, ok := keys[o.Name]; !ok {
			t.Errorf("yamlfmt has no option %s", o.Name)
		}
		delete(keys, o.Name)
	}
	for k := range keys {
		missing = append(missing, k)
	}
	slices.Sort(missing)
	// The end of lines and files is handled here, and so are directives.
	if d := cmp.Diff([]string{"eof_newline", "line_ending", "strip_directives", "type"}, missing); d != "" {
		t.Errorf("options left out (-want +got):\n%s", d)
	}
}

// TestRefused: what the library damages and nobody mends does not pass the guard.
func TestRefused(t *testing.T) {
	t.Parallel()
	b, format := open(t, nil)
	for _, tc := range []struct{ name, text string }{
		{"anchor with a colon", "x:   &a:\n  b: c\n"},
		{"comment of an item moves", "- x: a\n  l: 1 # remark\n- &i\n  c: d\nout:\n" + "- b\n"},
	} {
		out, err := format(tc.text)
		if err != nil {
			if _, ok := engine.SkipReason(err); !ok {
				t.Errorf("%s: %v", tc.name, err)
			}
			continue
		}
		if err := b.Same([]byte(tc.text), out); err == nil {
			t.Errorf("%s: %q became %q", tc.name, tc.text, out)
		}
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	const n = 100_000
	for _, tc := range []struct {
		name, text string
		skip       bool
	}{
		{"deep", strings.Repeat("[", n) + strings.Repeat("]", n), true},
		{"deep blocks", strings.Repeat("- ", n) + "a", true},
		{"as deep as allowed", strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth), false},
		{"alias bomb", "a0: &a0 [x]\n" + bomb(20), false},
		{"open", strings.Repeat("{a: ", n), true},
		{"zero bytes", strings.Repeat("\x00", n), true},
		{"not UTF-8", "a: \xff\xfe\n", true},
		{"one line", "a:   [" + strings.Repeat(`{"k": "v v v"}, `, n) + "]", false},
		{"many documents", strings.Repeat("---\na:   1\n", n/10), false},
		{"long scalar", "a:   " + strings.Repeat("word ", n*4) + "\n", false},
		{"long line with blank lines kept", "# x\n\na:\n\n  - b #  c\n\n  # d\n\n# e\n" + "f:   " + strings.Repeat("x", n) + "\n", false},
		{"empty", "", false},
		{"blank", " \n\t\n", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b, format := open(t, nil)
			start := time.Now()
			out, err := format(tc.text)
			if reason, skipped := engine.SkipReason(err); skipped != tc.skip || err != nil && !skipped {
				t.Fatalf("skipped %v (%s), want %v; error %v", skipped, reason, tc.skip, err)
			}
			if err == nil {
				if err := b.Same([]byte(tc.text), out); err != nil {
					t.Errorf("refused: %v", err)
				}
			}
			if d := time.Since(start); d > 30*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
}

func bomb(n int) string {
	var b strings.Builder
	for i := 1; i < n; i++ {
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll("aN: &aN [*aM, *aM, *aM, *aM, *aM, *aM, *aM, *aM, *aM]\n", "N", string(rune('a'+i))), "M", string(rune('a'+i-1))))
	}
	return strings.ReplaceAll(b.String(), "*aa", "*a0")
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	b, err := Engine.Bind(t.Context(), engine.Env{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := b.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Format(ctx, engine.Source{Text: []byte("a:   1\n")}); !errors.Is(err, context.Canceled) {
		t.Errorf("Format with a cancelled context: %v", err)
	}
}

// TestUnchangedIsSource: a formatted text comes back as the same slice.
func TestUnchangedIsSource(t *testing.T) {
	t.Parallel()
	b, err := Engine.Bind(t.Context(), engine.Env{Globals: engine.Globals{FinalNewline: true, IndentWidth: 2}})
	if err != nil {
		t.Fatal(err)
	}
	w, err := b.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	in := []byte("a: 1\n")
	if out, err := w.Format(t.Context(), engine.Source{Text: in}); err != nil || &out[0] != &in[0] {
		t.Errorf("Format = %q, %v, want the source itself", out, err)
	}
}

// FuzzFormat holds that formatting never panics and that what passes the guard
// converges to something that passes it.
func FuzzFormat(f *testing.F) {
	for _, s := range []string{layout, "a: |+\n\n  b\n- >2-\n", "? [a]\n: &b !c 'd\n\n  '\n*b : {e}\n", "%YAML 1.2\n---\n<<: x\n", "- - |\n\n   x\n  # c\n-\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b, format := open(t, nil)
		out, err := format(text)
		if err != nil {
			if _, skipped := engine.SkipReason(err); !skipped {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if b.Same([]byte(text), out) != nil {
			return
		}
		if again, err := format(string(out)); err != nil && !bytes.Equal(again, out) {
			t.Errorf("%q became %q, which is declined: %v", text, out, err)
		}
	})
}

func BenchmarkFormat(b *testing.B) {
	text := strings.NewReplacer("\na:", "\n- a:", "\nb:", "\n  b:").Replace("") + layout + strings.Repeat("---\n"+layout, 200)
	_, format := open(b, nil)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := format(text); err != nil {
			b.Fatal(err)
		}
	}
}
