// Package css judges what a formatter did to CSS, SCSS and Less: whether the
// same rules and the same comments are left, in the same order.
//
// It reads CSS Syntax Level 3, and what SCSS and Less add to it, into tokens
// and these into statements: a declaration, an at-rule, a call, or a prelude
// with a block. White space is kept where a reader sees it: a descendant is not
// a compound selector, "a -b" is not "a - b". Names that do not tell upper from
// lower case, quotes, leading zeros and commas at the end of a list are written
// in one way.
package css

import (
	"poly/internal/guard"
)

// Dialect is the language of a style sheet.
type Dialect uint8

// The dialects.
const (
	CSS Dialect = iota
	SCSS
	Less
)

// Same reports what a reader of after would take for something else than in
// before: nil, a [*guard.Difference], or a [*guard.CannotJudge] if before is
// not understood.
func Same(before, after []byte, d Dialect) error {
	b := read(before, d)
	if b.bad != "" {
		return &guard.CannotJudge{Line: guard.Line(b.src, b.badAt), Reason: b.bad}
	}
	a := read(after, d)
	if a.bad != "" {
		return guard.Differ("the syntax ("+a.bad+")", b.src, len(b.src), a.src, a.badAt)
	}
	for i, h := range b.hashes {
		if i >= len(a.hashes) || a.hashes[i] != h {
			is := len(a.src)
			if i < len(a.at) {
				is = int(a.at[i])
			}
			return guard.Differ("a rule", b.src, int(b.at[i]), a.src, is)
		}
	}
	if n := len(b.hashes); n < len(a.hashes) {
		return guard.Differ("a rule", b.src, len(b.src), a.src, int(a.at[n]))
	}
	return sameComments(b, a)
}
