// Package gofumpt formats Go as mvdan.cc/gofumpt does and reports what does
// not parse. It never runs the go command and knows no types.
package gofumpt

import (
	"context"
	"path"
	"strings"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     "gofumpt",
		Wrapped:  "0.12.0",
		Revision: 2,
		Licence:  "BSD-3-Clause",
		Langs:    []lang.ID{lang.Go},
		Verbs:    engine.Lint | engine.Format,
		UsesPath: true,
		Options: []config.Option{
			{
				Name: "mode", Type: config.String, Verbs: config.Fmt, Default: "gofumpt", Enum: []string{"gofumpt", "gofmt"},
				Doc: "gofumpt: gofmt with more rules; gofmt: the rules of gofmt alone, without -s",
			},
			{
				Name: "extra_rules", Type: config.Bool, Verbs: config.Fmt, Default: false,
				Doc: "gofumpt's extra rules: parameters of one type are grouped, naked returns clothed, calls balanced",
			},
		},
		Rules: []engine.Rule{{
			Code: "syntax", Severity: diag.Error, Default: true, Upstream: true,
			Doc: "The file is not Go: the parser stopped here.\n\n" +
				"A file that does not parse can neither be built nor formatted. Under a `testdata` directory, which the go " +
				"command never builds, the finding is a hint.\n\n" +
				"    func f( {\n\n" +
				"Mend the first error of a file first; later ones may follow from it.",
			URL: "https://go.dev/ref/spec",
		}},
		Doc: "Formats Go like gofumpt and finds syntax errors.\n\n" +
			"Language version and module path come from the nearest go.mod. Generated files get gofmt's rules alone; files under " +
			"testdata are left alone. Line endings and a byte order mark stay as they are.",
	},
	Bind: bind,
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	f := formatter{
		gofmt: e.Options.String("mode") == "gofmt",
		extra: e.Options.Bool("extra_rules"),
		crlf:  e.Globals.CRLF, lf: e.Globals.LF,
	}
	return engine.Bound{
		Inputs:    engine.Inputs{Names: []string{"go.mod"}},
		PathClass: pathClass,
		Open:      func(context.Context) (engine.Worker, error) { return &worker{formatter: f}, nil },
		Same:      same,
		Settled:   true,
	}, nil
}

// pathClass is "testdata" for what gofumpt and the go command do not look at.
func pathClass(p string) string {
	for dir := range strings.SplitSeq(path.Dir(p), "/") {
		if dir == "testdata" || dir == "vendor" {
			return "testdata"
		}
	}
	return ""
}
