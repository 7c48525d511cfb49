//go:build extra

package opa

import (
	"strings"
	"testing"

	"poly/internal/engine"
)

// TestSame: layout is equal, everything else is not.
func TestSame(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, before, after string
		want                bool
	}{
		{"layout", "package a\nx if {input.y==1}\n", "package a\n\nx if {\n\tinput.y == 1\n}\n", true},
		{"a rule is lost", "package a\nx := 1\ny := 2\n", "package a\nx := 1\n", false},
		{"a value changes", "package a\nx := 1\n", "package a\nx := 2\n", false},
		{"with", "package a\nx := y with input as 1\n", "package a\nx := y\n", false},
		{"package", "package a\nx := 1\n", "package b\nx := 1\n", false},
		{"imports move", "package a\nimport data.b\nimport data.a\n", "package a\nimport data.a\nimport data.b\n", true},
		{"an import is lost", "package a\nimport data.b\nimport data.a\n", "package a\nimport data.a\n", false},
		{"else", "package a\nx := 1 if y\nelse := 2\n", "package a\nx := 1 if y\nelse := 3\n", false},
		{"a comment is lost", "package a # b\nx := 1\n", "package a\nx := 1\n", false},
		{"v0", "package a\nx { y }\n", "package a\n\nx {\n\ty\n}\n", true},
		{"v0 becomes v1", "package a\nx { y }\n", "package a\nx if { y }\n", false},
		{"negation", "package a\nx if not y\n", "package a\nx if y\n", false},
		{"does not parse", "package a\nx := 1\n", "package a\nx := \n", false},
		{"nothing", "# a\n", "# b\n", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if err := Same([]byte(tc.before), []byte(tc.after)); (err == nil) != tc.want {
				t.Errorf("Same(%q, %q) = %v, want equal: %v", tc.before, tc.after, err, tc.want)
			}
		})
	}
}

// TestRefused: a comment in the middle of a rule makes the formatter drop the
// rest of it; that does not pass the guard.
func TestRefused(t *testing.T) {
	t.Parallel()
	b, err := Engine.Bind(t.Context(), engine.Env{Globals: engine.Globals{FinalNewline: true}})
	if err != nil {
		t.Fatal(err)
	}
	w, err := b.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"package a\n\ntest_x if {\n\tr  # m\n:= deny with input  # n\nas {\n\t\t\"b\": 1, # o\n\t}\n}\n",
		"# METADATA\n# title: x\n# description: |\n#   y\n  # z\n# scope: rule\npackage a\n\nx :=   1\n",
	} {
		out, err := w.Format(t.Context(), engine.Source{Path: "a.rego", Text: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Same([]byte(text), out); err == nil {
			t.Errorf("%q became %q", text, out)
		}
	}
	if out, err := w.Format(t.Context(), engine.Source{Text: []byte(strings.Repeat("x", maxSize+1))}); err == nil {
		t.Errorf("a large file became %q", out)
	}
}

// TestFallsBack: what v1 forbids beyond its grammar is formatted as v0.
func TestFallsBack(t *testing.T) {
	t.Parallel()
	w := worker{}
	const text = "package a\n\nimport data.foo\n\nfoo :=   1\n"
	out, err := w.format(t.Context(), engine.Source{Text: []byte(text)})
	if want := strings.ReplaceAll(text, "   ", " "); err != nil || string(out) != want {
		t.Errorf("Format = %q, %v, want %q", out, err, want)
	}
}
