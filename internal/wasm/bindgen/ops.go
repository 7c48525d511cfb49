package bindgen

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/tetratelabs/wazero/api"
)

// operation is what the glue does for an import. The types are those of its
// parameters and results: v is a value, i an i32, l an i64, f an f64.
type operation struct {
	params, results string
	run             func(i *Instance, ctx context.Context, stack []uint64)
}

// fits tells whether an import of that signature can be served: a value is an
// externref or an i32 by flavour.
func (o operation) fits(params, results []api.ValueType) bool {
	return typesFit(o.params, params) && typesFit(o.results, results)
}

func typesFit(want string, have []api.ValueType) bool {
	if len(want) != len(have) {
		return false
	}
	for n := range have {
		ok := false
		switch want[n] {
		case 'v':
			ok = have[n] == api.ValueTypeExternref || have[n] == api.ValueTypeI32
		case 'i':
			ok = have[n] == api.ValueTypeI32
		case 'l':
			ok = have[n] == api.ValueTypeI64
		case 'f':
			ok = have[n] == api.ValueTypeF64
		}
		if !ok {
			return false
		}
	}
	return true
}

// operations are the operations by name. What each does in JavaScript stands in
// bodies.
func operations() map[string]operation {
	all := map[string]operation{}
	for _, part := range []map[string]operation{textOps(), testOps(), objectOps(), castOps(), hostOps()} {
		maps.Copy(all, part)
	}
	return all
}

// makes is an operation that returns a value.
func makes(params string, f func(i *Instance, s []uint64) any) operation {
	return operation{params, "v", func(i *Instance, _ context.Context, s []uint64) { s[0] = i.heap.add(f(i, s)) }}
}

