package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

const empty = `package main

// #include <stdlib.h>
import "C"

func main() { C.free(nil) }
`

// startup compares poly --version with a program that does nothing but link
// the C library, and sums what package initialisation costs.
func startup(b *bounds, poly, dir string, env []string) error {
	src := filepath.Join(dir, "empty")
	if err := os.MkdirAll(src, 0o755); err != nil {
		return err
	}
	if err := write(filepath.Join(src, "main.go"), []byte(empty)); err != nil {
		return err
	}
	if err := write(filepath.Join(src, "go.mod"), []byte("module empty\n\ngo 1.26\n")); err != nil {
		return err
	}
	build := exec.CommandContext(b.ctx, "go", "build", "-o", "empty", ".")
	build.Dir = src
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the empty program: %w: %s", err, out)
	}
	nothing := &contender{name: "empty cgo program", argv: []string{filepath.Join(src, "empty")}}
	version := &contender{name: "poly --version", argv: []string{poly, "--version"}}
	if err := race(b.ctx, dir, env, 40, nothing, version); err != nil {
		return err
	}
	fmt.Fprintf(b.out, "start: empty program %.2f ms, poly --version %.2f ms (least wall of 40)\n", least(nothing.samples, wall), least(version.samples, wall))
	b.check("poly --version / empty cgo program, wall", least(version.samples, wall)/least(nothing.samples, wall), 5, "x")
	sum := 1e9
	for range 5 {
		s, err := initClocks(b.ctx, poly, dir, env)
		if err != nil {
			return err
		}
		sum = min(sum, s)
	}
	b.check("package init, sum of clocks", sum, 8, "ms")
	return nil
}

// initClocks sums the clocks of package initialisation in milliseconds.
func initClocks(ctx context.Context, poly, dir string, env []string) (float64, error) {
	cmd := exec.CommandContext(ctx, poly, "--version")
	cmd.Dir, cmd.Env = dir, append(env, "GODEBUG=inittrace=1")
	var out bytes.Buffer
	cmd.Stderr = &out
	if err := cmd.Run(); err != nil {
		return 0, err
	}
	sum := 0.0
	for line := range strings.Lines(out.String()) {
		// init <package> @<time> ms, <clock> ms clock, <bytes> bytes, <n> allocs
		f := strings.Fields(line)
		if len(f) < 6 || f[0] != "init" {
			continue
		}
		ms, err := strconv.ParseFloat(f[4], 64)
		if err != nil {
			return 0, fmt.Errorf("init trace %q: %w", line, err)
		}
		sum += ms
	}
	return sum, nil
}
