package mcp

import (
	"context"

	"poly/mcp/tool"
)

type namespace struct {
	Namespace     string `json:"namespace"`
	Entries       int    `json:"entries"`
	Bytes         int64  `json:"bytes"`
	FormatVersion int    `json:"format_version"`
}

type cacheStatsOut struct {
	FormatVersion int         `json:"format_version"`
	TotalBytes    int64       `json:"total_bytes"`
	PerNamespace  []namespace `json:"per_namespace"`
}

func toolCacheStats(s *session) offer {
	return offer{core, tool.Define[formatIn, cacheStatsOut](tool.Spec{
		Name: "cache_stats", Effect: tool.Reads, Idempotent: true,
		Doc: "Entries and bytes of the result cache, by namespace. Changes and executes nothing. Mirrors `poly cache stats`.",
	}, nil, func(ctx context.Context, _ formatIn) (tool.Answer, error) {
		return object(s.CacheStats(ctx))
	})}
}
