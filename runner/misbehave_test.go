package runner_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
	"poly/runner"
)

// odd makes an engine for Go that misbehaves as a file's text says.
func odd(f func(w *oddWorker, ctx context.Context, src engine.Source) ([]diag.Diagnostic, error)) engine.Engine {
	return engine.Engine{
		Spec: engine.Spec{Name: "odd", Langs: []lang.ID{lang.Go}, Verbs: engine.Lint},
		Bind: func(context.Context, engine.Env) (engine.Bound, error) {
			return engine.Bound{Open: func(context.Context) (engine.Worker, error) { return &oddWorker{lint: f}, nil }}, nil
		},
	}
}

type oddWorker struct {
	engine.Funcs
	lint  func(w *oddWorker, ctx context.Context, src engine.Source) ([]diag.Diagnostic, error)
	calls int
}

func (w *oddWorker) Lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	w.calls++
	return w.lint(w, ctx, src)
}

// write puts n files a00.go, a01.go, ... with one X each, and bad.go.
func (p *place) writeMany(n int, bad string) {
	for i := range n {
		p.Write(fmt.Sprintf("a%02d.go", i), fmt.Sprintf("package a // X %d\n", i))
	}
	p.Write("bad.go", bad)
}

// TestEngineFailures: whatever an engine does to one file, that file is
// errored with a reason, and every other file gets its outcome.
func TestEngineFailures(t *testing.T) {
	t.Parallel()
	find := func(src engine.Source) ([]diag.Diagnostic, error) {
		return find(src.Text, "X1", "X", "", diag.Warning), nil
	}
	cases := []struct {
		name string
		lint func(w *oddWorker, ctx context.Context, src engine.Source) ([]diag.Diagnostic, error)
		want string
	}{
		{"error", func(_ *oddWorker, _ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
			return find(src)
		}, "errored: odd: it failed"},
		{"panic", func(*oddWorker, context.Context, engine.Source) ([]diag.Diagnostic, error) {
			panic("ouch")
		}, "errored: engine odd panicked: ouch"},
		{"runtime panic", func(_ *oddWorker, _ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
			return nil, fmt.Errorf("%c", src.Text[len(src.Text)])
		}, "errored: engine odd panicked: runtime error: index out of range [12] with length 12"},
		{"modified input", func(_ *oddWorker, _ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
			src.Text[0] = 'P'
			return nil, nil
		}, "errored: engine odd modified its input"},
		{"hang that ends when told", func(_ *oddWorker, ctx context.Context, _ engine.Source) ([]diag.Diagnostic, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, "errored: no answer within 300ms"},
		{"declines", func(*oddWorker, context.Context, engine.Source) ([]diag.Diagnostic, error) {
			return nil, fmt.Errorf("wrapped: %w", engine.Skip("a reason"))
		}, "skipped: a reason"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, odd(func(w *oddWorker, ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
				if !bytes.Contains(src.Text, []byte("BAD")) {
					return find(src)
				}
				if tc.name == "error" {
					return nil, errors.New("it failed")
				}
				return tc.lint(w, ctx, src)
			}))
			p.writeMany(40, "package BAD\n")
			want := map[string]string{"bad.go": tc.want}
			for i := range 40 {
				want[fmt.Sprintf("a%02d.go", i)] = "checked, 1"
			}
			v, err := p.open(nil)
			if err != nil {
				t.Fatal(err)
			}
			defer v.done()
			for _, jobs := range []int{1, 4} {
				for range 2 {
					r := p.runner(p.cache)
					r.Limit = 300 * time.Millisecond
					req := v.request(engine.Lint)
					req.Jobs = jobs
					rep, err := r.Run(t.Context(), req)
					if err != nil {
						t.Fatal(err)
					}
					if d := cmp.Diff(want, outcomes(rep)); d != "" {
						t.Errorf("%d jobs: -want +got:\n%s", jobs, d)
					}
				}
			}
		})
	}
}

