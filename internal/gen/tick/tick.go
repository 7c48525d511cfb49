// Package tick makes Wasm modules that can be stopped. Compiled Wasm code is
// not Go code: a goroutine inside a loop of it cannot be preempted, and the
// next garbage collection of the process waits for it, for ever if the loop
// has no end. [Insert] has every loop call back now and then, into Go code,
// where the goroutine can be preempted and a cancelled call can be broken off.
//
// The runtime has a switch for this that calls back at every turn of a loop;
// it more than doubles what a formatter costs.
package tick

import (
	"errors"
	"fmt"
	"slices"
)

// Module and Function name the import that is inserted: a function without
// parameters and results.
const (
	Module   = "poly"
	Function = "tick"
)

// turns is how many turns a loop takes between two calls of the import, a power
// of two. Loops in loops count for themselves.
const turns = 1 << 10

// Sections of a module.
const (
	customSection = 0
	typeSection   = 1
	importSection = 2
	funcSection   = 3
	globalSection = 6
	exportSection = 7
	startSection  = 8
	elemSection   = 9
	codeSection   = 10

	dataCountSection = 12
)

// Insert returns module with the import, which every loop calls now and then,
// and without custom sections, which say nothing about what it does. It fails
// where the module uses what it does not know, and names it.
func Insert(module []byte) (out []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			e, ok := v.(parseError)
			if !ok {
				panic(v)
			}
			out, err = nil, error(e)
		}
	}()
	in := &reader{text: module}
	if string(in.bytes(8)) != "\x00asm\x01\x00\x00\x00" {
		return nil, errors.New("not a Wasm module")
	}
	r := &rewriter{}
	out = append(out, module[:8]...)
	for !in.end() {
		id := in.byte()
		body := &reader{text: in.bytes(int(in.u32()))}
		out = r.section(out, id, body)
	}
	if !r.imported {
		return nil, errors.New("a module without functions")
	}
	return out, nil
}

type parseError string

func (e parseError) Error() string { return string(e) }

func fail(format string, args ...any) { panic(parseError(fmt.Sprintf(format, args...))) }

// rewriter is what has been seen of a module so far.
type rewriter struct {
	place    int      // of the last section in the order of sections
	params   []uint32 // number of parameters, by type
	tickType uint32   // type of the import
	types    []uint32 // type, by function that is defined in the module
	imports  uint32   // functions that are imported, without ours
	imported bool     // our import has been written
}

// section appends what becomes of a section.
func (r *rewriter) section(out []byte, id byte, in *reader) []byte {
	r.inOrder(id)
	if id > importSection && !r.imported {
		out = appendSection(out, importSection, r.importTick(appendU32(nil, 1)))
	}
	var body []byte
	switch id {
	case customSection:
		return out
	case typeSection:
		body = r.typeTable(in)
	case importSection:
		body = r.importTable(in)
	case funcSection:
		body = slices.Clone(in.text)
		for range in.u32() {
			t := in.u32()
			if t >= uint32(len(r.params)) {
				fail("a function of type %d of %d", t, len(r.params))
			}
			r.types = append(r.types, t)
		}
	case globalSection:
		body = r.globals(in)
	case exportSection:
		body = r.exports(in)
	case startSection:
		body = appendU32(nil, r.shifted(in.u32()))
	case elemSection:
		body = r.elements(in)
	case codeSection:
		body = r.code(in)
	default:
		body = in.text
	}
	return appendSection(out, id, body)
}

// inOrder fails if a section stands where it may not, or twice. The number of
// data segments stands before the code, whatever its id.
func (r *rewriter) inOrder(id byte) {
	if id == customSection {
		return
	}
	place := 2 * int(id)
	if id == dataCountSection {
		place = 2*codeSection - 1
	}
	if place <= r.place {
		fail("section %d is out of order", id)
	}
	r.place = place
}

func appendSection(out []byte, id byte, body []byte) []byte {
	out = append(out, id)
	out = appendU32(out, uint32(len(body)))
	return append(out, body...)
}

// shifted is the index of a function behind our import, which is the last of
// the imports.
func (r *rewriter) shifted(function uint32) uint32 {
	if function < r.imports {
		return function
	}
	return function + 1
}

