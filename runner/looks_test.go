package runner_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

// TestLooks: an engine that looks at some files has no results for others,
// whatever its inputs are, and makes none checked.
func TestLooks(t *testing.T) {
	t.Parallel()
	plain := linter("plain", func(context.Context, engine.Source) ([]diag.Diagnostic, error) { return nil, nil }, lang.Go)
	p := newPlace(t, choosy(), plain)
	p.Write("a/x.yaml", "one")
	p.Write("a/main.go", "package a\n")
	p.Write("b/main.go", "package b\n")
	p.Commit("first")
	want := func(what string, cached int) {
		t.Helper()
		rep := p.lint()
		var out []string
		for _, f := range rep.Files {
			for _, d := range f.Diagnostics {
				out = append(out, d.Title)
			}
			if f.Reason != "" {
				out = append(out, f.Path+": "+f.Reason)
			}
		}
		if got := strings.Join(out, "; "); got != what || rep.Stats.FromCache != cached {
			t.Errorf("lint says %q, %d from cache; want %q, %d", got, rep.Stats.FromCache, what, cached)
		}
	}
	said := func(text string) string {
		sees := fmt.Sprintf("sees %q, true", text)
		return "a/main.go " + sees + "; a/x.yaml " + sees + "; a/x.yaml: no lint rules for YAML"
	}
	want(said("one"), 0)
	want(said("one"), 3)
	p.Write("a/x.yaml", "two")
	want(said("two"), 1) // of b/main.go nothing was asked again
}
