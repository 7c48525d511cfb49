// Package wasm runs the Wasm modules that are built into poly: it compiles each
// once a user, makes instances of it and takes back those that are still sound.
//
// A module is code of others. It sees the bytes it is given and nothing of the
// machine: no file, no clock, no environment. Whatever it does, at worst the
// file at hand is errored.
//
// internal/wasm/pack holds the modules; internal/wasm/dprint and
// internal/wasm/bindgen speak to them.
package wasm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"poly/internal/wasm/pack"
)

// ErrAbandoned is the cause by which the context of a call is cancelled that
// took too long: see [context.Cause]. Nobody waits for its result.
var ErrAbandoned = errors.New("call took too long")

// Host is the modules of one process. Set its fields before first use; its
// methods may be called concurrently. Nothing is opened before the first call
// of Module.
type Host struct {
	// CacheDir is where compiled modules are kept, absolute; "": nowhere.
	CacheDir string
	// Compiling is told the name of a module that has to be compiled first,
	// which takes seconds; nil: nobody is.
	Compiling func(module string)
	// Find returns a module by its name; nil: [pack.Find].
	Find func(name string) (pack.Module, bool)

	memories  memories
	compiling sync.Mutex // held while a module is compiled
	busy      atomic.Int32

	mu       sync.Mutex // guards what follows
	modules  map[string]*Module
	warnings []string
}

// Busy reports whether a module is being compiled, or waits for that: work that
// needs one is late then, and does not hang.
func (h *Host) Busy() bool { return h != nil && h.busy.Load() > 0 }

// Warnings tell why compiled modules could not be kept, if they could not:
// each reason once.
func (h *Host) Warnings() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.warnings)
}

func (h *Host) warn(text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !slices.Contains(h.warnings, text) {
		h.warnings = append(h.warnings, text)
	}
}

// MissingError means that a module is not built in.
type MissingError struct{ Module string }

func (e *MissingError) Error() string { return "module " + e.Module + " is not built in" }

// Module is a module that is compiled, and a runtime of its own: the names of
// its instances and of its imports concern nobody else.
type Module struct {
	pack.Module
	// Runtime and Compiled are the module for who speaks to it; instances are
	// made by Instantiate. They are never closed.
	Runtime  wazero.Runtime
	Compiled wazero.CompiledModule
	host     *Host
	hung     atomic.Int32

	mu      sync.Mutex // guards what follows
	opened  bool
	told    bool // Compiling was told
	err     error
	imports map[string]error

	making sync.Mutex // guards kept
	kept   any
}

// Keep returns what make returned when it succeeded for this module first: what
// is the same under every configuration, such as a [Pool] of instances that
// know none.
func (m *Module) Keep(make func() (any, error)) (any, error) {
	m.making.Lock()
	defer m.making.Unlock()
	if m.kept != nil {
		return m.kept, nil
	}
	kept, err := make()
	if err == nil {
		m.kept = kept
	}
	return kept, err
}

// Module returns a module ready to make instances. The first call compiles it,
// or loads what was compiled before; others wait for that.
func (h *Host) Module(ctx context.Context, name string) (*Module, error) {
	m, err := h.module(name)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.opened {
		return m, m.err
	}
	m.err = h.compile(ctx, m)
	// What a cancelled run did not finish, another may. What it did finish stays:
	// instances are in use.
	m.opened = m.err == nil || ctx.Err() == nil
	return m, m.err
}

func (h *Host) module(name string) (*Module, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if m := h.modules[name]; m != nil {
		return m, nil
	}
	find := h.Find
	if find == nil {
		find = pack.Find
	}
	packed, ok := find(name)
	if !ok {
		return nil, &MissingError{name}
	}
	if h.modules == nil {
		h.modules = map[string]*Module{}
	}
	m := &Module{Module: packed, host: h}
	h.modules[name] = m
	return m, nil
}

// Instantiate makes an instance, which has no name, and calls those of the
// exports start that there are. Who made it closes it.
func (m *Module) Instantiate(ctx context.Context, start ...string) (api.Module, error) {
	c := wazero.NewModuleConfig().WithName("").WithStartFunctions(start...)
	if m.host != nil { // one made by hand has the runtime's memory
		ctx = m.host.memories.in(ctx)
	}
	return m.Runtime.InstantiateModule(ctx, m.Compiled, c)
}

// Imports makes a module of Go functions that m imports by name. It does so
// once; later calls return the first one's error.
func (m *Module) Imports(ctx context.Context, name string, define func(wazero.HostModuleBuilder)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	err, done := m.imports[name]
	if done {
		return err
	}
	b := m.Runtime.NewHostModuleBuilder(name)
	define(b)
	if _, err = b.Instantiate(ctx); err != nil {
		err = fmt.Errorf("imports %s of %s: %w", name, m.Name, err)
	}
	if m.imports == nil {
		m.imports = map[string]error{}
	}
	m.imports[name] = err
	return err
}
