package wasm_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"poly/internal/wasm"
	"poly/internal/wasm/pack"
	"poly/internal/wasm/wasmtest"
)

// opened opens odd with what dir holds, and tells whether it was compiled. It
// ends the test if the module does not work.
func opened(t *testing.T, dir string, m pack.Module) (compiled bool, warnings []string) {
	t.Helper()
	host := wasmtest.HostOf(dir, m)
	host.Compiling = func(string) { compiled = true }
	works(t, host)
	return compiled, host.Warnings()
}

func works(t *testing.T, host *wasm.Host) {
	t.Helper()
	m, err := host.Module(t.Context(), "odd")
	if err != nil {
		t.Fatal(err)
	}
	g, err := m.Instantiate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = g.Close(t.Context()) }()
	if n, err := (guest{g}).call(t.Context(), "next"); n != 1 || err != nil {
		t.Fatalf("next = %d, %v", n, err)
	}
}

// TestKept: what one process compiled, the next neither compiles nor unpacks.
func TestKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	m := wasmtest.Packed(t, "odd", odd(t))
	if compiled, warnings := opened(t, dir, m); !compiled || warnings != nil {
		t.Errorf("first: compiled %v, warnings %q", compiled, warnings)
	}
	m = m.With([]byte("nothing that could be unpacked"), nil)
	if compiled, warnings := opened(t, dir, m); compiled || warnings != nil {
		t.Errorf("second: compiled %v, warnings %q", compiled, warnings)
	}
	other := wasmtest.Packed(t, "odd", append(odd(t), 0, 1, 0)) // another sum: an empty section
	if compiled, _ := opened(t, dir, other); !compiled {
		t.Error("another module of that name was not compiled")
	}
}

// TestCarried: the folder of a module works elsewhere.
func TestCarried(t *testing.T) {
	t.Parallel()
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "there")
	m := wasmtest.Packed(t, "odd", odd(t))
	opened(t, from, m)
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if compiled, _ := opened(t, to, m); compiled {
		t.Error("compiled again")
	}
}

// TestDamaged: whatever becomes of the files that are kept, the module works,
// and is kept again.
func TestDamaged(t *testing.T) {
	t.Parallel()
	m := wasmtest.Packed(t, "odd", odd(t))
	whole := t.TempDir()
	opened(t, whole, m)
	damages := map[string]func(name string, text []byte) error{
		"removed":   func(name string, _ []byte) error { return os.Remove(name) },
		"truncated": func(name string, text []byte) error { return os.WriteFile(name, text[:len(text)/2], 0o600) },
		"empty":     func(name string, _ []byte) error { return os.WriteFile(name, nil, 0o600) },
		"first":     func(name string, text []byte) error { return os.WriteFile(name, flipped(text, 0), 0o600) },
		"middle":    func(name string, text []byte) error { return os.WriteFile(name, flipped(text, len(text)/2), 0o600) },
		"last":      func(name string, text []byte) error { return os.WriteFile(name, flipped(text, len(text)-1), 0o600) },
		"directory": func(name string, _ []byte) error { return os.Mkdir(name, 0o700) },
	}
	for what, damage := range damages {
		for _, file := range files(t, whole) {
			if filepath.Base(file) == "lock" {
				continue
			}
			dir := filepath.Join(t.TempDir(), "wasm")
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			name := filepath.Join(dir, file)
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if what == "directory" {
				if err := os.Remove(name); err != nil {
					t.Fatal(err)
				}
			}
			if err := damage(name, text); err != nil {
				t.Fatal(err)
			}
			compiled, warnings := opened(t, dir, m)
			again, _ := opened(t, dir, m)
			// A directory in the way is not poly's to remove.
			if !compiled || what != "directory" && (again || warnings != nil) {
				t.Errorf("%s %s: compiled %v, then %v, warnings %q", file, what, compiled, again, warnings)
			}
		}
	}
}

func flipped(text []byte, at int) []byte {
	text = bytes.Clone(text)
	text[at] ^= 0x10
	return text
}

// files lists the files below dir.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"*/*", "*/*/*"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			rel, err := filepath.Rel(dir, name)
			if fi, err2 := os.Stat(name); err == nil && err2 == nil && fi.Mode().IsRegular() {
				out = append(out, rel)
			}
		}
	}
	if len(out) < 4 {
		t.Fatalf("files %q", out)
	}
	return out
}

// TestNoPlace: without a place, the module is compiled for the process, and
// the reason is told once.
func TestNoPlace(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	m := wasmtest.Packed(t, "odd", odd(t))
	host := wasmtest.HostOf(filepath.Join(file, "wasm"), m, wasmtest.Packed(t, "second", append(odd(t), 0, 1, 0)))
	works(t, host)
	if _, err := host.Module(t.Context(), "second"); err != nil {
		t.Fatal(err)
	}
	want := []string{"compiled engines are not kept: not a directory"}
	if got := host.Warnings(); !slices.Equal(got, want) {
		t.Errorf("warnings %q, want %q", got, want)
	}
	if compiled, warnings := opened(t, "", m); !compiled || warnings != nil {
		t.Errorf("without a directory: compiled %v, warnings %q", compiled, warnings)
	}
}

// TestForeign: files that are not the module's do no harm, and stay.
func TestForeign(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	m := wasmtest.Packed(t, "odd", odd(t))
	opened(t, dir, m)
	folder := filepath.Join(dir, filepath.Dir(files(t, dir)[0]))
	if !strings.HasPrefix(filepath.Base(folder), "odd-"+m.Sum[:16]+"-") {
		t.Errorf("the folder is %s", folder)
	}
	note := filepath.Join(dir, "note.txt")
	if err := os.WriteFile(note, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "check"), []byte("../../note.txt 4 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if compiled, _ := opened(t, dir, m); !compiled {
		t.Error("a list of foreign files was believed")
	}
	if text, err := os.ReadFile(note); err != nil || string(text) != "mine" {
		t.Errorf("note: %q, %v", text, err)
	}
}

// TestUnused: folders that were not used for long go when a module is
// compiled; a folder that is used is not old.
func TestUnused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	m := wasmtest.Packed(t, "odd", odd(t))
	opened(t, dir, m)
	check := glob(t, filepath.Join(dir, "*", "check"))[0]
	old := time.Now().Add(-40 * 24 * time.Hour)
	age := func() {
		if err := os.Chtimes(check, old, old); err != nil {
			t.Fatal(err)
		}
	}
	next := func(n byte) {
		if compiled, _ := opened(t, dir, wasmtest.Packed(t, "odd", append(odd(t), 0, 2, 0, n))); !compiled {
			t.Error("not compiled")
		}
	}
	age()
	if compiled, _ := opened(t, dir, m); compiled {
		t.Error("an old folder was not used")
	}
	next(1)
	if _, err := os.Stat(check); err != nil {
		t.Errorf("a folder that was used is gone: %v", err)
	}
	age()
	next(2)
	if _, err := os.Stat(filepath.Dir(check)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an unused folder: %v", err)
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return names
}
