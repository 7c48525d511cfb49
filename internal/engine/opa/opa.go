//go:build extra

// Package opa formats Rego with the Open Policy Agent's own formatter and finds
// what does not parse. It judges one file at a time: what a policy needs from
// others is not looked at.
package opa

import (
	"context"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const (
	name = "opa"

	codeSyntax = "syntax"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Wrapped:  "1.22.4",
		Revision: 2,
		Licence:  "Apache-2.0",
		Langs:    []lang.ID{"rego"},
		Verbs:    engine.Lint | engine.Format,
		Options: []config.Option{{
			Name: "rego_version", Type: config.String, Default: "auto", Enum: []string{"auto", "v0", "v1"},
			Doc: "The version of Rego; auto: v1, or v0 where a file is v0 alone.",
		}},
		Rules: []engine.Rule{{
			Code: codeSyntax, Severity: diag.Error, Default: true, Upstream: true, Doc: docSyntax,
			URL: "https://www.openpolicyagent.org/docs/latest/policy-reference/#grammar",
		}},
		Doc: `Formats Rego as opa fmt does and reports what does not parse.

A file that is not Rego v1 but is v0 is formatted as v0, as with opa fmt --v0-compatible; it is never rewritten to v1. A result
is refused if it does not parse to the same policy with the same comments.`,
	},
	Bind: bind,
}

const docSyntax = "The text is not Rego.\n\n" +
	"OPA refuses the whole file. A file is tried as v1 and then as v0; what is reported is the error of the version that got further.\n\n" +
	"    allow if { input.user == }\n\nMend what stands at that place or before it."

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	w := &worker{globals: e.Globals}
	w.version, _ = e.Options["rego_version"].(string)
	return engine.Bound{Open: engine.Stateless(engine.Funcs{LintFunc: w.lint, FormatFunc: w.format}), Same: Same}, nil
}
