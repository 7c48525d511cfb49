// Package biome lints JavaScript, TypeScript, JSON, CSS and GraphQL with biome,
// as the Wasm module that its makers publish. The module is in builds made by
// `make pack-biome` only.
package biome

import (
	"context"
	"sync"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/lang"
)

//go:generate go run poly/internal/gen/biome

const (
	name = "biome"
	page = "https://biomejs.dev/linter/rules/"

	codeSyntax  = "syntax"
	codeComment = "suppressions"

	docSyntax = "The text does not parse.\n\n" +
		"Rules see only what is left of it, and whoever runs or reads the file fails.\n\n" +
		"    let = (;\n\nMend it, or turn on the option for the syntax that is meant."
	docComment = "A comment that turns biome off is wrong, or turns nothing off.\n\n" +
		"Where the rule is misspelt or the finding is gone, the comment hides nothing and misleads.\n\n" +
		"    // biome-ignore lint/suspicious/noDebuger: misspelt\n\nCorrect it or take it away."
	docWhy    = "\n\nBiome finds it. Its page tells what is wrong with it and shows how it looks.\n\n"
	docRemedy = "\n\nWrite it as the page says. A comment as above silences one finding, `ignore` the rule."
)

const (
	javaScript lang.ID = "javascript"
	jsx        lang.ID = "jsx"
	tsx        lang.ID = "tsx"
	css        lang.ID = "css"
	graphQL    lang.ID = "graphql"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Wrapped:  "2.5.14",
		Revision: 1,
		Licence:  "MIT",
		Langs:    []lang.ID{javaScript, jsx, lang.TypeScript, tsx, lang.JSON, lang.JSONC, css, graphQL},
		Verbs:    engine.Lint,
		OptIn:    true,
		UsesPath: true,
		Modules:  []engine.Module{{Name: name}},
		Options:  options,
		Rules:    rules,
		Doc: `Lints JavaScript, TypeScript, JSON, CSS and GraphQL with biome.

It is an optional pack, for its module takes 7 MB, half a minute of CPU and more than a gigabyte of memory when it is compiled, once a
user, and half a gigabyte when it runs: "make pack-biome" in the clone of poly builds bin/poly with it. Then

    [lint.javascript.biome]
    enabled = true

turns it on for a language. Its syntax is judged beside that of the other linters of the language.

Without further configuration the rules are on that biome recommends, at its severities, but for those of domains, such as react: name
a rule or a group in extend_select to have it. Rules of the group nursery are on only where they are named. Comments such as
biome-ignore count. It applies no fixes.

A biome.json is not read: rules stand in poly.toml. Files of more than 1 MiB are skipped, as by biome. The module sees one file, so
rules that read others or a package.json are not there.`,
	},
	Bind: bind,
}

// options are those of the parsers of biome, by its names.
var options = []config.Option{
	{
		Name: "unsafeParameterDecoratorsEnabled", Type: config.Bool, Langs: scripts, Verbs: config.Lint,
		Doc: "read decorators of parameters, which are no part of the standard",
	},
	{Name: "jsxEverywhere", Type: config.Bool, Default: true, Langs: scripts, Verbs: config.Lint, Doc: "read JSX in files named .js too"},
	{Name: "globals", Type: config.Strings, Langs: scripts, Verbs: config.Lint, Doc: "names that are defined elsewhere"},
	{
		Name: "jsxRuntime", Type: config.String, Enum: []string{"transparent", "reactClassic"}, Langs: scripts, Verbs: config.Lint,
		Doc: "what JSX becomes; reactClassic needs React in scope",
	},
	{Name: "allowComments", Type: config.Bool, Langs: jsons, Verbs: config.Lint, Doc: "read comments; true for JSON with Comments, and where biome knows the file"},
	{Name: "allowTrailingCommas", Type: config.Bool, Langs: jsons, Verbs: config.Lint, Doc: "read commas before a closing bracket; as above"},
	{Name: "cssModules", Type: config.Bool, Langs: styles, Verbs: config.Lint, Doc: "read the syntax of CSS modules"},
	{Name: "tailwindDirectives", Type: config.Bool, Langs: styles, Verbs: config.Lint, Doc: "read the syntax of Tailwind 4"},
}

var (
	scripts = []string{string(javaScript), string(jsx), string(lang.TypeScript), string(tsx)}
	jsons   = []string{string(lang.JSON), string(lang.JSONC)}
	styles  = []string{string(css)}
)

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	l := &linter{env: e, settings: sync.OnceValues(func() (*settings, error) { return newSettings(&e) })}
	return engine.Bound{
		Open: func(context.Context) (engine.Worker, error) { return engine.Funcs{LintFunc: l.lint}, nil },
	}, nil
}
