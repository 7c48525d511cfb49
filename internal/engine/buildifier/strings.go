package buildifier

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/bazelbuild/buildtools/build"
)

// keepCharacters gives strings with characters beyond ASCII a spelling that the
// library prints as it is. It would otherwise write their bytes as octal
// escapes where it changes quotes, which readers of Starlark outside of Bazel refuse.
func keepCharacters(f *build.File, body []byte) {
	if bytes.IndexFunc(body, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return
	}
	build.Walk(f, func(e build.Expr, _ []build.Expr) {
		s, ok := e.(*build.StringExpr)
		if !ok || strings.HasPrefix(s.Token, "r") || strings.IndexFunc(s.Value, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
			return
		}
		if quotes := strings.HasPrefix(s.Token, `"`) || strings.Contains(s.Value, `"`); quotes && build.IsCorrectEscaping(s.Token) {
			return
		}
		token := requote(s.Token, s.TripleQuote)
		if value, triple, err := build.Unquote(token); err == nil && value == s.Value && triple == s.TripleQuote && build.IsCorrectEscaping(token) {
			s.Token = token
		}
	})
}

// requote writes a string literal between double quotes. A backslash that
// escapes nothing becomes two.
func requote(token string, triple bool) string {
	n := 1
	if triple {
		n = 3
	}
	var b strings.Builder
	quotes := strings.Repeat(`"`, n)
	b.WriteString(quotes)
	for inner := token[n : len(token)-n]; inner != ""; {
		size := 1
		switch {
		case strings.HasPrefix(inner, `\'`):
			b.WriteByte('\'')
			size = 2
		case inner[0] == '\\' && len(inner) > 1:
			if size = 2; !strings.Contains("\nntrabfv\\\"01234567xuU", inner[1:2]) {
				b.WriteByte('\\')
			}
			b.WriteString(inner[:2])
		case inner[0] == '"' && !triple:
			b.WriteString(`\"`)
		default:
			b.WriteByte(inner[0])
		}
		inner = inner[size:]
	}
	b.WriteString(quotes)
	return b.String()
}
