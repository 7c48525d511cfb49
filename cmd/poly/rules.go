package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"poly/internal/engine/astgrep"
	"poly/internal/gitstate"
	"poly/internal/report"
	"poly/internal/rules"
	"poly/internal/rules/match"
	"poly/internal/usererr"
)

// rulesCommand is about ast-grep rules: the built-in pack and the user's own.
func (a *app) rulesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "rules",
		Short:   "List, test, make and run ast-grep rules",
		Example: "  poly rules list\n  poly rules test\n  poly rules scan -r rule.yml --json src",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.rulesListCommand(), a.rulesTestCommand(), a.rulesNewCommand(), a.rulesScanCommand())
	return cmd
}

func (a *app) rulesListCommand() *cobra.Command {
	var format, file string
	cmd := &cobra.Command{
		Use:   "list [DIR]...",
		Short: "List the rules that a run would apply",
		Long: "List the rules of the built-in pack and of the directories, by default those that [rules] dirs names.\n" +
			"Exit code 2: a rule is not valid, so it is not applied.",
		Example: "  poly rules list\n  poly rules list --format json",
		RunE: func(cmd *cobra.Command, args []string) error {
			out, err := report.Find(format)
			if err != nil {
				return err
			}
			l, err := a.listRules(cmd.Context(), file, args, astgrep.ListOptions{})
			if err != nil {
				return err
			}
			a.printListed(l)
			if out.Name == report.Pretty {
				err = a.printRules(l)
			} else {
				err = a.object(out, report.Rules(l))
			}
			if err == nil && len(l.Problems) > 0 {
				return &exitError{exitUnverified}
			}
			return err
		},
	}
	cmd.Flags().StringVar(&format, "format", report.Pretty, "output format: pretty, json or toon")
	cmd.Flags().StringVar(&file, "config", "", "use this `FILE` instead of the poly.toml files of the tree")
	return cmd
}

