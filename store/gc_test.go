package store

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestStats(t *testing.T) {
	t.Parallel()
	f := makeFixture(300) // configurations 0 and 2 are lint, 1 is fmt
	path := saved(t, f)
	s, err := open(t, path, CacheOptions{}).Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	size := func(cfgs ...int) (n int64) {
		for _, r := range f.rows {
			for _, c := range cfgs {
				if r.Cfg != c {
					continue
				}
				n += int64(4 + len(r.OID))
				if r.Value != nil {
					n += int64(sumSize + len(r.Value))
				}
			}
		}
		return n
	}
	want := Stats{
		FormatVersion: FormatVersion, TotalBytes: s.TotalBytes,
		PerNamespace: []NamespaceStats{
			{"lint", 200, size(0, 2), FormatVersion},
			{"fmt", 100, size(1), FormatVersion},
			{"hook", 0, 0, FormatVersion},
			{"workspace", 0, 0, FormatVersion},
		},
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
	if fi, err := os.Stat(path); err != nil || s.TotalBytes < fi.Size() {
		t.Errorf("TotalBytes = %d, the file alone has %d (%v)", s.TotalBytes, fi.Size(), err)
	}
	b, err := json.Marshal(Stats{FormatVersion: 1, TotalBytes: 2, PerNamespace: []NamespaceStats{{"lint", 3, 4, 1}}})
	if err != nil {
		t.Fatal(err)
	}
	const doc = `{"format_version":1,"total_bytes":2,"per_namespace":[{"namespace":"lint","entries":3,"bytes":4,"format_version":1}]}`
	if string(b) != doc {
		t.Errorf("JSON = %s, want %s", b, doc)
	}
}

// clock is a Now that tests move.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

func TestGCForgetsByAge(t *testing.T) {
	t.Parallel()
	clk := &clock{time.Unix(1_700_000_000, 0)}
	f := makeFixture(3 * gcChunk)
	path := filepath.Join(t.TempDir(), CacheFile)
	c := open(t, path, CacheOptions{Now: clk.now, NoAutoGC: true})
	b := f.batch()
	b.Memos = []Memo{{Scope: []byte("old"), Key: []byte("k")}}
	c.Remember([]byte("old"), []byte("v"))
	if err := c.Save(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	clk.t = clk.t.Add(40 * day)
	// One of the three configurations is used again.
	if err := c.Save(t.Context(), Batch{Cfgs: f.cfgs[1:2], Rows: []Row{{Cfg: 0, OID: f.rows[1].OID}}}); err != nil {
		t.Fatal(err)
	}
	before := c.diskBytes(true)
	freed, err := c.GC(t.Context(), GCOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if freed.FreedBytes < before/3 || freed.FreedBytes != before-c.diskBytes(true) {
		t.Errorf("FreedBytes = %d of %d; %d are left", freed.FreedBytes, before, c.diskBytes(true))
	}
	for i, cfg := range f.cfgs {
		res, err := c.Lookup(t.Context(), []Cfg{cfg}, []Key{{OID: f.rows[i].OID}})
		if err != nil || (len(res.Missing) == 0) != (i == 1) {
			t.Errorf("configuration %d: %v, %v", i, res, err)
		}
	}
	if n := countRows(t, path); n != gcChunk {
		t.Errorf("%d rows are left, want %d", n, gcChunk)
	}
	if c.Memo(t.Context(), []byte("old"), []byte("k")) != nil || c.Recall(t.Context(), []byte("old")) != nil {
		t.Error("old memos are left")
	}
}

func TestGCForgetsBySize(t *testing.T) {
	t.Parallel()
	clk := &clock{time.Unix(1_700_000_000, 0)}
	c := open(t, filepath.Join(t.TempDir(), CacheFile), CacheOptions{Now: clk.now, NoAutoGC: true})
	f := makeFixture(30000)
	for i := range f.cfgs { // one a day
		clk.t = clk.t.Add(day)
		var rows []Row
		for _, r := range f.rows {
			if r.Cfg == i {
				rows = append(rows, r)
			}
		}
		if err := c.Save(t.Context(), Batch{Cfgs: f.cfgs, Rows: rows}); err != nil {
			t.Fatal(err)
		}
	}
	limit := c.diskBytes(false) / 2
	if _, err := c.GC(t.Context(), GCOptions{MaxSize: limit}); err != nil {
		t.Fatal(err)
	}
	if n := c.diskBytes(false); n > limit+64<<10 {
		t.Errorf("%d bytes are left, want %d", n, limit)
	}
	res := lookup(t, c, f)
	f.judge(t, res)
	for _, i := range res.Missing {
		if f.keys[i].Cfg == 2 {
			t.Fatal("the newest results are gone")
		}
	}
	if len(res.Missing) < 10000 {
		t.Errorf("%d keys are missing, want a configuration or two", len(res.Missing))
	}
}

// TestIDsAreNotReused: a process that remembers the id of a collected
// configuration must not find, or write into, another one's results.
func TestIDsAreNotReused(t *testing.T) {
	t.Parallel()
	clk := &clock{time.Unix(1_700_000_000, 0)}
	path := filepath.Join(t.TempDir(), CacheFile)
	c := open(t, path, CacheOptions{Now: clk.now, NoAutoGC: true})
	oid := makeFixture(1).rows[0].OID
	cfgs := []Cfg{{NS: Lint, Hash: [32]byte{1}}, {NS: Lint, Hash: [32]byte{2}}}
	save := func(c *Cache, cfg Cfg, value string) {
		t.Helper()
		if err := c.Save(t.Context(), Batch{Cfgs: []Cfg{cfg}, Rows: []Row{{OID: oid, Value: []byte(value)}}}); err != nil {
			t.Fatal(err)
		}
	}
	find := func(c *Cache, cfg Cfg) string {
		t.Helper()
		res, err := c.Lookup(t.Context(), []Cfg{cfg}, []Key{{OID: oid}})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Values) == 0 {
			return ""
		}
		return string(res.Values[0].Data)
	}
	save(c, cfgs[0], "first")
	slow := open(t, path, CacheOptions{Now: clk.now, NoAutoGC: true})
	if got := find(slow, cfgs[0]); got != "first" {
		t.Fatalf("found %q", got)
	}
	clk.t = clk.t.Add(40 * day)
	if _, err := c.GC(t.Context(), GCOptions{}); err != nil {
		t.Fatal(err)
	}
	save(c, cfgs[1], "second")
	if got := find(slow, cfgs[0]); got != "" {
		t.Errorf("the collected configuration has %q", got)
	}
	save(slow, cfgs[0], "third")
	if a, b := find(c, cfgs[0]), find(c, cfgs[1]); a != "third" || b != "second" {
		t.Errorf("found %q and %q, want third and second", a, b)
	}
}

func TestAutoGCOnceADay(t *testing.T) {
	t.Parallel()
	clk := &clock{time.Unix(1_700_000_000, 0)}
	path := filepath.Join(t.TempDir(), CacheFile)
	c := open(t, path, CacheOptions{Now: clk.now})
	f := makeFixture(3)
	save := func(cfg int) {
		t.Helper()
		if err := c.Save(t.Context(), Batch{Cfgs: f.cfgs, Rows: []Row{{Cfg: cfg, OID: f.rows[0].OID}}}); err != nil {
			t.Fatal(err)
		}
	}
	save(0)
	clk.t = clk.t.Add(30*day - time.Hour)
	save(1) // collects, and 0 is not old enough
	clk.t = clk.t.Add(20 * time.Hour)
	c.ids = nil
	save(2) // 0 is too old by two days now or nearly; the last collection was today
	clk.t = clk.t.Add(12 * time.Hour)
	if n := countRows(t, path); n != 3 {
		t.Errorf("%d rows after less than a day, want 3", n)
	}
	clk.t = clk.t.Add(day)
	save(2)
	if n := countRows(t, path); n != 2 {
		t.Errorf("%d rows a day later, want 2", n)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	f := makeFixture(5000)
	path := saved(t, f)
	if err := os.WriteFile(path+asideName, make([]byte, 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	other := open(t, path, CacheOptions{})
	lookup(t, other, f)
	c := open(t, path, CacheOptions{})
	before := c.diskBytes(true)
	freed, err := c.Clean(t.Context())
	if err != nil || freed.FreedBytes != before || before < 100_000 {
		t.Errorf("Clean() = %v, %v, want %d", freed, err, before)
	}
	if res := lookup(t, c, f); len(res.Missing) != len(f.keys) {
		t.Errorf("%d keys are missing, want all", len(res.Missing))
	}
	// Whoever had the file open goes on and finds the new one when it saves.
	f.judge(t, lookup(t, other, f))
	if err := other.Save(t.Context(), f.batch()); err != nil {
		t.Fatal(err)
	}
	if n := f.judge(t, lookup(t, c, f)); n != 0 {
		t.Errorf("%d keys are missing", n)
	}
	if freed, err := c.Clean(t.Context()); err != nil || freed.FreedBytes == 0 {
		t.Errorf("Clean() = %v, %v", freed, err)
	}
	if freed, err := c.Clean(context.WithoutCancel(t.Context())); err != nil || freed.FreedBytes != 0 {
		t.Errorf("Clean() of nothing = %v, %v", freed, err)
	}
	if w := append(c.Warnings(), other.Warnings()...); len(w) != 0 {
		t.Errorf("Warnings() = %q", w)
	}
}
