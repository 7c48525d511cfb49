package bindgen

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"poly/internal/wasm"
)

// ThrownError is what the module itself refuses with: the message of the error
// or the text it throws. The instance stays usable.
type ThrownError struct{ Message string }

func (e *ThrownError) Error() string { return e.Message }

// misuse is what the host panics with inside of an import; wazero makes it the
// error of the call.
type misuse string

func (m misuse) Error() string { return string(m) }

// thrown is a JavaScript exception on its way through an import.
type thrown struct{ value any }

func (t *thrown) Error() string { return message(t.value) }

func throw(text string) { panic(&thrown{&errorValue{message: text}}) }

// Pointer is an object of a class of the module.
type Pointer uint32

// Call calls an export by the name the glue gives it; a method by its class
// and name, with the object first; a constructor as "Class.new", which returns
// a [Pointer]. Arguments are string or []byte for text, [Pointer], int for
// numbers, and for values what encoding/json decodes to. nil is the absent
// optional. A value is returned as encoding/json decodes it, except that big
// integers are int64 or uint64; a text as []byte.
func (i *Instance) Call(ctx context.Context, name string, args ...any) (result any, err error) {
	if i.broken {
		return nil, i.failure(misuse("the instance is broken"))
	}
	export, ok := i.module.exports[name]
	if !ok {
		return nil, fmt.Errorf("module has no export %s", name)
	}
	if len(args) != len(export.Params) {
		return nil, fmt.Errorf("%s takes %d arguments", name, len(export.Params))
	}
	ctx = withInstance(ctx, i)
	i.complain, i.long = "", ""
	if err := i.collect(ctx); err != nil {
		return nil, err
	}
	defer i.guard(&err)
	var space [16]uint64
	stack := space[:0]
	for n, kind := range export.Params {
		if stack, err = i.push(ctx, stack, kind, args[n]); err != nil {
			return nil, fmt.Errorf("%s: argument %d: %w", name, n+1, err)
		}
	}
	frame, err := i.enter(ctx, export)
	if err != nil {
		return nil, err
	}
	if frame != 0 {
		stack = slices.Insert(stack, 0, frame)
	}
	f := i.guest.ExportedFunction(export.Func)
	if f == nil {
		return nil, fmt.Errorf("module has no function %s", export.Func)
	}
	out, err := f.Call(ctx, stack...)
	if err != nil {
		return nil, i.failure(err)
	}
	if frame != 0 {
		out = i.frame(frame)
		i.function(ctx, i.module.table.StackPointer, frameBytes)
	}
	return i.result(ctx, export, out)
}

// Text calls an export that returns text. The bytes are the caller's.
func (i *Instance) Text(ctx context.Context, name string, args ...any) ([]byte, error) {
	v, err := i.Call(ctx, name, args...)
	if err != nil {
		return nil, err
	}
	if b, ok := v.([]byte); ok {
		return b, nil
	}
	return nil, fmt.Errorf("%s returns no text", name)
}

// frameBytes is the room for the results that a module of the heap flavour
// writes to its stack.
const frameBytes = 16

// enter makes the room for results, if the export needs any, and returns where.
func (i *Instance) enter(ctx context.Context, e *Export) (uint64, error) {
	if i.module.table.Externref || !e.Fails && e.Result != KindText {
		return 0, nil
	}
	down := int32(-frameBytes)
	at := i.function(ctx, i.module.table.StackPointer, uint64(uint32(down)))[0] & 0xffffffff
	if at == 0 {
		return 0, i.failure(misuse("no stack left"))
	}
	return at, nil
}

// frame reads the results a module of the heap flavour left.
func (i *Instance) frame(at uint64) []uint64 {
	out := make([]uint64, frameBytes/4)
	for n := range out {
		out[n] = uint64(i.read32(at + uint64(4*n)))
	}
	return out
}

// push appends an argument as the module wants it.
func (i *Instance) push(ctx context.Context, stack []uint64, k Kind, arg any) ([]uint64, error) {
	switch k {
	case KindMaybe:
		if arg == nil {
			return append(stack, 0, 0), nil
		}
		return i.push(ctx, stack, KindText, arg)
	case KindOption:
		if arg == nil {
			return append(stack, 0), nil
		}
		v, err := fromGo(arg)
		if err != nil {
			return nil, err
		}
		if i.refs != nil {
			return append(stack, i.tableAdd(ctx, v)), nil
		}
		return append(stack, i.heap.add(v)), nil
	case KindValue:
		v, err := fromGo(arg)
		return append(stack, i.heap.add(v)), err
	case KindText:
		return i.pushText(ctx, stack, arg)
	case KindBytes:
		return i.pushBytes(ctx, stack, arg)
	case KindNumber:
		if n, ok := arg.(int); ok {
			return append(stack, uint64(uint32(n))), nil
		}
	case KindSelf:
		if p, ok := arg.(Pointer); ok && p != 0 {
			return append(stack, uint64(p)), nil
		}
	}
	return nil, fmt.Errorf("%T is no %s", arg, k)
}

