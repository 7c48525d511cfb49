package bindgen

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero/api"
)

// Table is what the glue of a module says, as far as it matters at run time.
type Table struct {
	Externref bool   // values are externrefs; otherwise numbers of a heap
	HeapBase  int    // first number of the heap that can be given out
	Host      string // module name the imports are taken from

	// Names of exports. Malloc and Free are ""  in a module that passes no
	// strings; the others where the flavour or the glue has no use for them.
	Malloc, Free, Throw   string
	TableAlloc, TableFree string
	StackPointer, Start   string

	Imports []Import // by name
	Exports []Export // by name
}

// Import is a function the glue lends the module.
type Import struct {
	Name string
	Op   string
	// Takes are the parameters whose value the module gives up, in the heap flavour.
	Takes []int `json:",omitempty"`
	// Catches: what the operation throws is handed to the module.
	Catches bool `json:",omitempty"`
}

// Kind is how an argument or a result travels.
type Kind string

// The kinds.
const (
	KindNone    Kind = ""
	KindText    Kind = "text"    // pointer and length of UTF-8
	KindMaybe   Kind = "text?"   // the same, or nothing
	KindValue   Kind = "value"   // a JavaScript value
	KindOption  Kind = "value?"  // the same by number, or nothing
	KindNumber  Kind = "number"  // an i32
	KindBytes   Kind = "bytes"   // pointer and length
	KindSelf    Kind = "self"    // an object of a class, such as the one a method is called on
	KindPointer Kind = "pointer" // a new object
)

// Export is a function of the module as its glue wraps it.
type Export struct {
	Name   string // "format", "Workspace.new", "Workspace.check"
	Func   string // the export that is called
	Params []Kind
	Result Kind
	Fails  bool // it may throw
}

// Import returns the import of that name.
func (t *Table) Import(name string) (Import, bool) {
	at, ok := slices.BinarySearchFunc(t.Imports, name, func(i Import, n string) int { return strings.Compare(i.Name, n) })
	if !ok {
		return Import{}, false
	}
	return t.Imports[at], true
}

// Encode returns the table as text that [Decode] reads. Equal tables give equal texts.
func (t *Table) Encode() ([]byte, error) { return json.MarshalIndent(t, "", "\t") }

// Decode reads what [Table.Encode] wrote.
func Decode(data []byte) (*Table, error) {
	t := &Table{}
	if err := json.Unmarshal(data, t); err != nil {
		return nil, err
	}
	if !slices.IsSortedFunc(t.Imports, func(a, b Import) int { return strings.Compare(a.Name, b.Name) }) {
		return nil, errors.New("imports are not in order")
	}
	return t, nil
}

// bind makes the function that wazero calls for the import.
func (i Import) bind(run func(*Instance, context.Context, []uint64)) api.GoModuleFunc {
	if len(i.Takes) == 0 && !i.Catches {
		return func(ctx context.Context, _ api.Module, stack []uint64) { run(instanceOf(ctx), ctx, stack) }
	}
	return func(ctx context.Context, m api.Module, stack []uint64) {
		in := instanceOf(ctx)
		if in.guest == nil {
			in.guest = m
		}
		var gone [4]uint64
		taken := gone[:0]
		for _, at := range i.Takes {
			taken = append(taken, stack[at])
		}
		if i.Catches {
			in.catching(ctx, stack, run)
		} else {
			run(in, ctx, stack)
		}
		for _, handle := range taken {
			in.heap.drop(handle)
		}
	}
}
