package bindgen

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

const (
	// maxValues bounds the values a module may hold at once.
	maxValues = 1 << 23
	// sweepAt is how many values are held before those that the module
	// dropped without a word are looked for.
	sweepAt = 20000
)

// heap holds the values a module knows by number.
type heap struct {
	externref bool
	values    []any
	free      []uint32
	base      int // numbers below are never given out
}

func newHeap(t *Table) heap {
	h := heap{externref: t.Externref}
	if h.externref {
		// A null externref is 0; the others are those of add.
		h.values = []any{nil, undefined{}, true, false}
	} else {
		h.values = make([]any, t.HeapBase, t.HeapBase+64)
		for i := range h.values {
			h.values[i] = undefined{}
		}
		// The glue puts these four at the end of what it reserves.
		copy(h.values[max(0, t.HeapBase-4):], []any{undefined{}, nil, true, false})
	}
	h.base = len(h.values)
	return h
}

// get returns the value behind a number. The upper half of an i32 that a module
// passes is undefined.
func (h *heap) get(handle uint64) any {
	n := uint32(handle)
	if int(n) >= len(h.values) {
		panic(misuse("value out of range"))
	}
	return h.values[n]
}

// add gives a value a number.
func (h *heap) add(v any) uint64 {
	if h.externref {
		switch v := v.(type) {
		case nil:
			return 0
		case undefined:
			return 1
		case bool:
			if v {
				return 2
			}
			return 3
		}
	}
	if n := len(h.free); n > 0 {
		at := h.free[n-1]
		h.free = h.free[:n-1]
		h.values[at] = v
		return uint64(at)
	}
	if len(h.values) >= maxValues {
		panic(misuse("too many values"))
	}
	h.values = append(h.values, v)
	return uint64(len(h.values) - 1)
}

// gone marks a number that is free, so that it is not freed again.
type gone struct{}

// drop frees a number. An externref is not dropped: the module does not say.
func (h *heap) drop(handle uint64) {
	n := uint32(handle)
	if h.externref || int(n) < h.base {
		return
	}
	if _, free := h.get(handle).(gone); free {
		return
	}
	h.values[n] = gone{}
	h.free = append(h.free, n)
}

// take returns a value and frees its number.
func (h *heap) take(handle uint64) any {
	v := h.get(handle)
	h.drop(handle)
	return v
}

// held is how many numbers are given out.
func (h *heap) held() int { return len(h.values) - h.base - len(h.free) }

// sweep keeps the numbers in live and frees the others.
func (h *heap) sweep(live map[uint32]bool) {
	h.free = h.free[:0]
	for n := len(h.values) - 1; n >= h.base; n-- {
		if live[uint32(n)] {
			continue
		}
		h.values[n] = gone{}
		h.free = append(h.free, uint32(n))
	}
}

// refTable reaches into the table of externrefs of an instance. wazero lets no
// host do that, but a module may import the table of another: the helper does,
// and exports what the host needs.
type refTable struct {
	module              api.Module
	get, set, grow, len api.Function
}

// tableExport is the name under which modules export their externrefs.
const tableExport = "__wbindgen_externrefs"

func newRefTable(ctx context.Context, of *Module, guest api.Module) (*refTable, error) {
	ctx = experimental.WithImportResolver(ctx, func(name string) api.Module {
		if name == helperImport {
			return guest
		}
		return nil
	})
	m, err := of.wasm.Runtime.InstantiateModule(ctx, of.helper, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, err
	}
	return &refTable{
		module: m, get: m.ExportedFunction("get"), set: m.ExportedFunction("set"),
		grow: m.ExportedFunction("grow"), len: m.ExportedFunction("size"),
	}, nil
}

// helperImport is the name under which the helper imports an instance.
const helperImport = "guest"

// helperModule assembles a module that imports the table of another one, and
// exports get, set, grow and size.
func helperModule() []byte {
	const i32, externref = 0x7f, 0x6f
	section := func(id byte, content []byte) []byte {
		return append(appendLeb([]byte{id}, len(content)), content...)
	}
	text := func(s string) []byte { return append(appendLeb(nil, len(s)), s...) }
	types := []byte{
		4,
		0x60, 1, i32, 1, externref, // get: index -> value
		0x60, 2, i32, externref, 0, // set: index, value
		0x60, 2, externref, i32, 1, i32, // grow: value, by -> old size
		0x60, 0, 1, i32, // size
	}
	imports := append([]byte{1}, text(helperImport)...)
	imports = append(imports, text(tableExport)...)
	imports = append(imports, 0x01, externref, 0x00, 0x00) // a table without a maximum
	exports := []byte{4}
	for n, name := range []string{"get", "set", "grow", "size"} {
		exports = append(append(exports, text(name)...), 0x00, byte(n))
	}
	code := []byte{
		4,
		6, 0, 0x20, 0, 0x25, 0, 0x0b, // local.get 0, table.get 0
		8, 0, 0x20, 0, 0x20, 1, 0x26, 0, 0x0b, // local.get 0, local.get 1, table.set 0
		9, 0, 0x20, 0, 0x20, 1, 0xfc, 0x0f, 0, 0x0b, // local.get 0, local.get 1, table.grow 0
		5, 0, 0xfc, 0x10, 0, 0x0b, // table.size 0
	}
	out := []byte("\x00asm\x01\x00\x00\x00")
	out = append(out, section(1, types)...)
	out = append(out, section(2, imports)...)
	out = append(out, section(3, []byte{4, 0, 1, 2, 3})...)
	out = append(out, section(7, exports)...)
	return append(out, section(10, code)...)
}

// appendLeb appends a small number as WebAembly writes them.
func appendLeb(b []byte, n int) []byte {
	for n >= 0x80 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n))
}

// at returns the number in a slot of the table.
func (r *refTable) at(ctx context.Context, slot uint64) uint64 {
	return must(r.get.Call(ctx, uint64(uint32(slot))))[0]
}

func (r *refTable) put(ctx context.Context, slot, handle uint64) {
	must(r.set.Call(ctx, uint64(uint32(slot)), handle))
}

// fill does what the glue does when the module starts: it grows the table by
// four and puts the constants in.
func (i *Instance) fill(ctx context.Context, _ []uint64) {
	offset := must(i.refs.grow.Call(ctx, i.heap.add(undefined{}), 4))[0]
	i.refs.put(ctx, 0, i.heap.add(undefined{}))
	for n, v := range []any{undefined{}, nil, true, false} {
		i.refs.put(ctx, offset+uint64(n), i.heap.add(v))
	}
}

// collect frees the externrefs that only a JavaScript engine would see are
// gone. Between calls those in the table are all the module has: some libraries
// keep texts there for good.
func (i *Instance) collect(ctx context.Context) (err error) {
	if i.refs == nil || i.heap.held() < sweepAt {
		return nil
	}
	defer i.guard(&err)
	size := uint64(uint32(must(i.refs.len.Call(ctx))[0]))
	live := make(map[uint32]bool, size)
	for slot := range size {
		live[uint32(i.refs.at(ctx, slot))] = true
	}
	i.heap.sweep(live)
	return nil
}
