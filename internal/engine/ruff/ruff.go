// Package ruff lints and formats Python with ruff, as the Wasm module that its
// makers publish.
package ruff

import (
	"context"
	"io/fs"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/guard/python"
	"poly/internal/lang"
)

//go:generate go run poly/internal/gen/ruff

const (
	name       = "ruff"
	page       = "https://docs.astral.sh/ruff/rules/"
	codeSyntax = "syntax"

	docSyntax = "The text is not Python of the version that is aimed at.\n\n" +
		"It does not run, and no other rule that needs its syntax was applied.\n\n" +
		"    def f(:\n\nClose what is open, or set `target_version` if a later Python reads it."
	docWhy    = "\n\nRuff finds it. Its page tells what is wrong with it and shows how it looks.\n\n"
	docRemedy = "\n\nWrite it as the page says. A comment as above silences one finding, `ignore` the rule."
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Wrapped:  "0.17.4",
		Revision: 1,
		Licence:  "MIT",
		Langs:    []lang.ID{lang.Python},
		Verbs:    engine.Lint | engine.Format,
		UsesPath: true,
		Modules:  []engine.Module{{Name: name}},
		Options:  options,
		Rules:    rules,
		Granted:  []string{"E902"},
		Doc: `Lints and formats Python with ruff.

Without configuration the rules of Pyflakes, isort, pyupgrade and flake8-bugbear are on, and of pycodestyle E4, E7, E9 and W6;
B008 is on only where it is listed by its own code. Every finding is an error, as it is to ruff: a level makes it less.
Comments such as noqa and ruff: ignore count. Only fixes that ruff takes for safe are applied; where it depends, and the
module does not tell, they are withheld.

A ruff.toml, .ruff.toml or [tool.ruff] of a pyproject.toml is obeyed as by ruff itself where poly.toml has no table for ruff.
requires-python is the version aimed at where none is named.

The module sees the text of one file and neither names nor modes of files. So the rules A005, EXE001, EXE002, INP001, N999, PLC2701,
PLW0406 and RUF067 are not there; E902 and E9 may be named, since what cannot be read fails every run. Stub files and notebooks are
skipped.`,
	},
	Bind: bind,
	Native: func(of fs.FS, dir string) (string, error) {
		n, err := newTree(of).nativeIn(dir)
		if n == nil || err != nil {
			return "", err
		}
		return n.path, nil
	},
}

// options of lint and fmt by the names ruff has for them, but for the first
// few, which its settings group.
var options = []config.Option{
	{
		Name: "line_length", Type: config.Int, Min: 1, Max: maxWidth,
		Doc: "columns a line may have; line_length of [defaults] if unset",
	},
	{Name: "mccabe_max_complexity", Type: config.Int, Verbs: config.Lint, Doc: "cyclomatic complexity that C901 allows; 10 by default"},
	{Name: "pylint_max_args", Type: config.Int, Verbs: config.Lint, Doc: "arguments that PLR0913 allows; 5 by default"},
	{Name: "pylint_max_branches", Type: config.Int, Verbs: config.Lint, Doc: "branches that PLR0912 allows; 12 by default"},
	{Name: "pylint_max_returns", Type: config.Int, Verbs: config.Lint, Doc: "returns that PLR0911 allows; 6 by default"},
	{
		Name: "pydocstyle_convention", Type: config.String, Verbs: config.Lint, Enum: []string{"google", "numpy", "pep257"},
		Doc: "convention of docstrings; rules that contradict it are off",
	},
	{Name: "target_version", Type: config.String, Doc: "oldest Python the code is for: py311 or 3.11; 3.11 by default"},
	{Name: "src", Type: config.Strings, Doc: "folders whose modules are first-party, from the root; the root and src by default", Verbs: config.Lint},
	{Name: "known_first_party", Type: config.Strings, Verbs: config.Lint, Doc: "modules that are sorted as first-party"},
	{Name: "known_third_party", Type: config.Strings, Verbs: config.Lint, Doc: "modules that are sorted as third-party"},
	{Name: "preview", Type: config.Bool, Doc: "use rules, or the style, that ruff calls a preview"},
	{Name: "quote_style", Type: config.String, Verbs: config.Fmt, Enum: []string{"double", "single", "preserve"}, Doc: "quotes of strings; double by default"},
	{Name: "indent_style", Type: config.String, Verbs: config.Fmt, Enum: []string{"space", "tab"}, Doc: "what lines are indented with"},
	{
		Name: "line_ending", Type: config.String, Verbs: config.Fmt, Enum: []string{"auto", "lf", "cr-lf"},
		Doc: "ends of lines; as the file has them by default",
	},
	{Name: "skip_magic_trailing_comma", Type: config.Bool, Verbs: config.Fmt, Doc: "a trailing comma does not keep a list on several lines"},
	{Name: "docstring_code_format", Type: config.Bool, Default: true, Verbs: config.Fmt, Doc: "format the code in docstrings"},
	{Name: "docstring_code_line_length", Type: config.Int, Verbs: config.Fmt, Min: 1, Max: maxWidth, Doc: "columns of code in docstrings; as elsewhere if unset"},
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	s, err := settingsOf(&e)
	if err != nil {
		return engine.Bound{}, err
	}
	l := &linter{env: e, settings: s, tree: newTree(e.Tree), verb: fromLint}
	if _, formats := e.Options["docstring_code_format"]; formats {
		l.verb = fromFormat
	}
	return engine.Bound{
		PathClass: l.class,
		Same:      python.Same,
		Open:      func(context.Context) (engine.Worker, error) { return &worker{linter: l}, nil },
	}, nil
}
