package astgrep

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/lang"
	"poly/internal/rules"
)

// ListOptions say what [List] looks at.
type ListOptions struct {
	// Dirs replace the directories that the configuration names; none: those.
	// They are relative to the root of the tree.
	Dirs []string
	// NoPack leaves the built-in rules out.
	NoPack bool
	// Test runs the tests in the directories; TestPack those of built-in rules too.
	Test, TestPack bool
}

// List returns the rules that a run applies to a tree under a configuration.
func List(ctx context.Context, eff *config.Effective, tree fs.FS, o ListOptions) (*rules.Listing, error) {
	out := &rules.Listing{Dirs: []string{}, Rules: []rules.Listed{}}
	if out.Dirs = append(out.Dirs, o.Dirs...); len(o.Dirs) == 0 {
		for _, d := range eff.Rules.Dirs {
			if d.Outside == "" && d.Git == "" {
				out.Dirs = append(out.Dirs, d.Path)
			} else {
				out.Notes = append(out.Notes, rules.Problem{File: d.Origin.String(), Msg: "a directory of rules outside of the tree is not read"})
			}
		}
	}
	set, err := rules.NewLibrary(tree, out.Dirs).Without(o.NoPack).All()
	if err != nil {
		return nil, err
	}
	sels := map[string]engine.Selection{}
	for i := range set.Rules {
		r := &set.Rules[i]
		sel, ok := sels[r.Lang.Name]
		if !ok {
			if sel, err = engine.NewSelection(&Engine.Spec, engine.PicksOf(eff.Lint(string(LangOf(r.Lang.Name)), Engine.Name))); err != nil {
				return nil, err
			}
			sels[r.Lang.Name] = sel
		}
		out.Rules = append(out.Rules, listed(r, sel, eff))
	}
	slices.SortStableFunc(out.Rules, func(a, b rules.Listed) int {
		if c := strings.Compare(a.Language, b.Language); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	out.Problems, out.Unbuilt, out.Notes = set.Problems, set.Unbuilt, append(out.Notes, set.Notes...)
	if o.Test || o.TestPack {
		out.Tested, err = test(ctx, set, tree, out.Dirs, o.TestPack)
	}
	return out, err
}

func listed(r *rules.Rule, sel engine.Selection, eff *config.Effective) rules.Listed {
	l := rules.Listed{
		ID: r.ID, Language: string(LangOf(r.Lang.Name)), Source: "user", DefaultSeverity: r.Severity, Severity: Severity(r, sel).String(),
		Message: r.Message, File: r.File,
	}
	if r.Builtin {
		l.Source = "builtin"
	}
	if l.Severity == "" {
		l.Severity = "off"
	}
	on := eff.Lint(l.Language, Engine.Name).Enabled
	l.Enabled = (on == nil || *on) && Enabled(r, sel, eff.Rules.Disable)
	return l
}

// LangOf is the language whose table in poly.toml is about a grammar.
func LangOf(grammar string) lang.ID {
	if grammar == "bash" {
		return "shell"
	}
	return lang.ID(grammar)
}

// test runs the tests of rules.
func test(ctx context.Context, set *rules.Set, tree fs.FS, dirs []string, builtin bool) (*rules.Tested, error) {
	t := rules.NewTester(set)
	defer t.Close()
	for _, dir := range dirs {
		if err := t.AddDir(ctx, tree, dir, rules.IsTestFile); err != nil {
			return nil, err
		}
	}
	if builtin {
		if err := t.AddPack(ctx); err != nil {
			return nil, err
		}
	}
	tested := slices.DeleteFunc(slices.Clone(set.Rules), func(r rules.Rule) bool { return r.Builtin && !builtin })
	return t.Result(tested), nil
}
