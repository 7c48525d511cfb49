//go:build cgo && !notreesitter

package syntax

import (
	"unsafe"

	lua "github.com/tree-sitter-grammars/tree-sitter-lua/bindings/go"
	toml "github.com/tree-sitter-grammars/tree-sitter-toml/bindings/go"
	yaml "github.com/tree-sitter-grammars/tree-sitter-yaml/bindings/go"
	zig "github.com/tree-sitter-grammars/tree-sitter-zig/bindings/go"
	bash "github.com/tree-sitter/tree-sitter-bash/bindings/go"
	csharp "github.com/tree-sitter/tree-sitter-c-sharp/bindings/go"
	c "github.com/tree-sitter/tree-sitter-c/bindings/go"
	cpp "github.com/tree-sitter/tree-sitter-cpp/bindings/go"
	css "github.com/tree-sitter/tree-sitter-css/bindings/go"
	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"
	html "github.com/tree-sitter/tree-sitter-html/bindings/go"
	java "github.com/tree-sitter/tree-sitter-java/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	json "github.com/tree-sitter/tree-sitter-json/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	ruby "github.com/tree-sitter/tree-sitter-ruby/bindings/go"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"

	"poly/internal/syntax/fetched"
)

// load returns the TSLanguage of a grammar, or nil if it is not linked.
func load(name string) unsafe.Pointer {
	if f := modules[name]; f != nil {
		return f()
	}
	return fetched.Load(name)
}

// modules are the grammars that are Go modules, by Language.Name.
var modules = map[string]func() unsafe.Pointer{
	"bash":       bash.Language,
	"c":          c.Language,
	"cpp":        cpp.Language,
	"csharp":     csharp.Language,
	"css":        css.Language,
	"go":         golang.Language,
	"html":       html.Language,
	"java":       java.Language,
	"javascript": javascript.Language,
	"json":       json.Language,
	"lua":        lua.Language,
	"python":     python.Language,
	"ruby":       ruby.Language,
	"rust":       rust.Language,
	"toml":       toml.Language,
	"tsx":        typescript.LanguageTSX,
	"typescript": typescript.LanguageTypescript,
	"yaml":       yaml.Language,
	"zig":        zig.Language,
}
