// Package luafmt formats Lua with StyLua, as the Wasm module @wasm-fmt/lua_fmt.
package luafmt

import (
	"context"
	"regexp"
	"strings"
	"sync"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/guard/lua"
	"poly/internal/lang"
	"poly/internal/wasmfmt"
)

const module = "lua_fmt"

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     module,
		Wrapped:  "lua_fmt 0.3.3",
		Revision: 1,
		Licence:  "MIT",
		Langs:    []lang.ID{"lua"},
		Verbs:    engine.Format,
		Modules:  []engine.Module{{Name: module}},
		Options:  options,
		Doc: `Formats Lua 5.1 to 5.4 with StyLua, as lua_fmt does.

A text that its parser refuses is skipped with what it says; one that would do something else afterwards, or would lose a comment, is
left as it is.`,
	},
	Bind: bind,
}

// options have the names of StyLua's settings.
var options = []config.Option{
	{
		Name: "quote_style", Type: config.String, Enum: []string{"AutoPreferDouble", "AutoPreferSingle", "ForceDouble", "ForceSingle"},
		Doc: "quotes of strings; AutoPreferDouble by default",
	},
	{
		Name: "call_parentheses", Type: config.String, Enum: []string{"Always", "NoSingleString", "NoSingleTable", "None", "Input"},
		Doc: "where a call with one string or table has parentheses; Always by default",
	},
	{
		Name: "collapse_simple_statement", Type: config.String, Enum: []string{"Never", "FunctionOnly", "ConditionalOnly", "Always"},
		Doc: "which blocks of one statement stand on one line; Never by default",
	},
	{
		Name: "block_newline_gaps", Type: config.String, Enum: []string{"Never", "Preserve"},
		Doc: "whether a block may start or end with an empty line; Never by default",
	},
	{
		Name: "space_after_function_names", Type: config.String, Enum: []string{"Never", "Definitions", "Calls", "Always"},
		Doc: "where a blank stands before parentheses; Never by default",
	},
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	settings := map[string]any{"indent_style": wasmfmt.Indent(e.Globals), "indent_width": e.Globals.IndentWidth, "line_ending": "lf"}
	if e.Globals.LineLength > 0 {
		settings["line_width"] = e.Globals.LineLength
	}
	wasmfmt.Set(settings, options, e)
	f := &wasmfmt.Formatter{Host: e.Wasm, Module: module, Args: []any{settings}, Globals: e.Globals, Refusal: refusal}
	return engine.Bound{Open: f.Open, Same: lua.Same}, nil
}

// fault is how the parser tells of the first thing it does not understand:
// "unexpected token `x` (1:3 to 1:4), expected this", lines and columns from 1.
var fault = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?: ?- )?(.+) \((\d+):\d+ to \d+:\d+\)(.*)$`)
})

// refusal makes one line of what the module throws.
func refusal(message string) string {
	message = strings.TrimSpace(strings.TrimPrefix(message, "error parsing:"))
	if m := fault().FindStringSubmatch(message); m != nil {
		return "lua_fmt cannot read line " + m[2] + ": " + m[1] + m[3]
	}
	line, _, _ := strings.Cut(message, "\n")
	return "lua_fmt: " + line
}
