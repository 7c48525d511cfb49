package main

import (
	"context"
	"path/filepath"
	"time"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/version"
	"poly/store"
)

// record appends the run to the history. A history that cannot be written
// costs a debug line, never the run.
func (s *session) record(ctx context.Context, rep *diag.Report, verb engine.Verb, started time.Time, code int) {
	ctx = context.WithoutCancel(ctx)
	h, err := store.OpenHistory(ctx, filepath.Join(s.dirs.State, store.HistoryFile), store.HistoryOptions{Now: s.now})
	if err != nil {
		s.log.Debug("history", "err", err)
		return
	}
	defer h.Close()
	run := store.Run{
		Started: started, Duration: s.now().Sub(started), Verb: verb.String(), Args: s.args, Dir: s.root, Tree: "worktree", Exit: code,
		Checked: rep.Summary.Checked, Skipped: rep.Summary.Skipped, Errored: rep.Summary.Errored, Version: version.Version,
	}
	for i := range rep.Files {
		f := &rep.Files[i]
		run.Findings += len(f.Diagnostics)
		run.Files = append(run.Files, runFile(f))
	}
	if stored, err := h.AppendRun(ctx, run); !stored {
		s.log.Debug("history: the run was not recorded", "err", err)
	}
}

func runFile(f *diag.FileReport) store.RunFile {
	out := store.RunFile{Path: f.Path, Outcome: f.Outcome.String(), Reason: f.Reason}
	for i := range f.Diagnostics {
		d := &f.Diagnostics[i]
		line, col := 0, 0
		if d.Span != nil {
			line, col = d.Span.StartLine, d.Span.StartCol
		}
		out.Findings = append(out.Findings, store.RunFinding{
			Engine: d.Engine, Code: d.Code, Severity: d.Severity.String(), Title: d.Title, Line: line, Col: col,
		})
	}
	return out
}
