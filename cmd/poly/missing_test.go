package main

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"poly/internal/engine"
	"poly/internal/engine/all"
)

// TestWithoutModules: a poly that was built without npm says what it lacks,
// fails nothing, and calls no file of those engines clean.
func TestWithoutModules(t *testing.T) {
	t.Parallel()
	engines := slices.Clone(all.Engines())
	for i := range engines {
		engines[i].Modules = nil // as if it had none to lack
		if n := engines[i].Name; n == "ruff" || n == "dprint" {
			engines[i].Modules = []engine.Module{{Name: "no such module"}}
		}
	}
	dir, home := t.TempDir(), t.TempDir()
	text := "import os\nx  = 1\n"
	if err := os.WriteFile(filepath.Join(dir, "a.py"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	skip := "a.py: ruff for Python is not built in: run make engines\n"
	for _, tc := range []struct{ args, want, not string }{
		{"lint", "Nothing was checked.", "No issues"},
		{"lint a.py", skip, "No issues"},
		{"lint --fix a.py", skip, "No issues"},
		{"fmt --check", "Nothing was checked.", "All formatted"},
		{"fmt --fix", skip, "reformatted"},
		{"fmt --diff", skip, "+"},
		{"lint --stdin-filename a.py", "Nothing was checked.", "No issues"},
		{"fmt --fix --stdin-filename a.py", text, "x = 1"},
		{"warm python", "warning: ruff is not built in: run make engines\n", "ready"},
		{"doctor", "warning: engines that are not built in, whose files are skipped: dprint, ruff\n  remedy: install npm, then run make engines build", "error"},
		{"explain ruff", "\nnot built in: run make engines\n", "is not built in"},
		{"--version --format json", `"yaml":`, `"ruff":`},
	} {
		var out bytes.Buffer
		a := &app{
			stdin: strings.NewReader(text), stdout: &out, stderr: &out, args: strings.Fields(tc.args), cwd: dir,
			env: []string{"PATH=/nowhere", "HOME=" + home, "POLY_CACHE_HOME=" + filepath.Join(home, "cache")},
			uid: os.Getuid(), now: time.Now, log: slog.New(slog.DiscardHandler), engines: engines,
		}
		if code := run(t.Context(), a); code != 0 {
			t.Errorf("poly %s: exit code %d\n%s", tc.args, code, &out)
		}
		if got := out.String(); !strings.Contains(got, tc.want) || strings.Contains(got, tc.not) {
			t.Errorf("poly %s prints, with %q or without %q:\n%s", tc.args, tc.not, tc.want, got)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, "a.py")); err != nil || string(got) != text {
		t.Errorf("a.py is %q, %v", got, err)
	}
}
