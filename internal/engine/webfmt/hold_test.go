package webfmt

import (
	"strings"
	"testing"
)

// TestHold: the innermost statement that has its lines for itself is held back,
// and comes back whatever became of the indentation.
func TestHold(t *testing.T) {
	t.Parallel()
	const text = "a {\n  b: c;\n  d: url(//x;y) /* { */ \"}\" #{e}; // note\n  f { g: h;\n    i: j }\n  k: l; m: n\n}\n"
	for line, want := range map[int]string{
		1: text[:len(text)-1],
		2: "b: c;",
		3: "d: url(//x;y) /* { */ \"}\" #{e}; // note",
		4: "f { g: h;\n    i: j }",
		5: "f { g: h;\n    i: j }",
		6: text[:len(text)-1],
	} {
		prepared, undo := holdStatements(true)([]byte(text), map[int]bool{line: true})
		mark := holdStyle + "0" + holdEnd
		if got := strings.Replace(text, want, mark, 1); string(prepared) != got {
			t.Errorf("line %d: prepared %q, want %q", line, prepared, got)
			continue
		}
		if got := string(undo([]byte("\t" + mark + "\n"))); got != "\t"+want+"\n" {
			t.Errorf("line %d: undone %q", line, got)
		}
		for _, lost := range []string{"", "x " + mark + "\n", mark + "\n" + mark + "\n", holdStyle + "1" + holdEnd + "\n"} {
			if got := undo([]byte(lost)); got != nil {
				t.Errorf("line %d: %q is undone to %q", line, lost, got)
			}
		}
	}
	two := map[int]bool{2: true, 3: true}
	prepared, undo := holdStatements(true)([]byte(text), two)
	if got := string(undo(prepared)); got != text {
		t.Errorf("two parts: %q became %q", text, got)
	}
	for _, odd := range []string{"", "}", "{", "a{", "a{b:\"", "/*", "a{b}} c{d:e}", "@x{{{", "a(b{c;d", "#{", "url(", strings.Repeat("a{", 500)} {
		prepared, undo := holdStatements(false)([]byte(odd), map[int]bool{1: true})
		if got := undo(prepared); got != nil && strings.TrimSpace(string(got)) != strings.TrimSpace(odd) {
			t.Errorf("%q became %q", odd, got)
		}
	}
}
