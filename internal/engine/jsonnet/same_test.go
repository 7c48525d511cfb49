package jsonnet

import "testing"

// TestSame: what jsonnetfmt is meant to change is equal, everything else is not.
func TestSame(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, before, after string
		want                bool
	}{
		{"layout", "{a:1,b:2}", "{\n  a: 1,\n  b: 2,\n}\n", true},
		{"quotes", `{"a": "it's"}`, `{a: 'it\'s'}`, true},
		{"a value changes", "{a: 1}", "{a: 2}", false},
		{"a number is written otherwise", "1.0", "1", false},
		{"visibility", "{a: 1}", "{a:: 1}", false},
		{"super", "{a+: {}}", "{a: {}}", false},
		{"implicit plus", "a + {b: 1}", "a {b: 1}", true},
		{"parentheses", "(1 + 2) * 3", "1 + 2 * 3", false},
		{"double parentheses", "((1 + 2)) * 3", "(1 + 2) * 3", true},
		{"index", "a['b']", "a.b", true},
		{"imports", "local b = import 'b'; local a = import 'a'; a + b", "local a = import 'a'; local b = import 'b'; a + b", true},
		{"an import is lost", "local b = import 'b'; local a = import 'a'; a", "local a = import 'a'; a", false},
		{"locals", "local b = 1; local a = b; a", "local a = b; local b = 1; a", false},
		{"comment style", "# a\n1", "// a\n1", true},
		{"a comment is lost", "/* a */ 1", "1", false},
		{"a comment in a text", "|||\n  # a\n|||", "|||\n  // a\n|||", false},
		{"a text between bars", "|||\n  a\n|||", "'a\\n'", true},
		{"verbatim", `@'a\b'`, `'a\\b'`, true},
		{"escapes", `'\u00E9'`, `'\u00e9'`, true},
		{"assert", "assert a : 'b'; 1", "assert a : 'c'; 1", false},
		{"function", "function(a, b=1) a", "function(a, b=2) a", false},
		{"named argument", "f(a=1)", "f(1)", false},
		{"tailstrict", "f(1) tailstrict", "f(1)", false},
		{"slice", "a[1:2]", "a[1:2:3]", false},
		{"comprehension", "[a for a in b if c]", "[a for a in b if d]", false},
		{"object comprehension", "{[a]: 1 for a in b}", "{[a]: 1 for a in c}", false},
		{"dollar", "{a: $.b}", "{a: self.b}", false},
		{"in super", "{a: 'b' in super}", "{a: 'c' in super}", false},
		{"importstr", "importstr 'a'", "import 'a'", false},
		{"null", "null", "false", false},
		{"unary", "!a", "-a", false},
		{"error", "error 'a'", "error 'b'", false},
		{"does not parse", "1", "(1", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if err := Same([]byte(tc.before), []byte(tc.after)); (err == nil) != tc.want {
				t.Errorf("Same(%q, %q) = %v, want equal: %v", tc.before, tc.after, err, tc.want)
			}
		})
	}
}
