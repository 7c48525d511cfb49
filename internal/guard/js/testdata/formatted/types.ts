import { type C, D } from "./more";
import type { A, B } from "./types";
import fs = require("fs");
import Alias = Name.Space.Inner;
export type { A };
export = something;
export as namespace Global;

type Union = "a" | "b" | (string & {}) | -1 | `x-${string}` | null;
type Fn<T extends object = {}, U = T[]> = (this: Window, a: T, b?: U, ...rest: unknown[]) => asserts a is T & U;
type Ctor = abstract new(...args: any[]) => object;
type Cond<T> = T extends (infer U extends string)[] ? U : T extends { a: infer V } ? V : never;
type Mapped<T> = { readonly [K in keyof T as `get${Capitalize<K & string>}`]-?: T[K] };
type Mutable<T> = { -readonly [K in keyof T]+?: T[K] };
type Tuple = [a: string, b?: number, ...rest: boolean[]];
type Query =
  | typeof import("./x", { with: { "resolution-mode": "import" }})
  | typeof obj.prop<string>
  | import("./y").Z<number>;
type Arr = readonly string[][] | unique symbol | keyof typeof obj | (() => void)[] | (new() => X)["y"];

interface Shape<in out T> extends Base<T>, Other {
  (call: number): string;
  new(x: T): Shape<T>;
  readonly prop: T;
  method?<K>(k: K): void;
  get acc(): T;
  set acc(v: T);
  [key: string]: unknown;
  "quoted"?: number;
}

declare module "mod" {
  export function f(x: number): string;
  const y: unique symbol;
}
declare global {
  interface Window {
    extra: string;
  }
}
namespace Deep.Inner {
  export const z = 1;
}
enum Color {
  Red = 1,
  "Dark Blue" = Red << 2,
  Green = "g".length,
}
declare const enum Small {
  A,
}
declare function over(a: string): void;
declare let loose: any, tight: unknown;
abstract class Impl<T> extends Base<T> implements Shape<T>, Other {
  private readonly a: string = "a";
  protected static b?: number;
  declare c: T;
  public d!: T;
  override e = 1;
  constructor(private x: number, public readonly y?: string) {
    super();
  }
  abstract run(): Promise<void>;
  method(this: Impl<T>, arg: T): arg is NonNullable<T> {
    return true;
  }
  method2<U>(cb: (u: U) => void): asserts this is T;
  @dec() @other.deco
  accessor field = 1;
  static [Symbol.iterator]?: () => void;
  [index: number]: T;
  get v(): T {
    return this.#v!;
  }
  #v?: T;
}

@Component({ selector: "x" })
export class Decorated {
  @Input()
  name!: string;
  constructor(@Inject(TOKEN) private t: T) {}
}
function constant<const T>(a: T): T {
  return a;
}
function overloaded(a: string): string;
function overloaded(a: number): number;
function overloaded<T>(a: T): T {
  return a;
}
const gen = <T>(x: T): T => x, cast = <unknown> value, as1 = value as unknown as T[], sat = { a: 1 } satisfies Rec<"a">;
const call = f<string, Map<a, b<c>>>(x), inst = new Map<string, number[]>(), cmp = a < b && c > d, tagged = t<T>`x`;
const arrow = async <T extends X>(a: T, b: number = 1): Promise<void> => {}, opt = a?.b<T>(c)!.d!;
let cond2 = a ? b : c,
  cond3 = a ? (b): c => d : e,
  x1 = y as const,
  v1: (string | number)[] = [],
  fnVar: (a: string) => void = (a) => a;
for (const x of <any> list) x! += 1;
let v = a! as B, w = (a as B).c, neg = -(a as number), und: undefined | void;
using res = open(), r2 = other();
try {
  x;
} catch (e: unknown) {
  throw e as Error;
}
let type = 1;
type = 2;
let declare: number, of, async, from, is;
