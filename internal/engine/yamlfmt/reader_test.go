package yamlfmt

import (
	"testing"

	"poly/internal/engine"
)

// TestReader: streams that were asked for are good while three others are.
func TestReader(t *testing.T) {
	t.Parallel()
	var r reader
	texts := []string{"a: 1\n", "b: [2]\n", "# c\nc: 3\n", "d: 4\n", "e: [\n", "f: 6\n"}
	for _, i := range []int{0, 1, 2, 3, 0, 4, 5, 1, 1, 0, 2, 3, 4, 4, 0} {
		first, _ := r.read([]byte(texts[i]))
		for j, other := range texts[:3] {
			if _, err := r.read([]byte(other)); err != nil {
				t.Fatalf("read(%q) = %v", texts[j], err)
			}
		}
		var fresh stream
		fresh.fill([]byte(texts[i]))
		if first.text != texts[i] || len(first.events) != len(fresh.events) || len(first.comments) != len(fresh.comments) || (first.err == nil) != (fresh.err == nil) {
			t.Fatalf("the stream of %q has become that of %q", texts[i], first.text)
		}
	}
}

// TestSteady: only what the library writes again as it is counts as steady.
func TestSteady(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text, out string
		want      bool
	}{
		{"a:   1\nb:\n    - c\n", "a: 1\nb:\n  - c\n", true},
		{"a:  |\n    b\n     c\n", "a: |\n  b\n   c\n", true},
		{"\n\na: \"b\"\n", "a: \"b\"\n", true},
		{"a:   1 # c\n", "a: 1 # c\n", false},
		{"a:   b\n  c\n", "a: b\n  c\n", false},
		{"a:   >\n  b\n", "a: >\n  b\n", false},
		{"a:   |\n\n  b\n", "a: |\n\n  b\n", false},
		{"a:   'b'\n", "a: b\n", false},
		{"a:   \"\\u0062\"\n", "a: \"b\"\n", false},
		{"a:   1\n", "a: 1\nb: 2\n", false},
		{"a:   {b: 1}\n", "a:\n  b: 1\n", false},
		{"a: [", "a: [", false},
	} {
		var r reader
		if got := r.steady([]byte(tc.text), []byte(tc.out)); got != tc.want {
			t.Errorf("steady(%q, %q) = %v", tc.text, tc.out, got)
		}
	}
}

// TestWorker: its guard sees what the one without a memory sees, and a text
// that loses one blank line in each pass is settled by one call.
func TestWorker(t *testing.T) {
	t.Parallel()
	w := &worker{formatter: &formatter{settings: settings{indent: 2, pad: 1}, globals: engine.Globals{FinalNewline: true}}}
	for _, text := range []string{
		"a:   1\n", "\ufeffa:   1\r\nb: 2\r\n", "%YAML 1.1\n---\na:   no\n", "# a\n\n# b\n\n# c\n\n# d\n\n# e\n\n# f\n\n# g\n\n# h\na:   1\n", "a:\n  # b\n\n  # c\n\n  d:  1\n",
	} {
		src := engine.Source{Path: "a.yaml", Text: []byte(text)}
		out, err := w.Format(t.Context(), src)
		if err != nil {
			t.Fatalf("Format(%q) = %v", text, err)
		}
		if err := w.Same(src.Text, out); err != nil {
			t.Errorf("Same(%q, %q) = %v", text, out, err)
		}
		for _, bad := range []string{string(out) + "z: 1\n", "", "a: 2\n"} {
			if w.Same(src.Text, []byte(bad)) == nil {
				t.Errorf("Same(%q, %q) = nil", text, bad)
			}
		}
		src.Text = out
		if again, err := w.Format(t.Context(), src); err != nil || string(again) != string(out) {
			t.Errorf("Format(%q) = %q, %v: not settled", out, again, err)
		}
	}
}
