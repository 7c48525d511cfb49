package runner_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
	"poly/runner"
	"poly/store"
)

// crowd fills a place with files of every outcome.
func (p *place) crowd() {
	for i, text := range contents {
		p.Write(fmt.Sprintf("d%d/x.yaml", i%5), text)
		p.Write(fmt.Sprintf("d%d/f%d.go", i%5, i), text)
		p.Write(fmt.Sprintf("d%d/f%d.md", i%5, i), text)
		p.Write(fmt.Sprintf("t%d", i), text)
	}
	p.Write("cfg.txt", "one")
	p.Commit("crowd")
}

// TestCancel: a cancelled run returns the context's error, keeps what was
// finished, and leaves no goroutine behind.
func TestCancel(t *testing.T) {
	for _, verb := range []engine.Verb{engine.Lint, engine.Format} {
		var calls atomic.Int32
		stop := func() {}
		count := func() {
			if calls.Add(1) == 60 {
				stop()
			}
		}
		lint := linter("m", func(context.Context, engine.Source) ([]diag.Diagnostic, error) { count(); return nil, nil }, lang.Go)
		format := formatter("gofumpt", func(_ context.Context, src engine.Source) ([]byte, error) { count(); return src.Text, nil }, lang.Go)
		p := newPlace(t, lint, format)
		for i := range 400 {
			p.Write(fmt.Sprintf("f%d.go", i), fmt.Sprintf("package a // %d\n", i))
		}
		want := p.run(verb, false, nil)
		calls.Store(0)
		ctx, cancel := context.WithCancel(t.Context())
		stop = cancel
		before := runtime.NumGoroutine()
		if rep, err := p.try(ctx, verb, true, nil); !errors.Is(err, context.Canceled) || len(rep.Files) > 0 {
			t.Errorf("%v: error %v, report %+v", verb, err, rep)
		}
		for range 1000 {
			runtime.Gosched()
		}
		if after := runtime.NumGoroutine(); after > before {
			buf := make([]byte, 1<<16)
			t.Errorf("%v: %d goroutines, before %d\n%s", verb, after, before, buf[:runtime.Stack(buf, true)])
		}
		rep := p.run(verb, true, nil)
		if d := differ(want, rep); d != "" {
			t.Errorf("%v: after a cancelled run -want +got:\n%s", verb, d)
		}
		if rep.Stats.Read == 0 || rep.Stats.Read > 380 {
			t.Errorf("%v: %d files read after a cancelled run that finished about 60 of 400", verb, rep.Stats.Read)
		}
		cancel()
	}
}

// TestCancelledBefore: a context that is done already ends a run at once, be
// the cache cold or warm.
func TestCancelledBefore(t *testing.T) {
	t.Parallel()
	p := newPlace(t, revealing()...)
	p.crowd()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for i := range 2 {
		if _, err := p.try(ctx, engine.Lint, true, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("run %d: %v", i, err)
		}
		p.lint()
	}
}

// spoilt is a cache that lies, fails, or forgets.
type spoilt struct {
	*store.Cache
	spoil func(data []byte) []byte
	err   error
}

func (s spoilt) Memo(ctx context.Context, scope, key []byte) []byte {
	if v := s.Cache.Memo(ctx, scope, key); v != nil {
		return s.spoil(bytes.Clone(v))
	}
	return nil
}

func (s spoilt) Lookup(ctx context.Context, cfgs []store.Cfg, keys []store.Key) (store.Result, error) {
	res, err := s.Cache.Lookup(ctx, cfgs, keys)
	for i := range res.Values {
		res.Values[i].Data = s.spoil(bytes.Clone(res.Values[i].Data))
	}
	return res, errors.Join(err, s.err)
}

func (s spoilt) Save(ctx context.Context, b store.Batch) error {
	return errors.Join(s.Cache.Save(ctx, b), s.err)
}

// TestSpoiltValues: values that do not decode are no values.
func TestSpoiltValues(t *testing.T) {
	t.Parallel()
	p := newPlace(t, revealing()...)
	p.crowd()
	want := map[engine.Verb]diag.Report{}
	for _, verb := range []engine.Verb{engine.Lint, engine.Format} {
		want[verb] = p.run(verb, false, nil)
		p.run(verb, true, nil)
		p.run(verb, true, nil)
	}
	same := func(b []byte) []byte { return b }
	for name, s := range map[string]spoilt{
		"empty":     {spoil: func([]byte) []byte { return []byte{} }},
		"cut":       {spoil: func(b []byte) []byte { return b[:len(b)-1] }},
		"half":      {spoil: func(b []byte) []byte { return b[:len(b)/2] }},
		"longer":    {spoil: func(b []byte) []byte { return append(b, 0) }},
		"foreign":   {spoil: func(b []byte) []byte { return bytes.Repeat([]byte{0xff}, len(b)) }},
		"long list": {spoil: func(b []byte) []byte { return append(b[:len(b)-1], 0xff, 0xff, 0xff, 0x7f) }},
		"failing":   {spoil: same, err: errors.New("no")},
	} {
		for verb, w := range want {
			v, err := p.open(nil)
			if err != nil {
				t.Fatal(err)
			}
			s.Cache = p.cache
			got, err := p.runner(s).Run(t.Context(), v.request(verb))
			v.done()
			if err != nil {
				t.Fatal(err)
			}
			if d := differ(w, got); d != "" {
				t.Errorf("%s %v: -want +got:\n%s", name, verb, d)
			}
		}
	}
}

