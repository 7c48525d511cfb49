package templ

import (
	"testing"

	"poly/internal/engine"
)

func page(body string) string { return "package a\n\ntempl x(y string) {\n" + body + "\n}\n" }

// TestSame: layout is equal, everything else is not.
func TestSame(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, before, after string
		want                bool
	}{
		{"layout", page("<div><p>a</p></div>"), page("\t<div>\n\t\t<p>a</p>\n\t</div>"), true},
		{"an element is lost", page("<b>a</b><i>b</i>"), page("<b>a</b>"), false},
		{"text", page("<b>a</b>"), page("<b>c</b>"), false},
		{"white space between words", page("<b>a</b><i>b</i>"), page("<b>a</b> <i>b</i>"), false},
		{"attribute", page("<b class=\"a\">a</b>"), page("<b class=\"b\">a</b>"), false},
		{"code", page("<b>{ f(y) }</b>"), page("<b>{ f(x) }</b>"), false},
		{"layout of code", "package a\n\nvar x=1\n", "package a\n\nvar x = 1\n", true},
		{"comment", page("// a\n<b>a</b>"), page("<b>a</b>"), false},
		{"old call", page("{! f() }"), page("@f()"), true},
		{"script", page("<script>a( )</script>"), page("<script>a()</script>"), false},
		{"does not parse", page("<b>a</b>"), page("<b>a"), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if err := Same([]byte(tc.before), []byte(tc.after)); (err == nil) != tc.want {
				t.Errorf("Same(%q, %q) = %v, want equal: %v", tc.before, tc.after, err, tc.want)
			}
		})
	}
}

// TestLarge: a file that would take too long is declined.
func TestLarge(t *testing.T) {
	t.Parallel()
	src := engine.Source{Text: make([]byte, maxSize+1)}
	if _, err := lint(t.Context(), src); err == nil {
		t.Error("lint looks at it")
	}
	if _, err := (&formatter{}).format(t.Context(), src); err == nil {
		t.Error("format looks at it")
	}
}
