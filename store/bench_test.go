package store

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// cpu is the processor time of this process.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// measure reports processor time, all threads summed, for n things an iteration.
func measure(b *testing.B, n int, f func()) {
	b.Helper()
	start := cpu(b)
	for b.Loop() {
		f()
	}
	b.ReportMetric(float64((cpu(b)-start).Nanoseconds())/float64(b.N)/float64(n)/1e3, "cpu-us/item")
}

func benchCache(b *testing.B, n int) (path string, f fixture) {
	b.Helper()
	path = filepath.Join(b.TempDir(), CacheFile)
	f = makeFixture(n)
	c := OpenCache(b.Context(), path, CacheOptions{})
	batch := f.batch()
	batch.Memos = []Memo{{Scope: []byte("s"), Key: []byte("k"), Value: make([]byte, 4096)}}
	if err := c.Save(b.Context(), batch); err != nil {
		b.Fatal(err)
	}
	if err := c.Close(); err != nil {
		b.Fatal(err)
	}
	return path, f
}

// BenchmarkLookup100k: law: at most 0.9 us of processor time a key.
func BenchmarkLookup100k(b *testing.B) {
	path, f := benchCache(b, 100_000)
	c := OpenCache(b.Context(), path, CacheOptions{})
	measure(b, len(f.keys), func() {
		if res, err := c.Lookup(b.Context(), f.cfgs, f.keys); err != nil || len(res.Missing) > 0 {
			b.Fatal(err)
		}
	})
}

// BenchmarkOpenMemo: law: at most 1 ms of processor time.
func BenchmarkOpenMemo(b *testing.B) {
	path, _ := benchCache(b, 25_000)
	measure(b, 1, func() {
		c := OpenCache(b.Context(), path, CacheOptions{})
		if c.Memo(b.Context(), []byte("s"), []byte("k")) == nil {
			b.Fatal("no memo")
		}
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkSave1000(b *testing.B) {
	f := makeFixture(1000)
	c := OpenCache(b.Context(), filepath.Join(b.TempDir(), CacheFile), CacheOptions{})
	i := 0
	measure(b, len(f.rows), func() {
		i++
		f.cfgs[0].Hash[5], f.cfgs[1].Hash[5], f.cfgs[2].Hash[5] = byte(i), byte(i), byte(i)
		if err := c.Save(b.Context(), f.batch()); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkSaveOne is the run after one file was edited: open, look up, save, close.
func BenchmarkSaveOne(b *testing.B) {
	path, f := benchCache(b, 25_000)
	measure(b, 1, func() {
		c := OpenCache(b.Context(), path, CacheOptions{})
		batch := Batch{Cfgs: f.cfgs, Rows: f.rows[:1], Memos: []Memo{{Scope: []byte("s"), Key: []byte("k"), Value: make([]byte, 4096)}}}
		if err := c.Save(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkAppendRun: law: at most 2 ms of processor time, opening included.
func BenchmarkAppendRun(b *testing.B) {
	path := filepath.Join(b.TempDir(), HistoryFile)
	r := run(time.Now())
	measure(b, 1, func() {
		h, err := OpenHistory(b.Context(), path, HistoryOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if ok, err := h.AppendRun(b.Context(), r); !ok || err != nil {
			b.Fatal(err)
		}
		if err := h.Close(); err != nil {
			b.Fatal(err)
		}
	})
}
