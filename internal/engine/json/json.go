// Package json finds faults in JSON, JSON with comments and JSON5: what does
// not parse, and names written twice in one object. It works on the tokens as
// written and never converts a number or a string.
package json

import (
	"context"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     "json",
		Revision: 1,
		Langs:    []lang.ID{lang.JSON, lang.JSONC, lang.JSON5},
		Verbs:    engine.Lint,
		Rules: []engine.Rule{
			{Code: "syntax", Severity: diag.Error, Default: true},
			{Code: "duplicate-key", Severity: diag.Error, Default: true},
		},
		Doc: "Reports what does not parse as JSON, JSON with comments or JSON5, and duplicate names.",
	},
	Bind: func(context.Context, engine.Env) (engine.Bound, error) {
		return engine.Bound{Open: engine.Stateless(engine.Funcs{LintFunc: lint})}, nil
	},
}
