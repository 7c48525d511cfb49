package store

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// rewrite changes the bytes of a file.
func rewrite(t *testing.T, path string, f func(b []byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, f(b), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestDamage is the law of the cache: whatever is done to its file, an answer
// is right or missing, the next save works, and one sentence at most is said.
func TestDamage(t *testing.T) {
	t.Parallel()
	f := makeFixture(20000)
	file := func(change func(b []byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, path string) { t.Helper(); rewrite(t, path, change) }
	}
	cases := []struct {
		name   string
		damage func(t *testing.T, path string)
		loses  bool // some answers must be missing
		warns  bool // a sentence must be said
	}{
		{"header", file(func(b []byte) []byte { copy(b, "garbage, garbage"); return b }), true, true},
		{"text file", file(func([]byte) []byte { return bytes.Repeat([]byte("not a database\n"), 500) }), true, true},
		{"half", file(func(b []byte) []byte { return b[:len(b)/2] }), true, true},
		{"hundred bytes", file(func(b []byte) []byte { return b[:100] }), true, true},
		{"no bytes", file(func([]byte) []byte { return nil }), true, false},
		{"schema page", file(func(b []byte) []byte { clear(b[100:4096]); return b }), true, true},
		{"zeroed pages", file(func(b []byte) []byte {
			for p := 12; p < len(b)/4096; p += 3 {
				clear(b[p*4096 : (p+1)*4096])
			}
			return b
		}), true, true},
		{"zeroed end", file(func(b []byte) []byte { clear(b[len(b)/2:]); return b }), true, true},
		{"a bit of a value", file(func(b []byte) []byte {
			// Old copies of a cell may lie in the free space of other pages.
			return bytes.ReplaceAll(b, []byte("finding number 1000 of"), []byte("finding numbev 1000 of"))
		}), true, false},
		{"swapped values", file(func(b []byte) []byte {
			i, j := bytes.Index(b, []byte("finding number 1000 of")), bytes.Index(b, []byte("finding number 2000 of"))
			one, two := bytes.Clone(b[i-sumSize:i+22]), bytes.Clone(b[j-sumSize:j+22])
			b = bytes.ReplaceAll(b, one, bytes.Repeat([]byte{'?'}, len(one)))
			b = bytes.ReplaceAll(b, two, one)
			b = bytes.ReplaceAll(b, bytes.Repeat([]byte{'?'}, len(one)), two)
			return b
		}), true, false},
		{"garbage log", func(t *testing.T, path string) {
			t.Helper()
			if err := os.WriteFile(path+"-wal", bytes.Repeat([]byte("garbage "), 9000), 0o600); err != nil {
				t.Fatal(err)
			}
		}, false, false},
		{"garbage index of the log", func(t *testing.T, path string) {
			t.Helper()
			if err := os.WriteFile(path+"-shm", bytes.Repeat([]byte("garbage "), 4096), 0o600); err != nil {
				t.Fatal(err)
			}
		}, false, false},
		{"other version", func(t *testing.T, path string) {
			t.Helper()
			db, err := openConn(path, false, busyWait)
			if err != nil {
				t.Fatal(err)
			}
			if err := db.exec("PRAGMA user_version = 999"); err != nil {
				t.Fatal(err)
			}
			_ = db.close()
		}, true, true},
		{"other application", func(t *testing.T, path string) {
			t.Helper()
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			db, err := openConn(path, false, busyWait)
			if err != nil {
				t.Fatal(err)
			}
			if err := db.exec("CREATE TABLE theirs(a); PRAGMA user_version = 1"); err != nil {
				t.Fatal(err)
			}
			_ = db.close()
		}, true, true},
	}
	for seed := range uint64(8) {
		cases = append(cases, struct {
			name   string
			damage func(t *testing.T, path string)
			loses  bool
			warns  bool
		}{"random bytes " + string(rune('a'+seed)), file(func(b []byte) []byte {
			rnd := rand.New(rand.NewPCG(seed, 7))
			for range 1 + rnd.IntN(300) {
				b[4096+rnd.IntN(len(b)-4096)] = byte(rnd.IntN(256))
			}
			return b
		}), false, false})
	}
	whole := saved(t, f)
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), CacheFile)
			copyFile(t, whole, path)
			tc.damage(t, path)
			c := open(t, path, CacheOptions{})
			res, err := c.Lookup(t.Context(), f.cfgs, f.keys)
			if err != nil && len(res.Missing) != len(f.keys) {
				t.Errorf("Lookup fails (%v) with %d of %d keys missing", err, len(res.Missing), len(f.keys))
			}
			if n := f.judge(t, res); tc.loses && n == 0 {
				t.Error("nothing is missing: the case damages nothing")
			}
			if err := c.Save(t.Context(), f.batch()); err != nil {
				t.Fatalf("Save: %v", err)
			}
			if n := f.judge(t, lookup(t, c, f)); n != 0 {
				t.Errorf("%d keys are missing after a save", n)
			}
			if w := c.Warnings(); len(w) > 1 || tc.warns != (len(w) == 1) && (tc.warns || !strings.Contains(tc.name, "random")) {
				t.Errorf("Warnings() = %q", w)
			}
			_ = c.Close()
			c = open(t, path, CacheOptions{})
			if n := f.judge(t, lookup(t, c, f)); n != 0 || len(c.Warnings()) != 0 {
				t.Errorf("opened again: %d keys are missing, %q", n, c.Warnings())
			}
		})
	}
}

