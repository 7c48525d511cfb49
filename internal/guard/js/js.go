// Package js judges what a formatter did to JavaScript and TypeScript: whether
// the same program and the same comments are left.
//
// It reads ECMAScript 2025, JSX and TypeScript 5 with a parser of its own that
// keeps no tree: it writes the tree down as digests, operands before operators,
// so that neither redundant parentheses nor semicolons, trailing commas, quotes
// or braces around a single statement are left in them. Imports that stand
// together, and the names in their braces, are written in one order. Text
// between JSX tags is written as React would render it.
package js

import (
	"poly/internal/guard"
)

// Dialect is what a file may hold.
type Dialect uint8

// The dialects.
const (
	JavaScript Dialect = iota // with JSX
	TypeScript
	TSX
)

func (d Dialect) types() bool { return d != JavaScript }
func (d Dialect) jsx() bool   { return d != TypeScript }

// Same reports what a reader of after would take for something else than in
// before: nil, a [*guard.Difference], or a [*guard.CannotJudge] if before is
// not understood.
func Same(before, after []byte, d Dialect) error {
	b := parse(before, d)
	if b.bad != "" && d != TSX {
		// Files of other dialects than their names say are formatted as well.
		if other := parse(before, TSX); other.bad == "" {
			b, d = other, TSX
		}
	}
	if b.bad != "" {
		return &guard.CannotJudge{Line: guard.Line(before, b.badAt), Reason: b.bad}
	}
	a := parse(after, d)
	if a.bad != "" {
		return guard.Differ("the syntax ("+a.bad+")", before, len(before), after, a.badAt)
	}
	for i, h := range b.hashes {
		if i >= len(a.hashes) || a.hashes[i] != h {
			is := len(after)
			if i < len(a.at) {
				is = int(a.at[i])
			}
			return guard.Differ("code", before, int(b.at[i]), after, is)
		}
	}
	if n := len(b.hashes); n < len(a.hashes) {
		return guard.Differ("code", before, len(before), after, int(a.at[n]))
	}
	return sameComments(b, a)
}
