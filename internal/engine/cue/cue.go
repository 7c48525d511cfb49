//go:build extra

// Package cue formats CUE with its own formatter and finds what does not parse.
// It evaluates nothing.
package cue

import (
	"context"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const (
	name = "cue"

	codeSyntax = "syntax"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Wrapped:  "0.17.1",
		Revision: 2,
		Licence:  "Apache-2.0",
		Langs:    []lang.ID{"cue"},
		Verbs:    engine.Lint | engine.Format,
		Options: []config.Option{
			{Name: "simplify", Type: config.Bool, Default: false, Verbs: config.Fmt, Doc: "Drop quotes and the like that are not needed, as cue fmt --simplify does."},
		},
		Rules: []engine.Rule{
			{Code: codeSyntax, Severity: diag.Error, Default: true, Upstream: true, Doc: docSyntax, URL: "https://cuelang.org/docs/reference/spec/"},
		},
		Doc: `Formats CUE as cue fmt does and reports what does not parse.

The version of the language comes from cue.mod/module.cue above the file. A result is refused if its tokens or comments are
not those of the original. With ` + "`simplify`" + ` the quotes of labels, braces and the marks of open structs may differ, and the
result must parse to a tree of the same shape.`,
	},
	Bind: bind,
}

const docSyntax = "The text is not CUE.\n\n" +
	"Nothing can evaluate the file.\n\n" +
	"    a: {\n\nMend what stands at that place or before it."

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	w := &worker{globals: e.Globals}
	w.simplify, _ = e.Options["simplify"].(bool)
	b := engine.Bound{
		Inputs: engine.Inputs{Names: []string{moduleFile}},
		Open:   engine.Stateless(engine.Funcs{LintFunc: w.lint, FormatFunc: w.format}),
		Same:   Same,
	}
	if w.simplify {
		b.Same = sameSimple
	}
	return b, nil
}
