package mcp

import (
	"context"

	"poly/mcp/tool"
)

type cacheCleanOut struct {
	FreedBytes int64 `json:"freed_bytes"`
}

func toolCacheClean(s *session) offer {
	return offer{core, tool.Define[formatIn, cacheCleanOut](tool.Spec{
		Name: "cache_clean", Effect: tool.Writes, Idempotent: true,
		Doc: "Forget every cached result of this repository: the next run takes longer. Writes to poly's cache only; executes nothing. " +
			"Mirrors `poly cache clean`.",
	}, nil, func(ctx context.Context, _ formatIn) (tool.Answer, error) {
		return s.write(ctx, func() (tool.Answer, error) { return object(s.CacheClean(ctx)) })
	})}
}