// typeTable notes the parameters of each type, and appends that of our import.
func (r *rewriter) typeTable(in *reader) []byte {
	n := in.u32()
	start := in.at
	for range n {
		if form := in.byte(); form != 0x60 {
			fail("type of form %#x", form)
		}
		params := in.u32()
		in.bytes(int(params))
		in.bytes(int(in.u32()))
		r.params = append(r.params, params)
	}
	r.tickType = n
	body := appendU32(nil, n+1)
	body = append(body, in.text[start:]...)
	return append(body, 0x60, 0, 0)
}

func (r *rewriter) importTable(in *reader) []byte {
	n := in.u32()
	start := in.at
	for range n {
		in.bytes(int(in.u32()))
		in.bytes(int(in.u32()))
		switch kind := in.byte(); kind {
		case 0:
			in.u32()
			r.imports++
		case 1:
			in.byte()
			in.limits()
		case 2:
			in.limits()
		case 3:
			in.bytes(2)
		default:
			fail("import of kind %#x", kind)
		}
	}
	body := appendU32(nil, n+1)
	body = append(body, in.text[start:]...)
	return r.importTick(body)
}

func (r *rewriter) importTick(body []byte) []byte {
	if r.params == nil {
		fail("a module without functions")
	}
	for _, name := range []string{Module, Function} {
		body = appendU32(body, uint32(len(name)))
		body = append(body, name...)
	}
	r.imported = true
	return appendU32(append(body, 0), r.tickType)
}

func (r *rewriter) globals(in *reader) []byte {
	n := in.u32()
	body := appendU32(nil, n)
	for range n {
		body = append(body, in.bytes(2)...)
		body = r.expression(body, in)
	}
	return body
}

func (r *rewriter) exports(in *reader) []byte {
	n := in.u32()
	body := appendU32(nil, n)
	for range n {
		start := in.at
		in.bytes(int(in.u32()))
		kind := in.byte()
		body = append(body, in.text[start:in.at]...)
		index := in.u32()
		if kind == 0 {
			index = r.shifted(index)
		}
		body = appendU32(body, index)
	}
	return body
}

// elements rewrites segments of tables: flags say which of table, offset, kind
// are written out, and whether elements are indices or expressions.
func (r *rewriter) elements(in *reader) []byte {
	n := in.u32()
	body := appendU32(nil, n)
	for range n {
		flags := in.u32()
		if flags > 7 {
			fail("element segment with flags %#x", flags)
		}
		body = appendU32(body, flags)
		passive, explicit, expressions := flags&1 != 0, flags&2 != 0, flags&4 != 0
		if !passive {
			if explicit {
				body = appendU32(body, in.u32())
			}
			body = r.expression(body, in)
		}
		if passive || explicit {
			body = append(body, in.byte()) // kind, or type
		}
		count := in.u32()
		body = appendU32(body, count)
		for range count {
			if expressions {
				body = r.expression(body, in)
			} else {
				body = appendU32(body, r.shifted(in.u32()))
			}
		}
	}
	return body
}

// expression copies a constant expression with its end.
func (r *rewriter) expression(out []byte, in *reader) []byte {
	for {
		op := in.peek()
		out = r.instruction(out, in, 0)
		if op == opEnd {
			return out
		}
	}
}

// code rewrites the bodies of functions.
func (r *rewriter) code(in *reader) []byte {
	n := in.u32()
	if int(n) != len(r.types) {
		fail("%d bodies of %d functions", n, len(r.types))
	}
	out := appendU32(nil, n)
	for i := range n {
		body := r.function(&reader{text: in.bytes(int(in.u32()))}, r.params[r.types[i]])
		out = appendU32(out, uint32(len(body)))
		out = append(out, body...)
	}
	return out
}

// function rewrites one body. One that has a loop gets one more local, which
// counts.
func (r *rewriter) function(in *reader, params uint32) []byte {
	groups := in.u32()
	start := in.at
	locals := params
	for range groups {
		locals += in.u32()
		in.byte()
	}
	declared := in.text[start:in.at]
	code := make([]byte, 0, len(in.text)+len(in.text)/8)
	loops := false
	for !in.end() {
		op := in.peek()
		code = r.instruction(code, in, locals)
		loops = loops || op == opLoop
	}
	if !loops {
		return append(append(appendU32(nil, groups), declared...), code...)
	}
	out := append(appendU32(nil, groups+1), declared...)
	out = append(out, 1, typeI32)
	return append(out, code...)
}
