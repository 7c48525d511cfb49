package bindgen

// bodyOps names the operation of each body that [normalise] leaves.
func bodyOps() map[string]string {
	const (
		ret      = "; return ret;"
		passText = "const ptr1 = pass(ret); const len1 = WASM_VECTOR_LEN; setInt32(arg0 + 4 * 1, len1, true); setInt32(arg0 + 4 * 0, ptr1, true);"
		instance = "let result; try { result = arg0 instanceof "
		caught   = "; } catch (_) { result = false; } const ret = result; return ret;"
	)
	m := map[string]string{
		"throw new Error(text(arg0, arg1));": "throw",
		"arg0[arg1] = arg2;":                 "setMember",
		"arg0[arg1 >>> 0] = arg2;":           "setItem",
		"arg0.set(arg1, arg2 >>> 0);":        "setBytes",
		"arg0;":                              "drop",
		"console.error(arg0);":               "complain",
		"let deferred0_0; let deferred0_1; try { deferred0_0 = arg0; deferred0_1 = arg1; console.error(text(arg0, arg1)); } finally { free; }":                                                                                       "complainText",
		"Uint8Array.prototype.set.call(getArrayU8FromWasm0(arg0, arg1), arg2);":                                                                                                                                                      "copy",
		"const v = arg0; const ret = typeof(v) === 'boolean' ? v : undefined; return isLikeNone(ret) ? 0xFFFFFF : ret ? 1 : 0;":                                                                                                      "boolean?",
		"const v = arg1; const ret = typeof(v) === 'number' ? v : undefined; setFloat64(arg0 + 8 * 1, isLikeNone(ret) ? 0 : ret, true); setInt32(arg0 + 4 * 0, !isLikeNone(ret), true);":                                             "number?",
		"const v = arg1; const ret = typeof(v) === 'bigint' ? v : undefined; setBigInt64(arg0 + 8 * 1, isLikeNone(ret) ? BigInt(0) : ret, true); setInt32(arg0 + 4 * 0, !isLikeNone(ret), true);":                                    "bigint?",
		"const v = arg1; const ret = typeof(v) === 'string' ? v : undefined; var ptr1 = isLikeNone(ret) ? 0 : pass(ret); var len1 = WASM_VECTOR_LEN; setInt32(arg0 + 4 * 1, len1, true); setInt32(arg0 + 4 * 0, ptr1, true);":        "string?",
		"const table = wasm.__wbindgen_externrefs; const offset = table.grow(4); table.set(0, undefined); table.set(offset + 0, undefined); table.set(offset + 1, null); table.set(offset + 2, true); table.set(offset + 3, false);": "fill",
		"const v = arg0; const ret = typeof(v) === 'object' && v !== null; return ret;":                                                                                                                                              "isObject",
	}
	for _, level := range []string{"debug", "info", "log", "warn"} {
		m["console."+level+"(arg0);"] = "log"
	}
	for name, op := range map[string]string{"globalThis": "global", "global": "absent", "self": "absent", "window": "absent"} {
		m["const ret = typeof "+name+" === 'undefined' ? null : "+name+"; return isLikeNone(ret) ? 0 : addToExternrefTable0(ret);"] = op
	}
	for class, op := range map[string]string{"ArrayBuffer": "isArrayBuffer", "Map": "isMap", "Uint8Array": "isUint8Array"} {
		m[instance+class+caught] = op
	}
	for expr, op := range map[string]string{"String(arg1)": "string", "debugString(arg1)": "debug", "arg1.stack": "stack"} {
		m["const ret = "+expr+"; "+passText] = op
	}
	for expr, op := range expressions() {
		m["const ret = "+expr+ret] = op
	}
	for cast, op := range map[string][2]string{
		"F64 -> Externref": {"arg0", "fromF64"}, "I64 -> Externref": {"arg0", "fromI64"},
		"U64 -> Externref": {"BigInt.asUintN(64, arg0)", "fromU64"}, "Ref(String) -> Externref": {"text(arg0, arg1)", "fromText"},
	} {
		m["cast "+cast+"; const ret = "+op[0]+ret] = op[1]
	}
	return m
}

// expressions are the bodies that return what one expression gives.
func expressions() map[string]string {
	return map[string]string{
		"Error(text(arg0, arg1))":          "error",
		"new Error(text(arg0, arg1))":      "error",
		"new Error()":                      "error0",
		"Number(arg0)":                     "number",
		"arg0 in arg1":                     "in",
		"typeof(arg0) === 'bigint'":        "isBigint",
		"typeof(arg0) === 'function'":      "isFunction",
		"typeof(arg0) === 'string'":        "isString",
		"arg0 === undefined":               "isUndefined",
		"arg0 === arg1":                    "same",
		"arg0 == arg1":                     "alike",
		"arg0.call(arg1)":                  "call",
		"arg0.codePointAt(arg1 >>> 0)":     "codePointAt",
		"String.fromCodePoint(arg0 >>> 0)": "fromCodePoint",
		"arg0.done":                        "done",
		"arg0.value":                       "value",
		"arg0.next":                        "next",
		"arg0.next()":                      "step",
		"Object.entries(arg0)":             "entries",
		"Reflect.get(arg0, arg1)":          "reflect",
		"arg0[arg1 >>> 0]":                 "item",
		"arg0[arg1]":                       "member",
		"Array.isArray(arg0)":              "isArray",
		"Number.isSafeInteger(arg0)":       "isSafeInteger",
		"Symbol.iterator":                  "symbolIterator",
		"arg0.length":                      "length",
		"new Array()":                      "newArray",
		"new Object()":                     "newObject",
		"new Map()":                        "newMap",
		"new Uint8Array(arg0)":             "newBytes",
		"arg0.set(arg1, arg2)":             "setMap",
		"arg0":                             "clone",
		"wasm.memory":                      "memory",
		"arg0.buffer":                      "buffer",
		"arg0.performance":                 "clock",
		"arg0.now()":                       "now",
	}
}
