//go:build extra

package cue

import "testing"

// TestSame: layout and commas are equal, everything else is not.
func TestSame(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, before, after string
		want                bool
	}{
		{"layout", "a:1,b:2", "a: 1\nb: 2\n", true},
		{"last comma", "a: [1,\n2,\n]", "a: [1, 2]\n", true},
		{"two commas", "a: [1, 2]", "a: [1,, 2]", false},
		{"two commas at the end", "a: [1]", "a: [1,,]", false},
		{"a comma is lost", "a: [1, 2]", "a: [1 2]", false},
		{"lines joined", "a: 1\nb: 2", "a: 1 b: 2", false},
		{"a line broken", "a: b.c", "a: b\n.c", false},
		{"value", "a: 1", "a: 2", false},
		{"quotes", "\"a\": 1", "a: 1", false},
		{"interpolation", "a: \"x\\(b)y\"", "a: \"x\\(c)y\"", false},
		{"text behind an interpolation", "a: \"x\\(b)y\"", "a: \"x\\(b)z\"", false},
		{"interpolation in one", "a: \"x\\(\"y\\((b))\")z\"", "a:   \"x\\(\"y\\((b))\")z\"", true},
		{"indentation of lines", "a: \"\"\"\n  b\n    c\n  \"\"\"", "a: \"\"\"\n\tb\n\t  c\n\t\"\"\"", true},
		{"a line of a string", "a: \"\"\"\n  b\n  \"\"\"", "a: \"\"\"\n  c\n  \"\"\"", false},
		{"a comment is lost", "a: 1 // b", "a: 1", false},
		{"attribute", "a: 1 @x(y)", "a: 1 @x(z)", false},
		{"does not scan", "a: 1", "a: \"", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if err := Same([]byte(tc.before), []byte(tc.after)); (err == nil) != tc.want {
				t.Errorf("Same(%q, %q) = %v, want equal: %v", tc.before, tc.after, err, tc.want)
			}
		})
	}
}

// TestSameSimple: a result that was simplified may be shorter, but no less.
func TestSameSimple(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, before, after string
		want                bool
	}{
		{"label", "\"a\": 1 // b", "a: 1 // b", true},
		{"optional label", "\"a\"?: 1", "a?: 1", true},
		{"braces", "a: {b: 1}\nc: 2", "a: b: 1\nc: 2", true},
		{"open", "a: {[string]: _, b: 1}", "a: {b: 1, ...}", true},
		{"another label", "\"a\": 1", "b: 1", false},
		{"string", "a: \"b\"", "a: b", false},
		{"a comment is lost", "\"a\": 1 // b", "a: 1", false},
		{"a field elsewhere", "a: {b: 1}\nc: 2", "a: {b: 1, c: 2}", false},
		{"a field is lost", "a: {b: 1, c: 2}", "a: b: 1", false},
		{"closed", "a: {[string]: int}", "a: {...}", false},
		{"does not parse", "a: {b: 1}", "a: {b: 1", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if err := sameSimple([]byte(tc.before), []byte(tc.after)); (err == nil) != tc.want {
				t.Errorf("sameSimple(%q, %q) = %v, want equal: %v", tc.before, tc.after, err, tc.want)
			}
		})
	}
}
