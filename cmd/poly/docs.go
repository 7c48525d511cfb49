package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"poly/internal/docs"
	"poly/internal/usererr"
)

func (a *app) docsCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "docs [PAGE]",
		Short:   "Show a reference page; without a name, list them",
		Example: "  poly docs\n  poly docs configuration",
		Args:    cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return pageNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			pages := docs.Pages()
			if len(args) == 0 {
				for _, p := range pages {
					if _, err := fmt.Fprintf(a.stdout, "%-16s %s\n", p.Name, p.Title); err != nil {
						return err
					}
				}
				return nil
			}
			for _, p := range pages {
				if p.Name == args[0] {
					_, err := a.stdout.Write([]byte(p.Text))
					return err
				}
			}
			hint := "poly docs lists the pages"
			if n := usererr.Nearest(args[0], pageNames()); n != "" {
				hint = "did you mean " + n + "?"
			}
			return wrongUse(fmt.Sprintf("no page %q", args[0]), hint)
		},
	}
}

func pageNames() []string {
	var names []string
	for _, p := range docs.Pages() {
		names = append(names, p.Name)
	}
	return names
}