// TestDamagedFile: whatever is wrong with the file of the cache, the report is
// what it would be without one.
func TestDamagedFile(t *testing.T) {
	t.Parallel()
	p := newPlace(t, revealing()...)
	p.crowd()
	want := p.run(engine.Lint, false, nil)
	damage := map[string]func([]byte) []byte{
		"truncated":   func(b []byte) []byte { return b[:len(b)/2] },
		"empty":       func([]byte) []byte { return nil },
		"no database": func(b []byte) []byte { return bytes.Repeat([]byte("x"), len(b)) },
	}
	for i := range 4 {
		damage[fmt.Sprintf("flipped %d", i)] = func(b []byte) []byte {
			for at := 100 + i*37; at < len(b); at += 331 {
				b[at] ^= byte(1 << (i % 8))
			}
			return b
		}
	}
	for name, f := range damage {
		for range 2 {
			p.lint()
		}
		if err := p.cache.Close(); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(p.cacheFile())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p.cacheFile(), f(b), 0o666); err != nil {
			t.Fatal(err)
		}
		p.cache = p.openCache(store.CacheOptions{})
		for i := range 3 {
			if d := differ(want, p.lint()); d != "" {
				t.Errorf("%s, run %d: -want +got:\n%s", name, i, d)
			}
		}
	}
}

// TestClosedCache: a cache that was closed, or whose file vanished, is no cache.
func TestClosedCache(t *testing.T) {
	t.Parallel()
	p := newPlace(t, revealing()...)
	p.crowd()
	want := p.run(engine.Lint, false, nil)
	p.lint()
	if err := os.RemoveAll(filepath.Dir(p.cacheFile())); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if d := differ(want, p.lint()); d != "" {
			t.Errorf("vanished: -want +got:\n%s", d)
		}
	}
	_ = p.cache.Close()
	if d := differ(want, p.lint()); d != "" {
		t.Errorf("closed: -want +got:\n%s", d)
	}
}

// TestOtherBuild: results of another build, version or revision are not used.
func TestOtherBuild(t *testing.T) {
	t.Parallel()
	var said string
	e := linter("m", func(context.Context, engine.Source) ([]diag.Diagnostic, error) {
		return []diag.Diagnostic{say("A", "%s", said)}, nil
	}, lang.Go)
	p := newPlace(t, e)
	p.Write("a.go", "package a\n")
	p.Commit("c")
	v, err := p.open(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer v.done()
	for i, change := range []func(*runner.Runner){
		func(*runner.Runner) {},
		func(r *runner.Runner) { r.Build = "other" },
		func(r *runner.Runner) { r.Engines[0].Wrapped = "v2" },
		func(r *runner.Runner) { r.Engines[0].Revision = 2 },
		func(r *runner.Runner) { r.Engines[0].Name = "n" },
		func(r *runner.Runner) {
			r.Engines[0].Bind = func(context.Context, engine.Env) (engine.Bound, error) {
				b, err := e.Bind(t.Context(), engine.Env{})
				b.Digest = []byte("d")
				return b, err
			}
		},
	} {
		said = fmt.Sprint("run ", i)
		r := p.runner(p.cache)
		r.Engines = []engine.Engine{e}
		change(r)
		req := v.request(engine.Lint)
		if i == 5 {
			req.Scope = "" // what Bind returns is no part of the memo's key: a build has one Bind
		}
		for range 2 {
			rep, err := r.Run(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if f, _ := file(rep, "a.go"); len(f.Diagnostics) != 1 || f.Diagnostics[0].Title != said {
				t.Errorf("run %d: %+v, want %q", i, f.Diagnostics, said)
			}
		}
	}
}

// TestTwoRuns: two runs at once on one cache file, from two caches and from
// one, report what a single one does.
func TestTwoRuns(t *testing.T) {
	t.Parallel()
	p := newPlace(t, revealing()...)
	p.crowd()
	want := map[engine.Verb]diag.Report{engine.Lint: p.run(engine.Lint, false, nil), engine.Format: p.run(engine.Format, false, nil)}
	other := p.openCache(store.CacheOptions{})
	var wg sync.WaitGroup
	for i, c := range []*store.Cache{p.cache, p.cache, other, other} {
		verb := []engine.Verb{engine.Lint, engine.Format}[i%2]
		wg.Go(func() {
			for range 5 {
				v, err := p.open(c)
				if err != nil {
					t.Error(err)
					return
				}
				got, err := p.runner(c).Run(t.Context(), v.request(verb))
				v.done()
				if err != nil {
					t.Error(err)
				} else if d := differ(want[verb], got); d != "" {
					t.Errorf("%v: -want +got:\n%s", verb, d)
				}
			}
		})
	}
	wg.Wait()
}
