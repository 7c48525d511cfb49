// Command proof runs what takes too long for every commit and writes what came
// out as pages of internal/docs/proof. It exits 1 if there is a fault.
//
// <date>.md is the core: public repositories under poly, parity with gofumpt
// and yamlfmt, error findings before other judges, typos that somebody judged
// by reading, benchmarks, the long tests and fuzzing. <date>-engines.md is what
// package peers has: the other engines before the tools whose rules or formats
// they have; <date>-engines.tsv lists what that page counts. A page is written if one of its parts ran; with -parts, sections
// of parts that did not run are kept from the page of the same day, so that the
// parts can run one by one.
//
// The repositories are not part of this one: see [repositories] and package
// peers. What is not there is named on the page and not run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"poly/internal/gen/proof/judge"
	"poly/internal/gen/proof/lab"
	"poly/internal/gen/proof/peers"
)

// options are the flags.
type options struct {
	poly, repos, dir, out string
	parts                 string
	fuzz                  time.Duration
	steps, limit          int
}

func main() {
	var o options
	flag.StringVar(&o.poly, "poly", "bin/poly", "the binary to prove")
	flag.StringVar(&o.repos, "repos", "../.mirror", "where the public repositories are, each in a directory OWNER+NAME/repo or OWNER+NAME")
	flag.StringVar(&o.dir, "dir", "", "where to work; empty: a temporary directory that is removed")
	flag.StringVar(&o.out, "out", "internal/docs/proof", "where the table goes")
	flag.StringVar(&o.parts, "parts", "", "comma-separated parts to run, or `core` or `engines`; empty: all")
	flag.DurationVar(&o.fuzz, "fuzz", 5*time.Minute, "time for all fuzz tests together")
	flag.IntVar(&o.limit, "limit", 0, "the most files of each corpus of the engines; 0: as many as the page needs")
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

// proof is one run of the core.
type proof struct {
	*lab.Lab
	options
	checks []*checkout // repositories that are there
	judge  *judge.Judge
}

// core is the parts of the first page.
func (p *proof) core() []lab.Part {
	part := func(name, title string, run func(*proof, context.Context) error) lab.Part {
		return lab.Part{Name: name, Title: title, Run: func(ctx context.Context, _ *lab.Lab) error { return run(p, ctx) }}
	}
	return []lab.Part{
		part("repositories", "Six public repositories and more", (*proof).survey),
		part("parity", "Parity with gofumpt and yamlfmt", (*proof).parity),
		part("alarms", "Error findings before other judges", (*proof).alarms),
		part("typos", "Typos judged by reading", (*proof).typos),
		part("bench", "Benchmarks", (*proof).bench),
		part("long", "Long tests", (*proof).long),
		part("fuzz", "Fuzzing", (*proof).fuzzing),
	}
}

// sheet is a page: its parts, and what they need first.
type sheet struct {
	name    string // of all its parts, in -parts
	suffix  string // of the file
	records string // ending of the name of its table, if it has one
	parts   []lab.Part
	prepare func(context.Context) error
}

// prove runs the chosen parts and writes the pages. It returns the number of
// faults.
func prove(ctx context.Context, log io.Writer, o options) (faults int, err error) {
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
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return 0, err
	}
	p := &proof{Lab: &lab.Lab{Poly: o.poly, Repos: o.repos, Dir: o.dir, Limit: o.limit, Log: log}, options: o}
	sheets := []sheet{
		{name: "core", parts: p.core(), prepare: p.prepare},
		{name: "migrate", suffix: "-migrate", parts: []lab.Part{{Name: "migrate", Title: "Hooks of other tools", Run: func(ctx context.Context, _ *lab.Lab) error { return p.migrations(ctx) }}}, prepare: func(context.Context) error { return nil }},
		{name: "engines", suffix: "-engines", parts: peers.Parts(), prepare: func(context.Context) error { return nil }, records: "-engines.tsv"},
	}
	chosen, err := choose(sheets, o.parts)
	if err != nil {
		return 0, err
	}
	for _, s := range sheets {
		if len(chosen[s.name]) == 0 {
			continue
		}
		if err := p.write(ctx, s, chosen[s.name]); err != nil {
			return 0, err
		}
	}
	return len(p.Faults), nil
}

// prepare makes what the core needs.
func (p *proof) prepare(ctx context.Context) error {
	p.judge = judge.New(ctx, p.Lab)
	return p.checkouts(ctx)
}

// write runs parts of a sheet and writes the page.
func (p *proof) write(ctx context.Context, s sheet, chosen []lab.Part) error {
	p.Page, p.Records = lab.Page{}, lab.Records{}
	now := time.Now().UTC()
	if err := p.head(ctx, now, s.name == "core"); err != nil {
		return err
	}
	if err := s.prepare(ctx); err != nil {
		return err
	}
	for _, pt := range chosen {
		if err := p.Do(ctx, pt); err != nil {
			return err
		}
	}
	name := filepath.Join(p.out, now.Format(time.DateOnly)+s.suffix+".md")
	if err := os.MkdirAll(p.out, 0o755); err != nil {
		return err
	}
	table := filepath.Join(p.out, now.Format(time.DateOnly)+s.records)
	if len(chosen) < len(s.parts) {
		if err := p.keep(name, table, s, chosen); err != nil {
			return err
		}
	}
	if s.records != "" {
		if err := os.WriteFile(table, p.Records.Bytes(), 0o644); err != nil {
			return err
		}
	}
	fmt.Fprintf(p.Log, "%d faults; see %s\n", len(p.Faults), name)
	return os.WriteFile(name, p.Page.Bytes(), 0o644)
}

// keep takes over what the page and the table of the same day say of parts that
// did not run.
func (p *proof) keep(name, table string, s sheet, chosen []lab.Part) error {
	earlier, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var titles, ran []string
	for _, pt := range s.parts {
		titles = append(titles, pt.Title)
	}
	for _, pt := range chosen {
		ran = append(ran, pt.Name)
	}
	p.Page.Keep(earlier, titles)
	if s.records == "" {
		return nil
	}
	if earlier, err = os.ReadFile(table); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	p.Records.Keep(earlier, ran)
	return nil
}

// choose returns the parts to run by the name of their sheet. The name of a
// sheet chooses all of it; no names choose everything.
func choose(sheets []sheet, names string) (map[string][]lab.Part, error) {
	wanted := map[string]bool{}
	for n := range strings.SplitSeq(names, ",") {
		wanted[n] = true
	}
	out := map[string][]lab.Part{}
	known := map[string]bool{"": true}
	for _, s := range sheets {
		known[s.name] = true
		for _, pt := range s.parts {
			known[pt.Name] = true
			if names == "" || wanted[s.name] || wanted[pt.Name] {
				out[s.name] = append(out[s.name], pt)
			}
		}
	}
	for n := range wanted {
		if !known[n] {
			return nil, fmt.Errorf("no part %q", n)
		}
	}
	return out, nil
}
