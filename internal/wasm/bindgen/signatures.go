package bindgen

import "errors"

const (
	typeI32       = 0x7f
	typeExternref = 0x6f
)

// signatures are the functions that go in and out of a module.
type signatures struct {
	imports []struct{ module, name string }
	exports []string
	params  map[string][]byte // by name of the export
}

var errFormat = errors.New("not a WebAssembly module")

// readSignatures reads the sections 1, 2, 3 and 7 of a module.
// Source: WebAssembly Core Specification, chapter 5, "Binary Format".
func readSignatures(wasm []byte) (s *signatures, err error) {
	if len(wasm) < 8 || string(wasm[:8]) != "\x00asm\x01\x00\x00\x00" {
		return nil, errFormat
	}
	defer func() {
		if r := recover(); r != nil {
			if e, ok := r.(error); !ok || !errors.Is(e, errShort) {
				panic(r)
			}
			s, err = nil, errFormat
		}
	}()
	b := &module{rest: wasm[8:], out: &signatures{params: map[string][]byte{}}}
	for len(b.rest) > 0 {
		id := b.byte()
		section := &module{rest: b.take(b.number()), out: b.out, types: b.types, functions: b.functions}
		switch id {
		case 1:
			section.readTypes()
		case 2:
			section.readImports()
		case 3:
			for range section.number() {
				section.functions = append(section.functions, section.number())
			}
		case 7:
			section.readExports()
		}
		b.types, b.functions = section.types, section.functions
	}
	return b.out, nil
}

var errShort = errors.New("short module")

type module struct {
	rest      []byte
	out       *signatures
	types     [][]byte // parameters by number of the type
	functions []int    // number of the type by number of the function
}

func (m *module) byte() byte { return m.take(1)[0] }

func (m *module) take(n int) []byte {
	if n < 0 || n > len(m.rest) {
		panic(errShort)
	}
	out := m.rest[:n]
	m.rest = m.rest[n:]
	return out
}

// number reads an unsigned LEB128.
func (m *module) number() int {
	n := 0
	for shift := 0; shift < 35; shift += 7 {
		b := m.byte()
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	panic(errShort)
}

func (m *module) text() string { return string(m.take(m.number())) }

func (m *module) limits() {
	flags := m.byte()
	m.number()
	if flags&1 != 0 {
		m.number()
	}
}

func (m *module) readTypes() {
	for range m.number() {
		m.byte() // 0x60
		m.types = append(m.types, m.take(m.number()))
		m.take(m.number())
	}
}

func (m *module) readImports() {
	for range m.number() {
		host, name := m.text(), m.text()
		switch m.byte() {
		case 0:
			m.out.imports = append(m.out.imports, struct{ module, name string }{host, name})
			m.functions = append(m.functions, m.number())
		case 1:
			m.byte()
			m.limits()
		case 2:
			m.limits()
		case 3:
			m.take(2)
		default:
			panic(errShort)
		}
	}
}

func (m *module) readExports() {
	for range m.number() {
		name := m.text()
		kind, at := m.byte(), m.number()
		if kind != 0 {
			continue
		}
		m.out.exports = append(m.out.exports, name)
		if at < len(m.functions) && m.functions[at] < len(m.types) {
			m.out.params[name] = m.types[m.functions[at]]
		}
	}
}
