// Reads one request a line, {path, kind}, and answers in order, one line each,
// with {errors}. Kinds: graphql (graphql-js), css (postcss), script: TypeScript
// by its own parser, else by Babel's; JavaScript by acorn, else by Babel's. A
// file is refused if no parser of its kind takes it. No code of poly's is here.
import { parse as babel } from "@babel/parser";
import * as acorn from "acorn";
import jsx from "acorn-jsx";
import { parse as graphql } from "graphql";
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { createInterface } from "node:readline";
import postcss from "postcss";
import ts from "typescript";

const JSX = acorn.Parser.extend(jsx());

function typescript(path, text) {
  const kind = extname(path) === ".tsx" ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const [first] = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind).parseDiagnostics;
  if (first) throw new Error(ts.flattenDiagnosticMessageText(first.messageText, " "));
}

const modes = ["module", "script"].map((sourceType) => (_, text) => {
  JSX.parse(text, {
    ecmaVersion: "latest",
    sourceType,
    allowHashBang: true,
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
  });
});

function babelWith(...plugins) {
  return (_, text) => babel(text, { sourceType: "unambiguous", plugins, allowReturnOutsideFunction: true });
}

const parsers = {
  graphql: () => [(_, text) => graphql(text)],
  css: () => [(_, text) => postcss.parse(text)],
  script(path) {
    switch (extname(path)) {
      case ".ts":
      case ".mts":
      case ".cts":
        return [typescript, babelWith("typescript", "decorators-legacy")];
      case ".tsx":
        return [typescript, babelWith("typescript", "jsx", "decorators-legacy")];
    }
    return [...modes, babelWith("jsx", "decorators")];
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { path, kind } = JSON.parse(line);
  const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  let errors = [];
  for (const parse of parsers[kind](path)) {
    try {
      parse(path, text);
      errors = [];
      break;
    } catch (e) {
      errors.push(String(e.message).split("\n")[0].slice(0, 160));
    }
  }
  process.stdout.write(`${JSON.stringify({ errors })}\n`);
}
