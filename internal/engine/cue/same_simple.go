//go:build extra

package cue

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"

	"poly/internal/engine"
)

// sameSimple is Same for results that say the same more shortly: labels lose
// their quotes, structs of one field their braces, and an open struct may say
// so elsewhere. The other tokens are the same, and so is the shape of the tree.
func sameSimple(before, after []byte) error {
	a, one, err := read(before)
	if err != nil {
		return fmt.Errorf("the original: %w", err)
	}
	b, two, err := read(after)
	if err != nil {
		return fmt.Errorf("the result: %w", err)
	}
	if err := equalPieces(simplified(a), simplified(b)); err != nil {
		return err
	}
	if err := equalComments(one, two); err != nil {
		return err
	}
	return sameShape(before, after)
}

// simplified leaves out what a shorter text lacks.
func simplified(in []piece) (out []piece) {
	for i := 0; i < len(in); i++ {
		p := in[i]
		switch p.tok {
		case token.LBRACE, token.RBRACE, token.ELLIPSIS, token.COMMA:
			continue
		case token.LBRACK:
			if isOpen(in[i:]) {
				i += openSize - 1
				continue
			}
		case token.STRING:
			if isLabel(in[i+1:]) {
				p.tok, p.text = token.IDENT, strings.Trim(p.text, `"`)
			}
		}
		out = append(out, p)
	}
	return out
}

// openSize is the number of tokens of "[string]: _".
const openSize = 5

// isOpen reports whether "[string]: _" or "[_]: _" begins p, which is "...".
func isOpen(p []piece) bool {
	return len(p) >= openSize && (p[1].text == "string" || p[1].text == "_") && p[2].tok == token.RBRACK && p[3].tok == token.COLON && p[4].text == "_"
}

// isLabel reports whether what stands before rest is the label of a field.
func isLabel(rest []piece) bool {
	if len(rest) > 1 && (rest[0].tok == token.OPTION || rest[0].tok == token.NOT) {
		rest = rest[1:]
	}
	return len(rest) > 0 && rest[0].tok == token.COLON
}

// sameShape reads both texts and compares which nodes are in which. A text in a
// version of the language that only its module tells is not compared.
func sameShape(before, after []byte) error {
	before, _ = engine.Plain(before)
	after, _ = engine.Plain(after)
	a, err := parser.ParseFile("", before)
	if err != nil {
		return nil //nolint:nilerr // tokens and comments were the same
	}
	b, err := parser.ParseFile("", after)
	if err != nil {
		return fmt.Errorf("the result does not parse: line %d: %s", first(err).line, first(err).text)
	}
	if !slices.Equal(shape(a), shape(b)) {
		return errors.New("the result has another tree")
	}
	return nil
}

// shape lists the kinds of the nodes of a tree, and where each ends.
func shape(f *ast.File) (out []string) {
	ast.Walk(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ellipsis, *ast.CommentGroup:
			return false
		case *ast.Field:
			if isAny(n) {
				return false
			}
			out = append(out, "field")
			return true
		case *ast.BasicLit, *ast.Ident:
			out = append(out, "name") // labels may be either
			return true
		}
		out = append(out, fmt.Sprintf("%T", n))
		return true
	}, func(ast.Node) { out = append(out, ")") })
	return out
}

// isAny reports whether a field is "[string]: _" or "[_]: _".
func isAny(f *ast.Field) bool {
	l, isList := f.Label.(*ast.ListLit)
	if !isList || len(l.Elts) != 1 || !isNamed(f.Value, "_") {
		return false
	}
	return isNamed(l.Elts[0], "string") || isNamed(l.Elts[0], "_")
}

func isNamed(n ast.Node, name string) bool {
	i, ok := n.(*ast.Ident)
	return ok && i.Name == name
}
