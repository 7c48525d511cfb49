#!/usr/bin/env node
"use strict";
// a remark
const { readFile, writeFile: write = fallback, ...others } = require("fs"), [first, , third = 3, ...rest] = list;
let a = 1, b = a ? (c, d) : e ? f : g;
var re = /[/\]]+(?<year>\d{4})/giu, half = a / b / 2, s = `one ${a + `two ${b}`} three`;
/**
 * Adds numbers.
 * @param {number} x
 */
function add(x, y = 2, ...z) {
  return x + y * z.length - (x - (y - 1));
}
async function* gen() {
  for await (const v of source()) {
    yield v;
    yield* other(v);
  }
  await done;
}
const f = async (x, { y, z: [q] }) => {
    await x;
    return y ?? q;
  },
  g = x => ({ x }),
  h = () => {},
  k = async v => await v;
class A extends mixin(B, C) {
  static #count = 0;
  static {
    A.#count++;
  }
  field = 1;
  "quoted" = 2;
  [computed()] = 3;
  static async *items() {
    yield this;
  }
  get value() {
    return this.#priv?.deep?.[0]?.(1);
  }
  set value(v) {
    this.#priv = v;
  }
  #priv;
  has(o) {
    return #priv in o;
  }
  constructor() {
    super();
    new.target;
    this.x = new Foo(new Bar(), new (baz())(), new a.b.C());
  }
}
if (a) b();
else if (c) d();
else e();
if (a) { if (b) c(); }
else d();
for (let i = 0, n = 10; i < n; i++) {
  for (const k in o) {
    if (k in o) continue;
    else break;
  }
}
for (const [k, v] of Object.entries(o)) total += v;
for (;;) break;
while (i--) work(i);
do {
  i++;
} while (i < 10);
outer: for (const x of y) {
  inner: for (const z of x) {
    if (z) continue outer;
    break inner;
  }
}
switch (key) {
  case "a":
  case "b":
    go();
    break;
  case f(): {
    x();
  }
  default:
    stop();
}
try {
  risky();
} catch {
  ignore();
} finally {
  close();
}
try {
  risky();
} catch ({ message }) {
  log(message);
}
throw new Error(`bad ${key}`);
debugger;
x = y = z, u ||= 1, v &&= 2, w ??= 3, n **= 2, n >>>= 1, n = n >> 1 >>> 2 << 3;
const big = 1_000n, hex = 0xFF, oct = 0o17, exp = 1.5e-10, dot = .5, minus = --x, plus = ++y, not = !(!z);
const obj = {
  a,
  b: 1,
  "c-d": 2,
  3: 4,
  [e]: 5,
  f() {},
  get g() {
    return 1;
  },
  set g(v) {},
  async h() {},
  *i() {},
  async *j() {},
  ...k,
  async,
  get,
  set,
  static: 1,
};
delete obj.a, void 0, typeof x === "undefined";
[1, 2].forEach(n => n);
(function() {
  return this;
})();
a = b;
++c;
({ a, b: [c] } = obj);
tag`a${b}c`.length;
label: {
  break label;
}
import("x").then(({ default: d }) => d);
let y2 = a instanceof B && !(c instanceof D) || (e, f);
let chain = (a?.b).c, chain2 = a?.b.c, pow = (-1) ** 2, pow2 = 2 ** 3 ** 2, pow3 = (2 ** 3) ** 2;
let mixed = (a ?? b) || c, cond = (a ? b : c) ? d : e, arrowCall = (() => 1)(), seq = (1, 2);
let esc = "it's \"quoted\"",
  esc2 = "it's \"quoted\"",
  esc3 = "\u0041\n\
next";