// TestHangForGood: an engine that never comes back costs its file, and the
// goroutine, and nothing else; what it does afterwards is seen by nobody.
func TestHangForGood(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	var back atomic.Int32
	p := newPlace(t, odd(func(_ *oddWorker, _ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
		if bytes.Contains(src.Text, []byte("BAD")) {
			<-release
			back.Add(1)
			return []diag.Diagnostic{say("Z", "too late")}, nil
		}
		return nil, nil
	}))
	p.writeMany(40, "package BAD\n")
	v, err := p.open(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer v.done()
	r := p.runner(p.cache)
	r.Limit = 200 * time.Millisecond
	rep, err := r.Run(t.Context(), v.request(engine.Lint))
	if err != nil {
		t.Fatal(err)
	}
	before := outcomes(rep)
	close(release)
	for back.Load() == 0 {
		runtime.Gosched()
	}
	want := map[string]string{"bad.go": "errored: no answer within 200ms"}
	if d := cmp.Diff(want, before); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if d := cmp.Diff(want, outcomes(rep)); d != "" {
		t.Errorf("the report changed afterwards:\n%s", d)
	}
	if rep.Summary != (diag.Summary{Checked: 40, Errored: 1}) {
		t.Errorf("%+v", rep.Summary)
	}
}

// TestOpenFailures: an engine that cannot be opened, or panics there or when
// it is closed, is no reason to end the run; one that panics in Bind is.
func TestOpenFailures(t *testing.T) {
	t.Parallel()
	bound := func(b engine.Bound) engine.Engine {
		e := linter("odd", nil, lang.Go)
		e.Bind = func(context.Context, engine.Env) (engine.Bound, error) { return b, nil }
		return e
	}
	for _, tc := range []struct {
		name string
		e    engine.Engine
		want string
	}{
		{"error", bound(engine.Bound{Open: func(context.Context) (engine.Worker, error) {
			return nil, errors.New("no memory")
		}}), "errored: open engine odd: no memory"},
		{"panic", bound(engine.Bound{Open: func(context.Context) (engine.Worker, error) { panic("ouch") }}), "errored: engine odd panicked: ouch"},
		{"close", bound(engine.Bound{Open: func(context.Context) (engine.Worker, error) { return badCloser{}, nil }}), "checked, 1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, tc.e)
			p.Write("a.go", "package a\n")
			p.Write("b.yaml", "a: 1\n")
			want := map[string]string{"a.go": tc.want, "b.yaml": "skipped: no lint rules for YAML"}
			if d := cmp.Diff(want, outcomes(p.lint())); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
	e := linter("odd", nil, lang.Go)
	e.Bind = func(context.Context, engine.Env) (engine.Bound, error) { panic("ouch") }
	p := newPlace(t, e)
	p.Write("a.go", "package a\n")
	if _, err := p.try(t.Context(), engine.Lint, true, nil); err == nil || !strings.Contains(err.Error(), "engine odd panicked: ouch") {
		t.Errorf("Bind panicked: %v", err)
	}
}

type badCloser struct{ engine.Funcs }

func (badCloser) Lint(context.Context, engine.Source) ([]diag.Diagnostic, error) {
	return []diag.Diagnostic{say("A", "a")}, nil
}
func (badCloser) Close() error { panic("ouch") }

// TestPositions: what an engine says about places outside the file is moved
// into it, and codes it does not list are reported all the same.
func TestPositions(t *testing.T) {
	t.Parallel()
	at := func(start, end int) diag.Diagnostic {
		return diag.Diagnostic{Code: "NEW", Severity: diag.Warning, Title: "t", Span: &diag.Span{Start: start, End: end, StartLine: 99, EndCol: -7}}
	}
	e := odd(func(*oddWorker, context.Context, engine.Source) ([]diag.Diagnostic, error) {
		return []diag.Diagnostic{at(900, 901), at(-5, 3), at(4, 2), at(8, 900), {Title: "all of it", Code: "L1"}}, nil
	})
	e.Rules = []engine.Rule{{Code: "L1", Default: true}}
	p := newPlace(t, e)
	p.Write("a.go", "package\né\n")
	span := func(start, end, l1, c1, l2, c2 int) *diag.Span {
		return &diag.Span{Start: start, End: end, StartLine: l1, StartCol: c1, EndLine: l2, EndCol: c2}
	}
	want := []*diag.Span{nil, span(0, 3, 1, 1, 1, 4), span(4, 4, 1, 5, 1, 5), span(8, 11, 2, 1, 3, 1), span(11, 11, 3, 1, 3, 1)}
	for range 2 {
		f, _ := file(p.lint(), "a.go")
		var got []*diag.Span
		for _, d := range f.Diagnostics {
			got = append(got, d.Span)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("-want +got:\n%s", d)
		}
	}
}

// TestFormatterFailures: a formatter that cannot be trusted changes nothing,
// and says why.
func TestFormatterFailures(t *testing.T) {
	t.Parallel()
	flip := func(_ context.Context, src engine.Source) ([]byte, error) {
		if bytes.HasSuffix(src.Text, []byte("a\n")) {
			return []byte("package b\n"), nil
		}
		return []byte("package a\n"), nil
	}
	guarded := formatter("gofumpt", nil, lang.Go)
	guarded.Bind = func(context.Context, engine.Env) (engine.Bound, error) {
		return engine.Bound{
			Same: func(before, after []byte) error { return fmt.Errorf("%s is not %s", before, after) },
			Open: engine.Stateless(engine.Funcs{FormatFunc: func(context.Context, engine.Source) ([]byte, error) { return []byte("package other\n"), nil }}),
		}, nil
	}
	panicky := guarded
	panicky.Bind = func(ctx context.Context, e engine.Env) (engine.Bound, error) {
		b, err := guarded.Bind(ctx, e)
		b.Same = func([]byte, []byte) error { panic("ouch") }
		return b, err
	}
	one := func(f formatFunc) engine.Engine { return formatter("gofumpt", f, lang.Go) }
	var shared [64]byte
	for _, tc := range []struct {
		name   string
		e      engine.Engine
		want   string
		detail string
		text   string
	}{
		{"does not converge", one(flip), "skipped: formatter does not converge", "", ""},
		{"flips for ever, in one buffer", one(func(ctx context.Context, src engine.Source) ([]byte, error) {
			next, err := flip(ctx, src)
			return append(shared[:0], next...), err
		}), "skipped: formatter does not converge", "", ""},
		{"loses meaning", guarded, "skipped: formatter would change meaning", "package a\n is not package other\n", ""},
		{"guard panics", panicky, "errored: engine gofumpt panicked: ouch", "", ""},
		{"panics", one(func(context.Context, engine.Source) ([]byte, error) { panic("ouch") }), "errored: engine gofumpt panicked: ouch", "", ""},
		{"in place", one(func(_ context.Context, src engine.Source) ([]byte, error) {
			src.Text[0] = 'P'
			return src.Text, nil
		}), "errored: engine gofumpt modified its input", "", ""},
		{"declines", one(func(context.Context, engine.Source) ([]byte, error) { return nil, engine.Skip("why") }), "skipped: why", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, tc.e)
			p.Write("a.go", "package a\n")
			for i := range 3 {
				rep := p.format()
				if i == 2 {
					var s *sink
					rep, s = p.fix(engine.Format, nil)
					if tc.text == "" && len(s.written) > 0 {
						t.Errorf("wrote %v", s.written)
					}
				}
				if d := cmp.Diff(map[string]string{"a.go": tc.want}, outcomes(rep)); d != "" {
					t.Errorf("run %d -want +got:\n%s", i, d)
				}
				if f, _ := file(rep, "a.go"); f.Extras().Detail != tc.detail {
					t.Errorf("run %d: detail %q, want %q", i, f.Extras().Detail, tc.detail)
				}
			}
			if tc.text != "" && p.Read("a.go") != tc.text {
				t.Errorf("%q, want %q", p.Read("a.go"), tc.text)
			}
		})
	}
}

// batcher counts how it is asked, and misbehaves as the text says.
type batcher struct {
	batches *atomic.Int32
	files   *atomic.Int32
}

func (b *batcher) Format(_ context.Context, src engine.Source) ([]byte, error) { return src.Text, nil }
func (b *batcher) Close() error                                                { return nil }

func (b *batcher) Lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	switch {
	case bytes.Contains(src.Text, []byte("HANG")):
		<-ctx.Done()
		return nil, ctx.Err()
	case bytes.Contains(src.Text, []byte("PANIC")):
		panic("ouch")
	case bytes.Contains(src.Text, []byte("FAIL")):
		return nil, errors.New("it failed")
	case bytes.Contains(src.Text, []byte("SKIP")):
		return nil, engine.Skip("declined")
	case bytes.Contains(src.Text, []byte("MODIFY")):
		src.Text[0]++
	}
	return append(find(src.Text, "X1", "X", "", diag.Warning), say("S", "%s %s", src.Path, src.Lang)), nil
}

