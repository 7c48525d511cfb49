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
	"poly/internal/guard/graphql"
	"poly/internal/guard/markup"
	"poly/internal/lang"
	"poly/internal/wasmfmt"
)

const module = "web_fmt"

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     "webfmt",
		Wrapped:  "web_fmt 0.2.9",
		Revision: 2,
		Licence:  "MIT",
		Langs:    []lang.ID{"css", "scss", "less", "html", "vue", "svelte", "astro", "graphql"},
		Verbs:    engine.Format,
		Modules:  []engine.Module{{Name: module}},
		Options:  options,
		Doc: `Formats CSS, SCSS and Less with malva, HTML, Vue, Svelte and Astro with markup_fmt, GraphQL with pretty_graphql, as web_fmt does.

A text that its parser refuses is skipped with what it says. What would have other selectors, values or comments afterwards is left as
it is: among them are signs in Less and SCSS that would become a subtraction, and groups whose division would be another. In a style sheet that
is the statement, if it has its lines for itself, as is one that the parser refuses; the others are formatted. HTML with the marks of a template
language is not formatted.`,
	},
	Bind: bind,
}

// dialect is how a language is handed to the module.
type dialect struct {
	file    string // by whose extension the module tells languages apart
	section string // of its settings
	head    func(text []byte) int
	limit   func(text []byte) string
	same    func(before, after []byte) error
	hold    wasmfmt.Hold // nil: nothing can be held back
}

func dialectOf(l lang.ID) dialect {
	switch l {
	case "scss":
		return style("file.scss", css.SCSS)
	case "less":
		return style("file.less", css.Less)
	case "html":
		return dialect{file: "file.html", section: "markup", head: frontMatter, limit: template, same: besides(page(markup.HTML))}
	case "vue":
		return dialect{file: "file.vue", section: "markup", same: page(markup.Vue)}
	case "svelte":
		return dialect{file: "file.svelte", section: "markup", same: page(markup.Svelte)}
	case "astro":
		return dialect{file: "file.astro", section: "markup", same: page(markup.Astro)}
	case "graphql":
		return dialect{file: "file.graphql", section: "graphql", same: graphql.Same}
	default:
		return style("file.css", css.CSS)
	}
}

func style(file string, d css.Dialect) dialect {
	same := func(before, after []byte) error { return css.Same(before, after, d) }
	return dialect{file: file, section: "style", head: frontMatter, same: besides(same), hold: holdStatements(d != css.CSS)}
}

func page(d markup.Dialect) func(before, after []byte) error {
	return func(before, after []byte) error { return markup.Same(before, after, d) }
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	d := dialectOf(e.Lang)
	settings := map[string]any{"indentStyle": wasmfmt.Indent(e.Globals), "indentWidth": e.Globals.IndentWidth, "lineEnding": "lf"}
	if e.Globals.LineLength > 0 {
		settings["lineWidth"] = e.Globals.LineLength
	}
	section := map[string]any{}
	wasmfmt.Set(section, options, e)
	settings[d.section] = section
	f := &wasmfmt.Formatter{
		Host: e.Wasm, Module: module, Args: []any{d.file, settings}, Globals: e.Globals,
		Head: d.head, Limit: d.limit, Refusal: refusal, Same: d.same, Hold: d.hold,
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
