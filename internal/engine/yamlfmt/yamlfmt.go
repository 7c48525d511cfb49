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
		Revision: 4,
		Licence:  "Apache-2.0",
		Langs:    []lang.ID{lang.YAML},
		Verbs:    engine.Format,
		Options:  options(),
		Doc: `Formats YAML as the yamlfmt command does with its default settings.

Unless an option is set here, the ` + "`formatter`" + ` settings of the nearest .yamlfmt, .yamlfmt.yml, .yamlfmt.yaml, yamlfmt.yml or
yamlfmt.yaml are obeyed, and .editorconfig only without such a file; what else those files say is not. Line ends, a byte order mark and a %YAML directive stay as they
are. What the library is known to damage is mended: tags of merge keys, blank lines at the start of block scalars, deeper
lines of folded ones, keys without a value, comments behind the anchor or tag of a block, lines of quoted scalars without
indentation. Where comments would be lost or change places, blank lines are kept, as with retain_line_breaks. A result that
still differs in meaning is refused.`,
	},
	Bind: bind,
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	s, err := makeSettings(e.Options, e.Globals.Blanks(lang.YAML))
	if err != nil {
		return engine.Bound{}, err
	}
	f := &formatter{settings: s, globals: e.Globals}
	b := engine.Bound{
		Open:    func(context.Context) (engine.Worker, error) { return &worker{formatter: f}, nil },
		Same:    Same,
		Settled: true,
	}
	if f.files = !configured(e.Options); f.files {
		b.Inputs.Names = nativeNames
	}
	return b, nil
}
