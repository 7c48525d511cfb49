// Package proto lints Protocol Buffers: what no compiler takes, and the
// conventions that buf checks, as far as one file and those beside it decide.
// It never looks for imported files elsewhere, so unknown types are not its matter.
package proto

import (
	"context"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/lang"
)

const (
	name    = "proto"
	protoID = lang.ID("proto")
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Wrapped:  "0.14.1",
		Revision: 1,
		Licence:  "Apache-2.0",
		Langs:    []lang.ID{protoID},
		Verbs:    engine.Lint,
		UsesPath: true,
		Options: []config.Option{
			{Name: optZeroSuffix, Type: config.String, Default: "", Doc: "End of the name of an enum's zero value; unset: that of buf.yaml, else _UNSPECIFIED."},
			{Name: optServiceSuffix, Type: config.String, Default: "", Doc: "End of the names of services; unset: that of buf.yaml, else Service."},
		},
		Rules: rules(),
		Doc: `Reports what compilers of Protocol Buffers refuse, and breaches of buf's conventions under buf's names.

The ` + "`lint`" + ` settings of the nearest buf.yaml are obeyed: ` + "`except`, `ignore`, `ignore_only`" + ` and the suffixes; and so are comments
` + "`buf:lint:ignore CODE`" + `. Rules that need every file of a package look at those in one directory. Whether an import is used is
judged for files of the same directory and for well-known ones. A file of edition 2024 or later is skipped: the parser does not
know it yet.`,
	},
	Bind: bind,
}

// The options.
const (
	optZeroSuffix    = "enum_zero_value_suffix"
	optServiceSuffix = "service_suffix"
)

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	own := settings{zeroSuffix: e.Options.String(optZeroSuffix), serviceSuffix: e.Options.String(optServiceSuffix)}
	return engine.Bound{
		Inputs: engine.Inputs{Names: []string{"buf.yaml"}, Siblings: []string{"*.proto"}},
		Open: func(context.Context) (engine.Worker, error) {
			return &worker{own: own, parsed: map[string]*peer{}}, nil
		},
	}, nil
}
