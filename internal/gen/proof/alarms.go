package main

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"poly/internal/gen/proof/judge"
	"poly/internal/gen/proof/lab"
	"poly/internal/lang"
)

// alarms holds the error findings of poly lint against other parsers, both
// ways: an error in a file that the judge accepts is a false alarm, and so is
// silence about a file that both judges refuse.
func (p *proof) alarms(ctx context.Context) error {
	p.Page.Line("Every error-severity finding, and every checked YAML, JSON and Go file without one. The judges: node's `yaml` (1.2, unique\n" +
		"keys, known aliases) and PyYAML; Python's `json` (strict, unique names), `jsonc-parser` and `json5`; `gofmt -e`; a regular expression\n" +
		"for conflict markers. *False* is an error where the judge accepts the file. *Missed* is a file without an error that the judge\n" +
		"refuses; where the two judges of YAML disagree it is *disputed*.")
	for _, w := range p.judge.Why {
		p.Page.Line("A judge is missing: %s.", w)
		p.Fault("a judge is missing: %s", w)
	}
	t := lab.NewTable("repository", "language", "files judged", "with errors", "judge agrees", "false", "missed", "disputed")
	for _, c := range p.checks {
		if err := p.lintOnce(ctx, c); err != nil {
			return err
		}
		for _, kind := range []string{"yaml", "json", "jsonc", "json5", "go"} {
			if err := p.alarmsOf(ctx, c, kind, t); err != nil {
				return err
			}
		}
		if err := p.conflicts(ctx, c, t); err != nil {
			return err
		}
	}
	p.Page.Table(t)
	return nil
}

// lintOnce makes sure that there is a document of poly lint.
func (p *proof) lintOnce(ctx context.Context, c *checkout) error {
	if c.docs["lint"] != nil {
		return nil
	}
	schema, err := p.schema(ctx)
	if err != nil {
		return err
	}
	r, err := p.Start(ctx, c.dir, nil, p.Poly, "lint", "--format", "json", ".")
	if err != nil {
		return err
	}
	return p.read(c, "lint", r, schema)
}

// engines are whose errors say that a file is not what it is meant to be.
var engines = []string{"yaml", "json", "gofumpt"}

// alarmsOf adds the row of one language.
func (p *proof) alarmsOf(ctx context.Context, c *checkout, kind string, t *lab.Table) error {
	names, err := p.checkedFiles(ctx, c, kind)
	if err != nil || len(names) == 0 {
		return err
	}
	errs := c.errors(func(d finding) bool { return d.Severity == "error" && slices.Contains(engines, d.Engine) })
	first, second, err := p.verdicts(ctx, c, kind, names)
	if errors.Is(err, judge.ErrAbsent) {
		return nil // said already
	}
	if err != nil {
		return err
	}
	agrees, wrong, missed, disputed, alarmed := 0, 0, 0, 0, 0
	for i, n := range names {
		f, alarm := errs[n]
		if alarm {
			alarmed++
		}
		refused := len(first[i].Errors) > 0
		switch {
		case alarm && refused:
			agrees++
		case alarm:
			wrong++
			p.Fault("false alarm: %s: %s:%d: %s/%s: %s", c.name, n, f.line(), f.Engine, f.Code, f.Title)
		case refused && second != nil && len(second[i].Errors) == 0:
			disputed++
		case refused:
			missed++
			p.Fault("missed: %s: %s: %s", c.name, n, first[i].Errors[0])
		}
	}
	t.Row(c.name, kind, len(names), alarmed, agrees, wrong, missed, disputed)
	return nil
}

// errors returns the first finding of each file that is wanted.
func (c *checkout) errors(wanted func(finding) bool) map[string]finding {
	out := map[string]finding{}
	for i := range c.docs["lint"].Results {
		r := &c.docs["lint"].Results[i]
		if k := slices.IndexFunc(r.Diagnostics, wanted); k >= 0 {
			out[r.name()] = r.Diagnostics[k]
		}
	}
	return out
}

