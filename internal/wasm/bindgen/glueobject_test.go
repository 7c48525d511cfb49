package bindgen

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const objectGlue = `
class Shelf {
    static __wrap(ptr) {
        const obj = Object.create(Shelf.prototype);
        return obj;
    }
    put(name, data) {
        const ptr0 = passStringToWasm0(name, wasm.malloc, wasm.realloc);
        const len0 = WASM_VECTOR_LEN;
        const ptr1 = passArray8ToWasm0(data, wasm.malloc);
        const len1 = WASM_VECTOR_LEN;
        wasm.shelf_put(this.__wbg_ptr, ptr0, len0, ptr1, len1);
    }
    has(what) {
        const ret = wasm.shelf_has(this.__wbg_ptr, what);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    static like(other) {
        const ret = wasm.shelf_like(other.__wbg_ptr);
        return Shelf.__wrap(ret);
    }
    done() {
        const ptr = this.__destroy_into_raw();
        wasm.shelf_done(ptr);
    }
}
function __wbg_get_imports() {
    const import0 = {
        __wbg_static_accessor_SELF_1: function() {
            const ret = typeof self === 'undefined' ? null : self;
            return isLikeNone(ret) ? 0 : addToExternrefTable0(ret);
        },
        __wbg_static_accessor_GLOBAL_THIS_2: function() {
            const ret = typeof globalThis === 'undefined' ? null : globalThis;
            return isLikeNone(ret) ? 0 : addToExternrefTable0(ret);
        },
        __wbg_performance_3: function(arg0) {
            const ret = arg0.performance;
            return ret;
        },
        __wbg_now_4: function(arg0) {
            const ret = arg0.now();
            return ret;
        },
    };
}
const table = wasm.__wbindgen_externrefs;
`

// TestReadGlueObjects: other objects, bytes and truth values travel, and a
// module is given a world without a clock.
func TestReadGlueObjects(t *testing.T) {
	t.Parallel()
	wasm := tiny([]string{"__wbg_static_accessor_SELF_1", "__wbg_static_accessor_GLOBAL_THIS_2", "__wbg_performance_3", "__wbg_now_4"}, map[string][]byte{
		"shelf_put": {typeI32, typeI32, typeI32, typeI32, typeI32}, "shelf_has": {typeI32, typeExternref}, "shelf_like": {typeI32}, "shelf_done": {typeI32},
	}, "shelf_put", "shelf_has", "shelf_like", "shelf_done")
	got, err := ReadGlue([]byte(objectGlue), wasm)
	if err != nil {
		t.Fatal(err)
	}
	want := []Export{
		{Name: "Shelf.done", Func: "shelf_done", Params: []Kind{KindSelf}},
		{Name: "Shelf.has", Func: "shelf_has", Params: []Kind{KindSelf, KindValue}, Result: KindNumber, Fails: true},
		{Name: "Shelf.like", Func: "shelf_like", Params: []Kind{KindSelf}, Result: KindPointer},
		{Name: "Shelf.put", Func: "shelf_put", Params: []Kind{KindSelf, KindText, KindBytes}},
	}
	if diff := cmp.Diff(want, got.Exports); diff != "" {
		t.Errorf("exports: -want +got\n%s", diff)
	}
	ops := map[string]string{}
	for _, i := range got.Imports {
		ops[i.Name] = i.Op
	}
	if diff := cmp.Diff(map[string]string{
		"__wbg_static_accessor_SELF_1": "absent", "__wbg_static_accessor_GLOBAL_THIS_2": "global", "__wbg_performance_3": "clock", "__wbg_now_4": "now",
	}, ops); diff != "" {
		t.Errorf("imports: -want +got\n%s", diff)
	}
}
