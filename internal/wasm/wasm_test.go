package wasm_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tetratelabs/wazero/api"

	"poly/internal/gen/tick"
	"poly/internal/wasm"
	"poly/internal/wasm/asm"
	"poly/internal/wasm/wasmtest"
)

// odd is a module of functions that do what they are called.
func odd(t *testing.T) []byte {
	t.Helper()
	m, err := tick.Insert(asm.Assemble(asm.Module{Pages: 1, Funcs: []asm.Func{
		{Name: "next", Results: 1, Code: asm.Code(
			asm.Const(0), asm.Const(0), asm.Load, 2, 0, asm.Const(1), asm.I32Add, asm.Store, 2, 0, asm.Const(0), asm.Load, 2, 0,
		)},
		{Name: "trap", Code: asm.Code(asm.Unreachable)},
		{Name: "spin", Code: asm.Code(asm.Loop, asm.Void, asm.Br, 0, asm.End)},
		{Name: "grow", Params: 1, Results: 1, Code: asm.Code(asm.LocalGet, 0, asm.MemoryGrow, 0)},
		{Name: "recurse", Code: asm.Code(asm.Call, 4)},
	}}))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// guest is an instance of odd.
type guest struct{ api.Module }

func (g guest) Size() uint32 { return g.Memory().Size() }

// call calls an export and returns its result, if it has one.
func (g guest) call(ctx context.Context, name string, args ...uint64) (uint32, error) {
	r, err := g.ExportedFunction(name).Call(ctx, args...)
	if err != nil || len(r) == 0 {
		return 0, wasm.NewTrap("odd", err)
	}
	return uint32(r[0]), nil
}

func newPool(t *testing.T) *wasm.Pool[guest] {
	t.Helper()
	host := wasmtest.HostOf("", wasmtest.Packed(t, "odd", odd(t)))
	m, err := host.Module(t.Context(), "odd")
	if err != nil {
		t.Fatal(err)
	}
	return wasm.NewPool(m, func(ctx context.Context) (guest, error) {
		g, err := m.Instantiate(ctx)
		return guest{g}, err
	})
}

// next returns how often next was called on the instance of the pool.
func next(t *testing.T, p *wasm.Pool[guest]) (n uint32) {
	t.Helper()
	err := p.Do(t.Context(), func(ctx context.Context, g guest) (err error) {
		n, err = g.call(ctx, "next")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestFull: that an instance broke off since it had no memory left is told apart
// from a mistake, and from a call that was cancelled.
func TestFull(t *testing.T) {
	t.Parallel()
	cancelled := &wasm.Trap{Module: "odd", Reason: "cancelled"}
	for _, tc := range []struct {
		name  string
		pages uint64
		trap  *wasm.Trap // nil: that of the export trap
		full  bool
	}{
		{"small", 1024, nil, false},
		{"large", 1 << 13, nil, true},
		{"large and cancelled", 1 << 13, cancelled, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			err := newPool(t).Do(t.Context(), func(ctx context.Context, g guest) error {
				if _, err := g.call(ctx, "grow", tc.pages); err != nil {
					return err
				}
				if tc.trap != nil {
					return tc.trap
				}
				_, err := g.call(ctx, "trap")
				return err
			})
			if trap, ok := errors.AsType[*wasm.Trap](err); !ok || trap.Full != tc.full {
				t.Errorf("Do = %v, full %v; want full %v", err, trap != nil && trap.Full, tc.full)
			}
		})
	}
}

// TestPool: a sound instance is used again, any other is not.
func TestPool(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		do   func(ctx context.Context, g guest) error
		err  string // "": none
		kept bool
	}{
		{"sound", func(context.Context, guest) error { return nil }, "", true},
		{"refuses", func(context.Context, guest) error { return errors.New("not my language") }, "not my language", true},
		{"trap", func(ctx context.Context, g guest) error { _, err := g.call(ctx, "trap"); return err }, "odd broke off: unreachable", false},
		{"recursion", func(ctx context.Context, g guest) error { _, err := g.call(ctx, "recurse"); return err }, "odd broke off: stack overflow", false},
		{"panic", func(context.Context, guest) error { panic("host") }, "odd broke off: panic: host", false},
		{"little growth", func(ctx context.Context, g guest) error { _, err := g.call(ctx, "grow", 1024); return err }, "", true},
		{"growth", func(ctx context.Context, g guest) error { _, err := g.call(ctx, "grow", 1025); return err }, "", false},
		{"too much", func(ctx context.Context, g guest) error {
			n, err := g.call(ctx, "grow", 1<<14)
			if n != ^uint32(0) {
				t.Errorf("memory grows to more than 1 GiB")
			}
			return err
		}, "", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := newPool(t)
			next(t, p)
			got := ""
			if err := p.Do(t.Context(), tc.do); err != nil {
				got = err.Error()
			}
			if got != tc.err {
				t.Errorf("error %q, want %q", got, tc.err)
			}
			if n := next(t, p); (n == 2) != tc.kept {
				t.Errorf("the next call is number %d of its instance", n)
			}
		})
	}
}

// TestConcurrent: no instance is used by two at a time.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	p := newPool(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				var busy atomic.Bool
				err := p.Do(t.Context(), func(ctx context.Context, g guest) error {
					before, err := g.call(ctx, "next")
					runtime.Gosched()
					after, err2 := g.call(ctx, "next")
					busy.Store(after != before+1)
					return errors.Join(err, err2)
				})
				if err != nil || busy.Load() {
					t.Errorf("Do: %v, instance shared: %v", err, busy.Load())
				}
			}
		})
	}
	wg.Wait()
}

