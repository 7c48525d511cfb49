package mcp

import (
	"context"

	"poly/internal/engine"
	"poly/mcp/tool"
)

func toolLint(s *session) offer {
	return offer{core, tool.Define[pathsIn, lintOut](tool.Spec{
		Name: "lint", Effect: tool.Reads, Idempotent: true, Large: true,
		Doc: "Lint files and return the findings. Changes and executes nothing. Mirrors `poly lint --no-workspace`. " +
			"Gate on isError and summary.checked: a clean file has no record in results.",
	}, nil, func(ctx context.Context, in pathsIn) (tool.Answer, error) {
		return s.check(ctx, engine.Lint, false, in)
	})}
}
