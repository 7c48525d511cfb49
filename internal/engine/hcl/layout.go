package hcl

import (
	"bytes"

	"github.com/apparentlymart/go-textseg/v15/textseg"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// piece is a token with the blanks before it. Layout is nothing but blanks.
type piece struct {
	kind   hclsyntax.TokenType
	text   []byte
	blanks int
}

// row is what stands between two line ends, cut in up to three columns, of
// which the second and third are aligned with those of the rows around it. An
// empty one is nil.
type row struct {
	head   []piece
	assign []piece // from the equals sign on, if all brackets behind it are closed
	remark []piece // a comment behind something else
}

// layOut returns text with the blanks that the format command of the language
// would write. It is code of its own, for hclwrite, which lays out in the same
// way, links a library for tests that takes half a millisecond at every start.
func layOut(text []byte) []byte {
	pieces := lex(text)
	rows := cut(pieces)
	indent(rows)
	for _, r := range rows {
		space(r.head)
		space(r.assign)
	}
	align(rows, func(r *row) ([]piece, int) { return r.assign, width(r.head) })
	align(rows, func(r *row) ([]piece, int) { return r.remark, width(r.head) + width(r.assign) })
	out := make([]byte, 0, len(text)+len(text)/8)
	for _, p := range pieces {
		for range p.blanks {
			out = append(out, ' ')
		}
		out = append(out, p.text...)
	}
	return out
}

func lex(text []byte) []piece {
	tokens, _ := hclsyntax.LexConfig(text, "", hcl.InitialPos)
	pieces := make([]piece, len(tokens))
	at := 0
	for i, t := range tokens {
		pieces[i] = piece{t.Type, t.Bytes, t.Range.Start.Byte - at}
		at = t.Range.End.Byte
	}
	return pieces
}

// cut makes rows of pieces, which they share.
func cut(pieces []piece) []row {
	var rows []row
	start := 0
	for i, p := range pieces {
		switch {
		case p.kind == hclsyntax.TokenEOF:
			return append(rows, columns(pieces[start:i]))
		case endsLine(p):
			rows = append(rows, columns(pieces[start:i+1]))
			start = i + 1
		}
	}
	return append(rows, columns(pieces[start:]))
}

// endsLine: a comment to the end of the line takes in the line end.
func endsLine(p piece) bool {
	return p.kind == hclsyntax.TokenNewline || p.kind == hclsyntax.TokenComment && bytes.HasSuffix(p.text, []byte("\n"))
}

func columns(pieces []piece) row {
	r := row{head: pieces}
	if last := len(pieces) - 1; last > 0 && pieces[last].kind == hclsyntax.TokenComment {
		r.head, r.remark = pieces[:last], pieces[last:]
	}
	for i, p := range r.head {
		if i > 0 && p.kind == hclsyntax.TokenEqual {
			if depth(r.head[i:]) == 0 {
				r.head, r.assign = r.head[:i], r.head[i:]
			}
			break
		}
	}
	return r
}

// bracket is 1 for what opens, -1 for what closes. Quotes do neither: what is
// in them keeps its place.
func bracket(k hclsyntax.TokenType) int {
	switch k {
	case hclsyntax.TokenOQuote, hclsyntax.TokenCQuote, hclsyntax.TokenOHeredoc, hclsyntax.TokenCHeredoc:
		return 0
	}
	return nesting(k)
}

func depth(pieces []piece) int {
	n := 0
	for _, p := range pieces {
		n += bracket(p.kind)
	}
	return n
}

// indent moves a row by two columns for each row that left brackets open,
// however many they are.
func indent(rows []row) {
	var open []int // how many brackets the rows around this one left open
	for _, r := range rows {
		if len(r.head) == 0 {
			continue
		}
		first := &r.head[0]
		if first.kind == hclsyntax.TokenNewline {
			first.blanks = 0
			continue
		}
		net := depth(r.assign)
		for _, p := range r.head {
			net += bracket(p.kind)
			if p.kind == hclsyntax.TokenOHeredoc {
				break
			}
		}
		for net < 0 && len(open) > 0 {
			top := &open[len(open)-1]
			if *top > -net {
				*top += net
				break
			}
			net += *top
			open = open[:len(open)-1]
		}
		first.blanks = 2 * len(open)
		if net > 0 {
			open = append(open, net)
		}
	}
}

// space writes one blank or none between two pieces of a column.
func space(column []piece) {
	before := hclsyntax.TokenNil
	for i := 1; i < len(column); i++ {
		left, right := column[i-1], &column[i]
		right.blanks = 0
		if apart(before, left, right.kind) {
			right.blanks = 1
		}
		before = left.kind
	}
}

// Whether a blank stands between two tokens is decided by the first of these
// that has an opinion. before is what stands before left, TokenNil if nothing.
func apart(before hclsyntax.TokenType, left piece, right hclsyntax.TokenType) bool {
	l := left.kind
	switch {
	case right == hclsyntax.TokenNewline, joined(l, right):
		return false
	case l == hclsyntax.TokenComma:
		return true
	case inTemplate(l, right):
		return false
	case l == hclsyntax.TokenIdent && before == hclsyntax.TokenIdent && string(left.text) == "in":
		return true // for x in [a, b]
	}
	return loose(before, l, right)
}

// loose decides about operators and brackets.
func loose(before, left, right hclsyntax.TokenType) bool {
	switch {
	case right == hclsyntax.TokenOBrack && (left == hclsyntax.TokenIdent || left == hclsyntax.TokenNumberLit || bracket(left) < 0),
		left == hclsyntax.TokenBang:
		return false
	case left == hclsyntax.TokenMinus:
		return !negates(before)
	case left == hclsyntax.TokenOBrace || right == hclsyntax.TokenCBrace:
		return left != hclsyntax.TokenOBrace || right != hclsyntax.TokenCBrace
	case left == hclsyntax.TokenCBrace && right == hclsyntax.TokenTemplateSeqEnd:
		return true
	case opensTemplate(left):
		return right == hclsyntax.TokenOBrace
	case left == hclsyntax.TokenTemplateSeqEnd && opensTemplate(right):
		return false
	}
	return bracket(left) <= 0 && bracket(right) >= 0
}

// joined: calls, namespaces, attributes, and what ends an argument.
func joined(left, right hclsyntax.TokenType) bool {
	switch right {
	case hclsyntax.TokenOParen, hclsyntax.TokenDoubleColon:
		if left == hclsyntax.TokenIdent {
			return true
		}
	case hclsyntax.TokenIdent:
		if left == hclsyntax.TokenDoubleColon {
			return true
		}
	case hclsyntax.TokenDot, hclsyntax.TokenComma, hclsyntax.TokenEllipsis:
		return true
	}
	return left == hclsyntax.TokenDot
}

// inTemplate: a blank there would be text.
func inTemplate(left, right hclsyntax.TokenType) bool {
	switch left {
	case hclsyntax.TokenQuotedLit, hclsyntax.TokenStringLit, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
		return true
	}
	switch right {
	case hclsyntax.TokenQuotedLit, hclsyntax.TokenStringLit, hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
		return true
	}
	return false
}

func opensTemplate(k hclsyntax.TokenType) bool {
	return k == hclsyntax.TokenTemplateInterp || k == hclsyntax.TokenTemplateControl
}

// negates reports whether a minus behind before is a sign: nothing that could
// be subtracted from ends there.
func negates(before hclsyntax.TokenType) bool {
	switch before {
	case hclsyntax.TokenNil, hclsyntax.TokenOParen, hclsyntax.TokenOBrace, hclsyntax.TokenOBrack,
		hclsyntax.TokenEqual, hclsyntax.TokenColon, hclsyntax.TokenComma, hclsyntax.TokenQuestion,
		hclsyntax.TokenPlus, hclsyntax.TokenMinus, hclsyntax.TokenStar, hclsyntax.TokenSlash, hclsyntax.TokenPercent,
		hclsyntax.TokenEqualOp, hclsyntax.TokenNotEqual, hclsyntax.TokenAnd, hclsyntax.TokenOr, hclsyntax.TokenBang,
		hclsyntax.TokenLessThan, hclsyntax.TokenLessThanEq, hclsyntax.TokenGreaterThan, hclsyntax.TokenGreaterThanEq:
		return true
	}
	return false
}

// align moves a column of each run of rows that have it to the same place, one
// blank behind the widest of what stands before it.
func align(rows []row, of func(*row) (column []piece, before int)) {
	start, widest := 0, 0
	for i := range len(rows) + 1 {
		if i < len(rows) {
			if column, before := of(&rows[i]); column != nil {
				widest = max(widest, before)
				continue
			}
		}
		for ; start < i; start++ {
			column, before := of(&rows[start])
			column[0].blanks = widest - before + 1
		}
		start, widest = i+1, 0
	}
}

// width is how many characters, as people count them, a column takes.
func width(column []piece) int {
	n := 0
	for _, p := range column {
		n += p.blanks + characters(p.text)
	}
	return n
}

func characters(text []byte) int {
	for _, c := range text {
		if c >= 0x80 || c == '\r' {
			n, _ := textseg.TokenCount(text, textseg.ScanGraphemeClusters)
			return n
		}
	}
	return len(text)
}
