// Package typos finds common misspellings of English words in files of every
// language. It knows words, not grammar: what it does not know is not wrong.
package typos

import (
	"context"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
)

const (
	engineName = "typos"
	codeTypo   = "typo"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     engineName,
		Wrapped:  "0.8.0",
		Revision: 1,
		Licence:  "MIT",
		Verbs:    engine.Lint,
		Cross:    true,
		UsesPath: true,
		Options: []config.Option{
			{Name: keyWords, Type: config.StringMap, Doc: "words that are right, as keys; values have no effect"},
			{Name: keyIdents, Type: config.StringMap, Doc: "identifiers that are right, as keys, in the exact case; values have no effect"},
			{Name: keyExclude, Type: config.Strings, Doc: "gitignore-style globs of files that are not spell-checked"},
			{Name: keyIgnoreWords, Type: config.Strings, Doc: "words that are right, in any case"},
			{Name: keyIgnoreRe, Type: config.Strings, Doc: "regular expressions; what they match in a file is not spell-checked"},
			{Name: keyIgnoreWordsRe, Type: config.Strings, Doc: "regular expressions of words that are right"},
			{Name: keyIgnoreIdentRe, Type: config.Strings, Doc: "regular expressions of identifiers that are right"},
		},
		Rules: []engine.Rule{{
			Code: codeTypo, Severity: diag.Warning, Default: true, Fixable: true,
			Doc: "A word is misspelt.\n\n" +
				"The list of misspellings is golangci/misspell's, less the words that are right somewhere: names, other languages, " +
				"identifiers of well-known interfaces. Identifiers are split at underscores and capitals. URLs, mail addresses, " +
				"encoded data and lines of 2000 bytes or more are not looked at.\n\n" +
				"    `separate`, `occurred` and `receive` are the words most often misspelt\n\n" +
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
	r, err := fromValues(e.Options)
	if err != nil {
		return engine.Bound{}, err
	}
	above, err := rootExcludes(e.Tree)
	if err != nil {
		return engine.Bound{}, err
	}
	exclude := newExcluder(join(above, r.excludeSrc))
	return engine.Bound{
		Inputs:    engine.Inputs{Names: nativeNames, Paths: nativeNames},
		PathClass: exclude.class,
		Open: func(context.Context) (engine.Worker, error) {
			return &worker{rules: r, exclude: exclude}, nil
		},
	}, nil
}
