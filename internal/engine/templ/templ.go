// Package templ formats templ files with a-h/templ's parser and finds what does
// not parse. It starts no other program: scripts and styles stay as they are.
package templ

import (
	"context"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const (
	name = "templ"

	codeSyntax = "syntax"
	codeLegacy = "legacy-call"
	codeText   = "call-in-text"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Wrapped:  "0.3.1118",
		Revision: 2,
		Licence:  "MIT",
		Langs:    []lang.ID{"templ"},
		Verbs:    engine.Lint | engine.Format,
		Rules: []engine.Rule{
			{Code: codeSyntax, Severity: diag.Error, Default: true, Upstream: true, Doc: docSyntax, URL: "https://templ.guide/syntax-and-usage/basic-syntax"},
			{Code: codeLegacy, Severity: diag.Warning, Default: true, Upstream: true, Doc: docLegacy, URL: "https://templ.guide/syntax-and-usage/template-composition"},
			{Code: codeText, Severity: diag.Warning, Default: true, Upstream: true, Doc: docText, URL: "https://templ.guide/syntax-and-usage/template-composition"},
		},
		Doc: `Formats templ files as templ fmt does where it reads from standard input and prettier is not installed.

Imports are neither added nor removed: that takes the module around the file. Code in script and style elements stays as it
is. A result is refused if it does not parse to the same templates.`,
	},
	Bind: bind,
}

const docSyntax = "The text is not templ.\n\n" +
	"No Go can be generated from the file. Only the first error is reported.\n\n" +
	"    templ a() {\n        <div>\n    }\n\nMend what stands at that place or before it."

const docLegacy = "A component is called by `{! }`.\n\n" +
	"That is how it was done before there was `@`; it is going to be removed.\n\n" +
	"    {! header() }\n\nWrite `@header()`, as poly fmt does."

const docText = "What looks like the call of a component is text.\n\n" +
	"`@` starts a call behind white space only, so that the words are shown to the reader.\n\n" +
	"    (@header())\n\nPut white space before `@`, or write `{ \"@\" }` if it is text."

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	f := &formatter{globals: e.Globals}
	return engine.Bound{Open: engine.Stateless(engine.Funcs{LintFunc: lint, FormatFunc: f.format}), Same: Same}, nil
}
