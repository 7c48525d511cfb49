package mcp

import (
	"context"

	"poly/mcp/tool"
)

func toolWorkspaceLintFix(s *session) offer {
	return offer{core, tool.Define[workspaceIn, workspaceOut](tool.Spec{
		Name: "workspace_lint_fix", Effect: tool.RunsToWrite, Large: true, Long: true,
		Doc: "As workspace_lint, with the fixing form of each tool that has one: executes commands in the worktree, which write files. Takes minutes.",
	}, s.commands, func(ctx context.Context, in workspaceIn) (tool.Answer, error) {
		return s.write(ctx, func() (tool.Answer, error) { return s.workspace(ctx, true, in) })
	})}
}
