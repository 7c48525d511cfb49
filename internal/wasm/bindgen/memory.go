package bindgen

import (
	"context"
	"encoding/binary"
	"unicode/utf8"
)

// view returns bytes of the memory, which must not be kept.
func (i *Instance) view(at, n uint64) []byte {
	b, ok := i.guest.Memory().Read(uint32(at), uint32(n))
	if !ok {
		panic(misuse("address out of range"))
	}
	return b
}

// text returns a text of the memory. JavaScript refuses what is not UTF-8.
func (i *Instance) text(at, n uint64) string {
	b := i.view(at, n)
	if len(b) >= longText && string(b) == i.long {
		return i.long
	}
	if !utf8.Valid(b) {
		throw("The encoded data was not valid for encoding utf-8")
	}
	text := string(b)
	if len(b) >= longText {
		i.long = text
	}
	return text
}

// longText is how many bytes a text has that is kept in case the next one is
// the same: a linter that hands out the source with each of its findings would
// fill the memory with it.
const longText = 1 << 10

func (i *Instance) write(at uint64, data []byte) {
	if !i.guest.Memory().Write(uint32(at), data) {
		panic(misuse("address out of range"))
	}
}

func (i *Instance) read32(at uint64) uint32 { return binary.LittleEndian.Uint32(i.view(at, 4)) }

func (i *Instance) write32(at, v uint64) {
	if !i.guest.Memory().WriteUint32Le(uint32(at), uint32(v)) {
		panic(misuse("address out of range"))
	}
}

func (i *Instance) write64(at, v uint64) {
	if !i.guest.Memory().WriteUint64Le(uint32(at), v) {
		panic(misuse("address out of range"))
	}
}

// function calls an export. A function value of wazero is not reentrant, so it
// is fetched anew: an import may call what is running already.
func (i *Instance) function(ctx context.Context, name string, args ...uint64) []uint64 {
	f := i.guest.ExportedFunction(name)
	if f == nil {
		panic(misuse("module has no function " + name))
	}
	def := f.Definition()
	if len(def.ParamTypes()) != len(args) {
		panic(misuse("function " + name + " takes other arguments"))
	}
	return must(f.Call(ctx, args...))
}

func (i *Instance) malloc(ctx context.Context, n int) uint64 {
	out := i.function(ctx, i.module.table.Malloc, uint64(n), 1)
	if len(out) == 0 {
		panic(misuse("malloc returns nothing"))
	}
	return out[0] & 0xffffffff
}

// passText copies a text into memory the module owns from then on.
func (i *Instance) passText(ctx context.Context, text string) (at, n uint64) {
	at = i.malloc(ctx, len(text))
	if !i.guest.Memory().WriteString(uint32(at), text) {
		panic(misuse("address out of range"))
	}
	return at, uint64(len(text))
}

// returnText passes a text and writes its place where the module wants it.
func (i *Instance) returnText(ctx context.Context, where uint64, text string) {
	at, n := i.passText(ctx, text)
	i.write32(where+4, n)
	i.write32(where, at)
}

// tableAdd puts a value into a free slot of the externref table.
func (i *Instance) tableAdd(ctx context.Context, v any) uint64 {
	out := i.function(ctx, i.module.table.TableAlloc)
	if len(out) == 0 {
		panic(misuse("no slot"))
	}
	i.refs.put(ctx, out[0], i.heap.add(v))
	return out[0] & 0xffffffff
}

// catching runs an operation and hands what it throws to the module.
func (i *Instance) catching(ctx context.Context, stack []uint64, run func(*Instance, context.Context, []uint64)) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		t, ok := r.(*thrown)
		if !ok {
			panic(r)
		}
		handle := uint64(0)
		if i.refs != nil {
			handle = i.tableAdd(ctx, t.value)
		} else {
			handle = i.heap.add(t.value)
		}
		i.function(ctx, i.module.table.Throw, handle)
		if len(stack) > 0 {
			stack[0] = 0
		}
	}()
	run(i, ctx, stack)
}