// special are names whose readers take more than the extension says: babel
// reads its configuration as JSON5.
var special = map[string]string{".babelrc": "json5", ".babelrc.json": "json5", "babel.config.json": "json5"}

// checkedFiles lists the files of a language that poly lint neither skipped nor
// failed on.
func (p *proof) checkedFiles(ctx context.Context, c *checkout, kind string) ([]string, error) {
	files, err := p.files(ctx, c)
	if err != nil {
		return nil, err
	}
	not := map[string]bool{}
	for i := range c.docs["lint"].Results {
		if r := &c.docs["lint"].Results[i]; r.Skipped != "" || r.Error != "" {
			not[r.name()] = true
		}
	}
	scope := inScope(files, false)
	var out []string
	for _, f := range files {
		k := string(lang.Detect(f.path))
		if s := special[path.Base(f.path)]; s != "" {
			k = s
		}
		if k == kind && scope[f.path] && !not[f.path] {
			out = append(out, f.path)
		}
	}
	return out, nil
}

// verdicts asks the judges of a language. second is nil where there is one only.
func (p *proof) verdicts(ctx context.Context, c *checkout, kind string, names []string) (first, second []judge.Opinion, err error) {
	qs := make([]judge.Question, len(names))
	for i, n := range names {
		qs[i] = judge.Question{Path: filepath.Join(c.dir, n), Kind: kind}
	}
	switch kind {
	case "go":
		first, err = p.gofmt(ctx, c, names)
		return first, nil, err
	case "json":
		first, err = p.judge.Ask(ctx, p.judge.Python, qs)
		return first, nil, err
	}
	if first, err = p.judge.Ask(ctx, p.judge.Node, qs); err != nil || kind != "yaml" {
		return first, nil, err
	}
	second, err = p.judge.Ask(ctx, p.judge.Python, qs)
	return first, second, err
}

// gofmt asks gofmt -e, which names the files that do not parse.
func (p *proof) gofmt(ctx context.Context, c *checkout, names []string) ([]judge.Opinion, error) {
	out := make([]judge.Opinion, len(names))
	for chunk := range slices.Chunk(names, 500) {
		r, err := p.Start(ctx, c.dir, nil, append([]string{"gofmt", "-e", "-l", "--"}, chunk...)...)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(r.Errs)) {
			if m := position.FindStringSubmatch(line); m != nil {
				if i := slices.Index(names, m[1]); i >= 0 {
					out[i].Errors = append(out[i].Errors, strings.TrimSpace(line))
				}
			}
		}
	}
	return out, nil
}

var position = regexp.MustCompile(`^(.+?):\d+:\d+: `)

// conflict is the three markers of a merge conflict, in order.
var conflict = regexp.MustCompile(`(?ms)^<<<<<<< .*?^=======\r?$.*?^>>>>>>> `)

// conflicts holds the finding merge-conflict against a regular expression.
func (p *proof) conflicts(ctx context.Context, c *checkout, t *lab.Table) error {
	found := c.errors(func(d finding) bool { return d.Code == "merge-conflict" })
	files, err := p.files(ctx, c)
	if err != nil {
		return err
	}
	scope := inScope(files, false)
	judged, agrees, wrong, missed := 0, 0, 0, 0
	for i := range files {
		f := &files[i]
		if !scope[f.path] || f.size > largest {
			continue
		}
		text, err := f.text()
		if err != nil {
			return err
		}
		judged++
		d, alarm := found[f.path]
		switch marked := lang.Content(text) == "" && conflict.Match(text); {
		case alarm && marked:
			agrees++
		case alarm:
			wrong++
			p.Fault("false alarm: %s: %s:%d: merge-conflict", c.name, f.path, d.line())
		case marked:
			missed++
			p.Fault("missed: %s: %s has conflict markers", c.name, f.path)
		}
	}
	t.Row(c.name, "conflict markers", judged, len(found), agrees, wrong, missed, "-")
	return nil
}
