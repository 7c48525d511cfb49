//go:build cgo && !notreesitter

package syntax

// #include <stdlib.h>
// #include "flat.h"
import "C"

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
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
	every  bool          // nodes of every kind are asked for their fields
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
	if !l.Built() {
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
	t := C.poly_parse(p.parser, l.open().grammar, (*C.char)(unsafe.Pointer(unsafe.SliceData(text))), C.uint32_t(len(text)), C.uint64_t(limit))
	switch t.status {
	case C.POLY_OK:
	case C.POLY_LIMIT: // the parser would go on with this text
		C.ts_parser_delete(p.parser)
		p.parser = nil
		return nil, ErrLimit
	case C.POLY_BROKEN: // nobody knows what may still be freed of it
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
	inherits := l.open().inherits
	if p.every {
		inherits = marks(l.open().kinds, strings.Join(l.open().kinds, " "))
		defer C.free(unsafe.Pointer(inherits))
	}
	flat := C.poly_flatten(t.tree, (*C.PolyNode)(unsafe.Pointer(unsafe.SliceData(nodes))), t.count, inherits)
	if flat.nodes == 0 {
		return nil, fmt.Errorf("%s: the tree has other than the %d nodes it says", l.Name, n)
	}
	tree := &Tree{Language: l, Text: text, Nodes: nodes}
	if flat.far != nil {
		tree.far = slices.Clone(unsafe.Slice((*far)(unsafe.Pointer(flat.far)), int(flat.far_count)))
		slices.SortFunc(tree.far, far.compare)
		C.free(unsafe.Pointer(flat.far))
	}
	return tree, nil
}

// Built reports whether this grammar is part of the binary.
func (l *Language) Built() bool { return load(l.Name) != nil }

// opened is a grammar that is in use.
type opened struct {
	grammar  *C.PolyGrammar // never freed
	kinds    []string       // names by id
	fields   []string       // names by id; 0 is none
	inherits *C.uint8_t     // by kind: its fields are asked for; nil: none is, never freed
}

// open returns the grammar, which must be built in for it to be of use.
func (l *Language) open() *opened {
	l.once.Do(func() {
		ptr := load(l.Name)
		if ptr == nil {
			return
		}
		l.state.grammar = C.poly_grammar((*C.TSLanguage)(ptr))
		lang := C.poly_language(l.state.grammar)
		l.state.kinds = make([]string, C.ts_language_symbol_count(lang))
		for i := range l.state.kinds {
			l.state.kinds[i] = C.GoString(C.ts_language_symbol_name(lang, C.TSSymbol(i)))
		}
		l.state.fields = make([]string, C.ts_language_field_count(lang)+1)
		for i := 1; i < len(l.state.fields); i++ {
			l.state.fields[i] = C.GoString(C.ts_language_field_name_for_id(lang, C.TSFieldId(i)))
		}
		l.state.inherits = marks(l.state.kinds, inheriting(l.Name))
	})
	return &l.state
}

// marks returns which kinds have one of some names, in memory of C.
func marks(kinds []string, names string) *C.uint8_t {
	if names == "" {
		return nil
	}
	p := (*C.uint8_t)(C.calloc(C.size_t(len(kinds)), 1))
	set := unsafe.Slice((*uint8)(p), len(kinds))
	for i, kind := range kinds {
		if slices.Contains(strings.Fields(names), kind) {
			set[i] = 1
		}
	}
	return p
}

// Kind returns the public kind of that name, and whether there is one. Named
// chooses between a rule of the grammar ("string") and a token ("if").
func (l *Language) Kind(name string, named bool) (Kind, bool) {
	if !l.Built() {
		return 0, false
	}
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	k := Kind(C.ts_language_symbol_for_name(C.poly_language(l.open().grammar), text, C.uint32_t(len(name)), C.bool(named)))
	return k, k != 0
}
