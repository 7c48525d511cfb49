package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"poly/internal/gen/proof/judge"
	"poly/internal/gen/proof/lab"
)

// peer is a tool that poly wraps, run by its own command line.
type peer struct {
	name string
	exts []string
	args []string // after the program; the whole tree follows
	// explain tells why a file differs, and whether that is a fault.
	explain func(*proof, context.Context, *difference) (reason string, fault bool, err error)
}

// difference is a file that poly and a peer leave with different bytes.
type difference struct {
	peer                 *peer
	tool                 string // the peer's program
	name                 string
	before, ours, theirs []byte
	skipped, outcome     string // poly's reason to skip it; why it is out of scope
}

// tally is a row of the table and the reasons below it.
type tally struct {
	both, theirs, ours, equal, different int
	reasons                              map[string][]string
}

// parity formats two copies of each repository, one with poly and one with the
// command line tools, and compares them file by file.
func (p *proof) parity(ctx context.Context) error {
	p.Page.Line("Two copies of each repository: `poly fmt --fix .` in one, `gofumpt -l -w .` and `yamlfmt .` with its default settings in the other.\n" +
		"*By both*: files that both look at. *Equal*: same bytes in both copies, changed or not. Every difference has its reason below;\n" +
		"a skipped file counts as different only if the tool changes it. What a reason claims is checked: a refusal because the meaning\n" +
		"would change by node's `yaml` (values, tags, anchors, comments), a work-around by undoing it.")
	tools, err := p.tools(ctx)
	if err != nil {
		return err
	}
	t := lab.NewTable("repository", "tool", "by both", "changed by the tool", "changed by poly", "equal", "different, with reason", "faults")
	reasons := lab.NewTable("repository", "tool", "files", "reason", "which")
	for _, c := range p.checks {
		if err := p.parityOf(ctx, c, tools, t, reasons); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	p.Page.Table(t)
	p.Page.Line("Reasons for differences:")
	p.Page.Table(reasons)
	return nil
}

// tools builds the peers as internal/gen/tools pins them.
func (p *proof) tools(ctx context.Context) (map[string]string, error) {
	tools := map[string]string{}
	for name, pkg := range map[string]string{"gofumpt": "mvdan.cc/gofumpt", "yamlfmt": "github.com/google/yamlfmt/cmd/yamlfmt"} {
		tools[name] = filepath.Join(p.Dir, "tools", name)
		if out, err := goCommand(ctx, nil, "build", "-modfile=internal/gen/tools/go.mod", "-o", tools[name], pkg).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("build %s: %w: %s", pkg, err, out)
		}
	}
	return tools, nil
}

func (p *proof) parityOf(ctx context.Context, c *checkout, tools map[string]string, t, reasons *lab.Table) error {
	ours, theirs := filepath.Join(p.Dir, "ours", c.key()), filepath.Join(p.Dir, "theirs", c.key())
	for _, dir := range []string{ours, theirs} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if _, err := p.materialise(ctx, c.source, dir); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }()
	}
	r, err := p.Start(ctx, ours, nil, p.Poly, "fmt", "--fix", "--format", "json", "--debug", ".")
	if err != nil {
		return err
	}
	doc := new(report)
	if err := json.Unmarshal(r.Out, doc); err != nil {
		return fmt.Errorf("poly fmt --fix: %w: %s", err, lab.Clean(string(r.Errs)))
	}
	files, err := p.files(ctx, c)
	if err != nil {
		return err
	}
	for i := range wrapped {
		pe := &wrapped[i]
		argv := append(append([]string{tools[pe.name]}, pe.args...), ".")
		if _, err := p.Start(ctx, theirs, nil, argv...); err != nil {
			return err
		}
		ta, err := p.compare(ctx, c, pe, tools[pe.name], files, doc, [2]string{ours, theirs})
		if err != nil {
			return err
		}
		if ta.both+ta.different == 0 {
			continue
		}
		faults := ta.reasons[""]
		delete(ta.reasons, "")
		t.Row(c.name, pe.name, ta.both, ta.theirs, ta.ours, ta.equal, ta.different-len(faults), len(faults))
		for _, reason := range slices.Sorted(maps.Keys(ta.reasons)) {
			names := ta.reasons[reason]
			reasons.Row(c.name, pe.name, len(names), reason, lab.Sample(names, 8))
		}
	}
	return nil
}

