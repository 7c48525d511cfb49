package templ

import "testing"

// TestSameWords: what a fault that the library's parser and printer share would
// lose is seen by a scanner that knows neither.
func TestSameWords(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, before, after string
		want                bool
	}{
		{"layout", "templ a(){<br></br><p class='x'>b</p>}", "templ a() {\n\t<br/>\n\t<p class=\"x\">b</p>\n}\n", true},
		{"text is lost", "<p>a b</p>", "<p>a</p>", false},
		{"an element is lost", "<p><b>a</b></p>", "<p>a</p>", false},
		{"attributes change places", "<p a=\"b\" c=\"d\">e</p>", "<p c=\"d\" a=\"b\">e</p>", false},
		{"an operator of Go", "if a == b { c }", "if a != b { c }", false},
		{"an argument", "@a(1, 2)", "@a(1)", false},
	} {
		if err := sameWords(tc.before, tc.after); (err == nil) != tc.want {
			t.Errorf("%s: %v, want equal: %v", tc.name, err, tc.want)
		}
	}
}
