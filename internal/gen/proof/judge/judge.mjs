// Reads one request a line, {"id", "path", "kind"}, and answers in order, one
// line each, with {"id", "errors": [..], "values", "comments", "places"}.
// Kinds: yaml, json, jsonc, json5. It shares no code with poly.
import JSON5 from "json5";
import * as jsonc from "jsonc-parser";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import * as yaml from "yaml";

const digest = (v) => createHash("sha256").update(JSON.stringify(v)).digest("hex");

// outline is a node without its layout: kind, tag, anchor and value or parts.
function outline(node) {
  if (node === null || node === undefined) return null;
  const head = [node.tag && !node.tag.startsWith("tag:yaml.org,2002:") ? node.tag : "", node.anchor ?? ""];
  if (yaml.isAlias(node)) return ["alias", node.source];
  if (yaml.isMap(node)) return ["map", ...head, node.items.map((p) => [outline(p.key), outline(p.value)])];
  if (yaml.isSeq(node)) return ["seq", ...head, node.items.map(outline)];
  return ["scalar", ...head, typeof node.value, String(node.source ?? node.value)];
}

const leaves = ["scalar", "single-quoted-scalar", "double-quoted-scalar", "block-scalar", "alias"];

// remarks collects the comments of a text and how many leaves are before each.
function remarks(token, out) {
  if (Array.isArray(token)) token.forEach((t) => remarks(t, out));
  else if (token && typeof token === "object") {
    if (token.type === "comment") {
      out.texts.push(token.source.trimEnd());
      out.places.push(out.leaves);
    }
    if (leaves.includes(token.type) && (token.source !== "" || token.type !== "scalar")) out.leaves += 1;
    Object.values(token).forEach((t) => remarks(t, out));
  }
  return out;
}

function judgeYAML(text) {
  const docs = yaml.parseAllDocuments(text, { version: "1.2", uniqueKeys: true, strict: true, logLevel: "silent" });
  const list = Array.isArray(docs) ? docs : [];
  const errors = list.flatMap((d) => d.errors.map((e) => `${e.code} at line ${e.linePos?.[0].line ?? "?"}`));
  for (const d of list) {
    yaml.visit(d, {
      Alias(_, a) {
        if (!a.resolve(d)) errors.push(`UNKNOWN_ALIAS ${a.source}`);
      },
    });
  }
  const found = { texts: [], places: [], leaves: 0 };
  for (const token of new yaml.Parser().parse(text)) remarks(token, found);
  return {
    errors,
    values: digest(list.map((d) => outline(d.contents))),
    comments: digest(found.texts),
    places: found.places,
  };
}

function judgeJSON(text) {
  try {
    JSON.parse(text);
    return { errors: [] };
  } catch (e) {
    return { errors: [e.message.slice(0, 120)] };
  }
}

function judgeJSONC(text) {
  const errors = [];
  jsonc.parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  return { errors: errors.map((e) => `${jsonc.printParseErrorCode(e.error)} at byte ${e.offset}`) };
}

function judgeJSON5(text) {
  try {
    JSON5.parse(text);
    return { errors: [] };
  } catch (e) {
    return { errors: [e.message] };
  }
}

const judges = { yaml: judgeYAML, json: judgeJSON, jsonc: judgeJSONC, json5: judgeJSON5 };

for await (const line of createInterface({ input: process.stdin })) {
  const { id, path, kind } = JSON.parse(line);
  const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  let answer;
  try {
    answer = judges[kind](text);
  } catch (e) {
    answer = { errors: [`the judge failed: ${e.message}`] };
  }
  process.stdout.write(`${JSON.stringify({ id, ...answer })}\n`);
}
