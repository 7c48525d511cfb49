package runner_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"poly/internal/diag"
	"poly/internal/engine"
)

// TestSiblings changes a file and asks what is said about those beside it, by
// memo and cache and without.
func TestSiblings(t *testing.T) {
	t.Parallel()
	p := newPlace(t, beside(), yamlFormat())
	p.Write("a/x.yaml", "one")
	p.Write("a/main.go", "package a\n")
	p.Write("a/b/main.go", "package a\n")
	p.Write("main.go", "package a\n")
	p.Commit("first")
	heard := func() string {
		var out []string
		rep := p.lint()
		if d := differ(p.run(engine.Lint, false, nil), rep); d != "" {
			t.Errorf("memo and cache differ (-want +got):\n%s", d)
		}
		for _, f := range rep.Files {
			for _, d := range f.Diagnostics {
				out = append(out, fmt.Sprintf("%s: %s", f.Path, d.Title))
			}
		}
		return strings.Join(out, "; ")
	}
	want := func(want string) {
		t.Helper()
		for range 2 {
			if got := heard(); got != want {
				t.Errorf("lint says %q, want %q", got, want)
			}
		}
	}
	first := `a/main.go: a/x.yaml says "one"`
	want(first)
	p.Write("a/x.yaml", "two")
	want(`a/main.go: a/x.yaml says "two"`)
	p.Git("checkout", "-q", ".")
	want(first)
	p.Write("a/y.txt", "new")
	want(`a/main.go: a/x.yaml says "one"; a/main.go: a/y.txt says "new"; a/x.yaml: a/y.txt says "new"`)
	for _, name := range []string{"a/y.txt", "a/x.yaml"} {
		if err := os.Remove(p.Path(name)); err != nil {
			t.Fatal(err)
		}
	}
	want("")
	p.Git("checkout", "-q", ".")
	want(first)
}

// TestSiblingsMemoOfChange makes the memo while a sibling is changed.
func TestSiblingsMemoOfChange(t *testing.T) {
	t.Parallel()
	p := newPlace(t, beside())
	p.Write("x.yaml", "one")
	p.Write("main.go", "package a\n")
	p.Commit("first")
	p.Write("x.yaml", "two")
	p.lint()
	p.Write("x.yaml", "one")
	if d := differ(p.run(engine.Lint, false, nil), p.lint()); d != "" {
		t.Errorf("memo and cache differ (-want +got):\n%s", d)
	}
}

// TestSiblingsManyDirectories has so many directories that they are listed at
// once: each hears of its own files alone.
func TestSiblingsManyDirectories(t *testing.T) {
	t.Parallel()
	p := newPlace(t, beside())
	const many = 40
	for i := range many {
		p.Write(fmt.Sprintf("d%d/main.go", i), "package d\n")
		p.Write(fmt.Sprintf("d%d/x.yaml", i), fmt.Sprint(i))
	}
	p.Commit("first")
	rep := p.lint()
	for i := range many {
		f, _ := file(rep, fmt.Sprintf("d%d/main.go", i))
		want := fmt.Sprintf("d%d/x.yaml says %q", i, fmt.Sprint(i))
		if len(f.Diagnostics) != 1 || f.Diagnostics[0].Title != want {
			t.Errorf("d%d/main.go: %+v, want %s", i, f.Diagnostics, want)
		}
	}
}

// TestSiblingsLimited asks about one file, whose siblings the tree leaves out.
func TestSiblingsLimited(t *testing.T) {
	t.Parallel()
	p := newPlace(t, beside())
	p.Write("a/x.yaml", "one")
	p.Write("a/main.go", "package a\n")
	p.Commit("first")
	rep, err := p.limited(t.Context(), engine.Lint, nil, nil, []string{"a/main.go"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, ok := file(rep, "a/main.go")
	if !ok || len(f.Diagnostics) != 1 || rep.Summary != (diag.Summary{Checked: 1}) {
		t.Errorf("report of a limited tree: %+v of %+v, want one diagnostic of one file", f, rep.Summary)
	}
}
