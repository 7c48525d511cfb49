import * as ns from "./a.js";
import def, { a as c, b, default as e } from "./z.js";
import "./side-effect.css";
import data from "./data.json" with { type: "json" };

import { one } from "./one.js"; // why
// @ts-expect-error no types
import two from "./two.js";

export * from "./all.js";
export * as everything from "./all.js";
export { x, y as z } from "./z.js";

export const value = await import.meta.resolve("x");
export default class extends Base {/* empty */}
export function named() {
  return import("./lazy.js");
}
export { named as default2, value as other };
const view = cond
  ? (
    <div className="box" {...props} data-id={id} aria-label="it's">
      Hello, {name}! <b>bold</b> and more
      {/* a remark */}
      {list.map(item => <Item key={item.id} {...item} />)}
    </div>
  )
  : (
    <>
      <Foo.Bar x:y="1" render={() => <p>text</p>} /> two
    </>
  );
function* words() {
  const got = yield;
  yield got / 2;
  return yield* more();
}
/* istanbul ignore next */
const pure = /* @__PURE__ */ create(), also = a /* why */ + b;