func (i *Instance) pushBytes(ctx context.Context, stack []uint64, arg any) ([]uint64, error) {
	data, ok := arg.([]byte)
	if !ok {
		return nil, fmt.Errorf("%T are no bytes", arg)
	}
	at := i.malloc(ctx, len(data))
	i.write(at, data)
	return append(stack, at, uint64(len(data))), nil
}

func (i *Instance) pushText(ctx context.Context, stack []uint64, arg any) ([]uint64, error) {
	switch text := arg.(type) {
	case []byte:
		if !utf8.Valid(text) {
			return nil, errNotUTF8
		}
		at := i.malloc(ctx, len(text))
		i.write(at, text)
		return append(stack, at, uint64(len(text))), nil
	case string:
		if !utf8.ValidString(text) {
			return nil, errNotUTF8
		}
		at, n := i.passText(ctx, text)
		return append(stack, at, n), nil
	}
	return nil, fmt.Errorf("%T is no text", arg)
}

var errNotUTF8 = errors.New("not UTF-8")

// result unpacks what an export returned. A function that may throw adds the
// exception and whether there is one.
func (i *Instance) result(ctx context.Context, e *Export, out []uint64) (any, error) {
	width := map[Kind]int{KindNone: 0, KindText: 2}
	n, ok := width[e.Result]
	if !ok {
		n = 1
	}
	if e.Fails {
		if len(out) < n+2 {
			return nil, i.failure(misuse("too few results"))
		}
		if uint32(out[n+1]) != 0 {
			return nil, &ThrownError{message(i.takeValue(ctx, out[n]))}
		}
	}
	if len(out) < n {
		return nil, i.failure(misuse("too few results"))
	}
	switch e.Result {
	case KindNone:
		return nil, nil
	case KindText:
		return i.takeText(ctx, out[0], out[1]), nil
	case KindPointer:
		return Pointer(out[0]), nil
	case KindNumber:
		return float64(int32(out[0])), nil
	}
	if e.Fails || i.refs == nil {
		return toGo(i.takeValue(ctx, out[0]))
	}
	return toGo(i.heap.get(out[0]))
}

// takeText copies a text out of the memory and frees it there.
func (i *Instance) takeText(ctx context.Context, at, n uint64) []byte {
	view := i.view(at, n)
	text := make([]byte, len(view))
	copy(text, view)
	if len(text) > 0 {
		i.function(ctx, i.module.table.Free, at&0xffffffff, n&0xffffffff, 1)
	}
	return text
}

// takeValue returns a value that an export hands over: by number in the heap
// flavour, else by its slot in the table.
func (i *Instance) takeValue(ctx context.Context, at uint64) any {
	if i.refs == nil {
		return i.heap.take(at)
	}
	v := i.heap.get(i.refs.at(ctx, at))
	i.function(ctx, i.module.table.TableFree, at&0xffffffff)
	return v
}

// guard turns a panic of the host's own code outside of an import into an
// error of the call.
func (i *Instance) guard(err *error) {
	switch r := recover().(type) {
	case nil:
	case misuse:
		*err = i.failure(r)
	case *hostError:
		*err = i.failure(r.cause)
	case *thrown:
		*err = i.failure(r)
	default:
		panic(r)
	}
}

// hostError carries an error of the runtime out of nested code.
type hostError struct{ cause error }

func (e *hostError) Error() string { return e.cause.Error() }

func (e *hostError) Unwrap() error { return e.cause }

func must(out []uint64, err error) []uint64 {
	if err != nil {
		panic(&hostError{err})
	}
	return out
}

// failure marks the instance as broken and says why, as a [wasm.Trap].
func (i *Instance) failure(cause error) error {
	i.broken = true
	if t, ok := errors.AsType[*thrown](cause); ok && i.complain == "" {
		i.complain = t.Error()
	}
	if i.complain != "" {
		cause = &complaint{i.complain, cause}
	}
	return wasm.NewTrap(i.module.wasm.Name, cause)
}

// complaint is an error with what the module said before it broke off.
type complaint struct {
	text  string
	cause error
}

func (c *complaint) Error() string { return c.text }

func (c *complaint) Unwrap() error { return c.cause }
