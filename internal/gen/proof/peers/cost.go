package peers

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"poly/internal/engine"
	"poly/internal/gen/proof/lab"
)

// The bounds that the project has set itself.
const (
	slowest     = 1.3      // CPU time of poly by that of a command
	heaviest    = 90 << 20 // bytes of the stripped binary
	imponderous = 100 * time.Millisecond
)

// fastest runs alternatives n times each, in turn, and returns the least CPU
// time of each: what else the machine does makes runs slower only.
func (b *bench) fastest(ctx context.Context, n int, runs ...func() (lab.Result, error)) ([]time.Duration, error) {
	least := make([]time.Duration, len(runs))
	for i := range n {
		for k, run := range runs {
			r, err := run()
			if err != nil {
				return nil, err
			}
			if i == 0 || r.CPU < least[k] {
				least[k] = r.CPU
			}
		}
	}
	return least, ctx.Err()
}

// configured runs poly lint with a configuration of its own.
func (b *bench) configured(ctx context.Context, dir, config string) (lab.Result, error) {
	name := filepath.Join(b.lab.Dir, "configured.toml")
	if err := writeFile(name, []byte(config)); err != nil {
		return lab.Result{}, err
	}
	return b.lab.Start(ctx, dir, nil, b.lab.Poly, "lint", "--config", name, "--no-cache", "--format", "json", ".")
}

// enough is how many files a cost is measured over.
const enough = 2000

// cost measures formatters and those linters that their own parts start once
// for each repository, and the binary.
func (b *bench) cost(ctx context.Context) error {
	b.lab.Page.Line("CPU seconds, user and system, of cold runs: the command looking for files to format, and `poly fmt --check --no-cache .` with this\n"+
		"engine alone; the least of three in turn. *As found* is files as their repositories have them, *formatted* those of them that both leave\n"+
		"alone, *to change* the same with a change that both undo: the two ends of what can be met. Corpora of fewer than %d files are taken more\n"+
		"than once, each copy with a remark of its own. poly may take %.1f times as much.", enough, slowest)
	if err := b.costs(ctx, formatters); err != nil {
		return err
	}
	if err := b.together(ctx); err != nil {
		return err
	}
	return b.size(ctx)
}

// costs measures formatters that only look against poly fmt --check.
func (b *bench) costs(ctx context.Context, all []formatter) error {
	t := lab.NewTable("command", "files as found", "command s", "poly s", "ratio", "files formatted", "command s", "poly s", "ratio", "files to change", "command s", "poly s", "ratio")
	for i := range all {
		f := &all[i]
		if f.single {
			b.lab.Page.Line("%s takes one file, so its cost is that of its starts.", f.name)
			continue
		}
		tool, err := f.fetch(ctx, b.kit)
		if err != nil {
			b.absent(f.name, err)
			continue
		}
		row := []any{f.name}
		trees, err := b.ready(ctx, f, tool)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		for k, tr := range trees {
			cpu, err := b.fastest(ctx, 3, func() (lab.Result, error) {
				d, _, err := b.over(ctx, f, tool, f.check, tr)
				return lab.Result{CPU: d}, err
			}, func() (lab.Result, error) {
				_, r, err := b.run(ctx, tr.dir, f.config(), "--check")
				return r, err
			})
			if err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
			what := f.name + [3]string{", as found", ", formatted", ", to change"}[k]
			row = append(row, len(tr.files), lab.Seconds(cpu[0]), lab.Seconds(cpu[1]), b.ratio(what, cpu[1], cpu[0]))
		}
		t.Row(row...)
	}
	b.lab.Page.Table(t)
	return os.RemoveAll(filepath.Join(b.lab.Dir, "cost"))
}

