// Command proof runs what takes too long for every commit and writes what came
// out as internal/docs/proof/<date>.md: public repositories under poly, parity
// with the tools that poly wraps, error findings before other judges, typos
// that somebody judged by reading, benchmarks, the long tests and fuzzing. It
// exits 1 if there is a fault.
//
// The repositories are not part of this one: see [repositories]. What is not
// there is named in the table and not run.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// options are the flags.
type options struct {
	poly, repos, dir, out string
	parts                 string
	fuzz                  time.Duration
	steps                 int
}

func main() {
	var o options
	flag.StringVar(&o.poly, "poly", "bin/poly", "the binary to prove")
	flag.StringVar(&o.repos, "repos", "../.mirror", "where the public repositories are, each in a directory OWNER+NAME/repo or OWNER+NAME")
	flag.StringVar(&o.dir, "dir", "", "where to work; empty: a temporary directory that is removed")
	flag.StringVar(&o.out, "out", "internal/docs/proof", "where the table goes")
	flag.StringVar(&o.parts, "parts", "", "comma-separated parts to run; empty: all")
	flag.DurationVar(&o.fuzz, "fuzz", 5*time.Minute, "time for all fuzz tests together")
	flag.IntVar(&o.steps, "steps", 600, "steps of each random walk of the runner")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	faults, err := prove(ctx, os.Stdout, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "proof:", err)
		os.Exit(2)
	}
	if faults > 0 {
		os.Exit(1)
	}
}

// proof is one run.
type proof struct {
	options
	log    io.Writer
	doc    document
	faults []string
	checks []*checkout // repositories that are there
	judge  *judge
}

// part is a section of the table.
type part struct {
	name, title string
	run         func(*proof, context.Context) error
}

var parts = []part{
	{"repositories", "Six public repositories and more", (*proof).survey},
	{"parity", "Parity with gofumpt and yamlfmt", (*proof).parity},
	{"alarms", "Error findings before other judges", (*proof).alarms},
	{"typos", "Typos judged by reading", (*proof).typos},
	{"bench", "Benchmarks", (*proof).bench},
	{"long", "Long tests", (*proof).long},
	{"fuzz", "Fuzzing", (*proof).fuzzing},
}

// prove runs the chosen parts and writes the table. It returns the number of
// faults.
func prove(ctx context.Context, log io.Writer, o options) (faults int, err error) {
	chosen, err := choose(o.parts)
	if err != nil {
		return 0, err
	}
	if o.poly, err = filepath.Abs(o.poly); err != nil {
		return 0, err
	}
	if o.dir == "" {
		if o.dir, err = os.MkdirTemp("", "polyproof"); err != nil {
			return 0, err
		}
		defer func() { _ = os.RemoveAll(o.dir) }()
	}
	if o.dir, err = filepath.Abs(o.dir); err != nil {
		return 0, err
	}
	p := &proof{options: o, log: log}
	p.judge = newJudge(ctx, p)
	now := time.Now().UTC()
	if err := p.head(ctx, now, chosen); err != nil {
		return 0, err
	}
	if err := p.checkouts(ctx); err != nil {
		return 0, err
	}
	for _, pt := range chosen {
		start := time.Now()
		fmt.Fprintf(log, "== %s\n", pt.title)
		p.doc.heading(pt.title)
		before := len(p.faults)
		if err := pt.run(p, ctx); err != nil {
			if ctx.Err() != nil {
				return 0, ctx.Err()
			}
			p.fault("%s did not finish: %v", pt.name, err)
		}
		p.doc.list("Faults", p.faults[before:])
		fmt.Fprintf(log, "   %s: %.0f s, %d faults\n", pt.name, time.Since(start).Seconds(), len(p.faults)-before)
	}
	name := filepath.Join(o.out, now.Format(time.DateOnly)+".md")
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return 0, err
	}
	fmt.Fprintf(log, "%d faults; see %s\n", len(p.faults), name)
	return len(p.faults), os.WriteFile(name, p.doc.bytes(len(p.faults)), 0o644)
}

func choose(names string) ([]part, error) {
	if names == "" {
		return parts, nil
	}
	var out []part
	for n := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(parts, func(p part) bool { return p.name == n })
		if i < 0 {
			return nil, fmt.Errorf("no part %q", n)
		}
		out = append(out, parts[i])
	}
	return out, nil
}

// fault notes something that must not be.
func (p *proof) fault(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	p.faults = append(p.faults, s)
	fmt.Fprintln(p.log, "   FAULT", s)
}
