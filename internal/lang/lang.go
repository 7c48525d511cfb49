// Package lang names languages and tells which one a file is written in, by
// name, extension and shebang; which texts are templates, generated or no text
// at all. It reads no file and knows no engine: everything is decided from the
// path and the bytes handed in.
package lang

import (
	"regexp"
	"sort"
	"sync"
)

//go:generate go run ../gen/langs

// ID names a language: the <lang> of [lint.<lang>.<engine>]. "" is unknown.
type ID string

// The languages engines are keyed on. The table in table_gen.go knows more.
const (
	Go         ID = "go"
	YAML       ID = "yaml"
	JSON       ID = "json"
	JSONC      ID = "jsonc"
	JSON5      ID = "json5"
	TOML       ID = "toml"
	Markdown   ID = "markdown"
	MDX        ID = "mdx"
	Python     ID = "python"
	Shell      ID = "shell"
	Make       ID = "makefile"
	HTML       ID = "html"
	XML        ID = "xml"
	Dockerfile ID = "dockerfile"
	TypeScript ID = "typescript"
	Text       ID = "text" // known to be prose or data without a grammar: .txt, LICENSE
)

// Info describes a language. Its slices belong to the table: do not modify them.
type Info struct {
	ID   ID
	Name string // for people: "Zig", "C#", "GraphQL"
	// Aliases are other names of the language in configuration and in
	// Markdown fences: "sh", "golang".
	Aliases []string
	// Extensions are lower-case, without the leading dot, and may have dots
	// inside: "go", "component.html".
	Extensions []string
	// Files are base names, as people write them; a name that ends in "*" is
	// a prefix ("Dockerfile.*") and yields to a known extension.
	Files []string
	// Interpreters are the programs of a shebang, without version numbers.
	Interpreters []string
	// Formatter is the name of the one default formatter of the language,
	// whether or not it is built in; "" if there is none.
	Formatter string
	Indent    int  // columns of one level
	Tabs      bool // indented with tabs
	// Lines: every line stands alone, and blanks at its end mean nothing. The
	// text formatter may therefore take them away.
	Lines bool
	// Prose: written for people; spelling may be corrected.
	Prose bool
}

// Lookup returns the description of a language.
func Lookup(id ID) (Info, bool) {
	i := sort.Search(len(table), func(i int) bool { return table[i].ID >= id })
	if i == len(table) || table[i].ID != id {
		return Info{}, false
	}
	return table[i], true
}

// All returns every language in order of id. The slice is the table itself:
// do not modify it.
func All() []Info { return table[:] }

// Name returns the name of a language for people; the id itself if the table
// does not know it.
func (id ID) Name() string {
	if in, ok := Lookup(id); ok {
		return in.Name
	}
	return string(id)
}

// Parse returns the language that people call name: its id, an alias or its
// display name, in any case. "" if there is none.
func Parse(name string) ID {
	var buf [maxName]byte
	return byAlias(string(lower(buf[:0], name)))
}

// maxName is more than the length of the longest name or extension in the table.
const maxName = 64

// lower appends s in ASCII lower case to b, or nothing if s is too long to be
// in the table. b stays on the caller's stack.
func lower(b []byte, s string) []byte {
	if len(s) > cap(b) {
		return b
	}
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return b
}

// lazy is a pattern that is compiled when it is first used: all of them
// together would cost every start of poly more than a millisecond.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