// ready makes three trees for a formatter: files as they are found, those of
// them that it and poly leave alone, and the same with something to change.
func (b *bench) ready(ctx context.Context, f *formatter, tool string) (out [3]tree, err error) {
	tr, err := b.drawn(ctx, &f.corpus)
	if err != nil {
		return out, err
	}
	base := filepath.Join(b.lab.Dir, "cost", f.corpus.name)
	if err := os.RemoveAll(base); err != nil {
		return out, err
	}
	raw, err := b.enlarge(ctx, tr, filepath.Join(base, "raw"), f.remark, func(k int, name string) string { return fmt.Sprintf("copy%d/%s", k, name) })
	if err != nil {
		return out, err
	}
	found := tree{dir: filepath.Join(base, "found")}
	if err := os.CopyFS(found.dir, os.DirFS(raw.dir)); err != nil {
		return out, err
	}
	_, refused, err := b.over(ctx, f, tool, f.args, raw)
	if err != nil {
		return out, err
	}
	raw.files = slices.DeleteFunc(raw.files, func(name string) bool { return slices.Contains(refused, name) })
	found.files = raw.files
	for _, name := range refused {
		if err := os.Remove(filepath.Join(found.dir, name)); err != nil {
			return out, err
		}
	}
	if err := b.lib.index(ctx, found.dir); err != nil {
		return out, err
	}
	out[0] = found
	if out[1], err = b.kept(ctx, f, raw, filepath.Join(base, "formatted"), false); err != nil {
		return out, err
	}
	spoiled := tree{dir: filepath.Join(base, "spoiled"), files: out[1].files}
	for _, name := range spoiled.files {
		text, err := os.ReadFile(filepath.Join(out[1].dir, name))
		if err == nil {
			err = writeFile(filepath.Join(spoiled.dir, name), f.spoil(name, text))
		}
		if err != nil {
			return out, err
		}
	}
	if err := b.lib.index(ctx, spoiled.dir); err != nil {
		return out, err
	}
	out[2], err = b.kept(ctx, f, spoiled, filepath.Join(base, "to change"), true)
	return out, err
}

// spoil changes a text so that its formatter has something to do.
func (f *formatter) spoil(name string, text []byte) []byte {
	switch {
	case !f.corpus.want(name) || path.Base(name) == "go.mod":
		return text
	case f.engine == "hcl":
		return bytes.Replace(text, []byte(" = "), []byte("  = "), 1)
	}
	return append(bytes.TrimRight(text, "\n"), "\n\n\n\n"...)
}

// enlarge copies a tree as often as it takes to have enough files. Copies differ
// by a remark.
func (b *bench) enlarge(ctx context.Context, tr tree, dir, remark string, place func(k int, name string) string) (tree, error) {
	out := tree{dir: dir}
	goal := enough
	if n := b.lab.Limit; n > 0 {
		goal = min(n, goal)
	}
	for k := 0; len(out.files) < goal; k++ {
		for _, name := range tr.files {
			text, err := os.ReadFile(filepath.Join(tr.dir, name))
			if err != nil {
				return out, err
			}
			if k > 0 {
				text = fmt.Appendf(append(bytes.TrimRight(text, "\n"), '\n'), "%s %d\n", remark, k)
			}
			to := place(k, name)
			if err := writeFile(filepath.Join(dir, to), text); err != nil {
				return out, err
			}
			out.files = append(out.files, to)
		}
	}
	slices.Sort(out.files)
	return out, b.lib.index(ctx, dir)
}

// kept copies files that poly formats to a new tree: those that it changes, or
// those that it does not.
func (b *bench) kept(ctx context.Context, f *formatter, from tree, dir string, changed bool) (tree, error) {
	out := tree{dir: dir}
	work := dir + " work"
	if err := os.CopyFS(work, os.DirFS(from.dir)); err != nil {
		return out, err
	}
	doc, _, err := b.run(ctx, work, f.config(), "--fix")
	if err != nil {
		return out, err
	}
	skipped := map[string]bool{}
	for _, x := range doc.Results {
		skipped[x.Path] = x.Skipped != "" || x.Error != ""
	}
	for _, name := range from.files {
		before, err := os.ReadFile(filepath.Join(from.dir, name))
		if err != nil {
			return out, err
		}
		after, err := os.ReadFile(filepath.Join(work, name))
		if err != nil {
			return out, err
		}
		aside := path.Base(name) == "go.mod"
		if !aside && (skipped[name] || bytes.Equal(before, after) == changed) {
			continue
		}
		if err := writeFile(filepath.Join(dir, name), before); err != nil {
			return out, err
		}
		out.files = append(out.files, name)
	}
	return out, b.lib.index(ctx, dir)
}

