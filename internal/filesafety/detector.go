package filesafety

import (
	"context"
	"fmt"
	"io/fs"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/engine/secrets"
)

// Detector returns the detector of secrets as [lint.secrets] configures it,
// whether or not poly lint uses it, and the files of gitleaks in the tree. The
// caller closes it. An error is one of the configuration.
func Detector(ctx context.Context, tree fs.FS, eff *config.Effective) (engine.Worker, error) {
	e := &secrets.Engine
	t := eff.Lint("", e.Name)
	levels := map[string]string{}
	for _, l := range t.Levels {
		levels[l.Code] = l.Severity
	}
	sel, err := engine.NewSelection(&e.Spec, engine.Picks{
		Select: t.Select, ExtendSelect: t.ExtendSelect, Ignore: t.Ignore, Levels: levels,
		Where: func(key, pattern string) string { return t.OriginOf(pattern, key).String() },
	})
	if err != nil {
		return nil, err
	}
	bound, err := e.Bind(ctx, engine.Env{Options: t.Values, Params: t.Params, Rules: sel, Tree: tree, Configured: t.Configured})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	w, err := bound.Open(ctx)
	if err != nil {
		return nil, err
	}
	return &selected{w, sel}, nil
}

// selected leaves out what the configuration does not report.
type selected struct {
	engine.Worker
	sel engine.Selection
}

func (s *selected) Lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	all, err := s.Worker.Lint(ctx, src)
	var out []diag.Diagnostic
	for _, d := range all {
		if s.sel.Reports(&d) {
			d.Severity = s.sel.Severity(&d)
			out = append(out, d)
		}
	}
	return out, err
}
