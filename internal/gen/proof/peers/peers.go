// Package peers is the part of the proof that holds engines against the tools
// whose formats or rules they have: formatters byte by byte, linters finding
// by finding, syntax file by file.
//
// The files are drawn from the public repositories of repositories.txt that
// are there, in an order that depends on nothing but their names; what was
// vendored or generated is left out, and so are empty files and those of more
// than 256 KiB. Tools are fetched by their ordinary clients at the versions
// and digests of proof/tools/go.mod, fetch/requirements.txt and
// fetch/package-lock.json. A tool that cannot be had is a line on the page,
// not a fault.
//
// Disagreements are looked up in causes.tsv. One without a cause is a fault.
package peers

import (
	"context"
	"fmt"
	"strings"

	"poly/internal/gen/proof/lab"
)

// bench is what the parts share: made when the first of them runs.
type bench struct {
	lab     *lab.Lab
	lib     *library
	kit     *kit
	causes  known
	corpora map[string][]tree
}

// Parts are the sections of the page.
func Parts() []lab.Part {
	b := &bench{corpora: map[string][]tree{}}
	part := func(name, title string, run func(*bench, context.Context) error) lab.Part {
		return lab.Part{Name: name, Title: title, Run: func(ctx context.Context, l *lab.Lab) error {
			if err := b.open(ctx, l); err != nil {
				return err
			}
			return run(b, ctx)
		}}
	}
	out := []lab.Part{part("formats", "Formatters and their commands", (*bench).formats)}
	for i := range linters {
		l := &linters[i]
		out = append(out, part(l.name, "Findings of "+l.name, func(b *bench, ctx context.Context) error { return b.lints(ctx, l) }))
	}
	return append(out,
		part("syntax", "Errors of syntax before other parsers", (*bench).syntax),
		part("secrets", "Secrets and spelling", (*bench).secrets),
		part("cost", "CPU time of formatters, and the binary", (*bench).cost),
	)
}

// open makes what every part needs.
func (b *bench) open(ctx context.Context, l *lab.Lab) (err error) {
	if b.lib != nil {
		return nil
	}
	b.lab, b.kit = l, newKit(l)
	if b.causes, err = readCauses(causesTable); err != nil {
		return err
	}
	if b.lib, err = open(ctx, l, repositories); err != nil {
		return err
	}
	if len(b.lib.absent) > 0 {
		l.Page.Line("Repositories that are not there: %s.", strings.Join(b.lib.absent, ", "))
	}
	return nil
}

// trees draws a corpus, once.
func (b *bench) trees(ctx context.Context, c *corpus) ([]tree, error) {
	ts, ok := b.corpora[c.name]
	if ok {
		return ts, nil
	}
	ts, err := b.lib.draw(ctx, c)
	if err == nil && len(ts) == 0 {
		err = fmt.Errorf("no files for %s", c.name)
	}
	b.corpora[c.name] = ts
	return ts, err
}

// drawn draws a corpus that is one tree.
func (b *bench) drawn(ctx context.Context, c *corpus) (tree, error) {
	ts, err := b.trees(ctx, c)
	if err != nil {
		return tree{}, err
	}
	return ts[0], nil
}

// repositories counts the repositories of a tree's files.
func (t *tree) repositories() int {
	seen := map[string]bool{}
	for _, f := range t.files {
		repo, _, _ := strings.Cut(f, "/")
		seen[repo] = true
	}
	return len(seen)
}
