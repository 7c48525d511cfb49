// Package typos finds common misspellings of English words in files of every
// language. It knows words, not grammar: what it does not know is not wrong.
package typos

import (
	"context"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     "typos",
		Wrapped:  "0.8.0",
		Revision: 1,
		Licence:  "MIT",
		Verbs:    engine.Lint,
		Cross:    true,
		UsesPath: true,
		Options: []config.Option{
			{Name: "extend_words", Type: config.StringMap, Doc: "words that are right, as keys; values have no effect"},
			{Name: "extend_identifiers", Type: config.StringMap, Doc: "identifiers that are right, as keys, in the exact case; values have no effect"},
			{Name: "extend_exclude", Type: config.Strings, Doc: "gitignore-style globs of files that are not spell-checked"},
			{Name: "extend_ignore_words", Type: config.Strings, Doc: "words that are right, in any case"},
			{Name: "extend_ignore_re", Type: config.Strings, Doc: "regular expressions; what they match in a file is not spell-checked"},
			{Name: "extend_ignore_words_re", Type: config.Strings, Doc: "regular expressions of words that are right"},
			{Name: "extend_ignore_identifiers_re", Type: config.Strings, Doc: "regular expressions of identifiers that are right"},
		},
		Rules: []engine.Rule{{
			Code: "typo", Severity: diag.Warning, Default: true, Fixable: true,
			Doc: "A word is misspelt.\n\n" +
				"The list of misspellings is golangci/misspell's, less the words that are right somewhere: names, other languages, " +
				"identifiers of well-known interfaces. Identifiers are split at underscores and capitals. URLs, mail addresses, " +
				"encoded data and lines of 2000 bytes or more are not looked at.\n\n" +
				"    recieve -> receive\n\n" +
				"Correct the word, or allow it: `[lint.typos] extend_words = { word = \"word\" }`. The fix is offered in prose only: " +
				"an identifier has other uses, which a fix of one file would miss.",
			URL: "https://github.com/golangci/misspell",
		}},
		Doc: "Finds misspelt English words.\n\n" +
			"Native configuration (_typos.toml, .typos.toml, typos.toml, [tool.typos] and [tool.codespell] of pyproject.toml) " +
			"counts beneath [lint.typos]: lists are joined.",
	},
	Bind: bind,
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	return engine.Bound{Open: engine.Stateless(engine.Funcs{})}, nil
}