func (b *batcher) LintBatch(ctx context.Context, srcs []engine.Source) (diags [][]diag.Diagnostic, errs []error) {
	b.batches.Add(1)
	b.files.Add(int32(len(srcs)))
	if slices.ContainsFunc(srcs, func(s engine.Source) bool { return bytes.Contains(s.Text, []byte("SHORT")) }) {
		return nil, nil
	}
	for _, s := range srcs {
		d, err := b.Lint(ctx, s)
		diags, errs = append(diags, d), append(errs, err)
	}
	return diags, errs
}

// TestBatch: an engine that takes many files at once gives the results of
// single calls, whatever one of the files does to it.
func TestBatch(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "FAIL", "SKIP", "PANIC", "HANG", "MODIFY", "SHORT", "\x00"} {
		t.Run(fmt.Sprintf("%q", bad), func(t *testing.T) {
			t.Parallel()
			var batches, files atomic.Int32
			batching := func(on bool) engine.Engine {
				e := linter("batcher", nil, lang.Go)
				e.UsesPath = true
				e.Bind = func(context.Context, engine.Env) (engine.Bound, error) {
					return engine.Bound{Open: func(context.Context) (engine.Worker, error) {
						b := &batcher{batches: &batches, files: &files}
						if on {
							return b, nil
						}
						return engine.Funcs{LintFunc: b.Lint}, nil
					}}, nil
				}
				return e
			}
			p := newPlace(t, batching(true), broken())
			p.writeMany(40, "package BAD "+bad+"\n")
			v, err := p.open(nil)
			if err != nil {
				t.Fatal(err)
			}
			defer v.done()
			run := func(cache runner.Cache, engines ...engine.Engine) diag.Report {
				r := p.runner(cache)
				r.Engines, r.Limit = engines, 500*time.Millisecond
				rep, err := r.Run(t.Context(), v.request(engine.Lint))
				if err != nil {
					t.Fatal(err)
				}
				return rep
			}
			want := run(nil, batching(false), broken())
			if n := batches.Load(); n > 0 {
				t.Fatal("the reference batched")
			}
			got := run(p.cache, batching(true), broken())
			if d := differ(want, got); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
			if batches.Load() == 0 || batches.Load() > 4 || files.Load() < 40 {
				t.Errorf("%d batches of %d files", batches.Load(), files.Load())
			}
			if d := differ(want, run(p.cache, batching(true), broken())); d != "" {
				t.Errorf("warm: -want +got:\n%s", d)
			}
		})
	}
}
