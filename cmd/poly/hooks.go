package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"poly/hooks"
	"poly/internal/gitstate"
	"poly/internal/report"
	"poly/internal/usererr"
)

func (a *app) hooksCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "hooks",
		Short:   "Install and run git hooks",
		Long:    "Install git hooks, and run their stages over exactly what is about to be committed or pushed.\npoly docs hooks tells what they promise.",
		Example: "  poly hooks install\n  poly hooks run pre-commit",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.hooksInstall(), a.hooksUninstall(), a.hooksStatus(), a.hooksRun(), a.hookImpl(), a.hooksValidate(), a.hooksRecover())
	return cmd
}

func (a *app) hooksInstall() *cobra.Command {
	var types []string
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Make git run the stages that poly.toml configures",
		Long: "Write a hook for each stage that poly.toml has something for, where git looks for hooks.\n" +
			"A hook that is there already is kept and runs first. What will be run is shown.",
		Example: "  poly hooks install\n  poly hooks install --hook-type pre-commit --hook-type commit-msg",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, place, err := a.openHooks(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			want, remove, err := s.hookTypes(types)
			if err != nil {
				return err
			}
			done, err := place.Install(want, remove, a.ownPath())
			a.printStates(place, done)
			if err != nil {
				return err
			}
			if filepath.Base(place.Dir) == "_" && filepath.Base(filepath.Dir(place.Dir)) == ".husky" {
				fmt.Fprintln(a.stdout, "husky writes its hooks anew whenever it is installed: run poly hooks install after it, or see poly migrate --from husky")
			}
			return s.showCommands(want)
		},
	}
	cmd.Flags().StringArrayVarP(&types, "hook-type", "t", nil, "install this `STAGE` only (repeatable)")
	return cmd
}

func (a *app) hooksUninstall() *cobra.Command {
	var types []string
	cmd := &cobra.Command{
		Use:     "uninstall",
		Short:   "Remove poly's hooks and put back those that were there before",
		Example: "  poly hooks uninstall\n  poly hooks uninstall --hook-type commit-msg",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			repo, place, err := a.hookPlace(cmd.Context())
			if err != nil {
				return err
			}
			defer func() { _ = repo.Close() }()
			all := len(types) == 0
			if all {
				types = hooks.Installable()
			}
			if err := knownStages(types); err != nil {
				return err
			}
			done, err := place.Uninstall(types)
			a.printStates(place, done)
			if err == nil && all {
				err = place.Unguard()
			}
			if err == nil && len(done) == 0 {
				_, err = fmt.Fprintln(a.stdout, "No hooks of poly in "+place.Dir+".")
			}
			return err
		},
	}
	cmd.Flags().StringArrayVarP(&types, "hook-type", "t", nil, "uninstall this `STAGE` only (repeatable)")
	return cmd
}

