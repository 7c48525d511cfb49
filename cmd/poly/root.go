package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poly/internal/usererr"
)

// root builds the command tree: one file a command.
func (a *app) root() *cobra.Command {
	var version, licences bool
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
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			for _, c := range []struct{ flag, without string }{
				{"config", "for the poly.toml files of the tree"}, {"stdin-filename", "to judge files"},
			} {
				if f := cmd.Flags().Lookup(c.flag); f != nil && f.Changed && f.Value.String() == "" {
					return wrongUse("--"+c.flag+" names no file", "poly takes an unset variable for a mistake; leave the flag out "+c.without)
				}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if licences {
				return a.printLicences()
			}
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
	cmd.Flags().BoolVar(&licences, "licenses", false, "print the licences of what is built in")
	cmd.Flags().StringVar(&format, "format", "pretty", "with --version: pretty, json or toon")
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return flagError(c, err)
	})
	cmd.AddCommand(
		a.lintCommand(), a.fmtCommand(), a.cacheCommand(), a.configCommand(), a.schemaCommand(), a.doctorCommand(),
		a.commitCommand(), a.migrateCommand(), a.initCommand(), a.hooksCommand(), a.rulesCommand(), a.explainCommand(), a.docsCommand(), a.historyCommand(), a.warmCommand(),
		a.mcpCommand(),
	)
	cmd.SetHelpCommand(helpCommand(cmd))
	cmd.InitDefaultCompletionCmd()
	hintArgs(cmd)
	plainSwitches(cmd)
	return cmd
}

// plainSwitches keeps help from writing "[=true|false]" behind every switch,
// as pflag does for values that say they are one.
func plainSwitches(cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Value.Type() == "bool" {
			f.Value = struct{ pflag.Value }{f.Value}
		}
	})
	for _, c := range cmd.Commands() {
		plainSwitches(c)
	}
}

func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]...",
		Short:   "Show the help of a command",
		Example: "  poly help lint\n  poly help config show",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil { // the first word is no command
				c, rest = root, args
			}
			if len(rest) > 0 {
				return argError(c, rest, fmt.Errorf("%s has no command %q", c.CommandPath(), rest[0]))
			}
			c.InitDefaultHelpFlag()
			return c.Help()
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			if c, rest, err := root.Find(args); err == nil && len(rest) == 0 {
				names = commandNames(c)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func commandNames(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(append(names, sub.Name()), sub.Aliases...)
		}
	}
	return names
}

// hintArgs gives c and each command below it an error with a hint for
// arguments that it does not take.
func hintArgs(c *cobra.Command) {
	if takes := c.Args; takes != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if err := takes(c, args); err != nil {
				return argError(c, args, err)
			}
			return nil
		}
	}
	if !c.Runnable() { // cobra prints the help of such a command whatever its arguments
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	for _, sub := range c.Commands() {
		hintArgs(sub)
	}
}

func argError(c *cobra.Command, args []string, err error) error {
	switch {
	case c.HasAvailableSubCommands() && len(args) > 0:
		hint := c.CommandPath() + " --help lists the commands"
		if n := usererr.Nearest(args[0], commandNames(c)); n != "" {
			hint = "did you mean " + n + "? " + hint
		}
		return wrongUse(fmt.Sprintf("unknown command %q for %q", args[0], c.CommandPath()), hint)
	case strings.HasPrefix(err.Error(), "unknown command"):
		return wrongUse(fmt.Sprintf("%s takes no arguments", c.CommandPath()), "usage: "+c.UseLine())
	}
	return wrongUse(err.Error(), "usage: "+c.UseLine())
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
	if before, _, ok := strings.Cut(msg, ": strconv."); ok {
		msg = before + ": not a number"
	}
	return wrongUse(msg, hint)
}
