package jsonnet

import "testing"

// TestSameWords: what a fault that the library's parser and printer share would
// lose is seen by a scanner that knows neither.
func TestSameWords(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, before, after string
		want                bool
	}{
		{"layout", "{a:1,\"b\":@'c'}", "{ a: 1, b: 'c' }\n", true},
		{"comments are compared elsewhere", "a # b\n", "a // b\n", true},
		{"sorted imports", "local b = import 'b';\nlocal a = import 'a';\nc", "local a = import 'a';\nlocal b = import 'b';\nc", true},
		{"an import becomes another", "local b = import 'b';\nlocal a = import 'a';\nc", "local a = import 'a';\nlocal b = import 'd';\nc", false},
		{"a field is lost", "{a: 1, b: 2}", "{ a: 1 }", false},
		{"fields change places", "{a: 1, b: 2}", "{ b: 2, a: 1 }", false},
		{"a hidden field", "{a:: 1}", "{ a: 1 }", false},
		{"an operator", "a - b", "a * b", false},
		{"text of a block", "|||\n  a\n|||", "|||\n  b\n|||", false},
	} {
		if err := sameWords(tc.before, tc.after); (err == nil) != tc.want {
			t.Errorf("%s: %v, want equal: %v", tc.name, err, tc.want)
		}
	}
}