func (a *app) hooksStatus() *cobra.Command {
	var format string
	var types []string
	cmd := &cobra.Command{
		Use:     "status",
		Short:   "Show which hooks are installed",
		Long:    "Show for each stage that is configured or installed what lies there.\nExit code 0: every configured stage is installed. 1: one is not.",
		Example: "  poly hooks status\n  poly hooks status --format json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out, err := report.Find(format)
			if err != nil {
				return err
			}
			s, place, err := a.openHooks(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			want := s.configuredStages()
			if len(types) > 0 {
				if want = types; knownStages(types) != nil {
					return knownStages(types)
				}
			}
			states := place.Status(want)
			if err := a.printStatus(out, place, states); err != nil {
				return err
			}
			if slices.ContainsFunc(states, func(s hooks.State) bool { return s.Wanted && s.State != "installed" }) {
				return &exitError{exitFindings}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", report.Pretty, "output format: pretty, json or toon")
	cmd.Flags().StringArrayVarP(&types, "hook-type", "t", nil, "ask for this `STAGE` only (repeatable)")
	return cmd
}

func (a *app) printStatus(out report.Format, place hooks.Place, states []hooks.State) error {
	if out.Name != report.Pretty {
		rows := make([]report.Object, 0, len(states))
		for _, st := range states {
			rows = append(rows, report.Object{}.With("stage", st.Stage).With("state", st.State).With("configured", st.Wanted).With("poly", st.Poly).With("runs_first", st.Kept))
		}
		return a.object(out, report.Object{}.With("directory", place.Dir).With("hooks", rows))
	}
	if len(states) == 0 {
		_, err := fmt.Fprintln(a.stdout, "No stage is configured, and no hook of poly is installed in "+place.Dir+".")
		return err
	}
	a.printStates(place, states)
	return nil
}

// printStates prints a line a hook.
func (a *app) printStates(place hooks.Place, states []hooks.State) {
	if len(states) == 0 {
		return
	}
	fmt.Fprintln(a.stdout, "hooks in "+place.Dir)
	for _, st := range states {
		fmt.Fprintf(a.stdout, "  %-18s  %s", st.Stage, st.State)
		if st.Kept != "" {
			fmt.Fprint(a.stdout, ", after "+filepath.Base(st.Kept))
		}
		if st.State == "installed" && !st.Wanted {
			fmt.Fprint(a.stdout, ", not configured")
		}
		fmt.Fprintln(a.stdout)
	}
}

// openHooks opens the worktree's configuration and finds where git looks for
// hooks.
func (a *app) openHooks(ctx context.Context) (*session, hooks.Place, error) {
	s, err := a.open(ctx, target{noCache: true})
	if err != nil {
		return nil, hooks.Place{}, err
	}
	if s.repo == nil {
		s.Close()
		return nil, hooks.Place{}, noRepository()
	}
	place, err := hooks.Locate(s.repo, a.getenv("HOME"))
	if err != nil {
		s.Close()
	}
	return s, place, err
}

func (a *app) hookPlace(ctx context.Context) (*gitstate.Repo, hooks.Place, error) {
	repo, err := gitstate.Open(ctx, gitstate.OpenOptions{Dir: a.cwd, Env: a.env})
	if errors.Is(err, gitstate.ErrNotRepo) {
		return nil, hooks.Place{}, noRepository()
	}
	if err != nil {
		return nil, hooks.Place{}, err
	}
	place, err := hooks.Locate(repo, a.getenv("HOME"))
	if err != nil {
		_ = repo.Close()
	}
	return repo, place, err
}

func noRepository() error {
	return usererr.New("no-repository", "this is not a git repository", "git hooks belong to one: git init, or cd to it")
}

// hookTypes returns the stages to install, and those whose hooks go.
func (s *session) hookTypes(named []string) (want, remove []string, err error) {
	if len(named) > 0 {
		for i, n := range named {
			if st, ok := hooks.Find(n); ok {
				named[i] = st.Name
			}
		}
		return named, nil, knownStages(named)
	}
	want = s.configuredStages()
	if len(want) == 0 {
		return nil, nil, usererr.New("no-hooks", "poly.toml configures no hooks", "for a start: [hooks.builtin] with lint = true and fmt = true; poly docs hooks tells more")
	}
	for _, st := range hooks.Installable() {
		if !slices.Contains(want, st) {
			remove = append(remove, st)
		}
	}
	return want, remove, nil
}

func knownStages(names []string) error {
	for _, n := range names {
		if !slices.Contains(hooks.Installable(), n) {
			return wrongUse(fmt.Sprintf("%q is no stage with a hook", n), "the stages are "+strings.Join(hooks.Installable(), ", "))
		}
	}
	return nil
}

func (s *session) configuredStages() []string {
	root := s.config.Root()
	f, ok := s.tree.Lookup("Cargo.toml")
	return hooks.Configured(root.Section("hooks"), root.Section("tools"), ok && f.Mode.Regular())
}

// ownPath is the absolute path of this binary as its user names it: that on
// PATH where that is it, since what it links to may move with an update.
func (a *app) ownPath() string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	real, err := filepath.EvalSymlinks(exe)
	if err != nil {
		return exe
	}
	for _, dir := range filepath.SplitList(a.getenv("PATH")) {
		p := filepath.Join(dir, "poly")
		if r, err := filepath.EvalSymlinks(p); err == nil && r == real && filepath.IsAbs(dir) {
			return p
		}
	}
	return exe
}

// showCommands prints what the installed hooks will execute.
func (s *session) showCommands(stages []string) error {
	commands := hooks.Commands(s.config.Root().Section("hooks"), stages)
	if len(commands) == 0 {
		return nil
	}
	fmt.Fprintln(s.stdout, "They will execute, besides poly itself:")
	for _, c := range commands {
		name := c.Stage
		if c.Job != "" {
			name += " " + c.Job
		}
		fmt.Fprintf(s.stdout, "  %s: %s\n", name, strings.ReplaceAll(c.Line, "\n", "\n    "))
	}
	return nil
}
