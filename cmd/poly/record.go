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

// What of a run is recorded: files and findings in sum, and files without findings.
const (
	maxRecorded = 400
	maxSkipped  = 50
)

// record appends the run to the history. A history that cannot be written
// costs a debug line, never the run.
func (s *session) record(ctx context.Context, rep *diag.Report, verb engine.Verb, started time.Time, code int) {
	if s.homeless != nil {
		return
	}
	ctx = context.WithoutCancel(ctx)
	h, err := store.OpenHistory(ctx, filepath.Join(s.dirs.State, store.HistoryFile), store.HistoryOptions{Now: s.now})
	if err != nil {
		s.log.Debug("history", "err", err)
		return
	}
	defer func() { _ = h.Close() }()
	run := store.Run{
		Started: started, Duration: s.now().Sub(started), Verb: verb.String(), Args: s.args, Dir: s.root, Tree: "worktree", Exit: code,
		Checked: rep.Summary.Checked, Skipped: rep.Summary.Skipped, Errored: rep.Summary.Errored, Version: version.Version,
	}
	files, room := 0, maxRecorded
	for i := range rep.Files {
		f := &rep.Files[i]
		run.Findings += len(f.Diagnostics)
		// Skips are many and alike: a run keeps the first of them only, so
		// that writing it stays cheap.
		if weight := 1 + len(f.Diagnostics); f.Outcome == diag.Errored || weight <= room && (weight > 1 || files < maxSkipped) {
			room -= weight
			files++
			run.Files = append(run.Files, runFile(f))
		} else {
			run.Cut += weight
		}
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
