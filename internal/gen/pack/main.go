// Command pack lays down the Wasm modules that are built into poly: it has npm
// fetch the packages that internal/wasm/pack/package.json names, checks each
// file it uses against engines.sum, inserts what makes a module stoppable (see
// internal/gen/tick), and writes what go:embed takes into
// internal/wasm/pack/blob. It does nothing where nothing has changed.
//
// It runs at the root of the module:
//
//	go run ./internal/gen/pack             make engines
//	go run ./internal/gen/pack -optional   the same; without npm it only says so
//	go run ./internal/gen/pack -update     write engines.sum anew
//	go run ./internal/gen/pack -pack biome the modules of an optional pack, in a folder of its own
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"

	"poly/internal/wasm/pack"
)

func main() {
	update := flag.Bool("update", false, "write the sums anew instead of checking them")
	optional := flag.Bool("optional", false, "succeed without npm, and without the engines")
	name := flag.String("pack", "", "an optional pack instead of the engines of every build")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	p := &packer{top: "internal", dir: filepath.Join("internal", "wasm", "pack"), sources: pack.Sources(), log: os.Stderr}
	if *name != "" {
		p.dir, p.sources = filepath.Join(p.dir, *name), pack.Optional(*name)
	}
	if len(p.sources) == 0 {
		fmt.Fprintf(os.Stderr, "pack: there is no pack %q\n", *name)
		os.Exit(2)
	}
	err := p.run(ctx, *update)
	if errors.Is(err, errNoNpm) && *optional {
		fmt.Fprintln(os.Stderr, "pack: npm is not installed: poly is built without its Wasm engines")
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

var errNoNpm = errors.New("npm is not installed, and is needed to fetch the Wasm engines")

func (p *packer) run(ctx context.Context, update bool) error {
	stamp, err := p.stamp()
	if err != nil {
		return err
	}
	if !update && p.fresh(stamp) {
		return nil
	}
	if !p.installed() {
		if err := install(ctx, p.dir); err != nil {
			return err
		}
	}
	if err := p.check(update); err != nil {
		return err
	}
	if update { // the sums are part of it
		if stamp, err = p.stamp(); err != nil {
			return err
		}
	}
	return p.pack(ctx, stamp)
}

// install has npm fetch what the lock names, and nothing of it run.
func install(ctx context.Context, dir string) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return errNoNpm
	}
	cmd := exec.CommandContext(ctx, npm, "ci", "--no-audit", "--no-fund")
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("npm ci in %s: %w", dir, err)
	}
	return nil
}
