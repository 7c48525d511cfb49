//go:build extra

package caddy

import (
	"testing"

	"poly/internal/engine"
)

// TestSame: layout is equal, everything else is not.
func TestSame(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, before, after string
		want                bool
	}{
		{"layout", "a   {\nb  c\n}\n", "a {\n\tb c\n}\n", true},
		{"a word", "a b\n", "a c\n", false},
		{"quotes", "a \"b\"\n", "a b\n", false},
		{"lines join", "a\nb\n", "a b\n", false},
		{"a line breaks", "a b\n", "a\nb\n", false},
		{"blank lines", "a\n\n\n\nb\n", "a\n\nb\n", true},
		{"a comment is lost", "a # b\n", "a\n", false},
		{"a comment that is none", "a \"# b\"\n", "a \"# c\"\n", false},
		{"heredoc", "a <<E\n  b\n  E\n", "a <<E\n  c\n  E\n", false},
		{"comment behind a heredoc", "a <<E\n  #b\n  E\n# c\n", "a <<E\n  #b\n  E\n# d\n", false},
		{"brace of a site", "a.com\n{\n\tb\n}\n", "a.com {\n\tb\n}\n", true},
		{"brace of a directive", "a.com {\n\tb\n\t{\n\t\tc\n\t}\n}\n", "a.com {\n\tb {\n\t\tc\n\t}\n}\n", false},
		{"brace of an import", "import x\n{\n\tb\n}\n", "import x {\n\tb\n}\n", false},
		{"line behind an opening brace joins", "a {\n\tb\n}\n", "a { b\n}\n", false},
		{"line behind a closing brace joins", "a {\n\tb\n}\nc\n", "a {\n\tb\n} c\n", false},
		{"closing brace joins", "a {\n\tb\n}\n", "a {\n\tb }\n", false},
		{"does not scan", "a\n", "a <<E\nb\n", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if err := Same([]byte(tc.before), []byte(tc.after)); (err == nil) != tc.want {
				t.Errorf("Same(%q, %q) = %v, want equal: %v", tc.before, tc.after, err, tc.want)
			}
		})
	}
}

// TestRefused: the formatter breaks words in backquotes at the start of a line,
// which the guard finds.
func TestRefused(t *testing.T) {
	t.Parallel()
	const text = "example.com {\n\treplace stream {\n\t\t` src=\"/` ` src=\"https://example.com/`\n\t\t` href=\"/` ` href=\"https://example.com/`\n\t}\n}\n"
	f := &formatter{globals: engine.Globals{FinalNewline: true}}
	out, err := f.format(t.Context(), engine.Source{Text: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	if err := Same([]byte(text), out); err == nil {
		t.Errorf("it became %q", out)
	}
}
