package xml

import (
	"strings"
	"testing"

	"poly/internal/engine"
)

// layouts are documents before and after. Blanks are changed in them only where
// nobody sees them.
var layouts = map[string][2]string{
	"levels":                      {"<a>\n<b>\n<c/>\n</b>\n</a>\n", "<a>\n  <b>\n    <c/>\n  </b>\n</a>\n"},
	"space beside another value":  {"<a>\n <b xml:space=\"preserve\" id=\"default\">\n   <c/>\n </b>\n</a>\n", ""},
	"space, spread":               {"<a>\n <b xml:space = 'preserve'>\n   <c/>\n </b>\n</a>\n", "<a>\n <b xml:space='preserve'>\n   <c/>\n </b>\n</a>\n"},
	"space by default":            {"<a>\n <b xml:space=\"default\">\n   <c/>\n </b>\n</a>\n", "<a>\n <b xml:space=\"default\">\n  <c/>\n </b>\n</a>\n"},
	"space in a value":            {"<a>\n <b c=\"xml:space=preserve\">\n   <c/>\n </b>\n</a>\n", "<a>\n <b c=\"xml:space=preserve\">\n  <c/>\n </b>\n</a>\n"},
	"no-break space is text":      {"<a>\n <b>\n\u00a0\n   <c/>\n </b>\n</a>\n", ""},
	"next line is text":           {"<a>\n <b>\n   <c/>\u0085\n </b>\n</a>\n", ""},
	"entity is text":              {"<a>\n <b>\n   <c/>&#32;\n </b>\n</a>\n", ""},
	"mixed content":               {"<p>\n one <b>two</b>\n   <i>three</i>\n</p>\n", ""},
	"cdata":                       {"<a>\n <b>\n   <![CDATA[ ]]>\n   <c/>\n </b>\n</a>\n", ""},
	"program listing":             {"<a>\n <programlisting>\n   <co/>\n     <co/>\n </programlisting>\n</a>\n", ""},
	"text of a drawing":           {"<svg>\n <text>\n    <tspan>a</tspan>\n     <tspan>b</tspan>\n </text>\n</svg>\n", ""},
	"comment":                     {"<a>\n <!-- one\n      two -->\n    <b/>\n</a>\n", "<a>\n <!-- one\n      two -->\n <b/>\n</a>\n"},
	"subset":                      {"<!DOCTYPE a [\n  <!ENTITY b \"]>'\">\n  <!-- ' ]> -->\n]>\n<a>\n <b/>\n</a>\n", ""},
	"attributes at a distance":    {"<a>\n  <b>\n      <c x='1'\n         y='2'/>\n  </b>\n</a>\n", "<a>\n  <b>\n    <c x='1'\n       y='2'/>\n  </b>\n</a>\n"},
	"attributes behind a comment": {"<a>\n  <!-- c --> <b\n                     x='1'/>\n</a>\n", "<a>\n  <!-- c --> <b\n    x='1'/>\n</a>\n"},
	"attributes under tabs":       {"<a>\n\t<b>\n\t\t\t<c x='1'\n\t\t\t\ty='2'/>\n\t</b>\n</a>\n", "<a>\n\t<b>\n\t\t<c x='1'\n\t\t\ty='2'/>\n\t</b>\n</a>\n"},
	"line end in a value":         {"<a>\n  <b c=\"1\n   2\"   d='>'/>\n</a>\n", "<a>\n  <b c=\"1\n   2\" d='>'/>\n</a>\n"},
	"CRLF and mark":               {"\xef\xbb\xbf<a>\r\n<b>\r\n<c/>\r\n</b>\r\n</a>\r\n", "\xef\xbb\xbf<a>\r\n  <b>\r\n    <c/>\r\n  </b>\r\n</a>\r\n"},
}

func laidOut(t *testing.T, text string) string {
	t.Helper()
	f := &formatter{globals: engine.Globals{IndentWidth: 2, FinalNewline: true}}
	out, err := f.format(t.Context(), engine.Source{Path: "a.xml", Text: []byte(text)})
	if err != nil {
		t.Fatalf("format(%q): %v", text, err)
	}
	return string(out)
}

func TestLayout(t *testing.T) {
	t.Parallel()
	for name, tc := range layouts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := tc[1]
			if want == "" {
				want = tc[0]
			}
			got := laidOut(t, tc[0])
			if got != want {
				t.Errorf("format(%q)\n = %q\nwant %q", tc[0], got, want)
			}
			if again := laidOut(t, got); again != got {
				t.Errorf("formatted twice:\n%q, then\n%q", got, again)
			}
		})
	}
}

// TestLayoutOfMuch: what a document takes grows with its size, whether it has
// many lines or one.
func TestLayoutOfMuch(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"lines":    "<a>\n" + strings.Repeat("<b>x</b>\n", 1_000_000) + "</a>\n",
		"one line": "<a>\n" + strings.Repeat("<!----> <b/> ", 700_000) + "\n</a>\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// With a cost that grows faster, the tests never end.
			if out := laidOut(t, text); len(out) < len(text)-8 {
				t.Errorf("%d bytes of %d are left", len(out), len(text))
			}
		})
	}
}
