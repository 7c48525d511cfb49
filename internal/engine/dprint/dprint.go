// Package dprint formats with the plugins of dprint, each a Wasm module that
// is built in.
package dprint

import (
	"context"
	"errors"
	"strings"

	"poly/internal/engine"
	"poly/internal/lang"
	"poly/internal/wasm/dprint"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     "dprint",
		Wrapped:  "json 0.24.0",
		Revision: 1,
		Licence:  "MIT",
		Langs:    []lang.ID{lang.JSON, lang.JSONC},
		Verbs:    engine.Format,
		Modules:  []engine.Module{{Name: "dprint-json", Langs: []lang.ID{lang.JSON, lang.JSONC}}},
		Doc: `Formats with the plugins of dprint, as the dprint command does with its default settings.

A text that a plugin cannot read is skipped with its message. Line ends and a byte order mark stay as they are.`,
	},
	Bind: bind,
}

// dialect is how a language is handed to a plugin.
type dialect struct {
	module string
	path   string // by whose extension the plugin tells dialects apart
}

func dialectOf(l lang.ID) dialect {
	switch l {
	case lang.JSONC:
		return dialect{"dprint-json", "file.jsonc"}
	default:
		return dialect{"dprint-json", "file.json"}
	}
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	f := &formatter{globals: e.Globals, path: dialectOf(e.Lang).path}
	global := map[string]any{"indentWidth": e.Globals.IndentWidth, "useTabs": e.Globals.Tabs, "newLineKind": "lf"}
	if e.Globals.LineLength > 0 {
		global["lineWidth"] = e.Globals.LineLength
	}
	f.plugin = dprint.New(e.Wasm, dialectOf(e.Lang).module, dprint.Options{Global: global})
	return engine.Bound{Open: engine.Stateless(engine.Funcs{FormatFunc: f.format})}, nil
}

// formatter is shared by all workers: the plugin hands each call an instance.
type formatter struct {
	globals engine.Globals
	plugin  *dprint.Plugin
	path    string
}

func (f *formatter) format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text, ends := engine.Plain(src.Text)
	out, changed, err := f.plugin.Format(ctx, f.path, text)
	if refused, ok := errors.AsType[*dprint.FormatError](err); ok {
		reason, _, _ := strings.Cut(refused.Message, "\n") // an excerpt follows
		return nil, engine.Skip(reason)
	}
	if err != nil {
		return nil, err
	}
	if !changed {
		return src.Text, nil
	}
	return ends.Restore(out, f.globals), nil
}
