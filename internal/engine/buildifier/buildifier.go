// Package buildifier formats Starlark and finds faults in it with
// bazelbuild/buildtools. It looks at one file at a time and never at the files
// that one loads.
package buildifier

import (
	"context"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const name = "buildifier"

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Wrapped:  "2026-09-04",
		Revision: 1,
		Licence:  "Apache-2.0",
		Langs:    []lang.ID{"starlark"},
		Verbs:    engine.Lint | engine.Format,
		UsesPath: true,
		Options: []config.Option{
			{
				Name: "type", Type: config.String, Default: "auto",
				Enum: []string{"auto", "build", "bzl", "workspace", "module", "repo", "vendor", "default"},
				Doc:  "What kind of file it is, as with buildifier's `-type`; auto: by its name.",
			},
			{
				Name: "disable_rewrites", Type: config.Strings, Verbs: config.Fmt,
				Doc: "Rewrites that are not applied, by buildifier's names, such as `callsort`, `listsort` or `label`.",
			},
			{
				Name: "allow_sort", Type: config.Strings, Verbs: config.Fmt,
				Doc: "Arguments whose lists may be sorted besides those buildifier knows, as `rule.argument`.",
			},
		},
		Rules: rules,
		Doc: `Formats Starlark as the buildifier command does and reports its warnings.

A file is a BUILD, .bzl, WORKSPACE, MODULE.bazel, REPO.bazel, VENDOR.bazel or other Starlark file by its name, as for the
command; the option ` + "`type`" + ` overrules it. The nearest .buildifier.json is obeyed: type, warnings, warningsList,
buildifier_disable and allowsort, where the options say nothing. Files under one that names tables are not formatted, since tables are not read.
Comments ` + "`# buildifier: disable=`" + ` hold.

The warnings allowed-symbol-load-locations, bzl-visibility and deprecated-function are left out: they need other files. For the
same reason positional-args and unnamed-macro see only what the file itself shows.

Named work-arounds: characters beyond ASCII do not become octal escapes where quotes change. Loads of one file are not merged
where that would drop a comment. In a Tiltfile and in other Starlark that
Bazel does not read, a load stays where it is, since it runs there and what stands before it may be what makes it possible;
such files are skipped if they have while loops, which buildifier cannot parse. A result is refused if another parser
finds that it means something else.`,
	},
	Bind: bind,
}

// settings are what the options and .buildifier.json say.
type settings struct {
	kind     string   // of file; "" or auto: by its name
	disabled []string // rewrites
	sortable []string // rule.argument
	warnings []string // as in .buildifier.json; nil: those on by default
	tables   bool     // .buildifier.json names tables
}

// worker is one bound configuration. It is not changed after bind.
type worker struct {
	settings
	globals engine.Globals
	rules   engine.Selection
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	w := &worker{globals: e.Globals, rules: e.Rules}
	w.kind, _ = e.Options["type"].(string)
	w.disabled, _ = e.Options["disable_rewrites"].([]string)
	w.sortable, _ = e.Options["allow_sort"].([]string)
	b := engine.Bound{
		Inputs:    engine.Inputs{Names: []string{nativeName}},
		PathClass: kindOf,
		Open:      engine.Stateless(engine.Funcs{LintFunc: w.lint, FormatFunc: w.format}),
		Same:      Same,
	}
	return b, nil
}

// syntaxError is a finding for a text that does not parse.
func syntaxError(text []byte, line, col int, message string) diag.Diagnostic {
	at := diag.NewLines(text).Offset(line, col)
	return diag.Diagnostic{
		Engine: name, Code: codeSyntax, Severity: diag.Error, Title: message, Span: &diag.Span{Start: at, End: at},
	}
}
