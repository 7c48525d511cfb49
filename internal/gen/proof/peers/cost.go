package peers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
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

// cost measures formatters that only look against poly fmt --check, and the
// binary.
func (b *bench) cost(ctx context.Context) error {
	b.lab.Page.Line("CPU seconds, user and system, of cold runs: the command looking for files to format, and `poly fmt --check --no-cache .` with this\n"+
		"engine alone; the least of three in turn. poly may take %.1f times as much. Those of other linters stand in their tables.", slowest)
	t := lab.NewTable("command", "files", "command s", "poly s", "ratio")
	for i := range formatters {
		f := &formatters[i]
		tool, err := f.fetch(ctx, b.kit)
		if err != nil {
			b.absent(f.name, err)
			continue
		}
		tr, err := b.drawn(ctx, &f.corpus)
		if err != nil {
			return err
		}
		cpu, err := b.fastest(ctx, 3, func() (lab.Result, error) {
			d, err := b.over(ctx, f, tool, f.check, tr)
			return lab.Result{CPU: d}, err
		}, func() (lab.Result, error) {
			_, r, err := b.run(ctx, tr.dir, f.config(), "--check")
			return r, err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		t.Row(f.name, len(tr.files), lab.Seconds(cpu[0]), lab.Seconds(cpu[1]), b.ratio(f.name, cpu[1], cpu[0]))
	}
	if err := b.workflows(ctx, t); err != nil {
		return err
	}
	b.lab.Page.Table(t)
	return b.size(ctx)
}

// together is the workflows of all repositories as those of one.
var together = corpus{name: "workflows of one repository", each: 500, total: 4000, flat: true, place: flatWorkflow, want: func(p string) bool {
	return workflow(p) && !strings.Contains(p, "/actions/") && (!strings.HasPrefix(p, ".github/") || strings.HasPrefix(p, ".github/workflows/"))
}}

// workflows measures actionlint, which in the part of its findings starts once
// for each repository.
func (b *bench) workflows(ctx context.Context, t *lab.Table) error {
	tool, err := b.kit.golang(ctx, "github.com/rhysd/actionlint/cmd/actionlint")
	if err != nil {
		b.absent("actionlint", err)
		return nil
	}
	tr, err := b.drawn(ctx, &together)
	if err != nil {
		return err
	}
	cpu, err := b.fastest(ctx, 3, func() (lab.Result, error) {
		return b.lab.Start(ctx, tr.dir, nil, tool, "-shellcheck=", "-pyflakes=", "-format", "{{json .}}")
	}, func() (lab.Result, error) {
		_, r, err := b.run(ctx, tr.dir, setup{engine: "actionlint", verb: engine.Lint, also: "yaml"})
		return r, err
	})
	if err != nil {
		return err
	}
	t.Row("actionlint", len(tr.files), lab.Seconds(cpu[0]), lab.Seconds(cpu[1]), b.ratio("actionlint", cpu[1], cpu[0]))
	return nil
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
