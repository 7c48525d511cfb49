package actionlint

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	upstream "github.com/rhysd/actionlint"

	"poly/internal/engine"
)

// TestEntries: the caches of the library are the maps we fill.
func TestEntries(t *testing.T) {
	t.Parallel()
	actions, err := entries[upstream.ActionMetadata](upstream.NewLocalActionsCache(&upstream.Project{}, nil))
	if err != nil || actions == nil {
		t.Errorf("actions: %v, %v", actions, err)
	}
	workflows, err := entries[upstream.ReusableWorkflowMetadata](upstream.NewLocalReusableWorkflowCache(&upstream.Project{}, "", nil))
	if err != nil || workflows == nil {
		t.Errorf("workflows: %v, %v", workflows, err)
	}
	if m, err := entries[upstream.Config](upstream.NewLocalActionsCache(&upstream.Project{}, nil)); err == nil {
		t.Errorf("a map of another type: %v", m)
	}
	cache := upstream.NewLocalActionsCache(&upstream.Project{}, nil)
	known, _ := entries[upstream.ActionMetadata](cache)
	known["./somewhere"] = &upstream.ActionMetadata{Name: "x"}
	if m, cached, err := cache.FindMetadata("./somewhere"); err != nil || !cached || m.Name != "x" {
		t.Errorf("FindMetadata = %+v, %v, %v", m, cached, err)
	}
}

// TestTooMuch: what would take the library too long, or too deep, is declined.
func TestTooMuch(t *testing.T) {
	t.Parallel()
	const head = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: "
	bomb := "x:\n- &a0 [a, a]\n"
	for i := range 20 {
		bomb += fmt.Sprintf("- &a%d [*a%d, *a%d]\n", i+1, i, i)
	}
	for name, text := range map[string]string{
		"parentheses": head + "${{ " + strings.Repeat("(", 500_000) + " }}\n",
		"not":         head + "${{ " + strings.Repeat("!", 500_000) + "a }}\n",
		"brackets":    head + "${{ " + strings.Repeat("a[", 400_000) + " }}\n",
		"flow":        "on: " + strings.Repeat("[", 500_000),
		"large":       head + strings.Repeat("a", maxFile) + "\n",
		"aliases":     bomb,
	} {
		l := newLinter(engine.Env{})
		_, err := l.lint(t.Context(), engine.Source{Path: ".github/workflows/a.yml", Text: []byte(text)})
		if reason, ok := engine.SkipReason(err); !ok || strings.Contains(reason, "cannot read") {
			t.Errorf("%s: %v, want a skip before the library", name, err)
		}
	}
	fine := head + "echo $(a (b)) `c`\n      - &s {run: a}\n      - *s\n"
	if reason := tooMuch([]byte(fine)); reason != "" {
		t.Errorf("tooMuch = %q of a plain workflow", reason)
	}
}

// TestConfigurationFault: a configuration that cannot be read is told, not passed over.
func TestConfigurationFault(t *testing.T) {
	t.Parallel()
	env := engine.Env{Tree: fstest.MapFS{".github/actionlint.yaml": {Data: []byte("paths: [")}}}
	for range 2 {
		l := newLinter(env)
		_, err := l.lint(t.Context(), engine.Source{Path: ".github/workflows/a.yml", Text: []byte("on: push\n")})
		if err == nil || !strings.HasPrefix(err.Error(), ".github/actionlint.yaml:1: ") {
			t.Errorf("lint = %v", err)
		}
		if _, err := l.lint(t.Context(), engine.Source{Path: "a.yml", Text: []byte("on: push\n")}); err != nil {
			t.Errorf("lint of another file = %v", err)
		}
	}
}
