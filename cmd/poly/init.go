package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"poly/internal/atomicfile"
	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/lang"
	"poly/internal/usererr"
)

func (a *app) initCommand() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:     "init",
		Short:   "Write a commented poly.toml for the languages of this repository",
		Example: "  poly init\n  poly init --force",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s := &session{app: a}
			defer s.Close()
			t := target{noCache: true}
			if err := s.locate(cmd.Context(), t); err != nil {
				return err
			}
			path := filepath.Join(s.root, config.FileName)
			if _, err := os.Lstat(path); err == nil && !force {
				return usererr.New("config-exists", path+" exists already", "poly init --force replaces it")
			} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			s.paths = nil
			if err := s.openTree(cmd.Context(), t); err != nil {
				return err
			}
			found := languages(s)
			if err := atomicfile.Write(path, []byte(initText(found, a.engines)), atomicfile.Options{Mode: 0o644}); err != nil {
				return err
			}
			_, err := fmt.Fprintf(a.stdout, "wrote %s for %s; next: poly lint\n", path, plural(len(found), "language"))
			return err
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace an existing poly.toml")
	return cmd
}

// langCount is a language of the tree and how many files are in it.
type langCount struct {
	id lang.ID
	n  int
}

// languages counts the files of each language by name, most files first.
func languages(s *session) []langCount {
	counts := map[lang.ID]int{}
	for f := range s.tree.Files() {
		if !f.Mode.Regular() {
			continue
		}
		if l := lang.Detect(f.Path); l != "" {
			counts[l]++
		}
	}
	var out []langCount
	for l, n := range counts {
		out = append(out, langCount{l, n})
	}
	slices.SortFunc(out, func(x, y langCount) int { return cmp.Or(cmp.Compare(y.n, x.n), cmp.Compare(x.id, y.id)) })
	return out
}

func initText(found []langCount, engines []engine.Engine) string {
	var b strings.Builder
	b.WriteString("# poly.toml: what poly lints and formats here. \"poly docs configuration\" lists every key;\n")
	b.WriteString("# \"poly config show --origin\" prints what is in force. What is commented out is a default or an example.\n\n")
	b.WriteString("[defaults]\n# line_length = 120\n# line_ending = \"lf\"\n# final_newline = true\n# trim_trailing_whitespace = true\n\n")
	b.WriteString("[discovery]\n# exclude = [\"third_party/\", \"*.min.js\"]  # gitignore-style, relative to this file\n\n")
	b.WriteString("# [per-file-ignores]\n# \"testdata/**\" = [\"ALL\"]\n")
	for _, l := range found {
		lints, formats := enginesFor(l.id, engines)
		if len(lints)+len(formats) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n# %s: %s\n", l.id.Name(), plural(l.n, "file"))
		for _, e := range lints {
			fmt.Fprintf(&b, "# [lint.%s.%s]\n", l.id, e.Name)
			if code := firstRule(e); code != "" {
				fmt.Fprintf(&b, "# ignore = [%q]\n", code)
			} else {
				b.WriteString("# enabled = true\n")
			}
		}
		for _, e := range formats {
			fmt.Fprintf(&b, "# [fmt.%s.%s]\n# enabled = true\n", l.id, e.Name)
		}
	}
	return b.String()
}

func enginesFor(l lang.ID, engines []engine.Engine) (lints, formats []*engine.Spec) {
	for i := range engines {
		e := &engines[i].Spec
		if e.Cross || !slices.Contains(e.Langs, l) {
			continue
		}
		if e.Verbs&engine.Lint != 0 {
			lints = append(lints, e)
		}
		if e.Verbs&engine.Format != 0 {
			formats = append(formats, e)
		}
	}
	return lints, formats
}

// firstRule returns a code that one might ignore: of a rule that is on, and
// what does not parse is never an example.
func firstRule(e *engine.Spec) string {
	for i := range e.Rules {
		if r := &e.Rules[i]; r.Default && r.Code != "syntax" {
			return r.Code
		}
	}
	return ""
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
