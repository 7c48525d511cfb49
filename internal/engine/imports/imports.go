// Package imports groups and sorts the imports of Go files as goimports
// -format-only does. It never adds or removes one, and so never asks the go
// command or looks at another file. It is code of its own: the package of the
// tool carries tables that would slow down every start.
package imports

import (
	"context"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/lang"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     "imports",
		Revision: 2,
		Langs:    []lang.ID{lang.Go},
		Verbs:    engine.Format,
		OptIn:    true,
		Options: []config.Option{{
			Name: "local_prefix", Type: config.String, Default: "",
			Doc: "import paths that start with one of these, separated by commas, make a group of their own behind the others",
		}},
		Doc: `Groups and sorts Go imports like goimports -format-only.

The standard library comes first, then what other modules offer, then what local_prefix names. Import declarations are
joined and what is imported twice is imported once; nothing is added or removed. It runs before gofumpt, whose layout is the
one that stays. Line endings and a byte order mark stay as they are.

It differs from goimports where that one loses track: comments of imports that are joined to others stay with them, and a
//line directive does not confuse it.`,
	},
	Bind: bind,
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	f := formatter{prefix: e.Options.String("local_prefix"), crlf: e.Globals.CRLF, lf: e.Globals.LF}
	return engine.Bound{Open: engine.Stateless(engine.Funcs{FormatFunc: f.format}), Same: same}, nil
}
