package runner_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/gen/tick"
	"poly/internal/lang"
	"poly/internal/wasm"
	"poly/internal/wasm/asm"
	"poly/internal/wasm/wasmtest"
)

// guest is an instance of a module of the functions look, spin and trap.
type guest struct {
	call func(ctx context.Context, name string) error
}

func (guest) Size() uint32                { return 0 }
func (guest) Close(context.Context) error { return nil }

// looper lints by a module: a text that says SPIN has it loop without end, one
// that says TRAP has it break off. ended is told when a call has ended.
func looper(t *testing.T, ended chan<- string) engine.Engine {
	t.Helper()
	module, err := tick.Insert(asm.Assemble(asm.Module{Pages: 1, Funcs: []asm.Func{
		{Name: "look"},
		{Name: "SPIN", Code: asm.Code(asm.Loop, asm.Void, asm.Br, 0, asm.End)},
		{Name: "TRAP", Code: asm.Code(asm.Unreachable)},
	}}))
	if err != nil {
		t.Fatal(err)
	}
	m, err := wasmtest.HostOf("", wasmtest.Packed(t, "looper", module)).Module(t.Context(), "looper")
	if err != nil {
		t.Fatal(err)
	}
	pool := wasm.NewPool(m, func(ctx context.Context) (guest, error) {
		g, err := m.Instantiate(ctx)
		return guest{func(ctx context.Context, name string) error {
			_, err := g.ExportedFunction(name).Call(ctx)
			return wasm.NewTrap(m.Name, err)
		}}, err
	})
	return linter("looper", func(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
		name := "look"
		for _, odd := range []string{"SPIN", "TRAP"} {
			if bytes.Contains(src.Text, []byte(odd)) {
				name = odd
			}
		}
		err := pool.Do(ctx, func(ctx context.Context, g guest) error { return g.call(ctx, name) })
		if name == "SPIN" {
			ended <- fmt.Sprint(err)
		}
		return nil, err
	}, lang.Go)
}

// TestModuleMisbehaves: a file on which a module traps or loops is errored, the
// others are checked, and nothing goes on behind the run's back; after two
// loops the module is not called any more.
func TestModuleMisbehaves(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, odd string
		files     int // that are odd
		want      []string
	}{
		{"trap", "TRAP", 3, []string{"looper: looper broke off: unreachable"}},
		{"one loop", "SPIN", 1, []string{"no answer within 300ms"}},
		{"many loops", "SPIN", 5, []string{"looper: looper hung twice", "no answer within 300ms"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			ended := make(chan string, 10)
			p := newPlace(t, looper(t, ended))
			for i := range 10 {
				p.Write(fmt.Sprintf("a%d.go", i), "package a\n")
			}
			for i := range tc.files {
				p.Write(fmt.Sprintf("z%d.go", i), "package a // "+tc.odd+"\n")
			}
			v, err := p.open(nil)
			if err != nil {
				t.Fatal(err)
			}
			defer v.done()
			r := p.runner(p.cache)
			r.Limit = 300 * time.Millisecond
			req := v.request(engine.Lint)
			req.Jobs = 1
			rep, err := r.Run(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			var errs []string
			errored := 0
			for _, f := range rep.Files {
				if f.Outcome == diag.Errored {
					errored++
					errs = append(errs, f.Reason)
				}
			}
			slices.Sort(errs)
			errs = slices.Compact(errs)
			if !slices.Equal(errs, tc.want) || errored != tc.files || rep.Summary.Checked != 10 {
				t.Errorf("errors %q, %d errored, %d checked; want %q", errs, errored, rep.Summary.Checked, tc.want)
			}
			if tc.odd == "SPIN" {
				for range tc.files {
					if said := <-ended; !strings.HasSuffix(said, "cancelled") && !strings.HasSuffix(said, "hung twice") {
						t.Errorf("a call ended with %q", said)
					}
				}
			}
		})
	}
}
