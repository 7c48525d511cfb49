package mcp

import (
	"context"
	"slices"

	"poly/internal/report"
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
	Message         string `json:"message"`
	File            string `json:"file"`
}

type ruleTestOut struct {
	RuleID string `json:"rule_id"`
	Kind   string `json:"kind"`
	Index  int    `json:"index"`
	Passed bool   `json:"passed"`
	Detail string `json:"detail"`
}

type rulesOut struct {
	Dirs            []string      `json:"dirs"`
	Rules           []ruleOut     `json:"rules"`
	Errors          []pathError   `json:"errors,omitempty"`
	Tests           []ruleTestOut `json:"tests,omitempty"`
	MissingRuleIDs  []string      `json:"missing_rule_ids,omitempty"`
	UntestedRuleIDs []string      `json:"untested_rule_ids,omitempty"`
	OK              bool          `json:"ok,omitempty"`
}

func toolRules(s *session) offer {
	return offer{core, tool.Define[rulesIn, rulesOut](tool.Spec{
		Name: "rules", Effect: tool.Reads, Idempotent: true, Large: true,
		Doc: "List the ast-grep rules a run would apply: poly's own and those of [rules] dirs, with their severity and whether they are on. " +
			"Changes and executes nothing. Mirrors `poly rules list`.",
	}, nil, func(ctx context.Context, in rulesIn) (tool.Answer, error) {
		o, err := s.Rules(ctx, Rules{Dirs: in.Dirs, Config: s.config(in.Config), Test: in.Test})
		a, err := object(o, err)
		a.Failed = slices.ContainsFunc(o, func(m report.Member) bool { return m.Key == "errors" })
		return a, err
	})}
}
