package mcp

import (
	"context"

	"poly/mcp/tool"
)

type rulesIn struct {
	Dirs   []string    `json:"dirs" doc:"Directories of rules; none: [rules] dirs."`
	Config string      `json:"config" doc:"A poly.toml that replaces those of the tree."`
	Test   bool        `json:"test" doc:"Run the *-test.yml snippets of the rules, too."`
	Format tool.Format `json:"format"`
}

type ruleOut struct {
	ID              string `json:"id"`
	Language        string `json:"language"`
	Source          string `json:"source"`
	DefaultSeverity string `json:"default_severity"`
	Severity        string `json:"severity"`
	Enabled         bool   `json:"enabled"`
}

type rulesOut struct {
	Dirs  []string  `json:"dirs"`
	Rules []ruleOut `json:"rules"`
}

func toolRules(s *session) offer {
	return offer{core, tool.Define[rulesIn, rulesOut](tool.Spec{
		Name: "rules", Effect: tool.Reads, Idempotent: true,
		Doc: "List the ast-grep rules a run would apply: poly's own and those of [rules] dirs, with their severity and whether they are on. " +
			"Changes nothing and executes nothing. Mirrors `poly rules list --format json`.",
	}, nil, func(ctx context.Context, in rulesIn) (tool.Answer, error) {
		return object(s.Rules(ctx, Rules{Dirs: in.Dirs, Config: s.config(in.Config), Test: in.Test}))
	})}
}
