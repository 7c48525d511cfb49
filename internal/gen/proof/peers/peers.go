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
	"maps"
	"os"
	"slices"
	"strings"

	"poly/internal/gen/proof/judge"
	"poly/internal/gen/proof/lab"
)

// bench is what the parts share: made when the first of them runs.
type bench struct {
	lab     *lab.Lab
	lib     *library
	kit     *kit
	causes  known
	corpora map[string][]tree
	meaning *judge.Judge // nil until it is needed
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
	out := []lab.Part{
		part("tools", "Tools and files", (*bench).tools),
		part("formats", "Formatters and their commands", (*bench).formats),
		part("extras", "Formatters of builds with -tags extra", (*bench).extras),
	}
	for i := range linters {
		l := &linters[i]
		out = append(out, part(l.name, "Findings of "+l.name, func(b *bench, ctx context.Context) error { return b.lints(ctx, l) }))
	}
	return append(out,
		part("syntax", "Errors of syntax before other parsers", (*bench).syntax),
		part("secrets", "Secrets and spelling", (*bench).secrets),
		part("wasm", "Wasm engines and their native commands", (*bench).wasm),
		part("biome", "The optional pack biome and its native command", (*bench).pack),
		part("cost", "CPU time, and the binary", (*bench).cost),
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
	b.lib, err = open(ctx, l, repositories)
	return err
}

// tools says what all parts run and draw from.
func (b *bench) tools(ctx context.Context) error {
	mod, err := os.ReadFile("internal/gen/proof/tools/go.mod")
	if err != nil {
		return err
	}
	all, err := pins(mod)
	if err != nil {
		return err
	}
	page := &b.lab.Page
	page.Line("Both sides see the same files, drawn from %d public repositories in an order that depends on their names alone. `*-engines.tsv`\n"+
		"beside this page has the commit of each, and one line for each difference that is counted here.", len(b.lib.sources))
	page.Line("Formatters: two copies of real files, `poly fmt --fix --no-cache .` with this engine alone in one, the command with its default\n" +
		"settings in the other. *Equal*: the same bytes in both, changed or not; every other file has its reason. `final_newline` is off for\n" +
		"the commands that add none.")
	page.Line("Linters: the same findings are those of one file, line and code, of the codes that the engine has. Files that one side cannot\n"+
		"read, or that poly skips, are left out. Precision must be %.0f %%, recall %.0f %% at least; a finding of one side alone counts against\n"+
		"them even if its cause is known. Where poly has the library of the command, what a named work-around changes does not count.\n"+
		"A difference without a known cause is a fault.", 100*precision, 100*recall)
	page.Line("Tools: %s; terraform, GNU make, protoc, luac, xmllint, Java as they are here.", strings.Join(all, ", "))
	if len(b.lib.absent) > 0 {
		page.Line("Repositories that are not there: %s.", strings.Join(b.lib.absent, ", "))
	}
	for _, name := range slices.Sorted(maps.Keys(b.lib.sources)) {
		head, err := b.lab.Git(ctx, b.lib.sources[name], nil, "rev-parse", "HEAD")
		if err != nil {
			return err
		}
		b.lab.Records.Add("tools", "snapshot", name+"@"+strings.TrimSpace(string(head)))
	}
	return nil
}

// trees draws a corpus, once.
func (b *bench) trees(ctx context.Context, c *corpus) ([]tree, error) {
	ts, ok := b.corpora[c.name]
	if ok {
		return ts, nil
	}
	few := *c
	if n := b.lab.Limit; n > 0 {
		few.each, few.total = min(c.each, max(n/10, 20)), min(c.total, n)
	}
	ts, err := b.lib.draw(ctx, &few)
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
