package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"poly/internal/gen/proof/lab"
)

// report is the document of poly lint and poly fmt, as far as it is needed.
type report struct {
	Results []record
	Errors  []struct{ Path, Error string }
	Skipped []struct{ Path, Reason string }
	Summary struct{ Checked, Skipped, Errored int }
}

type record struct {
	Path           string
	PathBytes      string `json:"path_bytes"`
	Diagnostics    []finding
	Changed        bool
	Skipped, Error string
}

type finding struct {
	Engine, Code, Severity, Title string
	Span                          *struct {
		Line int `json:"start_line"`
	}
	Fix []struct {
		Start       int `json:"start_byte"`
		End         int `json:"end_byte"`
		Replacement string
	}
}

// name returns the path of r byte by byte.
func (r *record) name() string {
	if b, err := base64.StdEncoding.DecodeString(r.PathBytes); err == nil && r.PathBytes != "" {
		return string(b)
	}
	return r.Path
}

func (f *finding) line() int {
	if f.Span == nil {
		return 0
	}
	return f.Span.Line
}

// survey runs poly lint and poly fmt --check on every repository and holds the
// documents against what must be true of them.
func (p *proof) survey(ctx context.Context) error {
	schema, err := p.schema(ctx)
	if err != nil {
		return err
	}
	p.Page.Line("`poly lint .` and `poly fmt --check .`, as JSON, without any configuration. *In scope* is counted here from `git ls-files -co\n" +
		"--exclude-standard` by what the page `discovery` says; it must be the sum of the three outcomes, file by file. Each run is done\n" +
		"four times: cold, warm, with `--no-cache`, and with `-j 1 --no-cache`: equal bytes. Each document is validated against `poly schema\n" +
		"report`.")
	t := lab.NewTable("repository", "commit", "made of", "files", "verb", "exit", "checked", "skipped", "errored", "in scope", "cold s", "warm s", "laws")
	var notes []string
	for _, c := range p.checks {
		files, err := p.files(ctx, c)
		if err != nil {
			return err
		}
		if c.missing > 0 {
			notes = append(notes, fmt.Sprintf("%s: %d files of 4 MiB and more are not in the snapshot and were left out.", c.name, c.missing))
		}
		for _, verb := range []string{"lint", "fmt"} {
			before := len(p.Faults)
			cold, warm, err := p.runs(ctx, c, verb, schema)
			if err != nil {
				return err
			}
			want := inScope(files, verb == "fmt")
			p.compareScope(c, verb, want)
			d := c.docs[verb]
			for _, e := range d.Errors {
				notes = append(notes, fmt.Sprintf("%s: %s: errored: %s: %s", c.name, verb, e.Path, e.Error))
			}
			laws := "hold"
			if len(p.Faults) > before {
				laws = "BROKEN"
			}
			t.Row(c.name, c.commit[:12], c.made, len(files), verb, cold.Exit, d.Summary.Checked, d.Summary.Skipped, d.Summary.Errored,
				len(want), lab.Seconds(cold.Wall), lab.Seconds(warm.Wall), laws)
		}
	}
	p.Page.Table(t)
	p.Page.List("Notes", notes)
	return nil
}

// schema compiles what poly schema report prints.
func (p *proof) schema(ctx context.Context) (*jsonschema.Schema, error) {
	r, err := p.Start(ctx, p.Dir, nil, p.Poly, "schema", "report")
	if err != nil {
		return nil, err
	}
	text, err := jsonschema.UnmarshalJSON(bytes.NewReader(r.Out))
	if err != nil {
		return nil, fmt.Errorf("poly schema report: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertContent()
	if err := c.AddResource("urn:poly:report", text); err != nil {
		return nil, err
	}
	return c.Compile("urn:poly:report")
}

var crash = regexp.MustCompile(`(?m)^panic:|^fatal error:|^goroutine \d+ |runtime error`)

// runs does one verb four ways and keeps the document in c.docs.
func (p *proof) runs(ctx context.Context, c *checkout, verb string, schema *jsonschema.Schema) (cold, warm lab.Result, err error) {
	if verb == "lint" {
		for _, d := range []string{"cache", "state"} {
			if err := os.RemoveAll(filepath.Join(p.Dir, d)); err != nil {
				return cold, warm, err
			}
		}
	}
	ways := []struct {
		name string
		args []string
	}{{"cold", nil}, {"warm", nil}, {"--no-cache", []string{"--no-cache"}}, {"-j 1", []string{"-j", "1", "--no-cache"}}}
	for _, w := range ways {
		argv := append([]string{p.Poly, verb, "--format", "json"}, append(w.args, ".")...)
		r, err := p.Start(ctx, c.dir, nil, argv...)
		if err != nil {
			return cold, warm, err
		}
		switch w.name {
		case "cold":
			cold = r
			if err := p.read(c, verb, r, schema); err != nil {
				return cold, warm, err
			}
		case "warm":
			warm = r
		}
		if !bytes.Equal(r.Out, cold.Out) || r.Exit != cold.Exit {
			p.Fault("%s: %s: %s differs from the cold run", c.name, verb, w.name)
		}
		if crash.Match(r.Errs) {
			p.Fault("%s: %s: %s: standard error has a panic: %s", c.name, verb, w.name, crash.Find(r.Errs))
		}
	}
	return cold, warm, nil
}

// read holds one document against its laws.
func (p *proof) read(c *checkout, verb string, r lab.Result, schema *jsonschema.Schema) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(r.Out))
	if err != nil {
		return fmt.Errorf("%s: %s prints no JSON: %w: %s", c.name, verb, err, r.Errs)
	}
	if err := schema.Validate(v); err != nil {
		p.Fault("%s: %s: the document does not fit the schema: %v", c.name, verb, err)
	}
	d := new(report)
	if err := json.Unmarshal(r.Out, d); err != nil {
		return err
	}
	c.docs[verb] = d
	if d.Summary.Skipped != len(d.Skipped) || d.Summary.Errored != len(d.Errors) {
		p.Fault("%s: %s: the summary counts %+v, the lists %d skipped and %d errored", c.name, verb, d.Summary, len(d.Skipped), len(d.Errors))
	}
	want := 0
	switch {
	case d.Summary.Errored > 0:
		want = 2
	case slices.ContainsFunc(d.Results, failing):
		want = 1
	}
	if r.Exit != want {
		p.Fault("%s: %s: exit %d, want %d", c.name, verb, r.Exit, want)
	}
	return nil
}

func failing(r record) bool {
	return r.Changed || slices.ContainsFunc(r.Diagnostics, func(f finding) bool { return f.Severity == "error" })
}

// compareScope holds the outcomes against the files counted as in scope.
func (p *proof) compareScope(c *checkout, verb string, want map[string]bool) {
	d := c.docs[verb]
	if got := d.Summary.Checked + d.Summary.Skipped + d.Summary.Errored; got != len(want) {
		p.Fault("%s: %s: %d outcomes, %d files in scope", c.name, verb, got, len(want))
	}
	seen := map[string]bool{}
	for i := range d.Results {
		n := d.Results[i].name()
		if seen[n] {
			p.Fault("%s: %s: two records of %s", c.name, verb, n)
		}
		seen[n] = true
	}
	for _, n := range slices.Sorted(maps.Keys(seen)) {
		if !want[n] {
			p.Fault("%s: %s: %s has an outcome and is not in scope", c.name, verb, n)
		}
	}
}
