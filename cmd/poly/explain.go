package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poly/internal/commitmsg"
	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/engine/astgrep"
	"poly/internal/filesafety"
	"poly/internal/gitstate"
	"poly/internal/rules"
	"poly/internal/usererr"
)

func (a *app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "explain ENGINE[/CODE]",
		Short:   "Explain a rule, or list the rules of an engine",
		Example: "  poly explain yaml\n  poly explain text/merge-conflict",
		Args:    cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return a.ruleNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			name, code, one := strings.Cut(args[0], "/")
			if one && name == astgrep.Engine.Name && code != astgrep.InvalidRule {
				return a.explainAstGrep(cmd.Context(), code)
			}
			specs := a.specs()
			i := slices.IndexFunc(specs, func(s *engine.Spec) bool { return s.Name == name })
			if i < 0 {
				return a.unknown(args[0])
			}
			if !one {
				return a.explainEngine(specs[i])
			}
			for j := range specs[i].Rules {
				if r := &specs[i].Rules[j]; r.Code == code {
					return a.explainRule(specs[i], r)
				}
			}
			return a.unknown(args[0])
		},
	}
}

// specs are the engines, and what reports codes without being one.
func (a *app) specs() []*engine.Spec {
	specs := make([]*engine.Spec, 0, len(a.engines)+2)
	for i := range a.engines {
		specs = append(specs, &a.engines[i].Spec)
	}
	return append(specs, commitSpec(), filesafety.Spec())
}

// commitSpec describes the codes of commit messages as those of an engine.
func commitSpec() *engine.Spec {
	s := &engine.Spec{
		Name: commitmsg.EngineName, Verbs: engine.Lint,
		Doc: "Judges commit messages: poly commit, and the builtin of [hooks]. [commit] configures it; see poly docs commit.",
	}
	for _, r := range commitmsg.Rules() {
		s.Rules = append(s.Rules, engine.Rule{Code: r.Code, Severity: r.Severity, Default: true, Fixable: r.Fixable, Doc: r.Doc})
	}
	return s
}

func (a *app) ruleNames() []string {
	var names []string
	for _, s := range a.specs() {
		names = append(names, s.Name)
		for j := range s.Rules {
			names = append(names, s.Name+"/"+s.Rules[j].Code)
		}
	}
	return names
}

func (a *app) unknown(name string) error {
	hint := "the engines are " + strings.Join(a.engineNames(), ", ")
	eng, _, _ := strings.Cut(name, "/")
	if n := usererr.Nearest(name, a.ruleNames()); n != "" {
		hint = "did you mean " + n + "?"
	} else if n := a.rulesNamed(name); len(n) > 0 {
		hint = "did you mean " + strings.Join(n, " or ") + "?"
	} else if slices.Contains(a.engineNames(), eng) {
		hint = "poly explain " + eng + " lists its rules"
	}
	return wrongUse(fmt.Sprintf("no engine or rule %q", name), hint)
}

// rulesNamed returns the rules whose code alone is name.
func (a *app) rulesNamed(name string) []string {
	return slices.DeleteFunc(a.ruleNames(), func(n string) bool {
		_, code, _ := strings.Cut(n, "/")
		return code != name
	})
}

func (a *app) engineNames() []string {
	var names []string
	for i := range a.engines {
		names = append(names, a.engines[i].Name)
	}
	slices.Sort(names)
	return names
}