// linterCosts are those that their parts start for each repository: here they
// get one tree.
var linterCosts = []struct {
	name, engine, also string
	corpus             corpus
	remark             string
	fetch              func(context.Context, *kit) (string, error)
	args               []string
}{
	{
		name: "actionlint", engine: "actionlint", also: "yaml", remark: "#", fetch: golang("github.com/rhysd/actionlint/cmd/actionlint"),
		args: []string{"-shellcheck=", "-pyflakes=", "-format", "{{json .}}"},
		corpus: corpus{name: "workflows of one repository", each: 500, total: 4000, flat: true, place: flatWorkflow, want: func(p string) bool {
			return workflow(p) && !strings.Contains(p, "/actions/") && (!strings.HasPrefix(p, ".github/") || strings.HasPrefix(p, ".github/workflows/"))
		}},
	},
	{
		name: "revive", engine: "revive", remark: "//", fetch: golang("github.com/mgechev/revive"), args: []string{"-formatter", "json", "./..."},
		corpus: corpus{name: "Go", each: 200, total: 2600, want: func(p string) bool { return ext(".go")(p) || path.Base(p) == "go.mod" }, group: path.Dir},
	},
	{
		name: "editorconfig-checker", engine: "editorconfig", remark: "#", args: []string{"-no-color", "-format", "gcc"},
		fetch:  installed("github.com/editorconfig-checker/editorconfig-checker/v3/cmd/editorconfig-checker"),
		corpus: corpus{name: "mixed", each: 40, total: 4000, want: func(string) bool { return true }},
	},
}

// together measures linters over one tree.
func (b *bench) together(ctx context.Context) error {
	b.lab.Page.Line("Linters over one tree, the least of three in turn:")
	t := lab.NewTable("command", "files", "command s", "poly s", "ratio")
	for i := range linterCosts {
		l := &linterCosts[i]
		tool, err := l.fetch(ctx, b.kit)
		if err != nil {
			b.absent(l.name, err)
			continue
		}
		tr, err := b.drawn(ctx, &l.corpus)
		if err != nil {
			return err
		}
		dir := filepath.Join(b.lab.Dir, "cost", l.name)
		if err := writeFile(filepath.Join(dir, ".editorconfig"), []byte("root = true\n[*]\ncharset = utf-8\nend_of_line = lf\nindent_style = space\ntrim_trailing_whitespace = true\ninsert_final_newline = true\n")); err != nil {
			return err
		}
		all, err := b.enlarge(ctx, tr, dir, l.remark, func(k int, name string) string {
			if k == 0 {
				return name
			}
			return filepath.Join(filepath.Dir(name), fmt.Sprintf("copy%d__%s", k, filepath.Base(name)))
		})
		if err != nil {
			return err
		}
		cpu, err := b.fastest(ctx, 3, func() (lab.Result, error) {
			return b.lab.Start(ctx, all.dir, nil, append([]string{tool}, l.args...)...)
		}, func() (lab.Result, error) {
			_, r, err := b.run(ctx, all.dir, setup{engine: l.engine, verb: engine.Lint, also: l.also})
			return r, err
		})
		if err != nil {
			return err
		}
		t.Row(l.name, len(all.files), lab.Seconds(cpu[0]), lab.Seconds(cpu[1]), b.ratio(l.name, cpu[1], cpu[0]))
	}
	b.lab.Page.Table(t)
	return os.RemoveAll(filepath.Join(b.lab.Dir, "cost"))
}

// ratio compares CPU times for a cell. Below a tenth of a second the start of
// a process decides.
func (b *bench) ratio(name string, ours, theirs time.Duration) string {
	r := ours.Seconds() / max(theirs.Seconds(), 0.001)
	if r > slowest && ours > imponderous {
		b.lab.Fault("%s: poly takes %.2f times the CPU of the command: %s s and %s s", name, r, lab.Seconds(ours), lab.Seconds(theirs))
	}
	return fmt.Sprintf("%.2f", r)
}

// size builds the binary as it is released.
func (b *bench) size(ctx context.Context) error {
	name := filepath.Join(b.lab.Dir, "stripped")
	if err := lab.Go(ctx, "build", "-trimpath", "-ldflags", "-s -w", "-o", name, "./cmd/poly"); err != nil {
		return err
	}
	fi, err := os.Stat(name)
	if err != nil {
		return err
	}
	b.lab.Page.Line("The stripped binary has %.1f MiB; at most %d.", float64(fi.Size())/(1<<20), heaviest>>20)
	if fi.Size() > heaviest {
		b.lab.Fault("the stripped binary has %d bytes", fi.Size())
	}
	return nil
}
