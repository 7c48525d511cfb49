// Package yamlfmt formats YAML with google/yamlfmt. It mends by name what the
// library is known to damage, and judges every result with another parser: a
// change of meaning is refused, never written.
package yamlfmt

import (
	"context"

	"poly/internal/engine"
	"poly/internal/lang"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     "yamlfmt",
		Wrapped:  "0.21.0",
		Revision: 1,
		Licence:  "Apache-2.0",
		Langs:    []lang.ID{lang.YAML},
		Verbs:    engine.Format,
		Options:  options(),
		Doc:      "Formats YAML as yamlfmt does with its default settings.",
	},
	Bind: bind,
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	f, err := newFormatter(settings(e.Options, e.Globals.IndentWidth), e.Globals)
	if err != nil {
		return engine.Bound{}, err
	}
	return engine.Bound{
		Open: engine.Stateless(engine.Funcs{FormatFunc: f.format}),
		Same: Same,
	}, nil
}
