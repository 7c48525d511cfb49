package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"poly/internal/wasm/pack"
)

// packages writes stand-ins for the files of every package, as npm lays them.
func packages(t *testing.T) *packer {
	t.Helper()
	p := &packer{dir: t.TempDir(), sources: append(pack.Sources(), pack.Optional(pack.Biome)...), log: io.Discard}
	for _, s := range p.sources {
		for _, file := range s.Files() {
			write(t, p.path("node_modules", filepath.FromSlash(file)), "the file "+file)
		}
	}
	return p
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestCheck: every file that is used must be the one that was written down.
func TestCheck(t *testing.T) {
	t.Parallel()
	p := packages(t)
	if err := p.check(true); err != nil {
		t.Fatal(err)
	}
	if err := p.check(false); err != nil {
		t.Errorf("nothing changed: %v", err)
	}
	for name := range p.files {
		file := p.path("node_modules", filepath.FromSlash(name))
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		write(t, file, string(before)+" ")
		if err := p.check(false); err == nil || !strings.HasPrefix(err.Error(), name+" is not the file that ") {
			t.Errorf("%s was changed: %v", name, err)
		}
		write(t, file, string(before))
	}
	if len(p.files) < 20 {
		t.Errorf("%d files are checked", len(p.files))
	}
}

// TestInstalled: npm is asked when the lock names other packages than are there.
func TestInstalled(t *testing.T) {
	t.Parallel()
	p := &packer{dir: t.TempDir(), log: io.Discard}
	const root, a, b = `"": {"name": "top"}`, `"node_modules/a": {"version": "1", "integrity": "x"}`, `"node_modules/b": {"version": "2", "integrity": "y"}`
	lock := func(packages ...string) string { return `{"packages": {` + strings.Join(packages, ", ") + `}}` }
	write(t, p.path("package-lock.json"), lock(root, a, b, `"node_modules/c": {"version": "3", "integrity": "z", "optional": true}`))
	for _, tc := range []struct {
		name, text string // of npm's own lock; "": there is none
		want       bool
	}{
		{"nothing", "", false},
		{"broken", "{", false},
		{"one is missing", lock(a), false},
		{"another version", lock(a, strings.Replace(b, "2", "3", 1)), false},
		{"another content", lock(a, strings.Replace(b, "y", "z", 1)), false},
		{"the same", lock(b, a), true},
	} {
		if tc.text != "" {
			write(t, p.path("node_modules", ".package-lock.json"), tc.text)
		}
		if got := p.installed(); got != tc.want {
			t.Errorf("%s: installed = %v", tc.name, got)
		}
	}
}

// TestFresh: the blobs are made anew when anything that decides what they are
// changes, or one is missing.
func TestFresh(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	p := &packer{top: top, dir: filepath.Join(top, "wasm", "pack"), sources: pack.Sources(), log: io.Discard}
	write(t, p.path("package-lock.json"), "{}")
	write(t, p.path("..", "bindgen", "glue.go"), "package bindgen")
	stamp := func() string {
		s, err := p.stamp()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := stamp()
	write(t, p.path(filepath.FromSlash(stampFile)), first)
	if p.fresh(first) {
		t.Error("fresh without blobs")
	}
	for _, s := range p.sources {
		for _, suffix := range suffixes(&s) {
			write(t, p.path("blob", s.Name+suffix), "")
		}
	}
	write(t, p.path("blob", pack.IndexFile), "")
	if !p.fresh(first) {
		t.Error("not fresh with all blobs")
	}
	for _, name := range []string{"package-lock.json", sumFile, "pack.go", filepath.Join("..", "bindgen", "glue.go")} {
		before := stamp()
		write(t, p.path(name), "package other")
		if after := stamp(); after == before || p.fresh(after) {
			t.Errorf("%s was changed, and the stamp was not", name)
		}
	}
	if err := os.Remove(p.path("blob", "ruff"+pack.TableSuffix)); err != nil {
		t.Fatal(err)
	}
	if p.fresh(first) {
		t.Error("fresh without a table")
	}
}

// TestSweep: what is no blob of this list goes.
func TestSweep(t *testing.T) {
	t.Parallel()
	p := &packer{dir: t.TempDir(), log: io.Discard}
	write(t, p.path("blob", "old.wasm.zst"), "")
	write(t, p.path("blob", "new.wasm.zst"), "")
	if err := p.sweep([]string{"new.wasm.zst"}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(p.path("blob"))
	if err != nil || len(entries) != 1 || entries[0].Name() != "new.wasm.zst" {
		t.Errorf("left: %v, %v", entries, err)
	}
}