// tests is an operation that answers a question about a value.
func tests(f func(v any) bool) operation {
	return operation{"v", "i", func(i *Instance, _ context.Context, s []uint64) { s[0] = bit(f(i.heap.get(s[0]))) }}
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// shows is an operation that passes a text made of a value.
func shows(f func(v any) string) operation {
	return operation{"iv", "", func(i *Instance, ctx context.Context, s []uint64) {
		i.returnText(ctx, s[0], f(i.heap.get(s[1])))
	}}
}

func textOps() map[string]operation {
	return map[string]operation{
		"error":  makes("ii", func(i *Instance, s []uint64) any { return &errorValue{i.text(s[0], s[1])} }),
		"error0": makes("", func(*Instance, []uint64) any { return &errorValue{} }),
		"string": shows(text),
		"debug":  shows(describe),
		"stack":  shows(func(any) string { return "" }),
		"string?": {"iv", "", func(i *Instance, ctx context.Context, s []uint64) {
			if v, ok := i.heap.get(s[1]).(string); ok {
				i.returnText(ctx, s[0], v)
				return
			}
			i.write32(s[0]+4, 0)
			i.write32(s[0], 0)
		}},
		"codePointAt": makes("vi", func(i *Instance, s []uint64) any {
			v, _ := i.heap.get(s[0]).(string)
			return codePointAt(v, uint32(s[1]))
		}),
		"fromCodePoint": makes("i", func(_ *Instance, s []uint64) any { return fromCodePoint(uint32(s[0])) }),
	}
}

func testOps() map[string]operation {
	return map[string]operation{
		"isBigint": tests(func(v any) bool {
			switch v.(type) {
			case int64, uint64:
				return true
			}
			return false
		}),
		"isFunction":    tests(func(v any) bool { _, ok := v.(*function); return ok }),
		"isString":      tests(func(v any) bool { _, ok := v.(string); return ok }),
		"isObject":      tests(isObject),
		"isUndefined":   tests(func(v any) bool { _, ok := v.(undefined); return ok }),
		"isArray":       tests(func(v any) bool { _, ok := v.(*arrayValue); return ok }),
		"isArrayBuffer": tests(func(v any) bool { _, ok := v.(memoryValue); return ok }),
		"isMap":         tests(func(v any) bool { _, ok := v.(*mapValue); return ok }),
		"isUint8Array":  tests(func(v any) bool { _, ok := v.(*bytesValue); return ok }),
		"isSafeInteger": tests(func(v any) bool {
			f, ok := v.(float64)
			return ok && f == math.Trunc(f) && math.Abs(f) <= 1<<53-1
		}),
		"same": {"vv", "i", func(i *Instance, _ context.Context, s []uint64) {
			s[0] = bit(equal(i.heap.get(s[0]), i.heap.get(s[1])))
		}},
		"alike": {"vv", "i", func(i *Instance, _ context.Context, s []uint64) {
			a, b := i.heap.get(s[0]), i.heap.get(s[1])
			s[0] = bit(equal(a, b) || isNone(a) && isNone(b))
		}},
		"in": {"vv", "i", func(i *Instance, _ context.Context, s []uint64) {
			o, ok := i.heap.get(s[1]).(*objectValue)
			s[0] = bit(ok && o.find(text(i.heap.get(s[0]))) >= 0)
		}},
		"boolean?": {"v", "i", func(i *Instance, _ context.Context, s []uint64) {
			if b, ok := i.heap.get(s[0]).(bool); ok {
				s[0] = bit(b)
				return
			}
			s[0] = 0xffffff
		}},
		"number?": {"iv", "", func(i *Instance, _ context.Context, s []uint64) {
			f, ok := i.heap.get(s[1]).(float64)
			i.write64(s[0]+8, math.Float64bits(f))
			i.write32(s[0], bit(ok))
		}},
		"bigint?": {"iv", "", func(i *Instance, _ context.Context, s []uint64) {
			var bits uint64
			ok := true
			switch v := i.heap.get(s[1]).(type) {
			case int64:
				bits = uint64(v)
			case uint64:
				bits = v
			default:
				ok = false
			}
			i.write64(s[0]+8, bits)
			i.write32(s[0], bit(ok))
		}},
	}
}

func objectOps() map[string]operation {
	return map[string]operation{
		"newArray":  makes("", func(*Instance, []uint64) any { return &arrayValue{} }),
		"newObject": makes("", func(*Instance, []uint64) any { return &objectValue{} }),
		"newMap":    makes("", func(*Instance, []uint64) any { return &mapValue{} }),
		"newBytes":  makes("v", newBytes),
		"member":    makes("vv", func(i *Instance, s []uint64) any { return member(i.heap.get(s[0]), i.heap.get(s[1])) }),
		"reflect": makes("vv", func(i *Instance, s []uint64) any {
			v := i.heap.get(s[0])
			if !isObject(v) {
				throw("Reflect.get called on non-object")
			}
			return member(v, i.heap.get(s[1]))
		}),
		"item":    makes("vi", func(i *Instance, s []uint64) any { return member(i.heap.get(s[0]), float64(uint32(s[1]))) }),
		"done":    {"v", "i", func(i *Instance, _ context.Context, s []uint64) { s[0] = bit(member(i.heap.get(s[0]), "done") == true) }},
		"value":   makes("v", func(i *Instance, s []uint64) any { return member(i.heap.get(s[0]), "value") }),
		"next":    makes("v", func(i *Instance, s []uint64) any { return member(i.heap.get(s[0]), "next") }),
		"step":    makes("v", step),
		"call":    makes("vv", call),
		"entries": makes("v", entries),
		"length": {"v", "i", func(i *Instance, _ context.Context, s []uint64) {
			s[0] = uint64(uint32(length(i.heap.get(s[0]))))
		}},
		"setMember": {"vvv", "", setMember},
		"setItem":   {"viv", "", setItem},
		"setMap":    makes("vvv", setMap),
	}
}

func newBytes(i *Instance, s []uint64) any {
	switch v := i.heap.get(s[0]).(type) {
	case *bytesValue:
		return &bytesValue{slices.Clone(v.data)}
	case memoryValue:
		return v
	case *arrayValue:
		b := &bytesValue{make([]byte, len(v.items))}
		for n := range v.items {
			f, _ := v.items[n].(float64)
			b.data[n] = byte(int64(f))
		}
		return b
	}
	return &bytesValue{}
}

func step(i *Instance, s []uint64) any {
	it, ok := i.heap.get(s[0]).(*iterator)
	if !ok {
		throw("next is not a function")
	}
	return it.step()
}

func call(i *Instance, s []uint64) any {
	f, ok := i.heap.get(s[0]).(*function)
	if !ok {
		throw("call is not a function")
	}
	return f.call(i.heap.get(s[1]))
}

func entries(i *Instance, s []uint64) any {
	a := &arrayValue{}
	switch v := i.heap.get(s[0]).(type) {
	case *objectValue:
		for n, key := range v.keys {
			a.items = append(a.items, &arrayValue{[]any{key, v.items[n]}})
		}
	case *arrayValue:
		for n, item := range v.items {
			a.items = append(a.items, &arrayValue{[]any{formatNumber(float64(n)), item}})
		}
	case nil, undefined:
		throw("Cannot convert undefined or null to object")
	}
	return a
}

func length(v any) int {
	switch v := v.(type) {
	case *arrayValue:
		return len(v.items)
	case *bytesValue:
		return len(v.data)
	case string:
		return units(v)
	}
	return 0
}

func setMember(i *Instance, _ context.Context, s []uint64) {
	key, v := i.heap.get(s[1]), i.heap.get(s[2])
	switch o := i.heap.get(s[0]).(type) {
	case *objectValue:
		o.set(text(key), v)
	case nil, undefined:
		throw("Cannot set properties of " + text(o))
	}
}

// maxGap is how far beyond its end an array may be set.
const maxGap = 1 << 12

func setItem(i *Instance, _ context.Context, s []uint64) {
	a, ok := i.heap.get(s[0]).(*arrayValue)
	if !ok {
		throw("not an array")
	}
	at := int(uint32(s[1]))
	if at > len(a.items)+maxGap {
		panic(misuse("array too long"))
	}
	for len(a.items) <= at {
		a.items = append(a.items, undefined{})
	}
	a.items[at] = i.heap.get(s[2])
}

func setMap(i *Instance, s []uint64) any {
	m, ok := i.heap.get(s[0]).(*mapValue)
	if !ok {
		throw("set is not a function")
	}
	key, v := i.heap.get(s[1]), i.heap.get(s[2])
	if at := slices.IndexFunc(m.keys, func(k any) bool { return equal(k, key) }); at >= 0 {
		m.items[at] = v
		return m
	}
	m.keys, m.items = append(m.keys, key), append(m.items, v)
	return m
}

func castOps() map[string]operation {
	return map[string]operation{
		"fromF64":  makes("f", func(_ *Instance, s []uint64) any { return math.Float64frombits(s[0]) }),
		"fromI64":  makes("l", func(_ *Instance, s []uint64) any { return int64(s[0]) }),
		"fromU64":  makes("l", func(_ *Instance, s []uint64) any { return s[0] }),
		"fromText": makes("ii", func(i *Instance, s []uint64) any { return i.text(s[0], s[1]) }),
		"clone":    makes("v", func(i *Instance, s []uint64) any { return i.heap.get(s[0]) }),
		"drop":     {"v", "", func(*Instance, context.Context, []uint64) {}},
		"number": {"v", "f", func(i *Instance, _ context.Context, s []uint64) {
			s[0] = math.Float64bits(number(i.heap.get(s[0])))
		}},
	}
}

func hostOps() map[string]operation {
	return map[string]operation{
		"global": {"", "i", func(i *Instance, ctx context.Context, s []uint64) {
			if i.refs == nil {
				s[0] = i.heap.add(&objectValue{})
				return
			}
			s[0] = i.tableAdd(ctx, &objectValue{})
		}},
		"absent": {"", "i", func(_ *Instance, _ context.Context, s []uint64) { s[0] = 0 }},
		// A module sees no clock: time stands still.
		"clock":          makes("v", func(*Instance, []uint64) any { return &objectValue{} }),
		"now":            {"v", "f", func(_ *Instance, _ context.Context, s []uint64) { s[0] = math.Float64bits(0) }},
		"throw":          {"ii", "", func(i *Instance, _ context.Context, s []uint64) { throw(i.text(s[0], s[1])) }},
		"log":            {"v", "", func(*Instance, context.Context, []uint64) {}},
		"complain":       {"v", "", func(i *Instance, _ context.Context, s []uint64) { i.complain = message(i.heap.get(s[0])) }},
		"complainText":   {"ii", "", complainText},
		"fill":           {"", "", func(i *Instance, ctx context.Context, s []uint64) { i.fill(ctx, s) }},
		"symbolIterator": makes("", func(*Instance, []uint64) any { return symbolIterator{} }),
		"memory":         makes("", func(*Instance, []uint64) any { return memoryValue{} }),
		"buffer":         makes("v", func(*Instance, []uint64) any { return memoryValue{} }),
		"copy": {"iiv", "", func(i *Instance, _ context.Context, s []uint64) {
			b, ok := i.heap.get(s[2]).(*bytesValue)
			if !ok || len(b.data) > int(uint32(s[1])) {
				throw("offset is out of bounds")
			}
			i.write(s[0], b.data)
		}},
		"setBytes": {"vvi", "", func(i *Instance, _ context.Context, s []uint64) {
			b, ok := i.heap.get(s[1]).(*bytesValue)
			if !ok {
				throw("offset is out of bounds")
			}
			i.write(s[2], b.data)
		}},
	}
}

// complainText keeps what a panic of the module says before it traps.
func complainText(i *Instance, ctx context.Context, s []uint64) {
	at, n := s[0], s[1]
	i.complain = i.text(at, n)
	i.function(ctx, i.module.table.Free, at&0xffffffff, n&0xffffffff, 1)
}