// hang has a call spin until its context is cancelled for a cause.
func hang(t *testing.T, p *wasm.Pool[guest], cause error) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	err := p.Do(ctx, func(ctx context.Context, g guest) error {
		cancel(cause)
		_, err := g.call(ctx, "spin")
		return err
	})
	if trap, ok := errors.AsType[*wasm.Trap](err); !ok || trap.Reason != "cancelled" {
		t.Errorf("a call that was cancelled: %v", err)
	}
}

// TestHung: a loop without end is broken off when nobody waits for it any more;
// after two of them the module is not called again. Who cancels a call for
// another reason may do so as often as he likes.
func TestHung(t *testing.T) {
	t.Parallel()
	p := newPool(t)
	for range 3 {
		hang(t, p, errors.New("the user pressed a key"))
	}
	hang(t, p, wasm.ErrAbandoned)
	next(t, p)
	hang(t, p, wasm.ErrAbandoned)
	err := p.Do(t.Context(), func(context.Context, guest) error {
		t.Error("called once more")
		return nil
	})
	if err == nil || err.Error() != "odd hung twice" {
		t.Errorf("after two hangs: %v", err)
	}
}

// TestOuterDoesNotHang: who waits for another module does not hang; that does.
func TestOuterDoesNotHang(t *testing.T) {
	t.Parallel()
	outer, inner := newPool(t), newPool(t)
	for range 2 {
		ctx, cancel := context.WithCancelCause(t.Context())
		err := outer.Do(ctx, func(ctx context.Context, _ guest) error {
			return inner.Do(ctx, func(ctx context.Context, g guest) error {
				cancel(wasm.ErrAbandoned)
				_, err := g.call(ctx, "spin")
				return err
			})
		})
		if err == nil {
			t.Error("nothing was cancelled")
		}
	}
	next(t, outer)
	if err := inner.Do(t.Context(), func(context.Context, guest) error { return nil }); err == nil {
		t.Error("the inner module did not hang")
	}
}

// TestModule: what is not there, is damaged or is no module is an error.
func TestModule(t *testing.T) {
	t.Parallel()
	good := wasmtest.Packed(t, "good", odd(t))
	damaged := good
	damaged.Name, damaged.Sum = "damaged", strings.Repeat("0", 64)
	short := good
	short.Name, short.Size = "short", good.Size+1
	host := wasmtest.HostOf(t.TempDir(), good, damaged, short, wasmtest.Packed(t, "text", []byte("no module at all")))
	for name, want := range map[string]string{
		"good": "", "none": "module none is not built in", "damaged": "compile damaged: what is built in is damaged",
		"short": "compile short: module short: unexpected EOF", "text": "compile text: invalid magic number",
	} {
		got := ""
		if _, err := host.Module(t.Context(), name); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("Module(%q): %q, want %q", name, got, want)
		}
	}
	if w := host.Warnings(); len(w) != 0 {
		t.Errorf("warnings: %q", w)
	}
}

// TestModuleOutlivesItsCaller: a module that is compiled stays, also if the run
// that wanted it ended meanwhile: instances of it may exist.
func TestModuleOutlivesItsCaller(t *testing.T) {
	t.Parallel()
	host := wasmtest.HostOf(t.TempDir(), wasmtest.Packed(t, "good", odd(t)))
	ctx, cancel := context.WithCancel(t.Context())
	host.Compiling = func(string) { cancel() }
	first, err := host.Module(ctx, "good")
	if err != nil {
		t.Fatal(err)
	}
	runtime := first.Runtime
	if again, err := host.Module(t.Context(), "good"); err != nil || again.Runtime != runtime {
		t.Errorf("another runtime, %v", err)
	}
}
