package peers

import (
	"context"
	"os"
	"path/filepath"
	"regexp"

	"poly/internal/gen/proof/lab"
)

var (
	// includes are replaced: what they name is not in the corpus.
	includes = regexp.MustCompile(`(?m)^( *)(include|sinclude|-include)\b([^:=?+\n]*)$`)
	// stop is a complaint about the text of a file, not about what it asks for.
	stop = regexp.MustCompile(`M\.mk:\d+: \*\*\* ((?:missing|extraneous|only one|recipe commences|commands commence|unterminated).*)`)
)

// makes asks GNU make to read each file in an empty directory, with a shell
// that does nothing and no program to be found.
func (b *bench) makes(ctx context.Context, tools []string, t tree) ([]string, error) {
	dir := filepath.Join(b.lab.Dir, "make")
	defer func() { _ = os.RemoveAll(dir) }()
	out := make([]string, len(t.files))
	for i, name := range t.files {
		text, err := os.ReadFile(filepath.Join(t.dir, name))
		if err != nil {
			return nil, err
		}
		file := filepath.Join(dir, "M.mk")
		if err := writeFile(file, includes.ReplaceAll(text, []byte("$1-include /nonexistent/x #$3"))); err != nil {
			return nil, err
		}
		r, err := b.lab.StartWith(ctx, []string{"PATH=/nonexistent"}, dir, nil, tools[0], "-rR", "-n", "-q", "-f", "M.mk", "SHELL="+tools[1], "MAKEFLAGS=", "nonexistent_target_xyz")
		if err != nil {
			return nil, err
		}
		if m := stop.FindSubmatch(r.Errs); m != nil {
			out[i] = lab.Clean(string(m[1]))
		}
	}
	return out, nil
}
