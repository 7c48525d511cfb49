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
		"rare/rare.go":       "// Package rare is one.\n//\n//go:build says nothing here\n\n//go:build extra\n\npackage rare\n\nvar Engine = 1\n",
		"rare/rare_test.go":  "//go:build extra\n\npackage rare\n",
		"unix/unix.go":       "//go:build !windows || extra\n\npackage unix\n\nvar Engine = 1\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	plain, extra, err := engines(dir)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"alpha", "beta", "unix"}, plain); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"rare"}, extra); d != "" {
		t.Error(d)
	}
	if _, _, err := engines(t.TempDir()); err == nil {
		t.Error("engines finds something in an empty folder")
	}
	if err := os.WriteFile(filepath.Join(dir, "rare", "half.go"), []byte("package rare\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := engines(dir); err == nil {
		t.Error("a folder may carry the tag in some files only")
	}
}

// TestUpToDate: the committed lists are those the generator writes.
func TestUpToDate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "engine")
	texts, err := lists(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range texts {
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), string(got)); d != "" {
			t.Errorf("go generate ./internal/engine/all is due for %s (-want +got):\n%s", name, d)
		}
	}
}
