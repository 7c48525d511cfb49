package bindgen

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// JavaScript values are held as
//
//	null, undefined       nil, undefined
//	boolean, number       bool, float64
//	bigint                int64, uint64
//	text                  string
//	Array, Object, Map    *arrayValue, *objectValue, *mapValue
//	Uint8Array            *bytesValue
//	Error                 *errorValue
//
// and a few that only travel through: the memory, iterators, their functions
// and Symbol.iterator.
type (
	undefined   struct{}
	arrayValue  struct{ items []any }
	objectValue struct {
		keys  []string // in the order of their first setting
		items []any
		index map[string]int // nil while there are few
	}
	mapValue    struct{ keys, items []any }
	bytesValue  struct{ data []byte }
	errorValue  struct{ message string }
	memoryValue struct{}
	iterator    struct {
		items []any
		next  int
	}
	symbolIterator struct{}
	function       struct{ call func(this any) any }
)

// fewKeys is up to how many keys an object is searched in order.
const fewKeys = 12

func (o *objectValue) find(key string) int {
	if o.index != nil {
		if at, ok := o.index[key]; ok {
			return at
		}
		return -1
	}
	return slices.Index(o.keys, key)
}

func (o *objectValue) set(key string, v any) {
	if at := o.find(key); at >= 0 {
		o.items[at] = v
		return
	}
	o.keys, o.items = append(o.keys, key), append(o.items, v)
	switch {
	case o.index != nil:
		o.index[key] = len(o.keys) - 1
	case len(o.keys) > fewKeys:
		o.index = make(map[string]int, 2*len(o.keys))
		for at, k := range o.keys {
			o.index[k] = at
		}
	}
}

// fromGo makes a JavaScript value of what encoding/json decodes to.
func fromGo(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, float64, string, int64, uint64:
		return v, nil
	case int:
		return float64(v), nil
	case []byte:
		return &bytesValue{slices.Clone(v)}, nil
	case []string:
		a := &arrayValue{items: make([]any, len(v))}
		for i := range v {
			a.items[i] = v[i]
		}
		return a, nil
	case []any:
		a := &arrayValue{items: make([]any, len(v))}
		for i := range v {
			var err error
			if a.items[i], err = fromGo(v[i]); err != nil {
				return nil, err
			}
		}
		return a, nil
	case map[string]any:
		o := &objectValue{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			item, err := fromGo(v[key])
			if err != nil {
				return nil, err
			}
			o.set(key, item)
		}
		return o, nil
	}
	return nil, fmt.Errorf("%T is no value", v)
}

const (
	maxDepth = 200
	maxNodes = 1 << 23
)

// toGo makes Go values of a JavaScript value: nil, bool, float64, int64, uint64,
// string, []byte, []any, map[string]any. A module may hand over values that
// hold themselves, so depth and number are bounded.
func toGo(v any) (any, error) {
	c := converter{left: maxNodes}
	return c.value(v, 0)
}

type converter struct{ left int }

func (c *converter) value(v any, depth int) (any, error) {
	if c.left--; c.left < 0 || depth > maxDepth {
		return nil, errors.New("module returned a value that is too large or too deep")
	}
	switch v := v.(type) {
	case undefined:
		return nil, nil
	case nil, bool, float64, int64, uint64, string:
		return v, nil
	case *bytesValue:
		return v.data, nil
	case *errorValue:
		return v.message, nil
	case *arrayValue:
		return c.list(v.items, depth)
	case *objectValue:
		m := make(map[string]any, len(v.keys))
		for i, key := range v.keys {
			item, err := c.value(v.items[i], depth+1)
			if err != nil {
				return nil, err
			}
			m[key] = item
		}
		return m, nil
	case *mapValue:
		m := make(map[string]any, len(v.keys))
		for i, key := range v.keys {
			item, err := c.value(v.items[i], depth+1)
			if err != nil {
				return nil, err
			}
			m[text(key)] = item
		}
		return m, nil
	}
	return nil, fmt.Errorf("module returned a %s", kindOf(v))
}

