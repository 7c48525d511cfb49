// Package mago formats PHP with mago, as the Wasm module @wasm-fmt/mago_fmt.
package mago

import (
	"context"
	"strings"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/guard/php"
	"poly/internal/lang"
	"poly/internal/wasmfmt"
)

const module = "mago_fmt"

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     "mago",
		Wrapped:  "mago_fmt 1.44.0",
		Revision: 2,
		Licence:  "MIT",
		Langs:    []lang.ID{"php"},
		Verbs:    engine.Format,
		Modules:  []engine.Module{{Name: module}},
		Options:  options,
		Doc: `Formats PHP with mago.

A text that its parser refuses is skipped with what it says; one that would do something else afterwards, or would lose a comment, is
left as it is. Unlike mago's own default, parentheses around new stay before ->: only PHP 8.4 reads it without.`,
	},
	Bind: bind,
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	settings := map[string]any{"tab-width": e.Globals.IndentWidth, "use-tabs": e.Globals.Tabs, "end-of-line": "lf"}
	// PHP before 8.4 cannot read "new A()->b()".
	settings["parentheses-around-new-in-member-access"] = true
	if e.Globals.Given(config.GivenLineLength) {
		settings["print-width"] = e.Globals.LineLength
	}
	wasmfmt.Set(settings, options, e)
	export, args := "format", []any{"file.php", settings}
	if v, ok := settings["php-version"]; ok { // an argument, no setting
		delete(settings, "php-version")
		export, args = "format_with_version", []any{v, "file.php", settings}
	}
	f := &wasmfmt.Formatter{Host: e.Wasm, Module: module, Export: export, Args: args, Globals: e.Globals, Refusal: refusal}
	return engine.Bound{Open: f.Open, Same: php.Same}, nil
}

// refusal makes a reason of an error that is shown in Rust's manner: its name
// alone says something to people.
func refusal(message string) string {
	name, _, _ := strings.Cut(message, "(")
	return "mago cannot read it: " + name
}
