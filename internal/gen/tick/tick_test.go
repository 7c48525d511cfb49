package tick_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"poly/internal/gen/tick"
	"poly/internal/wasm/asm"
)

// instance makes an instance of a module; ticked is called by loops.
func instance(t *testing.T, module []byte, ticked func(context.Context)) api.Module {
	t.Helper()
	rt := wazero.NewRuntime(t.Context())
	t.Cleanup(func() { _ = rt.Close(context.Background()) })
	f := api.GoFunc(func(ctx context.Context, _ []uint64) { ticked(ctx) })
	for _, b := range []wazero.HostModuleBuilder{
		rt.NewHostModuleBuilder(tick.Module).NewFunctionBuilder().WithGoFunction(f, nil, nil).Export(tick.Function),
		rt.NewHostModuleBuilder("env").NewFunctionBuilder().WithFunc(func(v uint32) uint32 { return v * 3 }).Export("triple"),
	} {
		if _, err := b.Instantiate(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	m, err := rt.Instantiate(t.Context(), module)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestStops: a loop without end is preempted by the garbage collector, which it
// would keep waiting for ever, and ends when its call is cancelled.
func TestStops(t *testing.T) {
	t.Parallel()
	module, err := tick.Insert(asm.Assemble(asm.Module{Pages: 1, Funcs: []asm.Func{
		{Name: "spin", Code: asm.Code(asm.Loop, asm.Void, asm.Br, 0, asm.End)},
		{Name: "nest", Code: asm.Code(asm.Loop, asm.Void, asm.Loop, asm.Void, asm.Br, 1, asm.End, asm.End)},
	}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"spin", "nest"} {
		spins := make(chan struct{}, 1)
		m := instance(t, module, func(ctx context.Context) {
			select {
			case spins <- struct{}{}:
			default:
			}
			if ctx.Err() != nil {
				panic(ctx.Err())
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := m.ExportedFunction(name).Call(ctx)
			done <- err
		}()
		<-spins
		runtime.GC()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("%s ended with %v, want its context's error", name, err)
		}
	}
}

// sumTo has a bit of everything that refers to a function: an import, calls of
// both kinds, a table, a start function. sum(n) is 3 * (1 + ... + n) + 7.
func sumTo() asm.Module {
	return asm.Module{
		Pages:   1,
		Imports: []asm.Import{{Module: "env", Name: "triple", Params: 1, Results: 1}},
		Table:   []int{1, 3},
		Start:   2,
		Funcs: []asm.Func{
			{Name: "add", Params: 2, Results: 1, Code: asm.Code(asm.LocalGet, 0, asm.LocalGet, 1, asm.I32Add)},
			{Code: asm.Code(asm.Const(0), asm.Const(7), asm.Store, 2, 0)}, // start: memory[0] = 7
			{Name: "sum", Params: 1, Results: 1, Locals: 1, Code: asm.Code(
				asm.Block, asm.Void, asm.LocalGet, 0, asm.BrTable, 1, 0, 0, asm.End,
				asm.Loop, asm.Void,
				asm.LocalGet, 1, asm.LocalGet, 0, asm.Call, 1, asm.LocalSet, 1,
				asm.LocalGet, 0, asm.Const(1), asm.I32Sub, asm.LocalTee, 0, asm.BrIf, 0,
				asm.End,
				asm.LocalGet, 1, asm.Call, 0, // triple
				asm.Const(0), asm.Load, 2, 0, asm.Call, 1,
			)},
		},
	}
}

// TestSameResults: a module does what it did, and ticks the more it loops.
func TestSameResults(t *testing.T) {
	t.Parallel()
	plain := asm.Assemble(sumTo())
	ticked, err := tick.Insert(plain)
	if err != nil {
		t.Fatal(err)
	}
	ticks := 0
	before := instance(t, plain, func(context.Context) { t.Error("the original ticks") })
	after := instance(t, ticked, func(context.Context) { ticks++ })
	for _, n := range []uint64{1, 2, 100, 5000} {
		want, err := before.ExportedFunction("sum").Call(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		if uint32(want[0]) != uint32(3*n*(n+1)/2+7) {
			t.Fatalf("sum(%d) = %d", n, want[0])
		}
		if got, err := after.ExportedFunction("sum").Call(t.Context(), n); err != nil || got[0] != want[0] {
			t.Errorf("sum(%d) = %d, %v, want %d", n, got, err, want)
		}
	}
	if ticks != 4 {
		t.Errorf("%d ticks of 5000 turns, want 4", ticks)
	}
}

// TestRefuses: what is no module, or has what is not known, is an error that
// says so.
func TestRefuses(t *testing.T) {
	t.Parallel()
	unknown := asm.Assemble(asm.Module{Pages: 1, Funcs: []asm.Func{{Name: "f", Code: asm.Code(0xfe, 0x00, 2, 0)}}})
	for _, tc := range []struct {
		name, want string
		text       []byte
	}{
		{"empty", "ends", nil},
		{"text", "not a Wasm module", []byte("not at all")},
		{"cut", "ends", unknown[:20]},
		{"unknown instruction", "0xfe", unknown},
		{"nothing in it", "without functions", []byte("\x00asm\x01\x00\x00\x00")},
	} {
		if _, err := tick.Insert(tc.text); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
}

// FuzzInsert: no bytes make it panic or take long, and what it returns the
// runtime accepts if it accepted the original.
func FuzzInsert(f *testing.F) {
	f.Add(asm.Assemble(sumTo()))
	f.Add(asm.Assemble(asm.Module{Pages: 1, Funcs: []asm.Func{{Name: "spin", Code: asm.Code(asm.Loop, asm.Void, asm.Br, 0, asm.End)}}}))
	f.Fuzz(func(t *testing.T, module []byte) {
		if len(module) > 1<<12 {
			return
		}
		out, err := tick.Insert(module)
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithMemoryLimitPages(16))
		defer func() { _ = rt.Close(ctx) }()
		if _, err := rt.CompileModule(ctx, module); err != nil {
			return
		}
		if _, err := rt.CompileModule(ctx, out); err != nil {
			t.Errorf("the original compiles, the result does not: %v", err)
		}
	})
}
