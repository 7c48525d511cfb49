package main

import (
	"github.com/spf13/cobra"

	"poly/internal/config"
	"poly/internal/report"
	"poly/runner"
)

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "schema {config|report}",
		Short:     "Print a JSON Schema: of poly.toml, or of the lint and fmt documents",
		Example:   "  poly schema config > poly.schema.json\n  poly schema report",
		ValidArgs: []string{"config", "report"},
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		RunE: func(_ *cobra.Command, args []string) error {
			text := report.SchemaJSON()
			if args[0] == "config" {
				text = config.SchemaJSON(runner.Schema(a.engines))
			}
			_, err := a.stdout.Write(append(text, '\n'))
			return err
		},
	}
}
