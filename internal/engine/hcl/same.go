package hcl

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// same reports whether two texts have the same tokens, comments and the bodies
// of heredocs among them, once both are brought to the form that terraform fmt
// gives them. Line ends may differ in kind alone.
func same(before, after []byte) error {
	a, b := canonical(before), canonical(after)
	for i := range min(len(a), len(b)) {
		if a[i].Type != b[i].Type || a[i].text != b[i].text {
			return fmt.Errorf("tokens changed: before %q (line %d), after %q (line %d)", short(a[i].text), a[i].line, short(b[i].text), b[i].line)
		}
	}
	if len(a) != len(b) {
		return fmt.Errorf("tokens were lost or added: %d before, %d after", len(a), len(b))
	}
	return nil
}

func short(s string) string {
	if r := []rune(s); len(r) > 40 {
		s = string(r[:37]) + "..."
	}
	return s
}

// token is one of a text; blanks between tokens are not kept.
type token struct {
	Type hclsyntax.TokenType
	text string
	line int
}

func canonical(text []byte) []token {
	raw, _ := hclsyntax.LexConfig(text, "", hcl.InitialPos)
	all := make([]token, 0, len(raw))
	for _, t := range raw {
		if t.Type == hclsyntax.TokenEOF {
			break
		}
		one := token{t.Type, strings.ReplaceAll(string(t.Bytes), "\r\n", "\n"), t.Range.Start.Line}
		if body, ok := strings.CutSuffix(one.text, "\n"); ok && t.Type == hclsyntax.TokenComment {
			// The line end is part of the comment, but at the end of the text.
			one.text = body
			all = append(all, one)
			one = token{hclsyntax.TokenNewline, "\n", one.line}
		}
		all = append(all, one)
	}
	return rewrite(trimNewlines(all))
}
