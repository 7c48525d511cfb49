package mcp

import (
	"context"

	"poly/mcp/tool"
)

func toolWorkspaceLint(s *session) offer {
	return offer{core, tool.Define[workspaceIn, workspaceOut](tool.Spec{
		Name: "workspace_lint", Effect: tool.Runs, Idempotent: true, Large: true, Long: true,
		Doc: "Check the whole project with its own tools. Executes commands in the worktree: cargo clippy, sort, machete and deny, go vet, and the jobs of poly.toml with " +
			"workspace = true; what they leave behind, such as lock files, is theirs. Takes minutes: a task for clients that know them, else the answer blocks. " +
			"Gate on passed, and on each outcome: skipped or absent is not passed.",
	}, s.commands, func(ctx context.Context, in workspaceIn) (tool.Answer, error) {
		return s.workspace(ctx, false, in)
	})}
}
