// Package asm assembles small Wasm modules for tests, such as those that do
// what no module should. It is never linked into the binary.
package asm

// Func is a function of a module made by [Assemble]. Its parameters and
// results are i32.
type Func struct {
	Name            string // under which it is exported; "": it is not
	Params, Results int
	Locals          int
	Code            []byte // without the last end
}

// Instructions for [Func.Code].
const (
	Unreachable = 0x00
	Block       = 0x02
	Loop        = 0x03
	If          = 0x04
	End         = 0x0b
	Br          = 0x0c
	BrIf        = 0x0d
	BrTable     = 0x0e
	Call        = 0x10
	Drop        = 0x1a
	LocalGet    = 0x20
	LocalSet    = 0x21
	LocalTee    = 0x22
	Load        = 0x28 // followed by alignment and offset, as Store
	Store       = 0x36
	MemoryGrow  = 0x40 // followed by 0
	I32Sub      = 0x6b
	I32Add      = 0x6a
	Void        = 0x40 // the type of a block without results
)

// Const is the instruction that yields v.
func Const(v uint32) []byte { return append([]byte{0x41}, signed(int32(v))...) }

// Code joins instructions: bytes, ints below 256 and slices of bytes.
func Code(parts ...any) []byte {
	var out []byte
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			out = append(out, byte(p))
		case []byte:
			out = append(out, p...)
		default:
			panic("Code takes numbers and bytes")
		}
	}
	return out
}

// Module is a module to be assembled.
type Module struct {
	Imports []Import
	Pages   int // of 64 KiB, of its memory, which is exported as "memory"
	Funcs   []Func
	Table   []int // indices of functions, those of imports first, in a table
	Start   int   // index of the function that is called at the start; 0: none
}

// Import is a function that a module imports.
type Import struct {
	Module, Name    string
	Params, Results int
}

// Assemble returns the binary form of m.
func Assemble(m Module) []byte {
	var types, imports, funcs, exports, code []byte
	n := 0
	typeOf := func(params, results int) []byte {
		types = append(append(types, 0x60), vector(params)...)
		types = append(types, vector(results)...)
		n++
		return unsigned(n - 1)
	}
	for _, i := range m.Imports {
		imports = append(append(append(imports, text(i.Module)...), text(i.Name)...), 0)
		imports = append(imports, typeOf(i.Params, i.Results)...)
	}
	exported := 1
	exports = append(exports, append(text("memory"), 2, 0)...)
	for i, f := range m.Funcs {
		funcs = append(funcs, typeOf(f.Params, f.Results)...)
		if f.Name != "" {
			exported++
			exports = append(append(append(exports, text(f.Name)...), 0), unsigned(len(m.Imports)+i)...)
		}
		body := append(append([]byte{1}, unsigned(f.Locals)...), 0x7f)
		body = append(append(body, f.Code...), End)
		code = append(append(code, unsigned(len(body))...), body...)
	}
	out := []byte("\x00asm\x01\x00\x00\x00")
	out = section(out, 1, n, types)
	out = section(out, 2, len(m.Imports), imports)
	out = section(out, 3, len(m.Funcs), funcs)
	if len(m.Table) > 0 {
		out = section(out, 4, 1, append([]byte{0x70, 0}, unsigned(len(m.Table))...))
	}
	out = section(out, 5, 1, append([]byte{0}, unsigned(m.Pages)...))
	out = section(out, 7, exported, exports)
	if m.Start > 0 {
		start := unsigned(m.Start)
		out = append(append(out, 8, byte(len(start))), start...)
	}
	if len(m.Table) > 0 {
		elems := append([]byte{0, 0x41, 0, End}, unsigned(len(m.Table))...)
		for _, f := range m.Table {
			elems = append(elems, unsigned(f)...)
		}
		out = section(out, 9, 1, elems)
	}
	return section(out, 10, len(m.Funcs), code)
}

// section appends a section that is a vector of n things; nothing if n is 0.
func section(out []byte, id byte, n int, body []byte) []byte {
	if n == 0 {
		return out
	}
	body = append(unsigned(n), body...)
	return append(append(append(out, id), unsigned(len(body))...), body...)
}

func vector(n int) []byte {
	out := unsigned(n)
	for range n {
		out = append(out, 0x7f)
	}
	return out
}

func text(s string) []byte { return append(unsigned(len(s)), s...) }

func unsigned(v int) []byte {
	var out []byte
	for ; v >= 0x80; v >>= 7 {
		out = append(out, byte(v)|0x80)
	}
	return append(out, byte(v))
}

func signed(v int32) []byte {
	var out []byte
	for ; v < -64 || v > 63; v >>= 7 {
		out = append(out, byte(v)|0x80)
	}
	return append(out, byte(v)&0x7f)
}
