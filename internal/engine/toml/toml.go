// Package toml finds faults in TOML 1.0 and 1.1: what does not parse, keys and
// tables written twice, and keys that make a table of what is none. It works
// on the text as written and never converts a value.
package toml

import (
	"context"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const name = "toml"

// The codes of the rules.
const (
	codeSyntax    = "syntax"
	codeDuplicate = "duplicate-key"
	codeConflict  = "conflicting-key"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Revision: 1,
		Langs:    []lang.ID{lang.TOML},
		Verbs:    engine.Lint,
		Rules: []engine.Rule{
			{Code: codeSyntax, Severity: diag.Error, Default: true, Doc: docSyntax, URL: "https://toml.io/en/v1.1.0"},
			{Code: codeDuplicate, Severity: diag.Error, Default: true, Doc: docDuplicate, URL: "https://toml.io/en/v1.1.0#keys"},
			{Code: codeConflict, Severity: diag.Error, Default: true, Doc: docConflict, URL: "https://toml.io/en/v1.1.0#table"},
		},
		Doc: `Reports what does not parse as TOML, keys and tables defined twice, and keys that contradict each other.

What version 1.1 allows is allowed: newlines and trailing commas in inline tables, the escapes \e and \x, times without
seconds. Only the first syntax error of a file is reported, since what follows it can only be guessed.`,
	},
	Bind: func(context.Context, engine.Env) (engine.Bound, error) {
		return engine.Bound{Open: engine.Stateless(engine.Funcs{LintFunc: lint})}, nil
	},
}

const docSyntax = "The text is not TOML.\n\n" +
	"A reader refuses the whole file. Only the first error is reported.\n\n" +
	"    name = value\n\nQuote text; write numbers without leading zeros, and one key and value a line."

const docDuplicate = "A key or table that is there already.\n\n" +
	"Every reader refuses the file. Keys are compared by what they mean, so `a`, `\"a\"` and `'a'` are the same.\n\n" +
	"    [package]\n    name = \"a\"\n    name = \"b\"\n\nDelete one of them, or write `[[package]]` if there may be several."

const docConflict = "A key that makes a table, or an array of tables, of something else.\n\n" +
	"Values, inline tables and arrays in brackets are complete where they are written; nothing can be added to them later. A\n" +
	"table of its own cannot be filled by dotted keys from outside.\n\n" +
	"    a = 1\n    a.b = 2\n\nWrite all that belongs to the table in one place."
