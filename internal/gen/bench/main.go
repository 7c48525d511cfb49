// Command bench measures poly against git status and the cost of starting a
// process, interleaved in one run, and prints a table of medians. Only ratios
// of one run mean anything. It exits 1 if a bound of the project is missed.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	poly := flag.String("poly", "bin/poly", "the binary to measure")
	sizes := flag.String("files", "25000,100000", "repository sizes; empty: none")
	hookFiles := flag.String("hooks", "10000,25000", "sizes of the repositories for hooks; empty: none")
	n := flag.Int("n", 15, "runs of each command")
	dir := flag.String("dir", "", "where to make repositories; empty: a temporary directory that is removed")
	flag.Parse()
	ok, err := bench(context.Background(), os.Stdout, *poly, *sizes, *hookFiles, *dir, *n)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// bounds collects verdicts.
type bounds struct {
	ctx    context.Context //nolint:containedctx // one run of a command line tool
	out    io.Writer
	missed []string
}

func (b *bounds) check(name string, got, limit float64, unit string) {
	verdict := "ok"
	if got > limit {
		verdict = "MISSED"
		b.missed = append(b.missed, name)
	}
	fmt.Fprintf(b.out, "%-64s %8.2f <= %6.2f %-3s %s\n", name, got, limit, unit, verdict)
}

// hookSizes measures hooks in repositories of several sizes.
func hookSizes(b *bounds, poly, dir string, env []string, sizes string, n int) error {
	if sizes == "" {
		return nil
	}
	peersDir := filepath.Join(dir, "peers")
	if err := os.MkdirAll(peersDir, 0o755); err != nil {
		return err
	}
	p, err := installPeers(b.ctx, peersDir)
	if err != nil {
		return err
	}
	for s := range strings.SplitSeq(sizes, ",") {
		files := 0
		if _, err := fmt.Sscan(s, &files); err != nil {
			return fmt.Errorf("size %q: %w", s, err)
		}
		if err := hooks(b, poly, dir, env, p, files, n); err != nil {
			return err
		}
	}
	return nil
}

func bench(ctx context.Context, out io.Writer, poly, sizes, hookFiles, dir string, n int) (bool, error) {
	poly, err := filepath.Abs(poly)
	if err != nil {
		return false, err
	}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "polybench"); err != nil {
			return false, err
		}
		defer func() { _ = os.RemoveAll(dir) }()
	}
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "POLY_CACHE_HOME=" + dir + "/cache", "POLY_STATE_HOME=" + dir + "/state",
		"GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
	}
	b := bounds{ctx: ctx, out: out}
	if err := startup(&b, poly, dir, env); err != nil {
		return false, err
	}
	if err := mixed(&b, poly, dir, env); err != nil {
		return false, err
	}
	for s := range strings.SplitSeq(sizes, ",") {
		if s == "" {
			continue
		}
		files := 0
		if _, err := fmt.Sscan(s, &files); err != nil {
			return false, fmt.Errorf("size %q: %w", s, err)
		}
		if err := repository(&b, poly, filepath.Join(dir, "repo"+s), env, files, n); err != nil {
			return false, err
		}
	}
	if err := hookSizes(&b, poly, dir, env, hookFiles, n); err != nil {
		return false, err
	}
	if err := rules(&b, poly, dir, env); err != nil {
		return false, err
	}
	// Last: it makes this process large, and what it starts counts that as its own peak.
	if err := modules(&b, dir); err != nil {
		return false, err
	}
	if len(b.missed) > 0 {
		fmt.Fprintf(out, "missed: %s\n", strings.Join(b.missed, "; "))
	}
	return len(b.missed) == 0, nil
}
