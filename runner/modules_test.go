package runner_test

import (
	"context"
	"strings"
	"testing"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

// TestModules: an engine without its modules is not bound; its languages are
// skipped and the reason names it, unless another engine covers them.
func TestModules(t *testing.T) {
	t.Parallel()
	missing := func(e engine.Engine) engine.Engine {
		e.Modules = []engine.Module{{Name: "no such module"}}
		e.Bind = func(context.Context, engine.Env) (engine.Bound, error) {
			t.Error("an engine that is not built in was bound")
			return engine.Bound{}, nil
		}
		return e
	}
	lint := func(context.Context, engine.Source) ([]diag.Diagnostic, error) { return nil, nil }
	optIn := linter("asked", lint, lang.YAML)
	optIn.OptIn = true
	p := newPlace(t,
		missing(linter("beta", lint, lang.Go, lang.YAML)), missing(formatter("gofumpt", nil, lang.Go)),
		linter("alpha", lint, lang.YAML), linter("cross", lint), missing(optIn))
	p.Write("a.go", "package a\n")
	p.Write("a.yaml", "a: 1\n")
	p.Write("a.zig", "a\n")
	reasons := func(rep diag.Report) string {
		var out []string
		for _, f := range rep.Files {
			out = append(out, f.Path+": "+f.Reason)
		}
		return strings.Join(out, "; ")
	}
	want := "a.go: beta for Go is not built in: run make engines; a.yaml: beta for YAML is not built in: run make engines; a.zig: no lint rules for Zig"
	if got := reasons(p.lint()); got != want {
		t.Errorf("lint skips %q, want %q", got, want)
	}
	want = "a.go: gofumpt for Go is not built in: run make engines"
	if got := reasons(p.format()); !strings.HasPrefix(got, want) {
		t.Errorf("fmt skips %q, want %q", got, want)
	}
	p.Write("poly.toml", "[lint.yaml]\nasked.enabled = true\nbeta.enabled = false\n")
	want = "; a.yaml: asked for YAML is not built in: run make engines;"
	if got := reasons(p.lint()); !strings.Contains(got, want) {
		t.Errorf("lint with an engine that was asked for skips %q, want %q", got, want)
	}
	p.Write("poly.toml", "[lint]\ngo.beta.enabled = false\nyaml.beta.enabled = false\n")
	want = "a.go: no lint rules for Go; a.zig: no lint rules for Zig"
	if got := reasons(p.lint()); !strings.HasPrefix(got, want) {
		t.Errorf("lint with beta off skips %q, want %q", got, want)
	}
}
