package mcp

import (
	"context"

	"poly/mcp/tool"
)

type configIn struct {
	Config string      `json:"config" doc:"A poly.toml that replaces those of the tree."`
	Format tool.Format `json:"format"`
}

type configOut struct {
	Defaults  map[string]any `json:"defaults"`
	Discovery map[string]any `json:"discovery"`
	Lint      map[string]any `json:"lint"`
	Fmt       map[string]any `json:"fmt"`
}

func toolConfigShow(s *session) offer {
	return offer{core, tool.Define[configIn, configOut](tool.Spec{
		Name: "config_show", Effect: tool.Reads, Idempotent: true,
		Doc: "The configuration in force for the working directory, defaults included, in the layout of poly.toml. Uses no network: " +
			"git bases of extends must be in the cache. Changes and executes nothing. Mirrors `poly config show`.",
	}, nil, func(ctx context.Context, in configIn) (tool.Answer, error) {
		return object(s.Config(ctx, s.config(in.Config)))
	})}
}
