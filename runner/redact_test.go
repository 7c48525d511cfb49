package runner_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

// guarding finds the word HIDEME, which nobody may see.
func guarding() engine.Engine {
	e := linter("guarding", func(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
		return find(src.Text, "G1", "HIDEME", "", diag.Error), nil
	})
	e.Redacts, e.OptIn = true, true
	e.Rules = []engine.Rule{{Code: "G1", Severity: diag.Error, Default: true, Doc: "X"}}
	return e
}

// quoting says and repairs what stands in each line.
func quoting() engine.Engine {
	return linter("quoting", func(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
		var out []diag.Diagnostic
		at := 0
		for line := range bytes.Lines(src.Text) {
			out = append(out, diag.Diagnostic{
				Title: "it says " + string(line), Description: string(line), Severity: diag.Warning, Metadata: map[string]string{"line": string(line)},
				Span: &diag.Span{Start: at, End: at + 1}, Fix: []diag.Edit{{Start: at, End: at + len(line), Replacement: string(line)}},
			})
			at += len(line)
		}
		return out, nil
	}, lang.Go)
}

// TestRedact: what an engine redacts is neither shown nor kept by what another
// says about the same line, whichever of them was answered by the cache; what
// is no secret, under another configuration, is shown.
func TestRedact(t *testing.T) {
	t.Parallel()
	p := newPlace(t, guarding(), quoting())
	p.Write("a.go", "package a // key\nvar x = `HIDEME`\n")
	p.Write("poly.toml", "[lint.guarding]\nenabled = true\n")
	check := func(name string, secret bool) {
		t.Helper()
		for _, cached := range []bool{true, true, false} {
			rep := p.run(engine.Lint, cached, nil)
			f, _ := file(rep, "a.go")
			text := ""
			for _, d := range f.Diagnostics {
				text += d.Title + d.Description + d.Excerpt + d.Metadata["line"]
				for _, e := range d.Fix {
					text += e.Replacement
				}
				if d.Engine == "quoting" && d.Span.StartLine == 1 && (d.Excerpt == "" || len(d.Fix) == 0) {
					t.Errorf("%s: the other line lost something: %+v", name, d)
				}
			}
			shown := strings.ReplaceAll(text, "HIDEME found", "")
			if strings.Contains(shown, "HIDEME") == secret {
				t.Errorf("%s, cached %t: %q", name, cached, shown)
			}
		}
	}
	check("on", true)
	for _, name := range []string{p.cacheFile(), p.cacheFile() + "-wal"} {
		if db, err := os.ReadFile(name); err == nil && bytes.Contains(bytes.ReplaceAll(db, []byte("HIDEME found"), nil), []byte("HIDEME")) {
			t.Errorf("%s holds what must not be kept", name)
		}
	}
	p.Write("poly.toml", "[lint.guarding]\nenabled = true\nignore = ['G1']\n")
	check("no secret", false)
	p.Write("poly.toml", "")
	check("off", false)
	p.Write("poly.toml", "[lint.guarding]\nenabled = true\n")
	check("on again", true)
}
