// Package lang names languages and tells which one a file is written in, by
// name, extension, shebang and, for templates, content.
package lang

// ID names a language: the <lang> of [lint.<lang>.<engine>]. "" is unknown.
type ID string

// The languages engines are keyed on. The table in table_gen.go knows more.
const (
	Go       ID = "go"
	YAML     ID = "yaml"
	JSON     ID = "json"
	JSONC    ID = "jsonc"
	JSON5    ID = "json5"
	TOML     ID = "toml"
	Markdown ID = "markdown"
	Python   ID = "python"
	Shell    ID = "shell"
	Make     ID = "makefile"
	Text     ID = "text" // known to be prose or data without a grammar: .txt, LICENSE
)