func (c *converter) list(items []any, depth int) (any, error) {
	out := make([]any, len(items))
	for i := range items {
		var err error
		if out[i], err = c.value(items[i], depth+1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// isNone reports null or undefined.
func isNone(v any) bool {
	_, undef := v.(undefined)
	return undef || v == nil
}

func isObject(v any) bool {
	switch v.(type) {
	case nil, undefined, bool, float64, int64, uint64, string, symbolIterator, *function:
		return false
	}
	return true
}

// member returns v[key].
func member(v, key any) any {
	switch v := v.(type) {
	case *objectValue:
		if _, symbol := key.(symbolIterator); symbol {
			return undefined{}
		}
		if at := v.find(text(key)); at >= 0 {
			return v.items[at]
		}
	case *arrayValue:
		return v.member(key)
	case *mapValue:
		if _, symbol := key.(symbolIterator); symbol {
			return &function{func(any) any {
				it := &iterator{}
				for i := range v.keys {
					it.items = append(it.items, &arrayValue{[]any{v.keys[i], v.items[i]}})
				}
				return it
			}}
		}
	case *bytesValue:
		if at, ok := key.(float64); ok && at >= 0 && at < float64(len(v.data)) {
			return float64(v.data[int(at)])
		}
	case *iterator:
		if key == "next" {
			return &function{func(any) any { return v.step() }}
		}
	case nil, undefined:
		throw("Cannot read properties of " + text(v))
	}
	return undefined{}
}

func (a *arrayValue) member(key any) any {
	switch key := key.(type) {
	case float64:
		if key >= 0 && key < float64(len(a.items)) && key == math.Trunc(key) {
			return a.items[int(key)]
		}
	case symbolIterator:
		return &function{func(any) any { return &iterator{items: a.items} }}
	case string:
		if key == "length" {
			return float64(len(a.items))
		}
	}
	return undefined{}
}

// step returns what next() of an iterator returns.
func (it *iterator) step() any {
	o := &objectValue{}
	if it.next < len(it.items) {
		o.set("value", it.items[it.next])
		o.set("done", false)
		it.next++
	} else {
		o.set("value", undefined{})
		o.set("done", true)
	}
	return o
}

// equal is ===. Texts and numbers are equal by value, objects by identity.
func equal(a, b any) bool {
	switch a := a.(type) {
	case int64:
		return bigEqual(a < 0, uint64(a), b)
	case uint64:
		return bigEqual(false, a, b)
	}
	return a == b
}

func bigEqual(negative bool, bits uint64, b any) bool {
	switch b := b.(type) {
	case int64:
		return negative == (b < 0) && bits == uint64(b)
	case uint64:
		return !negative && bits == b
	}
	return false
}

// number is Number(v).
func number(v any) float64 {
	switch v := v.(type) {
	case nil:
		return 0
	case bool:
		if v {
			return 1
		}
		return 0
	case float64:
		return v
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case string:
		s := strings.TrimSpace(v)
		if s == "" {
			return 0
		}
		if f, err := strconv.ParseFloat(s, 64); err == nil && !strings.ContainsAny(s, "_pPiInN") {
			return f
		}
	}
	return math.NaN()
}

// text is String(v).
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case undefined:
		return "undefined"
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return formatNumber(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	case string:
		return v
	case *errorValue:
		return "Error: " + v.message
	case *arrayValue:
		return "[array]"
	case *function:
		return "function"
	case symbolIterator:
		return "Symbol(Symbol.iterator)"
	}
	return "[object " + kindOf(v) + "]"
}

// message is the text of what was thrown.
func message(v any) string {
	if e, ok := v.(*errorValue); ok {
		return e.message
	}
	if o, ok := v.(*objectValue); ok {
		if at := o.find("message"); at >= 0 {
			return text(o.items[at])
		}
	}
	return text(v)
}

// kindOf is the class of an object as JavaScript names it.
func kindOf(v any) string {
	switch v.(type) {
	case *objectValue:
		return "Object"
	case *arrayValue:
		return "Array"
	case *mapValue:
		return "Map"
	case *bytesValue:
		return "Uint8Array"
	case *errorValue:
		return "Error"
	case *iterator:
		return "Array Iterator"
	case *function:
		return "Function"
	case memoryValue:
		return "WebAssembly.Memory"
	}
	return fmt.Sprintf("%T", v)
}

// formatNumber writes a number as JavaScript does.
func formatNumber(f float64) string {
	switch abs := math.Abs(f); {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0:
		return "0"
	case abs >= 1e21 || abs < 1e-6:
		s := strconv.FormatFloat(f, 'e', -1, 64)
		s = strings.Replace(s, "e-0", "e-", 1)
		return strings.Replace(s, "e+0", "e+", 1)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// describe is debugString of the glue: what a value looks like in a message.
func describe(v any) string {
	switch v := v.(type) {
	case nil, undefined, bool, float64:
		return text(v)
	case string:
		return `"` + v + `"`
	case symbolIterator:
		return text(v)
	case *function:
		return "Function"
	case *arrayValue:
		return describeList(v)
	case *objectValue:
		plain, err := toGo(v)
		if err != nil {
			return "Object"
		}
		data, err := json.Marshal(plain)
		if err != nil {
			return "Object"
		}
		return "Object(" + string(data) + ")"
	case *errorValue:
		return "Error: " + v.message + "\n"
	}
	return kindOf(v)
}

// describeList shows the first few items; an item that is a list shows none of its own.
func describeList(a *arrayValue) string {
	const few = 50
	var b strings.Builder
	b.WriteByte('[')
	for n, item := range a.items {
		if n == few {
			b.WriteString(", ...")
			break
		}
		if n > 0 {
			b.WriteString(", ")
		}
		if _, list := item.(*arrayValue); list {
			b.WriteString("[...]")
			continue
		}
		b.WriteString(describe(item))
	}
	return b.String() + "]"
}

// units is the length of a text in UTF-16, as JavaScript counts.
func units(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

// codePointAt is the character that begins at a UTF-16 unit of s.
func codePointAt(s string, unit uint32) any {
	at := 0
	for _, r := range s {
		if at >= int(unit) {
			if at > int(unit) { // the second half of a pair
				return undefined{}
			}
			return float64(r)
		}
		if at++; r > 0xffff {
			at++
		}
	}
	return undefined{}
}

// fromCodePoint is String.fromCodePoint.
func fromCodePoint(n uint32) string {
	if n > utf8.MaxRune {
		throw("Invalid code point " + strconv.FormatUint(uint64(n), 10))
	}
	return string(rune(n))
}
