package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"poly/internal/lang"
	"poly/internal/usererr"
	"poly/internal/wasm"
)

// warmCommand compiles the Wasm modules that a run would have to compile.
func (a *app) warmCommand() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "warm [LANG]...",
		Short: "Compile the engines of this repository's languages ahead",
		Long: "Some engines are Wasm modules, which are compiled once for a user, at the first file that needs them or here.\n" +
			"Without a language: those that the files of this repository need.",
		Example: "  poly warm\n  poly warm python typescript\n  poly warm --all",
		Args:    cobra.ArbitraryArgs,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return a.moduleLangs(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if all && len(args) > 0 {
				return wrongUse("--all warms every engine: name no languages", "")
			}
			return a.warm(cmd.Context(), all, args)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "compile every engine that is built in")
	return cmd
}

// moduleLangs lists the languages for which an engine runs a module.
func (a *app) moduleLangs() []string {
	var out []string
	for i := range a.engines {
		for _, l := range a.engines[i].Langs {
			if len(a.engines[i].ModulesFor(l)) > 0 && !slices.Contains(out, string(l)) {
				out = append(out, string(l))
			}
		}
	}
	slices.Sort(out)
	return out
}

func (a *app) warm(ctx context.Context, all bool, names []string) error {
	s := &session{app: a}
	defer s.Close()
	if err := s.locate(ctx, target{}); err != nil {
		return err
	}
	if s.homeless != nil {
		return s.homeless
	}
	langs, err := s.langsToWarm(ctx, all, names)
	if err != nil {
		return err
	}
	modules, missing := a.modulesOf(langs, all)
	for _, name := range missing {
		fmt.Fprintf(a.stderr, "poly: warning: %s is not built in: run make engines\n", name)
	}
	if len(modules) == 0 && len(missing) > 0 {
		return nil
	}
	return a.compile(ctx, s.modules(), modules)
}

// langsToWarm returns the languages whose engines are to be compiled.
func (s *session) langsToWarm(ctx context.Context, all bool, names []string) ([]lang.ID, error) {
	var out []lang.ID
	switch {
	case all:
		for _, l := range s.moduleLangs() {
			out = append(out, lang.ID(l))
		}
	case len(names) > 0:
		for _, name := range names {
			if _, ok := lang.Lookup(lang.ID(name)); !ok {
				hint := "poly docs engines lists the languages"
				if n := usererr.Nearest(name, s.moduleLangs()); n != "" {
					hint = "did you mean " + n + "?"
				}
				return nil, wrongUse(fmt.Sprintf("unknown language %q", name), hint)
			}
			out = append(out, lang.ID(name))
		}
	default:
		s.paths = nil
		if err := s.openTree(ctx, target{}); err != nil {
			return nil, err
		}
		for _, l := range languages(s) {
			out = append(out, l.id)
		}
	}
	return out, nil
}

// modulesOf returns the modules that engines run for languages, and the
// engines that lack some. Engines that are off by default are left out, unless
// all are wanted that are built in.
func (a *app) modulesOf(langs []lang.ID, all bool) (modules, missing []string) {
	set := map[string]bool{}
	for i := range a.engines {
		e := &a.engines[i].Spec
		var names []string
		for _, l := range langs {
			if slices.Contains(e.Langs, l) && (!e.OptIn || all && e.BuiltIn()) {
				names = append(names, e.ModulesFor(l)...)
			}
		}
		if len(names) > 0 && !e.BuiltIn() {
			missing = append(missing, e.Name)
			continue
		}
		for _, name := range names {
			set[name] = true
		}
	}
	return slices.Sorted(maps.Keys(set)), missing
}

// compile compiles modules into dir, and tells of each.
func (a *app) compile(ctx context.Context, dir string, modules []string) error {
	if len(modules) == 0 {
		_, err := fmt.Fprintln(a.stdout, "Nothing to compile: no engine of these languages is a Wasm module.")
		return err
	}
	compiled := 0
	host := &wasm.Host{CacheDir: dir, Compiling: func(name string) {
		compiled++
		fmt.Fprintf(a.stderr, "compiling %s\n", name)
	}}
	start := a.now()
	for _, name := range modules {
		if _, err := host.Module(ctx, name); err != nil {
			return err
		}
	}
	for _, w := range host.Warnings() {
		fmt.Fprintln(a.stderr, "poly: warning:", w)
	}
	took := a.now().Sub(start).Round(100 * time.Millisecond)
	_, err := fmt.Fprintf(a.stdout, "%s ready, %d compiled in %s.\n", plural(len(modules), "engine module"), compiled, took)
	return err
}
