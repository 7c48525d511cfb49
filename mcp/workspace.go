package mcp

import (
	"context"

	"poly/mcp/tool"
)

type workspaceIn struct {
	Config  string      `json:"config" doc:"A poly.toml that replaces those of the tree."`
	Jobs    int         `json:"jobs" doc:"How many commands run at once; 0: as configured."`
	NoCache bool        `json:"no_cache" doc:"Run what would be answered from the cache, too."`
	Format  tool.Format `json:"format"`
}

type toolRun struct {
	ID        string  `json:"id"`
	Outcome   string  `json:"outcome"`
	Reason    *string `json:"reason"`
	Cached    bool    `json:"cached"`
	Duration  int     `json:"duration_ms"`
	ExitCode  *int    `json:"exit_code"`
	Output    string  `json:"output"`
	Truncated bool    `json:"output_truncated"`
	Findings  []any   `json:"diagnostics"`
}

type workspaceOut struct {
	Passed bool      `json:"passed"`
	Fixed  bool      `json:"fixed"`
	Tools  []toolRun `json:"tools"`
}

// commands is the error of tools that run commands, if they may not.
func (s *session) commands() error {
	switch {
	case s.opts.NoCommands:
		return tool.NewError("commands_disabled", "this server runs no commands", "start it without --no-commands, or use lint")
	case s.Workspace == nil:
		return tool.NewError("not_built_in", "this build of poly has no whole-project phase: nothing was checked", "run the project's own checks")
	}
	return nil
}

func (s *session) workspace(ctx context.Context, fix bool, in workspaceIn) (tool.Answer, error) {
	return object(s.Workspace(ctx, Workspace{Fix: fix, Config: s.config(in.Config), Jobs: in.Jobs, NoCache: in.NoCache}))
}

// NotBuiltIn returns the error of something that this build cannot do.
func NotBuiltIn(message string) error { return tool.NewError("not_built_in", message, "") }
