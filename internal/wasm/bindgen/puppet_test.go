package bindgen

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/tetratelabs/wazero"

	"poly/internal/wasm"
	"poly/internal/wasm/pack"
)

// puppet assembles a module that does what a test tells it: its run calls
// imports with the operands given, and its other exports return what is said.
type puppet struct {
	externref bool
	malloc    uint32    // what malloc returns
	slot      uint32    // what the allocation of a slot returns
	stack     uint32    // what moving the stack pointer returns
	results   [4]uint32 // what run returns
	steps     []doing
	traps     bool // run ends in a trap
	catches   bool // every other import catches what it throws
}

// doing is a call of an import. An operand is a number, or in the externref
// flavour the slot of the table a value is fetched from.
type doing struct {
	op       string
	operands []uint32
	keep     uint32 // slot a value is stored in, in the externref flavour
}

const (
	wasmI32, wasmI64, wasmF64, wasmRef = 0x7f, 0x7e, 0x7c, 0x6f
	pageSize                           = 1 << 16
)

func (p *puppet) valueType(t byte) byte {
	switch t {
	case 'i':
		return wasmI32
	case 'l':
		return wasmI64
	case 'f':
		return wasmF64
	}
	if p.externref {
		return wasmRef
	}
	return wasmI32
}

func sleb(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

func i32(v uint32) []byte { return sleb([]byte{0x41}, int64(int32(v))) }

// opNames are the operations in a fixed order: that of the imports.
func opNames() []string {
	var names []string
	for name := range operations() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (p *puppet) table() *Table {
	t := &Table{
		Externref: p.externref, Host: "glue", Malloc: "malloc", Free: "free", Throw: "throw", TableAlloc: "slot", TableFree: "unslot",
		StackPointer: "sp", Start: "start",
		Exports: []Export{
			{Name: "text", Func: "run", Params: []Kind{KindText, KindOption}, Result: KindText, Fails: true},
		},
	}
	if !p.externref {
		t.HeapBase = 132
	}
	for n, name := range opNames() {
		if p.externref || name != "fill" {
			t.Imports = append(t.Imports, Import{Name: name, Op: name, Catches: p.catches && n%2 == 0})
		}
	}
	return t
}

// wasm returns the module.
func (p *puppet) wasm() []byte {
	var types, imports, funcs, exports, code [][]byte
	typeOf := func(params, results []byte) int {
		t := append(append(appendLeb([]byte{0x60}, len(params)), params...), appendLeb(nil, len(results))...)
		t = append(t, results...)
		if at := slices.IndexFunc(types, func(have []byte) bool { return string(have) == string(t) }); at >= 0 {
			return at
		}
		types = append(types, t)
		return len(types) - 1
	}
	text := func(s string) []byte { return append(appendLeb(nil, len(s)), s...) }
	index := map[string]int{}
	all := operations()
	for _, imp := range p.table().Imports {
		op := all[imp.Op]
		var params, results []byte
		for _, t := range []byte(op.params) {
			params = append(params, p.valueType(t))
		}
		for _, t := range []byte(op.results) {
			results = append(results, p.valueType(t))
		}
		index[imp.Op] = len(imports)
		entry := append(append(text("glue"), text(imp.Name)...), 0)
		imports = append(imports, appendLeb(entry, typeOf(params, results)))
	}
	add := func(name string, params, results, body []byte) {
		at := len(imports) + len(funcs)
		funcs = append(funcs, appendLeb(nil, typeOf(params, results)))
		exports = append(exports, appendLeb(append(text(name), 0), at))
		body = append(append([]byte{0}, body...), 0x0b)
		code = append(code, append(appendLeb(nil, len(body)), body...))
	}
	add("malloc", []byte{wasmI32, wasmI32}, []byte{wasmI32}, i32(p.malloc))
	add("free", []byte{wasmI32, wasmI32, wasmI32}, nil, nil)
	add("throw", []byte{wasmI32}, nil, nil)
	add("slot", nil, []byte{wasmI32}, i32(p.slot))
	add("unslot", []byte{wasmI32}, nil, nil)
	add("sp", []byte{wasmI32}, []byte{wasmI32}, i32(p.stack))
	if p.externref {
		add("start", nil, nil, append([]byte{0x10}, appendLeb(nil, index["fill"])...))
	}
	p.addRun(add, index)
	exports = append(exports, append(text("memory"), 2, 0))
	if p.externref {
		exports = append(exports, append(text(tableExport), 1, 0))
	}
	section := func(id byte, items [][]byte) []byte {
		content := appendLeb(nil, len(items))
		content = append(content, slices.Concat(items...)...)
		return append(appendLeb([]byte{id}, len(content)), content...)
	}
	out := slices.Concat([]byte("\x00asm\x01\x00\x00\x00"), section(1, types), section(2, imports), section(3, funcs))
	if p.externref {
		out = append(out, section(4, [][]byte{{wasmRef, 0, 8}})...)
	}
	return slices.Concat(out, section(5, [][]byte{{1, 1, 4}}), section(7, exports), section(10, code))
}

func (p *puppet) addRun(add func(name string, params, results, body []byte), index map[string]int) {
	all := operations()
	var body []byte
	for _, s := range p.steps {
		at, ok := index[s.op]
		if !ok {
			continue
		}
		op := all[s.op]
		stores := p.externref && op.results == "v"
		if stores {
			body = append(body, i32(s.keep%8)...)
		}
		for n, t := range []byte(op.params) {
			v := uint32(0)
			if n < len(s.operands) {
				v = s.operands[n]
			}
			body = append(body, p.operand(t, v)...)
		}
		body = append(append(body, 0x10), appendLeb(nil, at)...)
		switch {
		case stores:
			body = append(body, 0x26, 0)
		case op.results != "":
			body = append(body, 0x1a)
		}
	}
	if p.traps {
		body = append(body, 0x00)
	}
	if p.externref {
		for _, r := range p.results {
			body = append(body, i32(r)...)
		}
		add("run", []byte{wasmI32, wasmI32, wasmI32}, []byte{wasmI32, wasmI32, wasmI32, wasmI32}, body)
		return
	}
	for n, r := range p.results {
		body = append(body, 0x20, 0)
		body = append(body, i32(r)...)
		body = append(body, 0x36, 2, byte(4*n))
	}
	add("run", []byte{wasmI32, wasmI32, wasmI32, wasmI32}, nil, body)
}

func (p *puppet) operand(t byte, v uint32) []byte {
	switch t {
	case 'l':
		return sleb([]byte{0x42}, int64(v)<<7)
	case 'f':
		return binary.LittleEndian.AppendUint64([]byte{0x44}, math.Float64bits(float64(v)))
	case 'v':
		if p.externref {
			return append(i32(v%8), 0x25, 0)
		}
	}
	return i32(v)
}

// open makes an instance of p.
func (p *puppet) open(tb testing.TB) *Instance {
	tb.Helper()
	ctx := context.Background()
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	tb.Cleanup(func() { _ = rt.Close(ctx) })
	compiled, err := rt.CompileModule(ctx, p.wasm())
	if err != nil {
		tb.Fatalf("compile: %v", err)
	}
	table, err := p.table().Encode()
	if err != nil {
		tb.Fatal(err)
	}
	m, err := New(ctx, &wasm.Module{Module: pack.Module{Name: "puppet"}.With(nil, table), Runtime: rt, Compiled: compiled})
	if err != nil {
		tb.Fatalf("New: %v", err)
	}
	i, err := m.Open(ctx)
	if err != nil {
		tb.Fatalf("Open: %v", err)
	}
	return i
}
