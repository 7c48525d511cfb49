//go:build !notreesitter

package syntax

import (
	"unsafe"

	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

// grammars are the parsers that are linked, by Language.Name.
var grammars = map[string]func() unsafe.Pointer{
	"go":         golang.Language,
	"javascript": javascript.Language,
	"python":     python.Language,
	"tsx":        typescript.LanguageTSX,
	"typescript": typescript.LanguageTypescript,
}
