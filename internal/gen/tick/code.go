package tick

// Instructions that are looked at; the others are copied.
const (
	opBlock     = 0x02
	opLoop      = 0x03
	opIf        = 0x04
	opElse      = 0x05
	opEnd       = 0x0b
	opBr        = 0x0c
	opBrIf      = 0x0d
	opBrTable   = 0x0e
	opReturn    = 0x0f
	opCall      = 0x10
	opIndirect  = 0x11
	opTailCall  = 0x12
	opTailIndir = 0x13
	opDrop      = 0x1a
	opSelect    = 0x1b
	opSelectT   = 0x1c
	opLocalGet  = 0x20
	opLocalTee  = 0x22
	opTableSet  = 0x26
	opI32Load   = 0x28
	opI64Store3 = 0x3e
	opMemGrow   = 0x40
	opI32Const  = 0x41
	opI64Const  = 0x42
	opF32Const  = 0x43
	opF64Const  = 0x44
	opI32Eqz    = 0x45
	opI32Add    = 0x6a
	opI32And    = 0x71
	opExtend32  = 0xc4
	opRefNull   = 0xd0
	opRefIsNull = 0xd1
	opRefFunc   = 0xd2
	opMore      = 0xfc
	opVector    = 0xfd

	typeI32   = 0x7f
	typeEmpty = 0x40
)

// instruction copies one instruction. Indices of functions are shifted; behind
// the head of a loop comes the count, in the local with index counter.
func (r *rewriter) instruction(out []byte, in *reader, counter uint32) []byte {
	start := in.at
	switch op := in.byte(); op {
	case opCall, opTailCall, opRefFunc:
		return appendU32(append(out, op), r.shifted(in.u32()))
	case opLoop:
		in.leb()
		return r.count(append(out, in.text[start:in.at]...), counter)
	default:
		in.immediates(op)
		return append(out, in.text[start:in.at]...)
	}
}

// count appends: counter = counter + 1; if counter % turns == 0, call the import.
func (r *rewriter) count(out []byte, counter uint32) []byte {
	out = appendU32(append(out, opLocalGet), counter)
	out = append(out, opI32Const, 1, opI32Add)
	out = appendU32(append(out, opLocalTee), counter)
	out = appendS32(append(out, opI32Const), turns-1)
	out = append(out, opI32And, opI32Eqz, opIf, typeEmpty)
	out = appendU32(append(out, opCall), r.imports)
	return append(out, opEnd)
}

// immediates skips what follows an opcode.
func (in *reader) immediates(op byte) {
	switch {
	case op >= opI32Load && op <= opI64Store3:
		in.address()
	case bare(op):
	case op == opBlock, op == opIf, op == opBr, op == opBrIf, op == opI32Const, op == opI64Const, op == opRefNull,
		op >= opLocalGet && op <= opTableSet, op > opI64Store3 && op <= opMemGrow:
		in.leb()
	case op == opIndirect, op == opTailIndir:
		in.leb()
		in.leb()
	case op == opBrTable:
		for range in.u32() {
			in.leb()
		}
		in.leb()
	case op == opSelectT:
		in.bytes(int(in.u32()))
	default:
		in.constants(op)
	}
}

// bare reports whether nothing follows an opcode.
func bare(op byte) bool {
	switch op {
	case 0x00, 0x01, opElse, opEnd, opReturn, opDrop, opSelect, opRefIsNull:
		return true
	}
	return op >= opI32Eqz && op <= opExtend32
}

// constants skips what follows an opcode with bytes of its own.
func (in *reader) constants(op byte) {
	switch op {
	case opF32Const:
		in.bytes(4)
	case opF64Const:
		in.bytes(8)
	case opMore:
		in.more(in.u32())
	case opVector:
		in.vector(in.u32())
	default:
		fail("instruction %#x is not known", op)
	}
}

// address skips alignment and offset of an access to memory.
func (in *reader) address() {
	if align := in.u32(); align >= 1<<6 {
		fail("access to memory with flags %#x", align)
	}
	in.leb()
}

// more skips what follows an opcode of the page 0xfc: conversions, then
// instructions on whole ranges of memories and tables.
func (in *reader) more(op uint32) {
	switch {
	case op <= 7:
	case op == 9, op == 11, op == 13, op >= 15 && op <= 17:
		in.leb()
	case op == 8, op == 10, op == 12, op == 14:
		in.leb()
		in.leb()
	default:
		fail("instruction 0xfc %#x is not known", op)
	}
}

// vector skips what follows an opcode of the page of vectors.
func (in *reader) vector(op uint32) {
	switch {
	case op <= 11, op == 92, op == 93:
		in.address()
	case op == 12, op == 13:
		in.bytes(16)
	case op >= 21 && op <= 34:
		in.byte()
	case op >= 84 && op <= 91:
		in.address()
		in.byte()
	case op > 0xff:
		fail("instruction 0xfd %#x is not known", op)
	}
}

// reader reads the binary format. It panics with a parseError at the end.
type reader struct {
	text []byte
	at   int
}

func (in *reader) end() bool { return in.at >= len(in.text) }

// peek returns the next byte, 0 at the end.
func (in *reader) peek() byte {
	if in.end() {
		return 0
	}
	return in.text[in.at]
}

func (in *reader) byte() byte { return in.bytes(1)[0] }

func (in *reader) bytes(n int) []byte {
	if n < 0 || n > len(in.text)-in.at {
		fail("the module ends at byte %d of a section", len(in.text))
	}
	b := in.text[in.at : in.at+n]
	in.at += n
	return b
}

// u32 reads an unsigned number.
func (in *reader) u32() uint32 {
	var v uint64
	for shift := 0; shift < 35; shift += 7 {
		b := in.byte()
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if v > 1<<32-1 {
				break
			}
			return uint32(v)
		}
	}
	fail("a number of more than 32 bits")
	return 0
}

// leb skips a number of any size.
func (in *reader) leb() {
	for range 10 {
		if in.byte() < 0x80 {
			return
		}
	}
	fail("a number of more than 64 bits")
}

func (in *reader) limits() {
	flags := in.u32()
	in.leb()
	if flags&1 != 0 {
		in.leb()
	}
}

func appendU32(out []byte, v uint32) []byte {
	for v >= 0x80 {
		out = append(out, byte(v)|0x80)
		v >>= 7
	}
	return append(out, byte(v))
}

func appendS32(out []byte, v int32) []byte {
	for v < -64 || v > 63 {
		out = append(out, byte(v)&0x7f|0x80)
		v >>= 7
	}
	return append(out, byte(v)&0x7f)
}
