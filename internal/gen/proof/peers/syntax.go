package peers

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"poly/internal/engine"
	"poly/internal/gen/proof/lab"
)

// court is judges of a language. A file is refused by what they say.
type court struct {
	name   string // of the judges
	engine string
	corpus corpus
	fetch  func(context.Context, *kit) ([]string, error) // the judges' programs
	// ask returns for each file why it is refused, "" if it is not. Where the
	// judges disagree the answer begins with [torn].
	ask func(b *bench, ctx context.Context, tools []string, t tree) ([]string, error)
	// decides tells which error findings the judges could confirm; nil: all.
	decides func(code string) bool
	also    string // an engine whose errors are its own too
}

// torn begins an answer that not all judges agree to.
const torn = "torn: "

// verdicts is what became of a court.
type verdicts struct {
	files, skipped, errors, agreed, wrong, missed, torn int
	silent                                              []string // which were missed, and why they were refused
}

// syntax is the part of the judges.
func (b *bench) syntax(ctx context.Context) error {
	b.lab.Page.Line("Files in which poly finds an error of syntax, and files that parsers of other makers refuse. *False* is an error in a file that the\n" +
		"judges take: there may be none. *Missed* is a file that they refuse and poly does not; the table below has them with what is known\n" +
		"of the cause. *Torn*: the judges disagree.")
	t := lab.NewTable("language", "judges", "files", "repositories", "skipped", "with errors", "judges agree", "false", "missed", "torn")
	missed := lab.NewTable("engine", "files", "cause", "which, and what the judge says")
	for i := range courts {
		c := &courts[i]
		tools, err := c.fetch(ctx, b.kit)
		if err != nil {
			b.absent(c.name, err)
			continue
		}
		tr, err := b.drawn(ctx, &c.corpus)
		if err != nil {
			return err
		}
		v, err := b.hold(ctx, c, tools, tr)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		t.Row(c.corpus.name, c.name, v.files, tr.repositories(), v.skipped, v.errors, v.agreed, v.wrong, v.missed, v.torn)
		b.missed(c, v, missed)
	}
	b.lab.Page.Table(t)
	b.lab.Page.Line("Missed:")
	b.lab.Page.Table(missed)
	return b.tomlTest(ctx)
}

// missed groups the files that poly takes and the judges refuse by cause.
func (b *bench) missed(c *court, v *verdicts, t *lab.Table) {
	which := map[string][]string{}
	for _, s := range v.silent {
		name, why, _ := strings.Cut(s, "\x00")
		cause := cmp.Or(b.causes.of(c.engine, "missed", name, why), "**not known**")
		which[cause] = append(which[cause], name+": "+why)
		b.lab.Records.Add("syntax", c.engine+": missed: "+cause, name)
	}
	for _, cause := range slices.Sorted(maps.Keys(which)) {
		t.Row(c.engine, len(which[cause]), cause, lab.Sample(which[cause], 1))
	}
}

// hold compares poly with a court.
func (b *bench) hold(ctx context.Context, c *court, tools []string, t tree) (*verdicts, error) {
	ours, err := b.lint(ctx, t.dir, setup{engine: c.engine, verb: engine.Lint, also: c.also, joint: true})
	if err != nil {
		return nil, err
	}
	alarms := map[string]finding{}
	for _, f := range ours.findings {
		if _, ok := alarms[f.path]; !ok && f.severe && (c.decides == nil || c.decides(f.code)) {
			alarms[f.path] = f
		}
	}
	said, err := c.ask(b, ctx, tools, t)
	if err != nil {
		return nil, err
	}
	v := &verdicts{}
	for i, name := range t.files {
		if ours.skipped[name] != "" {
			v.skipped++
			continue
		}
		v.files++
		if f, alarm := alarms[name]; alarm {
			v.errors++
			b.alarm(c, v, name, f, said[i])
			continue
		}
		switch why := said[i]; {
		case strings.HasPrefix(why, torn):
			v.torn++
		case why != "":
			v.missed++
			v.silent = append(v.silent, name+"\x00"+why)
		}
	}
	return v, nil
}

// alarm counts an error of poly, of which the judges say why.
func (b *bench) alarm(c *court, v *verdicts, name string, f finding, why string) {
	switch {
	case strings.HasPrefix(why, torn):
		v.torn++
	case why != "":
		v.agreed++
	default:
		v.wrong++
		if b.causes.of(c.engine, f.code, name, f.words) == "" {
			b.lab.Fault("false alarm: %s: %s:%d: %s: %s", c.engine, name, f.line, f.code, f.words)
		}
	}
}
