package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"poly/internal/atomicfile"
	"poly/internal/config"
	"poly/internal/gitstate"
	"poly/internal/report"
)

func (a *app) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "config",
		Short:   "Show the configuration in force, or pin its git bases",
		Example: "  poly config show --origin\n  poly config update",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.configShow(), a.configUpdate())
	return cmd
}

func (a *app) configShow() *cobra.Command {
	var format, file string
	var origin bool
	cmd := &cobra.Command{
		Use:     "show [DIR]",
		Aliases: []string{"resolve"},
		Short:   "Print every value in force for a directory, defaults included",
		Example: "  poly config show\n  poly config show --origin pkg/app",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out, err := report.Find(format)
			if err != nil {
				return err
			}
			entries, err := a.show(cmd.Context(), target{paths: args, configFile: file}, origin)
			if err != nil {
				return err
			}
			if out.Name == report.Pretty {
				var b strings.Builder
				printEntries(&b, "", entries)
				_, err := a.stdout.Write([]byte(b.String()))
				return err
			}
			return a.object(out, entryObject(entries, origin))
		},
	}
	cmd.Flags().StringVar(&format, "format", report.Pretty, "output format: pretty, json or toon")
	cmd.Flags().StringVar(&file, "config", "", "use this `FILE` instead of the poly.toml files of the tree")
	cmd.Flags().BoolVar(&origin, "origin", false, "tell where each value was written")
	return cmd
}

// show returns the values in force for the first path of t, and tells notes on
// stderr.
func (a *app) show(ctx context.Context, t target, origin bool) ([]config.Entry, error) {
	s, err := a.open(ctx, t)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	dir := s.paths[0]
	if fi, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(dir))); err != nil {
		return nil, wrongUse("no such directory: "+strings.Join(t.paths, " "), "")
	} else if !fi.IsDir() {
		dir = slashDir(dir)
	}
	for _, n := range s.config.Notes() {
		fmt.Fprintln(a.stderr, "poly: note:", n)
	}
	entries := s.config.For(dir).Show(origin)
	if origin {
		native, err := s.natives(ctx, dir)
		if err != nil {
			return nil, err
		}
		entries = append(entries, native...)
	}
	return entries, nil
}

// effective is the document of poly config show.
func (a *app) effective(ctx context.Context, t target) (report.Object, error) {
	entries, err := a.show(ctx, t, false)
	return entryObject(entries, false), err
}

// natives lists the files of tools that are obeyed in a folder because poly.toml
// has no table for their engine, by language and engine.
func (s *session) natives(ctx context.Context, dir string) ([]config.Entry, error) {
	eff := s.config.For(dir)
	var out []config.Entry
	for i := range s.engines {
		e := &s.engines[i]
		if e.Native == nil {
			continue
		}
		for _, l := range e.Langs {
			if eff.Lint(string(l), e.Name).Configured || eff.Fmt(string(l), e.Name).Configured {
				continue
			}
			file, err := e.Native(gitstate.FS(ctx, s.tree), dir)
			if err != nil {
				return nil, err
			}
			if file != "" {
				of := config.Entry{Key: e.Name, Value: file, Origin: file}
				out = append(out, config.Entry{Key: "native", Value: []config.Entry{{Key: string(l), Value: []config.Entry{of}}}})
			}
		}
	}
	return out, nil
}

func slashDir(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return "."
}

// printEntries writes one line a value: the dotted key, the value as TOML
// would have it, and its origin as a comment.
func printEntries(b *strings.Builder, prefix string, entries []config.Entry) {
	for _, e := range entries {
		key := prefix + tomlKey(e.Key)
		if sub, ok := e.Value.([]config.Entry); ok {
			printEntries(b, key+".", sub)
			continue
		}
		fmt.Fprintf(b, "%s = %s", key, tomlValue(e.Value))
		if e.Origin != "" {
			fmt.Fprintf(b, "  # %s", e.Origin)
		}
		b.WriteByte('\n')
	}
}

func tomlKey(k string) string {
	for _, c := range k {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-') {
			return fmt.Sprintf("%q", k)
		}
	}
	if k == "" {
		return `""`
	}
	return k
}

func tomlValue(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = tomlValue(v[i])
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []config.Entry:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = tomlKey(v[i].Key) + " = " + tomlValue(v[i].Value)
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return fmt.Sprint(v)
}

// entryObject is the machine's form. With origins each value is an object
// {value, origin}.
func entryObject(entries []config.Entry, origin bool) report.Object {
	o := report.Object{}
	for _, e := range entries {
		switch v := e.Value.(type) {
		case []config.Entry:
			o = o.With(e.Key, entryObject(v, origin))
		default:
			if origin {
				o = o.With(e.Key, report.Object{}.With("value", plainValue(v)).With("origin", e.Origin))
			} else {
				o = o.With(e.Key, plainValue(v))
			}
		}
	}
	return o
}

func plainValue(v any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	out := make([]any, len(list))
	for i := range list {
		if sub, ok := list[i].([]config.Entry); ok {
			out[i] = entryObject(sub, false)
		} else {
			out[i] = plainValue(list[i])
		}
	}
	return out
}

func (a *app) configUpdate() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:     "update",
		Short:   "Fetch the git bases of extends and pin them in poly-config.lock",
		Example: "  poly config update\n  poly config update --config ci/poly.toml",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s := &session{app: a}
			defer s.Close()
			t := target{configFile: file, noCache: true}
			if err := s.locate(cmd.Context(), t); err != nil {
				return err
			}
			return s.update(cmd.Context(), file)
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "update the bases of this `FILE`")
	return cmd
}

func (s *session) update(ctx context.Context, file string) error {
	if err := s.openTree(ctx, target{noCache: true}); err != nil {
		return err
	}
	o, err := s.configOptions(ctx, file)
	if err != nil {
		return err
	}
	name := filepath.Join(s.root, config.FileName)
	if file != "" {
		name = o.File
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return wrongUse("no configuration at "+name, "poly init writes one")
	}
	b := s.bases()
	lock, err := config.Update(ctx, o, b.resolve, b.fetch)
	if err != nil {
		return err
	}
	for _, src := range lock.Sources {
		fmt.Fprintf(s.stdout, "%s %s -> %s%s\n", src.Git, src.Revision, src.OID, carries(src))
	}
	fmt.Fprintf(s.stdout, "%d git bases pinned\n", len(lock.Sources))
	path := filepath.Join(s.root, config.LockFileName)
	if text := lock.Encode(); text != nil {
		return atomicfile.Write(path, text, atomicfile.Options{Mode: 0o644})
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// carries warns of a base that may make poly run commands.
func carries(l config.Locked) string {
	var has []string
	if l.Hooks {
		has = append(has, "[hooks]")
	}
	if l.Tools {
		has = append(has, "[tools]")
	}
	if len(has) == 0 {
		return ""
	}
	return "  (has " + strings.Join(has, " and ") + ")"
}
