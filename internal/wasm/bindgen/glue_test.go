package bindgen

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tiny assembles a module whose imports are functions of nothing and whose
// exports take the given types and return nothing.
func tiny(imports []string, exports map[string][]byte, order ...string) []byte {
	text := func(s string) []byte { return append(appendLeb(nil, len(s)), s...) }
	section := func(id byte, items ...[]byte) []byte {
		content := appendLeb(nil, len(items))
		for _, item := range items {
			content = append(content, item...)
		}
		return append(appendLeb([]byte{id}, len(content)), content...)
	}
	types := [][]byte{{0x60, 0, 0}}
	var ins, funcs, outs, code [][]byte
	for _, name := range imports {
		ins = append(ins, append(append(text("./x_bg.js"), text(name)...), 0, 0))
	}
	for n, name := range order {
		params := exports[name]
		types = append(types, append(append([]byte{0x60, byte(len(params))}, params...), 0))
		funcs = append(funcs, []byte{byte(len(types) - 1)})
		outs = append(outs, append(text(name), 0, byte(len(imports)+n)))
		code = append(code, []byte{2, 0, 0x0b})
	}
	out := []byte("\x00asm\x01\x00\x00\x00")
	for id, items := range [][][]byte{nil, types, ins, funcs, nil, nil, nil, outs, nil, nil, code} {
		if items != nil {
			out = append(out, section(byte(id), items...)...)
		}
	}
	return out
}

const externrefGlue = `
class Shop {
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_shop_free(ptr, 0);
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        return ptr;
    }
    /** @param {string} name */
    sell(name) {
        const ptr0 = passStringToWasm0(name, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.shop_sell(this.__wbg_ptr, ptr0, len0);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    constructor(goods, number) {
        const ret = wasm.shop_new(goods, number);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        return this;
    }
}
exports.Shop = Shop;
function __wbg_get_imports() {
    const import0 = {
        __wbg_new_1: function() {
            const ret = new Object();
            return ret;
        },
        __wbg_get_2: function() { return handleError(function (arg0, arg1) {
            const ret = Reflect.get(arg0, arg1);
            return ret;
        }, arguments); },
    };
}
function handleError(f, args) {
    try { return f(args); } catch (e) { wasm.__wbindgen_exn_store(wasm.__externref_table_alloc()); }
}
wasm.__wbindgen_externrefs; wasm.__externref_table_dealloc(idx);
wasm.__wbindgen_free(deferred1_0, deferred1_1, 1);
wasm.__wbindgen_start();
`

func TestReadGlueExternref(t *testing.T) {
	t.Parallel()
	wasm := tiny([]string{"__wbg_new_1", "__wbg_get_2"}, map[string][]byte{
		"shop_new": {typeExternref, typeI32}, "shop_sell": {typeI32, typeI32, typeI32}, "__wbg_shop_free": {typeI32, typeI32},
	}, "shop_new", "shop_sell", "__wbg_shop_free")
	got, err := ReadGlue([]byte(externrefGlue), wasm)
	if err != nil {
		t.Fatal(err)
	}
	want := &Table{
		Externref: true, Host: "./x_bg.js", Malloc: "__wbindgen_malloc", Free: "__wbindgen_free", Throw: "__wbindgen_exn_store",
		TableAlloc: "__externref_table_alloc", TableFree: "__externref_table_dealloc", Start: "__wbindgen_start",
		Imports: []Import{{Name: "__wbg_get_2", Op: "reflect", Catches: true}, {Name: "__wbg_new_1", Op: "newObject"}},
		Exports: []Export{
			{Name: "Shop.free", Func: "__wbg_shop_free", Params: []Kind{KindSelf, KindNumber}},
			{Name: "Shop.new", Func: "shop_new", Params: []Kind{KindValue, KindNumber}, Result: KindPointer, Fails: true},
			{Name: "Shop.sell", Func: "shop_sell", Params: []Kind{KindSelf, KindText}, Result: KindValue, Fails: true},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ReadGlue: -want +got\n%s", diff)
	}
	text, err := got.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, again); diff != "" {
		t.Errorf("Decode: -want +got\n%s", diff)
	}
}

