// Package jsonnet formats Jsonnet with google/go-jsonnet and finds what does
// not parse, variables that nothing defines and variables that nothing uses. It
// never reads what a file imports.
package jsonnet

import (
	"context"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const (
	name = "jsonnet"

	codeSyntax  = "syntax"
	codeUnused  = "unused-variable"
	codeUnknown = "unknown-variable"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Wrapped:  "0.22.0",
		Revision: 2,
		Licence:  "Apache-2.0",
		Langs:    []lang.ID{"jsonnet"},
		Verbs:    engine.Lint | engine.Format,
		Options: []config.Option{
			{Name: "comment_style", Type: config.String, Default: "slash", Enum: []string{"hash", "slash", "leave"}, Verbs: config.Fmt, Doc: "What comments of one line start with."},
			{Name: "max_blank_lines", Type: config.Int, Default: 2, Max: 100, Verbs: config.Fmt, Doc: "Blank lines that may follow each other."},
			{Name: "pad_arrays", Type: config.Bool, Default: false, Verbs: config.Fmt, Doc: "Write `[ 1 ]` for `[1]`."},
			{Name: "pad_objects", Type: config.Bool, Default: true, Verbs: config.Fmt, Doc: "Write `{ a: 1 }` for `{a: 1}`."},
			{Name: "pretty_field_names", Type: config.Bool, Default: true, Verbs: config.Fmt, Doc: "Write names of fields without quotes where they need none."},
			{Name: "sort_imports", Type: config.Bool, Default: true, Verbs: config.Fmt, Doc: "Sort imports at the start of the file."},
			{Name: "string_style", Type: config.String, Default: "single", Enum: []string{"double", "single", "leave"}, Verbs: config.Fmt, Doc: "The quotes of strings."},
			{Name: "use_implicit_plus", Type: config.Bool, Default: true, Verbs: config.Fmt, Doc: "Drop `+` before a brace."},
		},
		Rules: []engine.Rule{
			{Code: codeSyntax, Severity: diag.Error, Default: true, Upstream: true, Doc: docSyntax, URL: "https://jsonnet.org/ref/spec.html"},
			{Code: codeUnknown, Severity: diag.Error, Default: true, Doc: docUnknown, URL: "https://jsonnet.org/ref/spec.html"},
			{Code: codeUnused, Severity: diag.Warning, Default: true, Doc: docUnused, URL: "https://github.com/google/go-jsonnet/tree/master/linter"},
		},
		Doc: `Formats Jsonnet as jsonnetfmt does and finds variables that are unknown or unused.

The options are those of jsonnetfmt, which has no configuration file; its indentation is ` + "`indent_width`" + `. What needs the
files that one imports, such as the type checks of jsonnet-lint, is left out. A result is refused if it does not parse to
the same program with the same comments.`,
	},
	Bind: bind,
}

const docSyntax = "The text is not Jsonnet.\n\n" +
	"Nothing can evaluate the file. Only the first error is reported.\n\n" +
	"    { a: }\n\nMend what stands at that place or before it."

const docUnknown = "A variable that nothing defines.\n\n" +
	"Jsonnet refuses the whole file, even if the place is never reached. Fields of objects are no variables.\n\n" +
	"    { a: 1, b: a }\n\nWrite `self.a`, or define it by `local`."

const docUnused = "A local that nothing uses.\n\n" +
	"It may be what is left of something, an import that costs time, or a name mistyped. Parameters of functions are left alone.\n\n" +
	"    local a = 1; 2\n\nRemove it."

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	f := &formatter{options: e.Options, globals: e.Globals}
	return engine.Bound{Open: engine.Stateless(engine.Funcs{LintFunc: lint, FormatFunc: f.format}), Same: Same}, nil
}
