//go:build !notreesitter

package syntax

// #include <stdlib.h>
// #include "flat.h"
import "C"

import (
	"cmp"
	"fmt"
	"sync"
	"time"
	"unsafe"

	_ "github.com/tree-sitter/go-tree-sitter" // the runtime, called from flat.c
)

// Built reports whether tree-sitter is part of this binary.
func Built() bool { return true }

var resetAllocator = sync.OnceFunc(func() { C.poly_reset_allocator() })

// Parser parses texts one after the other. It is not safe for concurrent use:
// each goroutine has its own. The zero value is ready; Close frees what it
// holds, and it may be used again after that.
type Parser struct {
	parser *C.TSParser
	nodes  []Node
	limit  time.Duration // of a parse; 0 is the usual one
}

// Close frees the memory of the parser that Go does not know of.
func (p *Parser) Close() {
	if p.parser != nil {
		C.ts_parser_delete(p.parser)
	}
	*p = Parser{}
}

// Parse parses text, any bytes at all, as l. The tree keeps text and is valid
// until the next Parse, which uses its memory again. There is a tree for every
// text, wrong syntax shows in its nodes; the errors are [ErrNotBuilt],
// [ErrTooBig] and [ErrLimit].
func (p *Parser) Parse(l *Language, text []byte) (*Tree, error) {
	ptr := l.pointer()
	if ptr == nil {
		return nil, fmt.Errorf("%s: %w", l.Name, ErrNotBuilt)
	}
	if len(text) > MaxText {
		return nil, ErrTooBig
	}
	if p.parser == nil {
		resetAllocator()
		p.parser = C.ts_parser_new()
	}
	limit := cmp.Or(p.limit, baseTime+time.Duration(len(text))*timePerByte)
	t := C.poly_parse(p.parser, (*C.TSLanguage)(ptr), (*C.char)(unsafe.Pointer(unsafe.SliceData(text))), C.uint32_t(len(text)), C.uint64_t(limit))
	switch t.status {
	case C.POLY_OK:
	case C.POLY_LIMIT: // the parser would go on with this text
		C.ts_parser_delete(p.parser)
		p.parser = nil
		return nil, ErrLimit
	default:
		return nil, fmt.Errorf("%s: grammar of another ABI than the runtime", l.Name)
	}
	n := int(t.count)
	if n > cap(p.nodes) {
		p.nodes = make([]Node, n+n/4)
	}
	nodes := p.nodes[:n]
	if C.poly_flatten(t.tree, (*C.PolyNode)(unsafe.Pointer(unsafe.SliceData(nodes))), t.count) == 0 {
		return nil, fmt.Errorf("%s: the tree has other than the %d nodes it says", l.Name, n)
	}
	return &Tree{Language: l, Text: text, Nodes: nodes}, nil
}

func (l *Language) pointer() unsafe.Pointer {
	load := grammars[l.Name]
	if load == nil {
		return nil
	}
	return load()
}

// Built reports whether this grammar is part of the binary.
func (l *Language) Built() bool { return l.pointer() != nil }

// symbols are the names of a grammar.
type symbols struct {
	kinds  []string // by id
	fields []string // by id; 0 is none
}

func (l *Language) symbols() *symbols {
	l.once.Do(func() {
		ptr := (*C.TSLanguage)(l.pointer())
		if ptr == nil {
			return
		}
		l.names.kinds = make([]string, C.ts_language_symbol_count(ptr))
		for i := range l.names.kinds {
			l.names.kinds[i] = C.GoString(C.ts_language_symbol_name(ptr, C.TSSymbol(i)))
		}
		l.names.fields = make([]string, C.ts_language_field_count(ptr)+1)
		for i := 1; i < len(l.names.fields); i++ {
			l.names.fields[i] = C.GoString(C.ts_language_field_name_for_id(ptr, C.TSFieldId(i)))
		}
	})
	return &l.names
}

// Kind returns the public kind of that name, and whether there is one. Named
// chooses between a rule of the grammar ("string") and a token ("if").
func (l *Language) Kind(name string, named bool) (Kind, bool) {
	ptr := l.pointer()
	if ptr == nil {
		return 0, false
	}
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	k := Kind(C.ts_language_symbol_for_name((*C.TSLanguage)(ptr), text, C.uint32_t(len(name)), C.bool(named)))
	return k, k != 0
}
