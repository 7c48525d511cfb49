package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"poly/internal/usererr"
)

// root builds the command tree: one file a command.
func (a *app) root() *cobra.Command {
	var version bool
	var format string
	cmd := &cobra.Command{
		Use:   "poly",
		Short: "Lint and format every language of a repository",
		Long: "poly lints and formats every language of a repository with one binary and one poly.toml.\n" +
			"Results are cached by content, so that a run only looks at what changed.",
		Example:       "  poly lint .\n  poly fmt --fix src",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				return a.printVersion(format)
			}
			if cmd.Flags().Changed("format") {
				return wrongUse("--format needs --version or a command", "")
			}
			return cmd.Help()
		},
	}
	cmd.Flags().BoolVarP(&version, "version", "V", false, "print version, build and engines")
	cmd.Flags().StringVar(&format, "format", "pretty", "with --version: pretty, json or toon")
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return flagError(c, err)
	})
	cmd.AddCommand(
		a.lintCommand(), a.fmtCommand(), a.cacheCommand(), a.configCommand(), a.schemaCommand(), a.doctorCommand(),
		a.initCommand(), a.explainCommand(), a.docsCommand(), a.historyCommand(),
	)
	return cmd
}

// flagError names the nearest flag of c for one that does not exist.
func flagError(c *cobra.Command, err error) error {
	msg := err.Error()
	hint := fmt.Sprintf("%s --help lists the flags", c.CommandPath())
	if name, ok := strings.CutPrefix(msg, "unknown flag: --"); ok {
		if n := usererr.Nearest(name, flagNames(c)); n != "" {
			hint = "did you mean --" + n + "?"
		}
	}
	return wrongUse(msg, hint)
}
