//go:build extra

package opa

import "testing"

// TestSameWords: what a fault that the library's parser and printer share would
// lose is seen by a scanner that knows neither.
func TestSameWords(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, before, after string
		want                bool
	}{
		{"layout", "a = true{b;c}", "a if {\n\tb\n\tc\n}\n", true},
		{"sorted imports", "import b\nimport a\nc := 1", "import a\nimport b\n\nc := 1\n", true},
		{"a rule is lost", "a { b }\nc { d }", "a { b }\n", false},
		{"a negation is lost", "a { not b }", "a { b }", false},
		{"a string", "a := \"b # c\"", "a := \"b # d\"", false},
		{"an operator", "a { b > 1 }", "a { b < 1 }", false},
	} {
		if err := sameWords(tc.before, tc.after); (err == nil) != tc.want {
			t.Errorf("%s: %v, want equal: %v", tc.name, err, tc.want)
		}
	}
}
