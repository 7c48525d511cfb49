package toml

import (
	"strings"
	"testing"

	gotoml "github.com/pelletier/go-toml/v2"

	"poly/internal/diag"
	"poly/internal/engine"
)

func run(tb testing.TB, text string) []diag.Diagnostic {
	tb.Helper()
	out, err := lint(tb.Context(), engine.Source{Path: "a.toml", Text: []byte(text)})
	if err != nil {
		if _, skip := engine.SkipReason(err); skip {
			return nil
		}
		tb.Fatalf("lint(%.60q): %v", text, err)
	}
	for _, d := range out {
		if s := d.Span; s.Start < 0 || s.End < s.Start || s.End > len(text) {
			tb.Errorf("lint(%.60q): span %d-%d of %q", text, s.Start, s.End, d.Title)
		}
	}
	return out
}

// peer reports whether go-toml reads a text.
func peer(text string) bool {
	var v map[string]any
	return gotoml.Unmarshal([]byte(text), &v) == nil
}

// TestPeer: go-toml, which knows TOML 1.0, refuses and reads the same texts.
func TestPeer(t *testing.T) {
	t.Parallel()
	values := []string{
		"1", "+1", "-0", "01", "-01", "1_0", "1__0", "_1", "1_", "0x1F", "0X1F", "-0x1", "0o17", "0o8", "0b10", "0b2", "1.0", "1.", ".1", "1e5", "1e+0_5", "1e",
		"1.e2", "0.0e0", "inf", "+nan", "Inf", "infinity", "true", "True", "'a'", `"a"`, `"\u00e9"`, `"\ud800"`, `"\q"`, `"\U00110000"`, "''''a'''", "''''''", `""""a"""""`,
		"\"\"\"a\\\n  b\"\"\"", `"a`, "'a\nb'", "1979-05-27", "1979-5-27", "1979-02-30", "2000-02-29", "1900-02-29", "1979-05-27T07:32:00Z", "1979-05-27 07:32:00",
		"1979-05-27t07:32:00.999-07:00", "1979-05-27T24:00:00", "1979-05-27T07:60:00", "07:32:00", "7:32:00", "07:32:00.", "[1, 2]", "[1, 2,]", "[,]", "[1 2]", "[[1], ['a']]",
		"[\n1, # a\n2\n]", "[1", "{}", "{a = 1}", "{a = 1, b.c = 2}", "{a = 1 b = 2}", "{a = 1, a = 2}", "{a.b = 1, a = 2}", "{", "", "# a", "a b", "1 2", "\x01", "'\x7f'", "\"\xff\"",
	}
	for _, v := range values {
		text := "k = " + v + "\n"
		if got, want := len(run(t, text)) == 0, peer(text); got != want {
			t.Errorf("%q: clean is %v, go-toml reads it: %v", text, got, want)
		}
	}
	lines := []string{
		"a = 1", "a.b = 1", "a.b.c = 2", "[a]", "[a.b]", "[a.b.c]", "[[a]]", "[[a.b]]", "a = {}", "a = [{}]", "b.c = 1", "'a' = 3",
	}
	for _, x := range lines {
		for _, y := range lines {
			for _, z := range lines {
				text := x + "\n" + y + "\n" + z + "\n"
				if got, want := len(run(t, text)) == 0, peer(text); got != want {
					t.Errorf("%q: clean is %v, go-toml reads it: %v", text, got, want)
				}
			}
		}
	}
}

// TestNewer: what came with TOML 1.1.
func TestNewer(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a = {\n b = 1, # c\n d = 2,\n}", `a = "\e\x41"`, "a = 07:32", "a = 1979-05-27T07:32Z", "a = {,}", "a = {b = 1,,}", `a = "\x4"`} {
		fault := strings.Contains(text, ",}") && !strings.Contains(text, ",\n}") || strings.Contains(text, `\x4"`)
		if got := run(t, text); len(got) > 0 != fault {
			t.Errorf("lint(%q) = %v", text, got)
		}
	}
}

// TestHostile: time and stack are bounded.
func TestHostile(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"arrays":  "a = " + strings.Repeat("[", 1_000_000),
		"inline":  strings.Repeat("a = {", 200_000),
		"dotted":  strings.Repeat("a.", 100_000) + "a = 1\n" + strings.Repeat("a.", 100_000) + "b = 1\n",
		"headers": strings.Repeat("[a]\n", 50_000),
		"quotes":  strings.Repeat(`"`, 1_000_000),
		"line":    "a = [" + strings.Repeat("{b = 'c'}, ", 200_000) + "]",
	} {
		out, err := lint(t.Context(), engine.Source{Text: []byte(text)})
		if _, skip := engine.SkipReason(err); err != nil && !skip {
			t.Errorf("%s: %v", name, err)
		}
		if name == "headers" && len(out) != 49_999 {
			t.Errorf("%s: %d findings", name, len(out))
		}
	}
}

func FuzzLint(f *testing.F) {
	for _, s := range []string{"a = 1\n'a'.b = {c = [1, \"\"\"x\"\"\"]}\n", "[a]\n[[a.b]]\nt = 1979-05-27 07:32:00Z\n", "\"\\u00e9\" = 0x_1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { run(t, text) })
}
