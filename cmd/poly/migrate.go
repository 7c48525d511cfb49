package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"poly/internal/atomicfile"
	"poly/internal/config"
	"poly/internal/gitstate"
	"poly/internal/migrate"
	"poly/internal/report"
	"poly/internal/usererr"
)

func (a *app) migrateCommand() *cobra.Command {
	var from, format string
	var write, dirty bool
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Turn the hooks of another tool into poly's",
		Long: "Read the hooks of pre-commit, prek, lefthook, husky, lint-staged and hk, and show what becomes of each, and the poly.toml that results.\n" +
			"Nothing is written without --write, and the files of the other tool are never removed.",
		Example: "  poly migrate\n  poly migrate --from pre-commit --write",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out, err := report.Find(format)
			if err != nil {
				return err
			}
			s, err := a.open(cmd.Context(), target{noCache: true})
			if err != nil {
				return err
			}
			defer s.Close()
			plan, err := s.planMigration(cmd.Context(), from)
			if err != nil {
				return err
			}
			if write {
				if err := s.writeMigration(cmd.Context(), plan, dirty); err != nil {
					return err
				}
			}
			return s.printMigration(out, plan, write)
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "only this `TOOL`: "+strings.Join(migrate.Tools(), ", "))
	cmd.Flags().BoolVar(&write, "write", false, "write poly.toml")
	cmd.Flags().BoolVar(&dirty, "allow-dirty", false, "write although the worktree has changes that are not committed")
	cmd.Flags().StringVar(&format, "format", report.Pretty, "output format: pretty, json or toon")
	return cmd
}

// planMigration plans, and makes sure that the result loads.
func (s *session) planMigration(ctx context.Context, from string) (*migrate.Plan, error) {
	// The configuration is that of the root: hooks belong to the repository.
	existing, err := os.ReadFile(filepath.Join(s.root, config.FileName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	req := migrate.Request{Tree: gitstate.FS(ctx, s.tree), From: from, Existing: existing, Look: s.onPath}
	for i := range s.engines {
		if s.engines[i].BuiltIn() {
			req.Engines = append(req.Engines, s.engines[i].Name)
		}
	}
	plan, err := migrate.Do(req)
	if err != nil {
		return nil, err
	}
	o, err := s.configOptions(ctx, "")
	if err != nil {
		return nil, err
	}
	o.Tree = gitstate.FS(ctx, gitstate.Overlay(s.tree, map[string][]byte{config.FileName: plan.Text}))
	if !slices.Contains(o.Dirs, ".") {
		o.Dirs = append(o.Dirs, ".")
	}
	if _, err := config.Load(ctx, o); err != nil {
		return nil, &usererr.Error{Code: "bad-migration", Msg: "the poly.toml that results does not load", Err: err, Hint: "this is a fault of poly migrate: please report it with the file it read"}
	}
	return plan, nil
}

// onPath reports whether a program is there for a job: on PATH or in
// node_modules.
func (s *session) onPath(program string) bool {
	for _, dir := range filepath.SplitList(s.getenv("PATH")) {
		if _, err := exec.LookPath(filepath.Join(dir, program)); err == nil && filepath.IsAbs(dir) {
			return true
		}
	}
	return false
}

func (s *session) writeMigration(ctx context.Context, plan *migrate.Plan, dirty bool) error {
	if !dirty {
		what, err := s.uncommitted(ctx)
		if err != nil {
			return err
		}
		if what != "" {
			return usererr.New("dirty-worktree", "the worktree has changes that are not committed: "+what, "commit them first, or migrate with --allow-dirty")
		}
	}
	return atomicfile.Write(filepath.Join(s.root, config.FileName), plan.Text, atomicfile.Options{})
}

// uncommitted names a path that differs from HEAD, "" if none does.
func (s *session) uncommitted(ctx context.Context) (string, error) {
	if s.repo == nil {
		return "", nil
	}
	for f := range s.tree.Files() {
		if f.Changed || f.Untracked || f.Conflict {
			return f.Path, nil
		}
	}
	if gone := s.tree.Baseline().Removed; len(gone) > 0 {
		return gone[0], nil
	}
	staged, err := gitstate.Staged(ctx, s.repo)
	if err != nil {
		return "", err
	}
	defer func() { _ = staged.Close() }()
	changes, err := gitstate.StagedChanges(ctx, s.repo).In(staged)
	if err != nil || len(changes) == 0 {
		return "", err
	}
	return changes[0].Path, nil
}

func (s *session) printMigration(out report.Format, plan *migrate.Plan, written bool) error {
	if out.Name != report.Pretty {
		hooks := make([]report.Object, 0, len(plan.Hooks))
		for _, h := range plan.Hooks {
			hooks = append(hooks, report.Object{}.With("file", h.File).With("line", h.Line).With("id", h.ID).
				With("outcome", string(h.Outcome)).With("to", h.To).With("notes", h.Notes))
		}
		return s.object(out, report.Object{}.With("files", plan.Files).With("hooks", hooks).With("notes", append([]string{}, plan.Notes...)).
			With("remove", append([]string{}, plan.Remove...)).With("config", string(plan.Text)).With("written", written))
	}
	var b strings.Builder
	width := 4
	for _, h := range plan.Hooks {
		width = max(width, min(len(h.ID), 40))
	}
	fmt.Fprintf(&b, "from %s\n\n", strings.Join(plan.Files, ", "))
	for _, h := range plan.Hooks {
		fmt.Fprintf(&b, "  %-*s  %-7s  %s\n", width, h.ID, h.Outcome, h.To)
		for _, n := range h.Notes {
			fmt.Fprintf(&b, "  %*s           %s\n", width, "", n)
		}
	}
	for _, n := range plan.Notes {
		fmt.Fprintf(&b, "\nnote: %s", n)
	}
	if len(plan.Notes) > 0 {
		b.WriteByte('\n')
	}
	kept := plan.Count(migrate.Carried) + plan.Count(migrate.Mapped)
	fmt.Fprintf(&b, "\n%d of %s carried over: %d as jobs, %d as builtins.\n", kept, plural(len(plan.Hooks), "hook"), plan.Count(migrate.Carried), plan.Count(migrate.Mapped))
	if written {
		fmt.Fprintf(&b, "Wrote %s. Next: poly hooks install", filepath.Join(s.root, config.FileName))
		if len(plan.Remove) > 0 {
			fmt.Fprintf(&b, "; then remove %s", strings.Join(plan.Remove, ", "))
		}
		b.WriteString(".\n")
	} else {
		fmt.Fprintf(&b, "\n# %s; poly migrate --write writes it\n\n%s", config.FileName, plan.Text)
	}
	_, err := s.stdout.Write([]byte(b.String()))
	return err
}
