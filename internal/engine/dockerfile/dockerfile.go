// Package dockerfile checks Dockerfiles: BuildKit's parser reads them, and
// rules of its own with hadolint's numbers judge them. It resolves no image
// and builds nothing.
package dockerfile

import (
	"context"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/lang"
)

const name = "dockerfile"

// codeSyntax is the code of what Docker refuses.
const codeSyntax = "syntax"

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Wrapped:  "buildkit 0.34.2",
		Revision: 1,
		Licence:  "Apache-2.0",
		Langs:    []lang.ID{lang.Dockerfile},
		Verbs:    engine.Lint,
		UsesPath: true,
		Options: []config.Option{{
			Name: "trusted_registries", Type: config.Strings,
			Doc: "Hosts images may come from (DL3026). A star may stand at the start or the end of one. Empty: any host.",
		}},
		Rules: rules,
		Doc: `Reports what Docker refuses in a Dockerfile, and what hadolint's rules find in it.

The parser is BuildKit's, so escape directives and here-documents are read as they are built. Scripts of RUN are read as Bash,
unless SHELL, a first line or the escape directive says that something else runs them. Findings of shellcheck are not among
the rules. ` + "`# hadolint ignore=DL3006`" + `, ` + "`# hadolint global ignore=`" + ` and ` + "`# hadolint stage ignore=`" + ` are obeyed, and of
the nearest .hadolint.yaml or .hadolint.yml the keys ignored, override, trustedRegistries and disable-ignore-pragma.

A file without FROM is skipped as a fragment unless its name is Dockerfile or Containerfile.`,
	},
	Bind: func(_ context.Context, e engine.Env) (engine.Bound, error) {
		w := &worker{rules: e.Rules, settings: &settings{registries: e.Options.Strings("trusted_registries")}}
		w.settings.given = len(w.settings.registries) > 0
		return engine.Bound{
			Inputs:    engine.Inputs{Names: nativeNames},
			PathClass: pathClass,
			Open: func(context.Context) (engine.Worker, error) {
				return engine.Funcs{LintFunc: (&worker{rules: w.rules, settings: w.settings, checks: checks()}).lint}, nil
			},
		}, nil
	},
}

// pathClass: only whether a file may be a fragment depends on its path.
func pathClass(path string) string {
	if mainName(path) {
		return "main"
	}
	return ""
}

// worker holds what was bound.
type worker struct {
	rules    engine.Selection
	settings *settings
	checks   []check
}
