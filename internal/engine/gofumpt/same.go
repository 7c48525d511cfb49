package gofumpt

import (
	"fmt"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// same reports whether two Go files mean the same: equal declarations in the
// same order, equal imports, equal comments in any layout, and directives in
// front of the same declarations. It allows what gofmt and gofumpt rewrite:
// see [outline].
func same(before, after []byte) error {
	var p pair
	return p.same(before, after)
}

// same is same, with the tokens of both texts at hand.
func (p *pair) same(before, after []byte) error {
	if p.scan(before, after).equal {
		return nil
	}
	a, err := parse(before, p.a)
	if err != nil {
		return fmt.Errorf("before: %w", err)
	}
	b, err := parse(after, p.b)
	if err != nil {
		return fmt.Errorf("after: %w", err)
	}
	return firstDifference(a, b)
}

// meaning is a file as a list of parts whose order counts.
type meaning struct {
	parts    []string
	comments []string // words of all comments, sorted: gofmt moves and reflows comments
}

func parse(text []byte, all []lexeme) (meaning, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return meaning{}, err
	}
	m := meaning{parts: append(outline(file), "generated", strconv.FormatBool(isGenerated(file)))}
	m.comments = words(all)
	return m, nil
}

// firstDifference returns an error that shows where two files part.
func firstDifference(a, b meaning) error {
	for _, l := range [...]struct {
		what string
		a, b []string
	}{{"code", a.parts, b.parts}, {"comment", a.comments, b.comments}} {
		for i := range max(len(l.a), len(l.b)) {
			if i >= len(l.a) || i >= len(l.b) || l.a[i] != l.b[i] {
				return fmt.Errorf("%s: %q became %q", l.what, excerpt(l.a, i), excerpt(l.b, i))
			}
		}
	}
	return nil
}

// excerpt joins a few parts around the i-th.
func excerpt(parts []string, i int) string {
	i = min(i, len(parts))
	return strings.Join(parts[max(i-3, 0):min(i+4, len(parts))], " ")
}

// words returns the words of all comments, sorted. Build constraints are left
// out: gofmt writes them in both syntaxes; they are compared as expressions.
func words(all []lexeme) []string {
	var out []string
	for i := range all {
		x := &all[i]
		if x.tok != token.COMMENT || isConstraint(x.text) || strings.HasPrefix(x.text, "//gofumpt:diagnose") {
			continue
		}
		out = append(out, strings.FieldsFunc(x.text, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
		})...)
	}
	slices.Sort(out)
	return out
}
