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
	if err := sameComments([]byte("\"a\": 1 // b"), []byte("a: 1 // b")); err != nil {
		t.Errorf("simplified: %v", err)
	}
	if err := sameComments([]byte("\"a\": 1 // b"), []byte("a: 1")); err == nil {
		t.Error("simplified, and a comment is lost")
	}
}