func (a *app) explainEngine(s *engine.Spec) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", s.Name, strings.TrimSpace(s.Doc))
	if s.Wrapped != "" {
		fmt.Fprintf(&b, "wraps %s (%s)\n", s.Wrapped, s.Licence)
	}
	if !s.BuiltIn() {
		b.WriteString("not built in: run " + s.BuildIn() + "\n")
	}
	if len(s.Rules) > 0 {
		b.WriteString("\nRules:\n")
	}
	width := 24
	for i := range s.Rules {
		width = max(width, len(s.Rules[i].Code))
	}
	for i := range s.Rules {
		r := &s.Rules[i]
		first, _, _ := strings.Cut(strings.TrimSpace(r.Doc), "\n")
		on := ""
		if !r.Default {
			on = "  (off by default)"
		}
		fmt.Fprintf(&b, "  %-*s %-8s %s%s\n", width, r.Code, r.Severity, first, on)
	}
	for list := s.Options; len(list) > 0; {
		n := 1
		for n < len(list) && slices.Equal(list[n].Langs, list[0].Langs) {
			n++
		}
		b.WriteString("\nOptions")
		if langs := list[0].Langs; langs != nil {
			b.WriteString(" for " + strings.Join(langs, ", "))
		}
		b.WriteString(":\n")
		options(&b, list[:n])
		list = list[n:]
	}
	_, err := a.stdout.Write([]byte(b.String()))
	return err
}

func (a *app) explainRule(s *engine.Spec, r *engine.Rule) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s/%s\nseverity: %s\n", s.Name, r.Code, r.Severity)
	if !r.Default {
		b.WriteString("off by default: extend_select turns it on\n")
	}
	if r.Fixable {
		flag := "--fix"
		if s.Name == commitmsg.EngineName {
			flag = "--write"
		}
		b.WriteString("fixable with " + flag + "\n")
	}
	fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(r.Doc))
	if len(r.Options) > 0 {
		fmt.Fprintf(&b, "\nParameters, in [%s]:\n", ruleTable(s, r.Code))
		options(&b, r.Options)
	}
	fmt.Fprintf(&b, "\nsource: %s\n", cmp.Or(r.URL, "poly's own rule"))
	_, err := a.stdout.Write([]byte(b.String()))
	return err
}

// explainAstGrep explains a rule of the pack, or of the tree around.
func (a *app) explainAstGrep(ctx context.Context, id string) error {
	lib := rules.NewLibrary(nil, nil)
	if s, err := a.open(ctx, target{noCache: true}); err == nil {
		defer s.Close()
		lib = astgrep.LibraryOf(&engine.Env{RuleSources: s.config.Root().Rules, Tree: gitstate.FS(ctx, s.tree)})
	}
	set, err := lib.All()
	if err != nil {
		return err
	}
	r, ok := set.Find(id)
	if !ok {
		ids := make([]string, len(set.Rules))
		for i := range set.Rules {
			ids[i] = set.Rules[i].ID
		}
		hint := "poly rules list shows them"
		if n := usererr.Nearest(id, ids); n != "" {
			hint = "did you mean astgrep/" + n + "?"
		}
		return wrongUse(fmt.Sprintf("no ast-grep rule %q", id), hint)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "astgrep/%s\nseverity: %s\nlanguage: %s\n", r.ID, r.Severity, astgrep.LangOf(r.Lang.Name))
	if r.Fixable() {
		b.WriteString("fixable with --fix\n")
	}
	for _, part := range []string{r.Message, r.Note} {
		if part = strings.TrimSpace(part); part != "" {
			b.WriteString("\n" + part + "\n")
		}
	}
	source := r.File
	if r.Builtin {
		source = "poly's own rule"
	}
	fmt.Fprintf(&b, "\nsource: %s\n", cmp.Or(r.URL, source))
	_, err = a.stdout.Write([]byte(b.String()))
	return err
}

// ruleTable is the table of poly.toml that holds the parameters of a rule, for
// the first language of its engine.
func ruleTable(s *engine.Spec, code string) string {
	table := "lint." + s.Name
	if !s.Cross && len(s.Langs) > 0 {
		table = "lint." + string(s.Langs[0]) + "." + s.Name
	}
	if strings.Trim(code, bareKey) != "" {
		code = strconv.Quote(code)
	}
	return table + ".rules." + code
}

// bareKey are the characters of a key of TOML that needs no quotes.
const bareKey = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// options lists options or parameters, one a line.
func options(b *strings.Builder, list []config.Option) {
	for i := range list {
		o := &list[i]
		fmt.Fprintf(b, "  %-24s %s (%s)\n", o.Name, o.Doc, o.Form())
	}
}

func flagNames(c *cobra.Command) []string {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}
