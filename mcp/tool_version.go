package mcp

import (
	"context"
	"os"

	"poly/internal/report"
	"poly/mcp/tool"
)

type versionOut struct {
	Version           string         `json:"version"`
	BuildID           string         `json:"build_id"`
	Channel           string         `json:"channel"`
	Executable        string         `json:"executable"`
	PID               int            `json:"pid"`
	UptimeSeconds     int            `json:"uptime_seconds"`
	ExecutableCurrent bool           `json:"executable_current"`
	ExecutableStatus  string         `json:"executable_status"`
	Engines           map[string]any `json:"engines"`
}

func toolVersion(s *session) offer {
	return offer{core, tool.Define[formatIn, versionOut](tool.Spec{
		Name: "version", Effect: tool.Reads, Idempotent: true, Always: true,
		Doc: "Which poly serves this session, the engines it has with the versions they wrap, and whether its executable is still the file on disk. " +
			"Answers also when the other tools do not. Changes and executes nothing.",
	}, nil, func(context.Context, formatIn) (tool.Answer, error) {
		s.watch.Settle()
		state := s.watch.State()
		return object(report.Object{}.
			With("version", s.Version).
			With("build_id", s.BuildID).
			With("channel", s.Channel).
			With("executable", s.watch.Path()).
			With("pid", os.Getpid()).
			With("uptime_seconds", int(s.Now().Sub(s.watch.Started).Seconds())).
			With("executable_current", s.watch.Current(state)).
			With("executable_status", s.watch.Status(state, s.Version)).
			With("engines", s.Engines), nil)
	})}
}
