package peers

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"poly/internal/engine"
	"poly/internal/engine/all"
	"poly/internal/gen/proof/lab"
)

// document is what poly says of a tree, as far as it is needed.
type document struct {
	Results []struct {
		Path        string
		PathBytes   string `json:"path_bytes"`
		Diagnostics []struct {
			Engine, Code, Severity, Title, Description string
			Span                                       *struct {
				Line   int `json:"start_line"`
				Column int `json:"start_col"`
			}
		}
		Skipped, Error string
	}
	Summary struct{ Checked, Skipped int }
}

// finding is a place and a code, of poly or of a peer.
type finding struct {
	path         string
	line, column int
	code, words  string
	severe       bool // poly says that it is an error
}

// said is what poly says of a tree.
type said struct {
	findings []finding
	syntax   map[string]string // path: title of an error that says that the file does not parse
	skipped  map[string]string // path: reason
	cpu      time.Duration
}

// setup is how poly runs: one engine for its languages, and no other.
type setup struct {
	engine string
	verb   engine.Verb
	extra  string // more configuration
	also   string // an engine without which this one judges no file
	joint  bool   // what that one finds counts too
}

// text is the configuration.
func (s setup) text() string {
	name, verb := s.engine, s.verb
	var b strings.Builder
	mine := spec(name)
	section := verb.String()
	for _, e := range all.Engines() {
		o := &e.Spec
		switch {
		case o.Verbs&verb == 0:
		case o.Name == name || o.Name == s.also:
			if o.OptIn {
				b.WriteString(enable(section, o))
			}
		case o.Cross:
			fmt.Fprintf(&b, "[%s.%s]\nenabled = false\n", section, o.Name)
		default:
			for _, l := range o.Langs {
				if mine.Cross || slices.Contains(mine.Langs, l) {
					fmt.Fprintf(&b, "[%s.%s.%s]\nenabled = false\n", section, l, o.Name)
				}
			}
		}
	}
	return s.extra + b.String()
}

// enable turns on an engine that is off unless somebody does.
func enable(section string, o *engine.Spec) string {
	if o.Cross {
		return fmt.Sprintf("[%s.%s]\nenabled = true\n", section, o.Name)
	}
	var b strings.Builder
	for _, l := range o.Langs {
		fmt.Fprintf(&b, "[%s.%s.%s]\nenabled = true\n", section, l, o.Name)
	}
	return b.String()
}

// spec returns what an engine says of itself; the zero Spec if this build does
// not have it.
func spec(name string) engine.Spec {
	for _, e := range all.Engines() {
		if e.Name == name {
			return e.Spec
		}
	}
	return engine.Spec{}
}

// run runs poly over a tree without cache.
func (b *bench) run(ctx context.Context, dir string, s setup, args ...string) (*document, lab.Result, error) {
	config := filepath.Join(b.lab.Dir, "only-"+s.verb.String()+"-"+s.engine+".toml")
	if err := writeFile(config, []byte(s.text())); err != nil {
		return nil, lab.Result{}, err
	}
	argv := append([]string{b.lab.Poly, s.verb.String(), "--config", config, "--no-cache", "--format", "json"}, args...)
	r, err := b.lab.Start(ctx, dir, nil, append(argv, ".")...)
	if err != nil {
		return nil, r, err
	}
	doc := new(document)
	if err := json.Unmarshal(r.Out, doc); err != nil {
		return nil, r, fmt.Errorf("poly %s: %w: %s", s.verb, err, lab.Clean(string(r.Errs)))
	}
	for i := range doc.Results {
		x := &doc.Results[i]
		if p, err := base64.StdEncoding.DecodeString(x.PathBytes); err == nil && x.PathBytes != "" {
			x.Path = string(p)
		}
		if x.Error != "" {
			b.lab.Fault("%s: errored: %s: %s", s.engine, x.Path, x.Error)
		}
	}
	return doc, r, nil
}

// lint returns what an engine finds in a tree.
func (b *bench) lint(ctx context.Context, dir string, how setup) (*said, error) {
	doc, r, err := b.run(ctx, dir, how)
	if err != nil {
		return nil, err
	}
	s := &said{syntax: map[string]string{}, skipped: map[string]string{}, cpu: r.CPU}
	for _, f := range doc.Results {
		if f.Skipped != "" && !(spec(how.engine).Cross && strings.HasPrefix(f.Skipped, "no lint rules")) {
			s.skipped[f.Path] = f.Skipped
		}
		for _, d := range f.Diagnostics {
			if d.Engine != how.engine && (!how.joint || d.Engine != how.also) {
				continue
			}
			x := finding{path: f.Path, code: d.Code, severe: d.Severity == "error", words: strings.TrimSpace(d.Title + " " + d.Description)}
			if d.Span != nil {
				x.line, x.column = d.Span.Line, d.Span.Column
			}
			if d.Code == "syntax" {
				s.syntax[f.Path] = fmt.Sprintf("line %d: %s", x.line, d.Title)
			}
			s.findings = append(s.findings, x)
		}
	}
	return s, nil
}
