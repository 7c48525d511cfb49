package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"poly/internal/report"
	"poly/store"
)

func (a *app) historyCommand() *cobra.Command {
	var format string
	var limit int
	cmd := &cobra.Command{
		Use:     "history",
		Short:   "Show the latest runs in this repository",
		Example: "  poly history\n  poly history --limit 3 --format json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out, err := report.Find(format)
			if err != nil {
				return err
			}
			if limit < 1 {
				return wrongUse("--limit must be at least 1", "")
			}
			s, err := a.openPlace(cmd.Context(), "")
			if err != nil {
				return err
			}
			defer s.Close()
			runs, err := s.runs(cmd, limit)
			if err != nil {
				return err
			}
			if out.Name == report.Pretty {
				return a.printRuns(runs)
			}
			rows := make([]report.Object, 0, len(runs))
			for i := range runs {
				rows = append(rows, runObject(&runs[i]))
			}
			return a.object(out, report.Object{}.With("runs", rows))
		},
	}
	cmd.Flags().StringVar(&format, "format", report.Pretty, "output format: pretty, json or toon")
	cmd.Flags().IntVarP(&limit, "limit", "n", 20, "show at most `N` runs")
	return cmd
}

func (s *session) runs(cmd *cobra.Command, limit int) ([]store.Run, error) {
	if s.homeless != nil {
		return nil, s.homeless
	}
	path := filepath.Join(s.dirs.State, store.HistoryFile)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	h, err := store.OpenHistory(cmd.Context(), path, store.HistoryOptions{Now: s.now})
	if err != nil {
		return nil, err
	}
	defer func() { _ = h.Close() }()
	return h.Runs(cmd.Context(), limit)
}

func (a *app) printRuns(runs []store.Run) error {
	if len(runs) == 0 {
		_, err := fmt.Fprintln(a.stdout, "No runs recorded.")
		return err
	}
	for i := range runs {
		r := &runs[i]
		_, err := fmt.Fprintf(a.stdout, "%s  %-4s  exit %d  %d checked, %d skipped, %d errored, %d findings  %d ms\n",
			r.Started.Local().Format(time.DateTime), r.Verb, r.Exit, r.Checked, r.Skipped, r.Errored, r.Findings, r.Duration.Milliseconds())
		if err != nil {
			return err
		}
	}
	return nil
}

func runObject(r *store.Run) report.Object {
	files := make([]report.Object, 0, len(r.Files))
	for i := range r.Files {
		f := &r.Files[i]
		found := make([]report.Object, 0, len(f.Findings))
		for _, d := range f.Findings {
			found = append(found, report.Object{}.With("engine", d.Engine).With("code", d.Code).With("severity", d.Severity).
				With("title", d.Title).With("line", d.Line).With("col", d.Col))
		}
		files = append(files, report.Object{}.With("path", f.Path).With("outcome", f.Outcome).With("reason", f.Reason).With("findings", found))
	}
	return report.Object{}.
		With("id", r.ID).With("started", r.Started.UTC().Format(time.RFC3339)).With("duration_ms", r.Duration.Milliseconds()).
		With("verb", r.Verb).With("args", r.Args).With("tree", r.Tree).With("exit", r.Exit).
		With("checked", r.Checked).With("skipped", r.Skipped).With("errored", r.Errored).With("findings", r.Findings).
		With("version", r.Version).With("files", files).With("cut", r.Cut)
}
