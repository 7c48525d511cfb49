package store

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestMain runs the test binary as one of its own children: "child <name> <args>".
func TestMain(m *testing.M) {
	if len(os.Args) < 3 || os.Args[1] != "child" {
		m.Run()
		return
	}
	children[os.Args[2]](os.Args[3:])
}

// child is a process that runs a function of children; it fails by panicking.
func child(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, append([]string{"child", name}, args...)...)
	cmd.Stderr = os.Stderr
	return cmd
}

// nobody makes cmd run without any right; dir is where it works.
func nobody(t *testing.T, cmd *exec.Cmd, dir string) {
	t.Helper()
	for d := dir; len(d) > len(os.TempDir()); d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// The go command keeps test binaries where others may not look.
	exe := filepath.Join(dir, "test.exe")
	copyFile(t, cmd.Path, exe)
	if err := os.Chmod(exe, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd.Path = exe
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	out, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// fixture is a set of results whose value can be told from the number.
type fixture struct {
	cfgs []Cfg
	keys []Key
	rows []Row
}

// makeFixture makes n results of three configurations; every tenth is not clean.
func makeFixture(n int) fixture {
	f := fixture{cfgs: []Cfg{{NS: Lint, Hash: sha256.Sum256([]byte("a"))}, {NS: Format, Hash: sha256.Sum256([]byte("a"))}, {NS: Lint, Hash: sha256.Sum256([]byte("b"))}}}
	for i := range n {
		sum := sha1.Sum([]byte(strconv.Itoa(i)))
		r := Row{Cfg: i % 3, OID: string(sum[:])}
		if i%10 == 0 {
			r.Value = fmt.Appendf(nil, "finding number %d of many, and what it says", i)
		}
		f.rows = append(f.rows, r)
		f.keys = append(f.keys, Key{Cfg: r.Cfg, OID: r.OID})
	}
	return f
}

func (f fixture) batch() Batch { return Batch{Cfgs: f.cfgs, Rows: f.rows} }

// judge fails if an answer about f's keys is wrong, and returns how many are missing.
func (f fixture) judge(t *testing.T, res Result) (missing int) {
	t.Helper()
	gone := map[int]bool{}
	for _, i := range res.Missing {
		gone[i] = true
	}
	values := map[int]string{}
	for _, v := range res.Values {
		values[v.Index] = string(v.Data)
	}
	for i, r := range f.rows {
		v, found := values[i]
		switch {
		case gone[i]:
			if found {
				t.Errorf("key %d is missing and found", i)
			}
		case found != (r.Value != nil) || v != string(r.Value):
			t.Fatalf("key %d = %q (clean: %v), want %q", i, v, !found, r.Value)
		}
	}
	return len(res.Missing)
}

func open(t *testing.T, path string, opt CacheOptions) *Cache {
	t.Helper()
	c := OpenCache(t.Context(), path, opt)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// saved makes a cache file that holds f, and closes it.
func saved(t *testing.T, f fixture) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "key", CacheFile)
	c := open(t, path, CacheOptions{})
	if err := c.Save(t.Context(), f.batch()); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func lookup(t *testing.T, c *Cache, f fixture) Result {
	t.Helper()
	res, err := c.Lookup(t.Context(), f.cfgs, f.keys)
	if err != nil {
		t.Fatalf("Lookup: %v", err)
	}
	return res
}

// TestLookupLikeAMap compares a cache with a map through random saves.
func TestLookupLikeAMap(t *testing.T) {
	t.Parallel()
	type where struct {
		cfg Cfg
		oid string
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	path := filepath.Join(t.TempDir(), CacheFile)
	c := open(t, path, CacheOptions{})
	var cfgs []Cfg
	for i := range 40 {
		cfgs = append(cfgs, Cfg{NS: Namespaces()[i%4], Hash: [32]byte{byte(i / 8), 31: byte(i / 16)}})
	}
	slices.SortFunc(cfgs, func(a, b Cfg) int { return slices.Compare(a.Hash[:], b.Hash[:]) })
	cfgs = slices.Compact(cfgs)
	oid := func() string {
		sum := sha256.Sum256([]byte{byte(rnd.IntN(200))})
		return string(sum[:20+12*rnd.IntN(2)])
	}
	model := map[where][]byte{}
	for round := range 60 {
		b := Batch{Cfgs: cfgs}
		for range rnd.IntN(80) {
			r := Row{Cfg: rnd.IntN(len(cfgs)), OID: oid()}
			if rnd.IntN(2) == 0 {
				r.Value = []byte("vvvvvvvvvv"[:rnd.IntN(10)])
			}
			b.Rows = append(b.Rows, r)
		}
		// The last of equal rows wins in the map; order inside a batch is not promised.
		seen := map[where]bool{}
		b.Rows = slices.DeleteFunc(b.Rows, func(r Row) bool {
			w := where{cfgs[r.Cfg], r.OID}
			again := seen[w]
			seen[w] = true
			return again
		})
		for _, r := range b.Rows {
			model[where{cfgs[r.Cfg], r.OID}] = r.Value
		}
		if err := c.Save(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if round%20 == 19 {
			_ = c.Close()
			c = open(t, path, CacheOptions{})
		}
		var want Result
		keys := make([]Key, rnd.IntN(300))
		for i := range keys {
			keys[i] = Key{Cfg: rnd.IntN(len(cfgs)), OID: oid()}
			v, ok := model[where{cfgs[keys[i].Cfg], keys[i].OID}]
			if !ok {
				want.Missing = append(want.Missing, i)
			} else if v != nil {
				want.Values = append(want.Values, Value{Index: i, Data: v})
			}
		}
		got, err := c.Lookup(t.Context(), cfgs, keys)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("round %d (-want +got):\n%s", round, diff)
		}
	}
	if w := c.Warnings(); len(w) != 0 {
		t.Errorf("Warnings() = %q, want none", w)
	}
}

func TestMemoKeepsTheNewestStates(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	c := open(t, filepath.Join(t.TempDir(), CacheFile), CacheOptions{Now: func() time.Time { return now }})
	for i := range memosKept + 3 {
		now = now.Add(time.Second)
		memos := []Memo{
			{Scope: []byte("here"), Key: []byte{byte(i)}, Value: []byte{'v', byte(i)}},
			{Scope: []byte("there"), Key: []byte("k"), Value: nil},
		}
		if err := c.Save(t.Context(), Batch{Memos: memos}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range memosKept + 3 {
		var want []byte
		if i >= 3 {
			want = []byte{'v', byte(i)}
		}
		if diff := cmp.Diff(want, c.Memo(t.Context(), []byte("here"), []byte{byte(i)})); diff != "" {
			t.Errorf("state %d: %s", i, diff)
		}
	}
	if got := c.Memo(t.Context(), []byte("there"), []byte("k")); got == nil || len(got) != 0 {
		t.Errorf("Memo of an empty value = %v, want empty and not nil", got)
	}
	if got := c.Memo(t.Context(), []byte("elsewhere"), []byte("k")); got != nil {
		t.Errorf("Memo of another scope = %v, want nil", got)
	}
}

func TestRememberIsWrittenBySave(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), CacheFile)
	c := open(t, path, CacheOptions{})
	value := []byte("times")
	c.Remember([]byte("k"), value)
	value[0] = 'X' // the cache has a copy
	if got := c.Recall(t.Context(), []byte("k")); string(got) != "times" {
		t.Errorf("Recall before Save = %q", got)
	}
	other := open(t, path, CacheOptions{})
	if got := other.Recall(t.Context(), []byte("k")); got != nil {
		t.Errorf("Recall of what was not saved = %q", got)
	}
	if err := c.Save(t.Context(), Batch{}); err != nil {
		t.Fatal(err)
	}
	if got := other.Recall(t.Context(), []byte("k")); string(got) != "times" {
		t.Errorf("Recall after Save = %q", got)
	}
}

// TestWarmRunWritesNothing: neither reading nor an empty Save touches a file,
// even when the configurations were last used long ago.
func TestWarmRunWritesNothing(t *testing.T) {
	t.Parallel()
	f := makeFixture(500)
	path := saved(t, f)
	later := CacheOptions{Now: func() time.Time { return time.Now().Add(20 * day) }}
	c := open(t, path, later)
	content := func() map[string]string {
		m := map[string]string{}
		for _, p := range []string{path, path + "-wal"} {
			b, err := os.ReadFile(p)
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			m[p] = string(b)
		}
		return m
	}
	before := content()
	if n := f.judge(t, lookup(t, c, f)); n != 0 {
		t.Errorf("%d keys are missing", n)
	}
	c.Memo(t.Context(), []byte("s"), []byte("k"))
	c.Recall(t.Context(), []byte("s"))
	if err := c.Save(t.Context(), Batch{}); err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(before, content()) {
		t.Error("a warm run wrote to the cache")
	}
	used := func() int64 {
		n, err := c.conn.integer("SELECT min(used) FROM cfg")
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	old := used()
	if err := c.Save(t.Context(), Batch{Memos: []Memo{{Scope: []byte("s"), Key: []byte("k")}}}); err != nil {
		t.Fatal(err)
	}
	if got := used(); got != old+20 {
		t.Errorf("a writing run marks configurations as used on day %d, want %d", got, old+20)
	}
}

func TestSaveStopsBetweenChunks(t *testing.T) {
	t.Parallel()
	f := makeFixture(3 * chunk)
	c := open(t, filepath.Join(t.TempDir(), CacheFile), CacheOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := f.batch()
	b.Memos = []Memo{{Scope: []byte("s"), Key: []byte("k"), Value: []byte("v")}}
	if err := c.Save(ctx, b); err == nil {
		t.Error("Save of three chunks under a cancelled context = nil, want an error")
	}
	if n := f.judge(t, lookup(t, c, f)); n != 2*chunk {
		t.Errorf("%d keys are missing, want all but one chunk: %d", n, 2*chunk)
	}
	if c.Memo(t.Context(), []byte("s"), []byte("k")) != nil {
		t.Error("a memo was written by a partial save")
	}
	if len(c.Warnings()) != 0 {
		t.Errorf("cancelling warns: %q", c.Warnings())
	}
}

// TestManyGoroutines is for the race detector, and for answers that stay right
// while others write.
func TestManyGoroutines(t *testing.T) {
	t.Parallel()
	f := makeFixture(3000)
	c := open(t, filepath.Join(t.TempDir(), CacheFile), CacheOptions{})
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			for n := i * 100; n < len(f.rows); n += 600 {
				key := strconv.AppendInt(nil, int64(n), 10)
				c.Remember(key, key)
				if err := c.Save(t.Context(), Batch{Cfgs: f.cfgs, Rows: f.rows[n : n+100], Memos: []Memo{{Scope: key, Key: key, Value: key}}}); err != nil {
					t.Error(err)
				}
				if c.Memo(t.Context(), key, key) == nil || c.Recall(t.Context(), key) == nil {
					t.Errorf("%s is not found", key)
				}
				part := fixture{cfgs: f.cfgs, keys: f.keys[n : n+100], rows: f.rows[n : n+100]}
				res, err := c.Lookup(t.Context(), part.cfgs, part.keys)
				if err != nil || len(res.Missing) != 0 {
					t.Errorf("Lookup: %d keys are missing, %v", len(res.Missing), err)
				}
			}
		})
	}
	wg.Wait()
	if n := f.judge(t, lookup(t, c, f)); n != 0 {
		t.Errorf("%d keys are missing", n)
	}
}

func TestNoCache(t *testing.T) {
	t.Parallel()
	f := makeFixture(3)
	c := NoCache()
	if err := c.Save(t.Context(), f.batch()); err == nil {
		t.Error("Save = nil, want an error")
	}
	c.Remember([]byte("k"), []byte("v"))
	res, _ := c.Lookup(t.Context(), f.cfgs, f.keys)
	if diff := cmp.Diff(Result{Missing: []int{0, 1, 2}}, res); diff != "" {
		t.Error(diff)
	}
	if s, err := c.Stats(t.Context()); err != nil || s.TotalBytes != 0 {
		t.Errorf("Stats() = %v, %v", s, err)
	}
	if fr, err := c.Clean(t.Context()); err != nil || fr.FreedBytes != 0 {
		t.Errorf("Clean() = %v, %v", fr, err)
	}
	if len(c.Warnings()) != 0 || c.Close() != nil {
		t.Error("a cache that is switched off warns")
	}
}

func TestLocate(t *testing.T) {
	t.Parallel()
	repo := t.TempDir()
	key := RepoKey(repo)
	if len(key) != 16 {
		t.Fatalf("RepoKey = %q", key)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(repo, link); err != nil {
		t.Fatal(err)
	}
	if got := RepoKey(link + "/."); got != key {
		t.Errorf("RepoKey by a symlink = %s, want %s", got, key)
	}
	for _, tc := range []struct {
		name, goos   string
		env          map[string]string
		cache, state string
		fails        bool
	}{
		{name: "own", env: map[string]string{"POLY_CACHE_HOME": "/c/", "POLY_STATE_HOME": "/s", "XDG_CACHE_HOME": "/x", "HOME": "/h"}, cache: "/c", state: "/s"},
		{name: "xdg", env: map[string]string{"XDG_CACHE_HOME": "/x", "XDG_STATE_HOME": "/y", "HOME": "/h"}, cache: "/x/poly", state: "/y/poly"},
		{name: "relative xdg is ignored", env: map[string]string{"XDG_CACHE_HOME": "x", "XDG_STATE_HOME": "y", "HOME": "/h"}, cache: "/h/.cache/poly", state: "/h/.local/state/poly"},
		{name: "linux", env: map[string]string{"HOME": "/h"}, cache: "/h/.cache/poly", state: "/h/.local/state/poly"},
		{name: "mac", goos: "darwin", env: map[string]string{"HOME": "/h"}, cache: "/h/Library/Caches/poly", state: "/h/Library/Application Support/poly"},
		{name: "relative own", env: map[string]string{"POLY_CACHE_HOME": "c", "HOME": "/h"}, fails: true},
		{name: "no home", fails: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, err := Locate(func(k string) string { return tc.env[k] }, tc.goos, repo)
			if (err != nil) != tc.fails {
				t.Fatalf("Locate: %v", err)
			}
			want := Dirs{}
			if !tc.fails {
				want = Dirs{CacheHome: tc.cache, Cache: tc.cache + "/" + key, StateHome: tc.state, State: tc.state + "/" + key}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
