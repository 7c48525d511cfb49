package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEngines finds folders by their sources, not by their names.
func TestEngines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"all/all.go":         "package all\n",
		"beta/beta.go":       "package beta\n\nvar Engine = 1\n",
		"alpha/x.go":         "package alpha\n\nvar (\n\tother  = 1\n\tEngine = 2\n)\n",
		"gamma/a_test.go":    "package gamma\n\nvar Engine = 1\n",
		"delta/delta.go":     "package delta\n\nfunc f() { var Engine = 1; _ = Engine }\n",
		"enginetest/laws.go": "package enginetest\n\ntype Engine int\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := engines(dir)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"alpha", "beta"}, got); d != "" {
		t.Error(d)
	}
	if _, err := engines(t.TempDir()); err == nil {
		t.Error("engines finds something in an empty folder")
	}
}

// TestUpToDate: the committed list is the one the generator writes.
func TestUpToDate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "engine")
	folders, err := engines(dir)
	if err != nil {
		t.Fatal(err)
	}
	want, err := list(folders)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "all", "all_gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("go generate ./internal/engine/all is due (-want +got):\n%s", d)
	}
}
