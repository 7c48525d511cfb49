// Package actionlint checks the workflows of GitHub Actions by the library of
// github.com/rhysd/actionlint. It never runs shellcheck or pyflakes, and what
// the library would read from a disk is read from the tree.
package actionlint

import (
	"context"
	"path"
	"strings"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const name = "actionlint"

// Parameters of rules.
const (
	keyLabels    = "labels"
	keyVariables = "config_variables"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Wrapped:  "1.7.12",
		Revision: 2,
		Licence:  "MIT",
		Langs:    []lang.ID{lang.YAML},
		Verbs:    engine.Lint,
		UsesPath: true,
		Rules: []engine.Rule{
			{Code: "syntax-check", Severity: diag.Error, Default: true, Upstream: true, Doc: docSyntax, URL: rulesPage + "check-unexpected-keys"},
			{
				Code: "expression", Severity: diag.Error, Default: true, Upstream: true, Doc: docExpression, URL: rulesPage + "check-syntax-expression",
				Options: []config.Option{{Name: keyVariables, Type: config.Strings, Doc: "names `vars` may have; instead of config-variables in .github/actionlint.yaml"}},
			},
			{Code: "action", Severity: diag.Warning, Default: true, Upstream: true, Doc: docAction, URL: rulesPage + "check-action-format"},
			{Code: "workflow-call", Severity: diag.Error, Default: true, Upstream: true, Doc: docWorkflowCall, URL: rulesPage + "check-reusable-workflows"},
			{Code: "job-needs", Severity: diag.Error, Default: true, Upstream: true, Doc: docJobNeeds, URL: rulesPage + "check-job-deps"},
			{Code: "matrix", Severity: diag.Error, Default: true, Upstream: true, Doc: docMatrix, URL: rulesPage + "check-matrix-values"},
			{Code: "events", Severity: diag.Error, Default: true, Upstream: true, Doc: docEvents, URL: rulesPage + "check-webhook-events"},
			{Code: "glob", Severity: diag.Error, Default: true, Upstream: true, Doc: docGlob, URL: rulesPage + "check-glob-pattern"},
			{
				Code: "runner-label", Severity: diag.Warning, Default: true, Upstream: true, Doc: docRunnerLabel, URL: rulesPage + "check-runner-labels",
				Options: []config.Option{{Name: keyLabels, Type: config.Strings, Doc: "labels of own runners, patterns allowed; besides those in .github/actionlint.yaml"}},
			},
			{Code: "shell-name", Severity: diag.Error, Default: true, Upstream: true, Doc: docShellName, URL: rulesPage + "check-shell-names"},
			{Code: "id", Severity: diag.Error, Default: true, Upstream: true, Doc: docID, URL: rulesPage + "check-job-step-ids"},
			{Code: "env-var", Severity: diag.Error, Default: true, Upstream: true, Doc: docEnvVar, URL: rulesPage + "check-env-var-names"},
			{Code: "permissions", Severity: diag.Error, Default: true, Upstream: true, Doc: docPermissions, URL: rulesPage + "permissions"},
			{Code: "credentials", Severity: diag.Warning, Default: true, Upstream: true, Doc: docCredentials, URL: rulesPage + "check-hardcoded-credentials"},
			{Code: "deprecated-commands", Severity: diag.Warning, Default: true, Upstream: true, Doc: docDeprecated, URL: rulesPage + "check-deprecated-workflow-commands"},
			{Code: "if-cond", Severity: diag.Warning, Default: true, Upstream: true, Doc: docIfCond, URL: rulesPage + "if-cond-constant"},
		},
		Doc: `Checks the workflows of GitHub Actions: keys, expressions and their types, actions, events, runners.

It looks at .github/workflows/**/*.yml and .yaml and at no other file. .github/actionlint.yaml counts: labels of runners,
configuration variables and paths with patterns of messages to ignore. Reusable workflows of the repository, and its actions
in .github, actions and at the root, are read where a workflow uses them; what is used from elsewhere is not judged. Scripts
in steps are not handed to shellcheck or pyflakes. A name that the library's lists of what GitHub has lack (of an event, a
key, a permission, a function, a field of a context) is a warning, since it may be new; one that is nearly on the list is an
error. Time zones are not looked up. What is no YAML, and keys written twice, are left to the engine yaml.`,
	},
	Bind: bind,
}

const rulesPage = "https://github.com/rhysd/actionlint/blob/v1.7.12/docs/checks.md#"

// configs are the native files, the first that exists counts.
var configs = [...]string{".github/actionlint.yaml", ".github/actionlint.yml"}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	return engine.Bound{
		Inputs: engine.Inputs{Paths: local},
		Looks:  workflow,
		Open: func(context.Context) (engine.Worker, error) {
			return engine.Funcs{LintFunc: newLinter(e).lint}, nil
		},
	}, nil
}

// workflow reports whether GitHub, and actionlint without arguments, take a
// file for a workflow.
func workflow(p string) bool {
	ext := path.Ext(p)
	return strings.HasPrefix(p, ".github/workflows/") && (ext == ".yml" || ext == ".yaml")
}
