// Package bindgen runs WebAssembly modules that wasm-bindgen made for
// JavaScript, without a JavaScript engine.
//
// Such a module comes with glue: a script that passes strings and values to its
// exports and lends it some sixty small functions as imports. [ReadGlue] works
// the glue out when poly is built and writes down what it found as a [Table]:
// for each import the operation that does the same, for each export how its
// arguments and results travel. An import that does nothing known fails there,
// by name. At run time only the table is read.
//
// Both flavours are served: modules that hold JavaScript values by number in a
// heap of the glue's, and modules that hold them as externrefs in a table of
// their own.
//
// A module is not trusted to be right. Whatever it returns or asks for, the
// worst that happens is an error of the call, after which the instance is
// [Instance.Broken] and its owner closes it.
package bindgen

import (
	"context"
	"fmt"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"poly/internal/wasm"
)

// Module is a compiled module with its imports in place. It may be used by
// many goroutines at once.
type Module struct {
	wasm    *wasm.Module
	table   *Table
	exports map[string]*Export
	helper  wazero.CompiledModule // nil unless the module holds externrefs
}

// New prepares a module of the host. It needs no closing.
func New(ctx context.Context, of *wasm.Module) (*Module, error) {
	t, err := Decode(of.Table())
	if err != nil {
		return nil, fmt.Errorf("table of %s: %w", of.Name, err)
	}
	m := &Module{wasm: of, table: t, exports: make(map[string]*Export, len(t.Exports))}
	for i := range t.Exports {
		m.exports[t.Exports[i].Name] = &t.Exports[i]
	}
	if t.Externref {
		if m.helper, err = of.Runtime.CompileModule(ctx, helperModule()); err != nil {
			return nil, fmt.Errorf("helper of the externref table: %w", err)
		}
	}
	return m, m.lend(ctx)
}

// lend makes what the module imports.
func (m *Module) lend(ctx context.Context) error {
	ops := operations()
	imports := slices.DeleteFunc(m.wasm.Compiled.ImportedFunctions(), func(f api.FunctionDefinition) bool {
		host, _, _ := f.Import()
		return host != m.table.Host // what internal/wasm lends every module
	})
	for _, def := range imports {
		_, name, _ := def.Import()
		imp, ok := m.table.Import(name)
		if !ok {
			return fmt.Errorf("%s: import %s is not in the table of the glue", m.wasm.Name, name)
		}
		if op, ok := ops[imp.Op]; !ok || !op.fits(def.ParamTypes(), def.ResultTypes()) {
			return fmt.Errorf("%s: import %s: no operation %q of its signature", m.wasm.Name, name, imp.Op)
		}
	}
	return m.wasm.Imports(ctx, m.table.Host, func(b wazero.HostModuleBuilder) {
		for _, def := range imports {
			_, name, _ := def.Import()
			imp, _ := m.table.Import(name)
			f := imp.bind(ops[imp.Op].run)
			b.NewFunctionBuilder().WithGoModuleFunction(f, def.ParamTypes(), def.ResultTypes()).Export(name)
		}
	})
}

// Instance is a module with a memory of its own. One goroutine uses it at a time.
type Instance struct {
	module   *Module
	guest    api.Module
	heap     heap
	refs     *refTable // nil unless the module holds externrefs
	broken   bool
	complain string // what the guest wrote to the console last, as an error
	long     string // the last long text of the call
}

// Open makes an instance. The caller closes it.
func (m *Module) Open(ctx context.Context) (*Instance, error) {
	i := &Instance{module: m, heap: newHeap(m.table)}
	ctx = withInstance(ctx, i)
	guest, err := m.wasm.Instantiate(ctx)
	if err != nil {
		return nil, i.failure(err)
	}
	i.guest = guest
	if err := i.start(ctx); err != nil {
		_ = guest.Close(ctx)
		return nil, err
	}
	return i, nil
}

// start runs what the glue runs after it made the instance. The helper exists
// by then, because the start function fills the table of externrefs.
func (i *Instance) start(ctx context.Context) error {
	if i.guest.Memory() == nil {
		return fmt.Errorf("module exports no memory")
	}
	if i.module.table.Externref {
		refs, err := newRefTable(ctx, i.module, i.guest)
		if err != nil {
			return fmt.Errorf("helper of the externref table: %w", err)
		}
		i.refs = refs
	}
	if f := i.guest.ExportedFunction(i.module.table.Start); f != nil {
		if _, err := f.Call(ctx); err != nil {
			return i.failure(err)
		}
	}
	return nil
}

// Close frees the instance.
func (i *Instance) Close(ctx context.Context) error {
	if i.refs != nil {
		_ = i.refs.module.Close(ctx)
	}
	return i.guest.Close(ctx)
}

// Broken reports whether a call ended in a trap or in something a module must
// not do. Nothing is known of the memory then: close the instance.
func (i *Instance) Broken() bool { return i.broken }

// Size returns the size of the memory in bytes. It never shrinks.
func (i *Instance) Size() uint32 { return i.guest.Memory().Size() }

type instanceKey struct{}

func withInstance(ctx context.Context, i *Instance) context.Context {
	return context.WithValue(ctx, instanceKey{}, i)
}

func instanceOf(ctx context.Context) *Instance {
	i, ok := ctx.Value(instanceKey{}).(*Instance)
	if !ok {
		panic(misuse("import called outside of a call"))
	}
	return i
}