func (a *app) rulesTestCommand() *cobra.Command {
	var format, file string
	var builtin bool
	cmd := &cobra.Command{
		Use:   "test [DIR]...",
		Short: "Run the tests of rules",
		Long: "Run the snippets of the files that end in -test.yml: a rule must match nothing in valid ones, something in invalid ones.\n" +
			"Exit code 1: a test failed, or is about a rule that is not there. 2: a rule or a test file is not valid.",
		Example: "  poly rules test\n  poly rules test rules --format json",
		RunE: func(cmd *cobra.Command, args []string) error {
			out, err := report.Find(format)
			if err != nil {
				return err
			}
			l, err := a.listRules(cmd.Context(), file, args, astgrep.ListOptions{Test: true, TestPack: builtin})
			if err != nil {
				return err
			}
			a.printListed(l)
			if out.Name == report.Pretty {
				err = a.printTests(l)
			} else {
				err = a.object(out, report.Rules(l))
			}
			switch {
			case err != nil:
				return err
			case len(l.Problems)+len(l.Tested.Problems) > 0:
				return &exitError{exitUnverified}
			case !l.Tested.OK():
				return &exitError{exitFindings}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", report.Pretty, "output format: pretty, json or toon")
	cmd.Flags().StringVar(&file, "config", "", "use this `FILE` instead of the poly.toml files of the tree")
	cmd.Flags().BoolVar(&builtin, "builtin", false, "run the tests of built-in rules too")
	return cmd
}

// listRules opens the tree and lists its rules: those of the directories, which
// are as they were typed; none: of those that the configuration names.
func (a *app) listRules(ctx context.Context, file string, dirs []string, o astgrep.ListOptions) (*rules.Listing, error) {
	s, err := a.open(ctx, target{configFile: file, noCache: true})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := s.lookAt(dirs); err != nil {
		return nil, err
	}
	for _, d := range dirs {
		if fi, err := os.Lstat(s.abs(d)); err == nil && !fi.IsDir() {
			return nil, usererr.New("missing-path", "no directory: "+d, "rules are read in directories of the repository; symbolic links are not followed")
		}
		rel, ok := relative(s.root, unlinked(s.abs(d)))
		if !ok {
			return nil, usererr.New("outside-path", d+" is outside of "+s.root, "rules are read in the repository")
		}
		o.Dirs = append(o.Dirs, rel)
	}
	return astgrep.List(ctx, s.config.Root(), gitstate.FS(ctx, s.tree), o)
}

// printListed tells what is wrong with rules.
func (a *app) printListed(l *rules.Listing) {
	a.printProblems(l.Problems, "error")
	a.printProblems(l.Unbuilt, "note")
	a.printProblems(l.Notes, "note")
}

func (a *app) printProblems(list []rules.Problem, kind string) {
	for i := range list {
		fmt.Fprintf(a.stderr, "poly: %s: %s\n", kind, list[i].Error())
	}
}

func (a *app) printRules(l *rules.Listing) error {
	var b strings.Builder
	for i := range l.Rules {
		r := &l.Rules[i]
		off := ""
		if !r.Enabled {
			off = "  (off)"
		}
		fmt.Fprintf(&b, "%-32s %-12s %-8s %-8s %s%s\n", r.ID, r.Language, r.Severity, r.Source, firstLine(r.Message), off)
	}
	fmt.Fprintf(&b, "%d rules\n", len(l.Rules))
	_, err := a.stdout.Write([]byte(b.String()))
	return err
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

func (a *app) printTests(l *rules.Listing) error {
	var b strings.Builder
	passed, failed := 0, 0
	for _, t := range l.Tested.Tests {
		if t.Passed {
			passed++
			continue
		}
		failed++
		fmt.Fprintf(&b, "FAIL  %s [%s #%d]  %s\n", t.RuleID, t.Kind, t.Index, t.Detail)
	}
	for _, id := range l.Tested.Missing {
		fmt.Fprintf(&b, "ERROR %s has tests, and there is no such rule\n", id)
	}
	for _, id := range l.Tested.Untested {
		fmt.Fprintf(&b, "warn  %s has no tests\n", id)
	}
	fmt.Fprintf(&b, "%d passed, %d failed\n", passed, failed)
	a.printProblems(l.Tested.Problems, "error")
	_, err := a.stdout.Write([]byte(b.String()))
	return err
}

func (a *app) rulesNewCommand() *cobra.Command {
	var language, dir string
	cmd := &cobra.Command{
		Use:     "new ID --lang LANGUAGE",
		Short:   "Make a rule and its tests, to be filled in",
		Example: "  poly rules new no-eval --lang python\n  poly rules new no-print --lang go --dir rules",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.newRule(args[0], language, dir)
		},
	}
	cmd.Flags().StringVar(&language, "lang", "", "the `LANGUAGE` of the rule")
	cmd.Flags().StringVar(&dir, "dir", ".poly/rules", "the directory it is made in")
	return cmd
}

// newRule writes a rule and its tests, and overwrites nothing.
func (a *app) newRule(id, language, dir string) error {
	if id == "" || strings.Trim(id, bareKey) != "" {
		return wrongUse(fmt.Sprintf("%q is no id of a rule", id), "letters, digits, - and _ make one")
	}
	l, ok := match.Find(language)
	if !ok {
		var names []string
		for _, l := range rules.Languages() {
			names = append(names, l.Name)
		}
		return wrongUse(fmt.Sprintf("no language %q", language), "the languages are "+strings.Join(names, ", "))
	}
	full := a.abs(dir)
	if err := os.MkdirAll(full, 0o755); err != nil {
		return err
	}
	for name, text := range map[string]string{
		id + ".yml": "id: " + id + "\nlanguage: " + l.Name + "\nseverity: warning\nmessage: what is wrong here\n" +
			"note: |\n  why it matters, and what to do instead\nrule:\n  pattern: replace_me($A)\n",
		id + "-test.yml": "id: " + id + "\nvalid:\n  - 'other(1)'\ninvalid:\n  - 'replace_me(1)'\n",
	} {
		f, err := os.OpenFile(filepath.Join(full, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return &usererr.Error{Code: "rule-exists", Msg: "cannot make " + path.Join(dir, name), Err: cause(err), Hint: "choose another id, or edit what is there"}
		}
		_, err = f.WriteString(text)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(a.stdout, "made %s and %s\n", path.Join(dir, id+".yml"), path.Join(dir, id+"-test.yml"))
	return err
}
