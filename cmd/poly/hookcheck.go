package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"poly/hooks"
	"poly/runner/job"
)

func (a *app) hooksValidate() *cobra.Command {
	return &cobra.Command{
		Use:     "validate",
		Short:   "Check [hooks] of poly.toml without running anything",
		Long:    "Load the configuration as a hook would, and look for scripts and directories that jobs name.\nExit code 0: it is fine. 1: something it names is not there. 2: it cannot be loaded.",
		Example: "  poly hooks validate\n  poly hooks validate && poly hooks install",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, _, err := a.openHooks(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			root := s.config.Root()
			c, err := job.Decode(root.Section("hooks"), func(keys ...string) string { return root.Origin(keys...).String() })
			if err != nil {
				return err
			}
			for _, n := range s.config.Notes() {
				fmt.Fprintln(a.stderr, "poly: note:", n)
			}
			jobs, missing := 0, 0
			for _, name := range slices.Sorted(maps.Keys(c.Stages)) {
				for i := range c.Stages[name].Jobs {
					jobs++
					missing += s.validateJob(name, &c.Stages[name].Jobs[i])
				}
			}
			if c.Always != nil {
				jobs += len(c.Always.Jobs)
			}
			stages := s.configuredStages()
			if _, err := fmt.Fprintf(a.stdout, "[hooks] has %d jobs; stages: %s\n", jobs, strings.Join(stages, ", ")); err != nil {
				return err
			}
			if missing > 0 {
				return &exitError{exitFindings}
			}
			return nil
		},
	}
}

// validateJob prints what a job names and is not there, and counts it.
func (s *session) validateJob(stage string, j *job.Job) (missing int) {
	say := func(what string) {
		missing++
		fmt.Fprintf(s.stdout, "%s: %s %s: %s is not there\n", j.Origin, stage, j.ID, what)
	}
	if j.Root != "" && j.Root != "." && len(s.entriesOf(j.Root)) == 0 {
		say("its root " + j.Root)
	}
	if j.Script != "" && !filepath.IsAbs(j.Script) {
		if _, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(path.Join(j.Root, j.Script)))); errors.Is(err, fs.ErrNotExist) {
			say("its script " + j.Script)
		}
	}
	return missing
}

// entriesOf lists what lies in a directory of the worktree.
func (s *session) entriesOf(dir string) []os.DirEntry {
	list, err := os.ReadDir(filepath.Join(s.root, filepath.FromSlash(dir)))
	if err != nil {
		return nil
	}
	return list
}

func (a *app) hooksRecover() *cobra.Command {
	return &cobra.Command{
		Use:   "recover",
		Short: "Look for what a killed hook left behind, and mend it",
		Long: "Look for what a hook that was killed left behind. There should be nothing: poly neither stashes nor checks out,\n" +
			"and a file of the worktree is at every moment wholly old or wholly new.",
		Example: "  poly hooks recover\n  poly hooks recover && git status",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.locateHooks(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			if err := s.lockTree(cmd.Context()); err != nil {
				return err
			}
			found := 0
			for _, i := range s.lock.Interrupted() {
				found++
				state := "it is as it was"
				if i.Written {
					state = "it holds the fix"
				}
				fmt.Fprintf(a.stdout, "%s: poly was killed while it wrote it: %s\n", i.Path, state)
			}
			n, err := hooks.Sweep(s.dirs.State, a.now())
			if err != nil {
				return err
			}
			if n > 0 {
				found++
				fmt.Fprintf(a.stdout, "removed %d temporary directories of killed hooks\n", n)
			}
			if found == 0 {
				_, err = fmt.Fprintln(a.stdout, "There is nothing to recover.")
			}
			return err
		},
	}
}
