package mcp

import (
	"context"

	"poly/internal/engine"
	"poly/mcp/tool"
)

func toolLintFix(s *session) offer {
	return offer{core, tool.Define[pathsIn, lintOut](tool.Spec{
		Name: "lint_fix", Effect: tool.Writes, Large: true,
		Doc: "Apply the fixes of linters to files, and return what is left. Writes files; executes nothing. Mirrors `poly lint --fix --no-workspace`. " +
			"fixed counts what was mended in a file.",
	}, nil, func(ctx context.Context, in pathsIn) (tool.Answer, error) {
		return s.check(ctx, engine.Lint, true, in)
	})}
}