// compare looks at the files of one peer. copies are ours and theirs.
func (p *proof) compare(ctx context.Context, c *checkout, pe *peer, tool string, files []file, doc *report, copies [2]string) (*tally, error) {
	ta := &tally{reasons: map[string][]string{}}
	records := map[string]*record{}
	for i := range doc.Results {
		records[doc.Results[i].name()] = &doc.Results[i]
	}
	for i := range files {
		f := &files[i]
		if !slices.Contains(pe.exts, path.Ext(f.path)) || f.mode&fs.ModeType != 0 {
			continue
		}
		d := &difference{peer: pe, tool: tool, name: f.path, outcome: outOfScope(f, true)}
		var err error
		if d.before, err = f.text(); err != nil {
			return nil, err
		}
		for j, to := range []*[]byte{&d.ours, &d.theirs} {
			if *to, err = os.ReadFile(filepath.Join(copies[j], f.path)); err != nil {
				return nil, err
			}
		}
		if r := records[f.path]; r != nil {
			d.skipped = r.Skipped
		}
		if err := p.count(ctx, c, ta, d); err != nil {
			return nil, err
		}
	}
	return ta, nil
}

// count adds one file to a tally.
func (p *proof) count(ctx context.Context, c *checkout, ta *tally, d *difference) error {
	if d.skipped == "" && d.outcome == "" {
		ta.both++
	}
	if !bytes.Equal(d.before, d.theirs) {
		ta.theirs++
	}
	if !bytes.Equal(d.before, d.ours) {
		ta.ours++
	}
	if bytes.Equal(d.ours, d.theirs) {
		ta.equal++
		return nil
	}
	ta.different++
	reason, fault, err := p.reason(ctx, d)
	if err != nil {
		return err
	}
	if fault {
		p.Fault("%s: %s: %s: %s", c.name, d.peer.name, d.name, reason)
		reason = ""
	}
	ta.reasons[reason] = append(ta.reasons[reason], d.name)
	return nil
}

// reason explains a difference.
func (p *proof) reason(ctx context.Context, d *difference) (reason string, fault bool, err error) {
	switch {
	case d.outcome != "" && bytes.Equal(d.ours, d.before):
		return "out of scope: " + d.outcome, false, nil
	case d.skipped != "" && !bytes.Equal(d.ours, d.before):
		return "skipped and changed: " + d.skipped, true, nil
	}
	if d.skipped != "" {
		for _, s := range declined {
			if strings.Contains(d.skipped, s) {
				return "skipped: " + d.skipped, false, nil
			}
		}
	}
	return d.peer.explain(p, ctx, d)
}

// declined are reasons to skip that say of a file that it is not what its name
// says, or is nobody's to format.
var declined = []string{
	"template", "generated", "not valid UTF-8", "UTF-16", "UTF-32", "binary", "larger than", "Git LFS", "gofumpt leaves testdata and vendor",
}

// wrapped are the tools. Their walks take the extensions below.
var wrapped = []peer{
	{name: "gofumpt", exts: []string{".go"}, args: []string{"-l", "-w"}, explain: (*proof).explainGo},
	{name: "yamlfmt", exts: []string{".yaml", ".yml"}, args: []string{"-no_global_conf", "-conf", os.DevNull, "-continue_on_error", "-quiet"}, explain: (*proof).explainYAML},
}

// explainGo knows one work-around: line ends and a byte order mark are kept.
func (p *proof) explainGo(_ context.Context, d *difference) (string, bool, error) {
	switch {
	case d.skipped != "":
		return "skipped, but the tool formats it: " + d.skipped, true, nil
	case bytes.Equal(judge.Plain(d.ours), judge.Plain(d.theirs)):
		return "line ends or byte order mark kept", false, nil
	}
	return "different bytes: " + judge.Parting(d.ours, d.theirs), true, nil
}

// explainYAML asks the judge, who knows what yamlfmt does to meanings.
func (p *proof) explainYAML(ctx context.Context, d *difference) (string, bool, error) {
	return p.judge.Explain(ctx, &judge.Difference{
		Argv: append([]string{d.tool}, d.peer.args...), Before: d.before, Ours: d.ours, Theirs: d.theirs, Skipped: d.skipped,
	})
}
