// Package yaml finds faults in YAML: what does not parse, keys written twice,
// aliases without an anchor, and scalars that YAML 1.1 readers take for
// something else. It never reports a document that YAML 1.2 allows as an error.
package yaml

import (
	"context"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     "yaml",
		Revision: 1,
		Langs:    []lang.ID{lang.YAML},
		Verbs:    engine.Lint,
		Rules: []engine.Rule{
			{Code: "syntax", Severity: diag.Error, Default: true},
			{Code: "duplicate-key", Severity: diag.Error, Default: true},
			{Code: "unknown-alias", Severity: diag.Error, Default: true},
			{Code: "truthy", Severity: diag.Warning, Default: true},
			{Code: "octal", Severity: diag.Warning, Default: true},
		},
		Doc: "Reports what does not parse as YAML 1.2, duplicate keys and unknown aliases.",
	},
	Bind: func(context.Context, engine.Env) (engine.Bound, error) {
		return engine.Bound{Open: engine.Stateless(engine.Funcs{LintFunc: lint})}, nil
	},
}
