// Package shell finds faults in shell scripts: what does not parse, and what
// shellcheck is known to report, under its numbers. It has rules of its own on
// the syntax tree and starts no other program.
package shell

import (
	"context"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const name = "shell"

const codeSyntax = "syntax"

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Revision: 1,
		Langs:    []lang.ID{lang.Shell},
		Verbs:    engine.Lint,
		UsesPath: true,
		Rules: []engine.Rule{
			{Code: codeSyntax, Severity: diag.Error, Default: true, Doc: docSyntax},
		},
		Doc: `Reports what does not parse as a shell script.

The dialect comes from the file name, the shebang or a shellcheck directive.`,
	},
	Bind: bind,
}

func bind(context.Context, engine.Env) (engine.Bound, error) {
	return engine.Bound{
		Open:      engine.Stateless(engine.Funcs{LintFunc: lint}),
		PathClass: func(path string) string { return lang.Dialect(path, nil) },
	}, nil
}

const docSyntax = "The text is not a shell script.\n\n" +
	"The shell stops at the fault, often after it has run what stands before it. Only the first fault is reported.\n\n" +
	"    if true; then echo x\n\nClose what is open: here with `fi`."
