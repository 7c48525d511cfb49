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
		Revision: 3,
		Langs:    []lang.ID{lang.Shell},
		Verbs:    engine.Lint,
		UsesPath: true,
		Rules:    rules(),
		Doc: `Reports what does not parse as a shell script, and the most frequent findings of shellcheck under its numbers.

The dialect comes from a shellcheck directive, the shebang or the file name; otherwise it is bash. The comments
` + "`# shellcheck disable=...`" + `, ` + "`source=`" + ` and ` + "`shell=`" + ` work as they do for shellcheck, and so does ` + "`disable`" + ` in the nearest .shellcheckrc.
Files that a script reads are not followed, as without its option -x. zsh is only parsed; where the parser knows too little of
it, or of ksh, the file is skipped.`,
	},
	Bind: bind,
}

// rules lists the codes: syntax, and those of the tables.
func rules() []engine.Rule {
	out := []engine.Rule{{Code: codeSyntax, Severity: diag.Error, Default: true, Doc: docSyntax}}
	for _, t := range tables() {
		for i := range t {
			r := &t[i]
			out = append(out, engine.Rule{
				Code: r.code, Severity: r.severity, Default: true, Fixable: r.fixable, Doc: r.doc, URL: "https://www.shellcheck.net/wiki/" + r.code,
			})
		}
	}
	return out
}

func bind(context.Context, engine.Env) (engine.Bound, error) {
	return engine.Bound{
		Open:      engine.Stateless(engine.Funcs{LintFunc: lint}),
		Inputs:    engine.Inputs{Names: rcNames()},
		PathClass: func(path string) string { return lang.Dialect(path, nil) },
	}, nil
}

const docSyntax = "The text is not a shell script.\n\n" +
	"The shell stops at the fault, often after it has run what stands before it. Only the first fault is reported.\n\n" +
	"    if true; then echo x\n\nClose what is open: here with `fi`."
