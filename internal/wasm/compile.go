package wasm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// maxPages bounds the memory of an instance: pages of 64 KiB, 1 GiB in sum.
const maxPages = 1 << 14

// compile makes m ready. It is called with m's lock held.
func (h *Host) compile(ctx context.Context, m *Module) error {
	if err := h.translate(ctx, m); err != nil {
		return err
	}
	return defineTick(ctx, m)
}

// The import that internal/gen/tick inserts.
const (
	tickModule   = "poly"
	tickFunction = "tick"
)

// defineTick makes the function that loops of m call now and then, if they do.
// In it the goroutine is in Go code, so that it can be preempted, without which
// garbage collection would wait for the module; and a cancelled call ends.
func defineTick(ctx context.Context, m *Module) error {
	if !slices.ContainsFunc(m.Compiled.ImportedFunctions(), func(f api.FunctionDefinition) bool {
		module, name, ok := f.Import()
		return ok && module == tickModule && name == tickFunction
	}) {
		return nil
	}
	tick := api.GoFunc(func(ctx context.Context, _ []uint64) {
		if ctx.Err() != nil {
			panic(ctx.Err())
		}
	})
	_, err := m.Runtime.NewHostModuleBuilder(tickModule).
		NewFunctionBuilder().WithGoFunction(tick, nil, nil).Export(tickFunction).Instantiate(ctx)
	return err
}

// translate makes machine code of m, or finds it made.
func (h *Host) translate(ctx context.Context, m *Module) error {
	var lost error // why what was compiled is not kept
	if h.CacheDir != "" {
		lost = h.compileKept(ctx, m)
		if _, fatal := errors.AsType[*moduleError](lost); fatal || lost == nil || ctx.Err() != nil {
			return lost
		}
	}
	if m.Compiled == nil {
		if err := h.compileOnly(ctx, m); err != nil {
			return err
		}
	}
	if lost != nil {
		h.warn("compiled engines are not kept: " + lost.Error())
	}
	return nil
}

// compileOnly compiles m and keeps nothing.
func (h *Host) compileOnly(ctx context.Context, m *Module) error {
	text, err := unpack(m)
	if err != nil {
		return err
	}
	defer h.begin(m)()
	m.Runtime = wazero.NewRuntimeWithConfig(ctx, config())
	if m.Compiled, err = m.Runtime.CompileModule(ctx, text); err != nil {
		return &moduleError{m.Name, err}
	}
	return nil
}

// sparingly is [debug.SetGCPercent] while a module is compiled, which takes half
// a gigabyte for a large one, and more the less garbage is collected.
const sparingly = 30

// begin tells once that m is compiled, and waits until no other module is. The
// function it returns is called when that is done.
func (h *Host) begin(m *Module) (done func()) {
	if h.Compiling != nil && !m.told {
		m.told = true
		h.Compiling(m.Name)
	}
	h.busy.Add(1)
	h.compiling.Lock()
	percent := debug.SetGCPercent(sparingly)
	return func() {
		debug.SetGCPercent(percent)
		debug.FreeOSMemory()
		h.compiling.Unlock()
		h.busy.Add(-1)
	}
}

// moduleError means that it is the module that is at fault, not the cache.
type moduleError struct {
	module string
	err    error
}

func (e *moduleError) Error() string { return fmt.Sprintf("compile %s: %v", e.module, e.err) }
func (e *moduleError) Unwrap() error { return e.err }

func config() wazero.RuntimeConfig {
	return wazero.NewRuntimeConfig().WithMemoryLimitPages(maxPages).WithDebugInfoEnabled(false)
}

// unpack returns the text of m, and fails if it is not the one its sum says.
func unpack(m *Module) ([]byte, error) {
	text, err := m.Wasm()
	if err != nil {
		return nil, &moduleError{m.Name, err}
	}
	if !intact(m, text) {
		return nil, &moduleError{m.Name, errors.New("what is built in is damaged")}
	}
	return text, nil
}

func intact(m *Module, text []byte) bool {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]) == m.Sum
}
