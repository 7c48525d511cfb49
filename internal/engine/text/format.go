package text

import (
	"context"

	"poly/internal/diag"
	"poly/internal/engine"
)

func (w worker) format(ctx context.Context, src engine.Source) ([]byte, error) {
	return src.Text, ctx.Err()
}

func (w worker) lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	return nil, ctx.Err()
}

func same(before, after []byte) error { return nil }
