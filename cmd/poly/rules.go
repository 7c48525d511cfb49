package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"poly/internal/report"
)

// rulesCommand lists ast-grep rules. This build has no engine for them yet, so
// the list is empty whatever the directories hold, and it says so.
func (a *app) rulesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "rules",
		Short:   "List the ast-grep rules a run would apply",
		Example: "  poly rules list\n  poly rules list --format json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var format, file string
	list := &cobra.Command{
		Use:     "list",
		Short:   "List the rules of the built-in pack and of [rules] dirs",
		Example: "  poly rules list\n  poly rules list --format json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out, err := report.Find(format)
			if err != nil {
				return err
			}
			o, err := a.listRules(cmd.Context(), file)
			if err != nil {
				return err
			}
			fmt.Fprintln(a.stderr, "poly: note: this build has no engine for ast-grep rules: none is applied")
			return a.object(out, o)
		},
	}
	list.Flags().StringVar(&format, "format", report.Pretty, "output format: pretty, json or toon")
	list.Flags().StringVar(&file, "config", "", "use this `FILE` instead of the poly.toml files of the tree")
	cmd.AddCommand(list)
	return cmd
}

// listRules is the document of poly rules list.
func (a *app) listRules(ctx context.Context, file string) (report.Object, error) {
	s, err := a.open(ctx, target{configFile: file, noCache: true})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	dirs := []string{}
	for _, d := range s.config.Root().Rules.Dirs {
		dirs = append(dirs, d.Path)
	}
	return report.Object{}.With("dirs", dirs).With("rules", []report.Object{}), nil
}