const heapGlue = `
export function format(src, name, config) {
    let deferred4_0;
    try {
        const retptr = wasm.__wbindgen_add_to_stack_pointer(-16);
        const ptr0 = passStringToWasm0(src, wasm.__wbindgen_export, wasm.__wbindgen_export2);
        var ptr1 = isLikeNone(name) ? 0 : passStringToWasm0(name, wasm.__wbindgen_export, wasm.__wbindgen_export2);
        wasm.format(retptr, ptr0, len0, ptr1, len1, isLikeNone(config) ? 0 : addHeapObject(config));
        if (r3) {
            throw takeObject(r2);
        }
        return getStringFromWasm0(ptr3, len3);
    } finally {
        wasm.__wbindgen_add_to_stack_pointer(16);
        wasm.__wbindgen_export4(deferred4_0, deferred4_1, 1);
    }
}
export function __wbg_set_3(arg0, arg1, arg2) {
    getObject(arg0)[takeObject(arg1)] = takeObject(arg2);
}
export function __wbindgen_object_drop_ref(arg0) {
    takeObject(arg0);
}
function handleError(f, args) {
    try { return f(args); } catch (e) { wasm.__wbindgen_export3(addHeapObject(e)); }
}
let heap = new Array(128).fill(undefined);
`

func TestReadGlueHeap(t *testing.T) {
	t.Parallel()
	wasm := tiny([]string{"__wbg_set_3", "__wbindgen_object_drop_ref"}, map[string][]byte{"format": {typeI32, typeI32}}, "format")
	got, err := ReadGlue([]byte(heapGlue), wasm)
	if err != nil {
		t.Fatal(err)
	}
	want := &Table{
		HeapBase: 132, Host: "./x_bg.js", Malloc: "__wbindgen_export", Free: "__wbindgen_export4", Throw: "__wbindgen_export3",
		StackPointer: "__wbindgen_add_to_stack_pointer",
		Imports: []Import{
			{Name: "__wbg_set_3", Op: "setMember", Takes: []int{1, 2}}, {Name: "__wbindgen_object_drop_ref", Op: "drop", Takes: []int{0}},
		},
		Exports: []Export{{Name: "format", Func: "format", Params: []Kind{KindText, KindMaybe, KindOption}, Result: KindText, Fails: true}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ReadGlue: -want +got\n%s", diff)
	}
}

// TestReadGlueRefuses: what is not known is refused by its name.
func TestReadGlueRefuses(t *testing.T) {
	t.Parallel()
	exports := map[string][]byte{"format": {typeI32, typeI32}}
	imports := []string{"__wbg_set_3", "__wbindgen_object_drop_ref"}
	for _, c := range []struct{ name, old, now, want string }{
		{"import", "takeObject(arg0);", "takeObject(arg0).play();", "__wbindgen_object_drop_ref"},
		{"missing import", "__wbg_set_3(arg0", "__wbg_set_4(arg0", "__wbg_set_3"},
		{"argument", "addHeapObject(config));", "wrap(config));", "format"},
		{"result", "return getStringFromWasm0(ptr3, len3);", "return getArrayFromWasm0(ptr3, len3);", "format"},
		{"exception", "throw takeObject(r2)", "throw takeObject(r1)", "format"},
		{"flavour", "let heap = new Array(128)", "let pile = new Array(128)", "flavour"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(heapGlue, c.old) {
				t.Fatalf("the glue has no %q", c.old)
			}
			_, err := ReadGlue([]byte(strings.Replace(heapGlue, c.old, c.now, 1)), tiny(imports, exports, "format"))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("ReadGlue = %v, want an error that names %s", err, c.want)
			}
		})
	}
	if _, err := ReadGlue([]byte(heapGlue), []byte("\x00asm\x01\x00\x00\x00\x02\xff\x01")); err == nil {
		t.Error("a module cut short: no error")
	}
}
