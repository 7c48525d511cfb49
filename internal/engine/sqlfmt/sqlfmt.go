// Package sqlfmt formats SQL with the Rust library sqlformat, as the Wasm
// module @wasm-fmt/sql_fmt.
package sqlfmt

import (
	"context"
	"maps"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/guard/sql"
	"poly/internal/lang"
	"poly/internal/wasmfmt"
)

const module = "sql_fmt"

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     module,
		Wrapped:  "sql_fmt 0.2.2",
		Revision: 2,
		Licence:  "MIT",
		Langs:    []lang.ID{"sql"},
		Verbs:    engine.Format,
		Modules:  []engine.Module{{Name: module}},
		Options:  options,
		Doc: `Formats SQL with sqlformat, as sql_fmt does.

No word changes unless uppercase is set. A text that would have other words, operators, strings or comments afterwards is left as it
is, and so are marks of templates and commands of psql, mysql and SQL*Plus.`,
	},
	Bind: bind,
}

// options have the names of the module's settings.
var options = []config.Option{
	{Name: "uppercase", Type: config.Bool, Doc: "write keywords in capitals"},
	{Name: "lines_between_queries", Type: config.Int, Min: 1, Max: 10, Doc: "line ends after a query; 1 by default"},
	{Name: "ignore_case_convert", Type: config.Strings, Doc: "words that keep their case when uppercase is set"},
	{Name: "inline", Type: config.Bool, Doc: "write a query on one line"},
	{Name: "max_inline_block", Type: config.Int, Min: 1, Max: 1000, Doc: "columns of a parenthesis that stays on one line; 50 by default"},
	{Name: "max_inline_arguments", Type: config.Int, Min: 1, Max: 1000, Doc: "columns of arguments that stay on one line; each has its own if unset"},
	{Name: "max_inline_top_level", Type: config.Int, Min: 1, Max: 1000, Doc: "columns of a clause that stays on one line; never if unset"},
	{Name: "joins_as_top_level", Type: config.Bool, Doc: "a JOIN starts a line as FROM does"},
	{
		Name: "dialect", Type: config.String, Enum: []string{"generic", "postgresql", "sqlserver"},
		Doc: "whose operators and names are known; by default generic, and where that would damage the text one of the others",
	},
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	settings := map[string]any{"indent_style": wasmfmt.Indent(e.Globals), "indent_width": e.Globals.IndentWidth}
	wasmfmt.Set(settings, options, e)
	f := &wasmfmt.Formatter{Host: e.Wasm, Module: module, Args: []any{settings}, Globals: e.Globals, Limit: limit, Same: sql.Same}
	if _, set := settings["dialect"]; !set { // as far as the generic one damages a text
		for _, d := range []string{"sqlserver", "postgresql"} {
			other := maps.Clone(settings)
			other["dialect"] = d
			f.Others = append(f.Others, []any{other})
		}
	}
	return engine.Bound{Open: f.Open, Same: sql.Same}, nil
}

// What sqlformat needs grows with the square of these: at the limits it takes
// about three seconds.
const (
	maxBytes = 64 << 10
	maxDepth = 100
	maxList  = 2000 // commas that stand in no parentheses
)

func limit(text []byte) string {
	if len(text) > maxBytes {
		return "too long for sql_fmt: over 64 KiB"
	}
	depth, list := 0, 0
	for _, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth = max(0, depth-1)
		case ';':
			depth, list = 0, 0
		case ',':
			if depth == 0 {
				list++
			}
		}
		if depth > maxDepth {
			return "nests too deeply for sql_fmt"
		}
		if list > maxList {
			return "a list is too long for sql_fmt"
		}
	}
	return ""
}
