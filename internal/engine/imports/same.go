package imports

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/constant"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
	"unicode"
)

// same reports whether two Go files differ in layout and in the order and
// grouping of their imports only: equal sets of imports
// with the comments that belong to them, equal tokens and an equal tree outside
// of import declarations, equal words in all comments.
func same(before, after []byte) error {
	a, err := read(before)
	if err != nil {
		return fmt.Errorf("before: %w", err)
	}
	b, err := read(after)
	if err != nil {
		return fmt.Errorf("after: %w", err)
	}
	if a.build != "" && a.build != b.build {
		return fmt.Errorf("build constraint: %q became %q", a.build, b.build)
	}
	for _, l := range [...]struct {
		what string
		a, b []string
	}{{"imports", a.imports, b.imports}, {"code", a.tokens, b.tokens}, {"structure", a.shape, b.shape}, {"comment", a.words, b.words}} {
		if i := firstDifference(l.a, l.b); i >= 0 {
			return fmt.Errorf("%s: %q became %q", l.what, excerpt(l.a, i), excerpt(l.b, i))
		}
	}
	return nil
}

// content is what layout does not change.
type content struct {
	imports []string // name, path and remarks, a sorted set
	tokens  []string // outside of import declarations
	shape   []string // the tree of the same
	words   []string // of all comments, sorted
	build   string   // the go:build constraint
}

// block is the extent of an import declaration.
type block struct{ start, end int }

func read(text []byte) (content, error) {
	var c content
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return c, err
	}
	c.shape = shape(file)
	var blocks []block
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		blocks = append(blocks, block{int(g.Pos() - file.FileStart), int(g.End() - file.FileStart)})
		for _, s := range g.Specs {
			if s, ok := s.(*ast.ImportSpec); ok {
				name := ""
				if s.Name != nil {
					name = s.Name.Name
				}
				c.imports = append(c.imports, name+" "+strings.Trim(s.Path.Value, "\"`")+remark(s.Doc)+remark(s.Comment))
			}
		}
	}
	c.imports = distinct(c.imports)
	c.scan(text, blocks)
	slices.Sort(c.words)
	return c, nil
}

// remark returns the words of a comment that belongs to an import, such as the
// reason of a blank one.
func remark(g *ast.CommentGroup) string {
	if g == nil {
		return ""
	}
	return remarkMark + strings.Join(strings.Fields(g.Text()), " ")
}

const remarkMark = " // "

// distinct sorts imports and drops those that stand twice; of two imports of
// which one has no remark the other is kept.
func distinct(imports []string) []string {
	slices.Sort(imports)
	var out []string
	for i, s := range imports {
		if i+1 < len(imports) && (imports[i+1] == s || strings.HasPrefix(imports[i+1], s+remarkMark)) {
			continue
		}
		out = append(out, s)
	}
	return out
}

// scan collects tokens and words. What gofmt may write or not is left out:
// semicolons, commas and parentheses, of which the tree tells.
func (c *content) scan(text []byte, blocks []block) {
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(text))
	s.Init(file, text, func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		at := file.Offset(pos)
		for len(blocks) > 0 && blocks[0].end <= at {
			blocks = blocks[1:]
		}
		inImports := len(blocks) > 0 && blocks[0].start <= at
		switch {
		case tok == token.EOF:
			return
		case tok == token.COMMENT && constraint.IsPlusBuild(lit): // gofmt writes it as go:build too
		case tok == token.COMMENT && constraint.IsGoBuild(lit):
			c.build = lit
		case tok == token.COMMENT:
			c.words = append(c.words, strings.FieldsFunc(lit, func(r rune) bool {
				return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
			})...)
		case inImports, tok == token.SEMICOLON, tok == token.COMMA, tok == token.LPAREN, tok == token.RPAREN:
		default:
			c.tokens = append(c.tokens, spelling(tok, lit))
		}
	}
}

// spelling writes a number by its value and a raw string without carriage
// returns, which the language does not count.
func spelling(tok token.Token, lit string) string {
	switch tok {
	case token.INT, token.FLOAT, token.IMAG:
		if v := constant.MakeFromLiteral(lit, tok, 0); v.Kind() != constant.Unknown {
			return v.ExactString()
		}
	case token.STRING:
		return strings.ReplaceAll(lit, "\r", "")
	}
	if lit == "" {
		return tok.String()
	}
	return lit
}

// firstDifference returns the first index at which a and b part, -1 if none.
func firstDifference(a, b []string) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	return -1
}

// excerpt joins a few parts around the i-th.
func excerpt(parts []string, i int) string {
	i = min(i, len(parts))
	return strings.Join(parts[max(i-3, 0):min(i+4, len(parts))], " ")
}
