package mcp

import (
	"context"

	"poly/internal/engine"
	"poly/mcp/tool"
)

func toolFormatCheck(s *session) offer {
	return offer{core, tool.Define[pathsIn, formatOut](tool.Spec{
		Name: "format_check", Effect: tool.Reads, Idempotent: true, Large: true,
		Doc: "Tell which files are not formatted. Changes and executes nothing. Mirrors `poly fmt --check`. " +
			"A file that is formatted has no record in results.",
	}, nil, func(ctx context.Context, in pathsIn) (tool.Answer, error) {
		return s.check(ctx, engine.Format, false, in)
	})}
}
