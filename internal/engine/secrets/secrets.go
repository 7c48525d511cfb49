// Package secrets finds credentials that were committed: by their form, by a
// checksum where the form has one, and by the names they are assigned to. What
// it finds is never shown or kept whole.
package secrets

import (
	"context"

	"poly/internal/config"
	"poly/internal/engine"
)

const engineName = "secrets"

// Options of [lint.secrets].
const (
	optAllow      = "allow"
	optAllowPaths = "allow_paths"
	optStopWords  = "stop_words"
	optTests      = "include_tests"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name: engineName, Revision: 1, Verbs: engine.Lint, Cross: true, UsesPath: true, OptIn: true, Anything: true, Redacts: true, Rules: rules,
		Options: []config.Option{
			{Name: optAllow, Type: config.Strings, Accumulate: true, Doc: "regular expressions of secrets that are none; they are matched against the secret alone"},
			{Name: optAllowPaths, Type: config.Strings, Accumulate: true, Doc: "gitignore-style globs of files that are not looked at"},
			{Name: optStopWords, Type: config.Strings, Accumulate: true, Doc: "words, in any case, that no real secret holds"},
			{Name: optTests, Type: config.Bool, Default: false, Doc: "report private keys, tokens of users, passwords and other kinds without a fixed form in tests too"},
		},
		Doc: "Finds credentials of more than a hundred services, private keys, passwords in URLs and in assignments.\n\n" +
			"It is off unless `[lint.secrets] enabled = true`. It looks at every text file, also of a language that poly does not know; such a " +
			"file then counts as checked. What another engine says about a line with a secret is shown without the line; `--diff` shows lines. A string counts only if it is random enough, holds no word such as example " +
			"or changeme and is no reference. Lock files, checksums, minified and vendored files are not looked at. A GitHub or npm token " +
			"whose checksum is wrong is a warning: it was altered.\n\n" +
			"A comment `poly:allow-secret`, `gitleaks:allow` or `pragma: allowlist secret` allows what stands in its line. The allowlists " +
			"(paths, regexes, stopwords) of a .gitleaks.toml at the root, and the lines of a .gitleaksignore there, count too.",
	},
	Bind: bind,
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	a, err := newAllowed(e.Options)
	if err != nil {
		return engine.Bound{}, err
	}
	p := newPaths(e.Options.Strings(optAllowPaths), e.Options.Bool(optTests), e.Tree)
	return engine.Bound{
		Inputs:    engine.Inputs{Paths: []string{nativeConfig, nativeIgnore}},
		PathClass: p.class,
		Open: func(context.Context) (engine.Worker, error) {
			return engine.Funcs{LintFunc: (&worker{allowed: a, paths: p, rules: e.Rules}).lint}, nil
		},
	}, nil
}
