// Command costs measures what each engine adds to poly: to the size of the
// stripped binary, and to the start of every process. It builds a program with
// the seam alone, and one for each engine with that engine besides; shared
// libraries therefore count for every engine that has them.
//
// It runs at the root of the module and writes internal/gen/docs/costs.tsv,
// which the page of engines shows. Figures are of one machine: it is run by
// hand (make costs, with -tags extra), not by go generate.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"poly/internal/engine/all"
)

// runs is how often a program is started; the least of all counts.
const runs = 15

func main() {
	if err := run(context.Background(), filepath.Join("internal", "gen", "docs", "costs.tsv")); err != nil {
		fmt.Fprintln(os.Stderr, "costs:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, to string) error {
	dir, err := os.MkdirTemp("", "costs")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	only := os.Args[1:] // the others keep what was measured before
	kept, err := rows(to)
	if err != nil {
		return err
	}
	base, err := measure(ctx, dir, "poly/internal/engine", "Engine{}")
	if err != nil {
		return err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Measured %s by internal/gen/costs: engine, ms of package init, bytes of stripped binary.\n", time.Now().UTC().Format(time.DateOnly))
	for _, e := range all.Engines() {
		if row := kept[e.Name]; row != "" && len(only) > 0 && !slices.Contains(only, e.Name) {
			b.WriteString(row)
			continue
		}
		fmt.Fprintln(os.Stderr, e.Name)
		c, err := measure(ctx, dir, "poly/internal/engine/"+strings.ReplaceAll(e.Name, "_", ""), "Engine")
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		fmt.Fprintf(&b, "%s\t%.2f\t%d\n", e.Name, max(0, c.ms-base.ms), max(0, c.bytes-base.bytes))
	}
	return os.WriteFile(to, b.Bytes(), 0o644)
}

// rows returns the lines of the table in the file, by engine.
func rows(file string) (map[string]string, error) {
	table, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	lines := map[string]string{}
	for line := range strings.Lines(string(table)) {
		name, _, _ := strings.Cut(line, "\t")
		lines[name] = line
	}
	return lines, nil
}

type cost struct {
	ms    float64
	bytes int64
}

// program uses a value of a package in a way that keeps the linker from
// leaving out what can be reached from it.
const program = `package main

import (
	"os"

	e %q
)

func main() {
	if len(os.Args) > 9 {
		v := e.%s
		println(v.Bind)
	}
}
`

// measure builds a program that links what can be reached from a value of a
// package: an [engine.Engine].
func measure(ctx context.Context, dir, pkg, value string) (cost, error) {
	source := filepath.Join(dir, "main.go")
	if err := os.WriteFile(source, fmt.Appendf(nil, program, pkg, value), 0o600); err != nil {
		return cost{}, err
	}
	// The program must be of this module, to import its internal packages.
	place, err := filepath.Abs(filepath.Join("internal", "gen", "costs", "probe", "main.go"))
	if err != nil {
		return cost{}, err
	}
	overlay := filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{place: source}})
	if err != nil {
		return cost{}, err
	}
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return cost{}, err
	}
	exe := filepath.Join(dir, "probe")
	build := exec.CommandContext(ctx, "go", "build", "-tags", "extra", "-trimpath", "-ldflags", "-s -w", "-overlay", overlay, "-o", exe, "./internal/gen/costs/probe")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return cost{}, err
	}
	info, err := os.Stat(exe)
	if err != nil {
		return cost{}, err
	}
	c := cost{bytes: info.Size()}
	for n := range runs {
		ms, err := start(ctx, exe)
		if err != nil {
			return c, err
		}
		if n == 0 || ms < c.ms {
			c.ms = ms
		}
	}
	return c, nil
}

// start runs a program and adds up what its packages took to initialise.
func start(ctx context.Context, exe string) (ms float64, err error) {
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		return 0, err
	}
	return sum(trace.String())
}

// sum adds up what an init trace says: "init <package> @<time> ms, <clock> ms
// clock, ..." for each package.
func sum(trace string) (ms float64, err error) {
	for line := range strings.Lines(trace) {
		f := strings.Fields(line)
		if len(f) < 6 || f[0] != "init" {
			continue
		}
		v, err := strconv.ParseFloat(f[4], 64)
		if err != nil {
			return 0, fmt.Errorf("init trace %q: %w", line, err)
		}
		ms += v
	}
	return ms, nil
}
