// Package webfmt formats what web pages are made of with malva, markup_fmt and
// pretty_graphql, which are the Wasm module @wasm-fmt/web_fmt.
package webfmt

import (
	"context"
	"regexp"
	"strings"
	"sync"

	"poly/internal/engine"
	"poly/internal/guard/css"
	"poly/internal/lang"
	"poly/internal/wasmfmt"
)

const module = "web_fmt"

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     "webfmt",
		Wrapped:  "web_fmt 0.2.9",
		Revision: 1,
		Licence:  "MIT",
		Langs:    []lang.ID{"css", "scss", "less"},
		Verbs:    engine.Format,
		Modules:  []engine.Module{{Name: module}},
		Options:  options,
		Doc: `Formats CSS, SCSS and Less with malva, as web_fmt does.

A text that its parser refuses is skipped with what it says. What would have other selectors, values or comments afterwards is left as
it is: among them are signs in Less and SCSS that would become a subtraction, and groups whose division would be another.`,
	},
	Bind: bind,
}

// dialect is how a language is handed to the module.
type dialect struct {
	file    string // by whose extension the module tells languages apart
	section string // of its settings
	same    func(before, after []byte) error
}

func dialectOf(l lang.ID) dialect {
	switch l {
	case "scss":
		return dialect{"file.scss", "style", style(css.SCSS)}
	case "less":
		return dialect{"file.less", "style", style(css.Less)}
	default:
		return dialect{"file.css", "style", style(css.CSS)}
	}
}

func style(d css.Dialect) func(before, after []byte) error {
	return besides(func(before, after []byte) error { return css.Same(before, after, d) })
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	d := dialectOf(e.Lang)
	indent := "space"
	if e.Globals.Tabs {
		indent = "tab"
	}
	settings := map[string]any{"indentStyle": indent, "indentWidth": e.Globals.IndentWidth, "lineEnding": "lf"}
	if e.Globals.LineLength > 0 {
		settings["lineWidth"] = e.Globals.LineLength
	}
	section := map[string]any{}
	for i := range options {
		if v, ok := e.Options[options[i].Name]; ok {
			section[options[i].Name] = v
		}
	}
	settings[d.section] = section
	f := &wasmfmt.Formatter{
		Host: e.Wasm, Module: module, Args: []any{d.file, settings}, Globals: e.Globals, Head: frontMatter, Refusal: refusal,
	}
	return engine.Bound{Open: f.Open, Same: d.same}, nil
}

// place is how a parser of the module says where it stopped, in Rust's manner.
var place = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`kind: (\w+).*line: (\d+), column: \d+ }\)$`)
})

// refusal makes a sentence of an error that is shown in Rust's manner.
func refusal(message string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	if m := place().FindStringSubmatch(line); m != nil {
		return "web_fmt cannot read line " + m[2] + ": " + m[1]
	}
	return "web_fmt: " + line
}