// TestDamagedUnderUs: the file is replaced while others have it open. Everyone
// ends with the new file.
func TestDamagedUnderUs(t *testing.T) {
	t.Parallel()
	f := makeFixture(2000)
	path := saved(t, f)
	first, second := open(t, path, CacheOptions{}), open(t, path, CacheOptions{})
	lookup(t, second, f)
	rewrite(t, path, func(b []byte) []byte { clear(b[8192:]); return b })
	for range 2 {
		res, _ := first.Lookup(t.Context(), f.cfgs, f.keys)
		f.judge(t, res)
	}
	if err := first.Save(t.Context(), f.batch()); err != nil {
		t.Fatal(err)
	}
	res, _ := second.Lookup(t.Context(), f.cfgs, f.keys)
	f.judge(t, res)
	one := makeFixture(2001)
	if err := second.Save(t.Context(), Batch{Cfgs: one.cfgs, Rows: one.rows[2000:]}); err != nil {
		t.Fatal(err)
	}
	if n := one.judge(t, lookup(t, first, one)); n != 0 {
		t.Errorf("%d keys are missing", n)
	}
	if n := one.judge(t, lookup(t, second, one)); n != 0 {
		t.Errorf("%d keys are missing for the other", n)
	}
	countRows(t, path)
}

func TestVanishedDirectory(t *testing.T) {
	t.Parallel()
	f := makeFixture(1000)
	path := saved(t, f)
	c := open(t, path, CacheOptions{})
	lookup(t, c, f)
	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	res, _ := c.Lookup(t.Context(), f.cfgs, f.keys)
	f.judge(t, res)
	if err := c.Save(t.Context(), f.batch()); err != nil {
		t.Fatal(err)
	}
	if n := f.judge(t, lookup(t, open(t, path, CacheOptions{}), f)); n != 0 {
		t.Errorf("%d keys are missing in the new file", n)
	}
	if w := c.Warnings(); len(w) != 0 {
		t.Errorf("Warnings() = %q", w)
	}
}

// TestHopeless: where no file can be made, the cache is off and says so once.
func TestHopeless(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	directory := filepath.Join(dir, "dir", CacheFile)
	if err := os.MkdirAll(directory, 0o700); err != nil {
		t.Fatal(err)
	}
	f := makeFixture(10)
	for _, path := range []string{filepath.Join(blocked, "key", CacheFile), directory} {
		c := open(t, path, CacheOptions{})
		res, _ := c.Lookup(t.Context(), f.cfgs, f.keys)
		if n := f.judge(t, res); n != len(f.keys) {
			t.Errorf("%s: %d keys are missing, want all", path, n)
		}
		if c.Save(t.Context(), f.batch()) == nil {
			t.Errorf("%s: Save = nil", path)
		}
		if w := c.Warnings(); len(w) != 1 {
			t.Errorf("%s: Warnings() = %q, want one", path, w)
		}
	}
}

// TestLockedForLong: a writer that never ends costs the others their save,
// not their answers.
func TestLockedForLong(t *testing.T) {
	t.Parallel()
	f := makeFixture(100)
	path := saved(t, f)
	other, err := openConn(path, false, busyWait)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.close() }()
	if err := other.exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	c := open(t, path, CacheOptions{busy: 20 * time.Millisecond})
	start := time.Now()
	if n := f.judge(t, lookup(t, c, f)); n != 0 {
		t.Errorf("%d keys are missing", n)
	}
	if d := time.Since(start); d > time.Second {
		t.Errorf("a reader waited %s for a writer", d)
	}
	if c.Save(t.Context(), f.batch()) == nil {
		t.Error("Save = nil")
	}
	if w := c.Warnings(); len(w) != 1 {
		t.Errorf("Warnings() = %q, want one", w)
	}
}
