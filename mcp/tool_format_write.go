package mcp

import (
	"context"

	"poly/internal/engine"
	"poly/mcp/tool"
)

func toolFormatWrite(s *session) offer {
	return offer{core, tool.Define[pathsIn, formatOut](tool.Spec{
		Name: "format_write", Effect: tool.Writes, Large: true,
		Doc: "Format files in place. Writes files; executes nothing. Mirrors `poly fmt --fix`. A record with changed tells that the file was written.",
	}, nil, func(ctx context.Context, in pathsIn) (tool.Answer, error) {
		return s.check(ctx, engine.Format, true, in)
	})}
}
