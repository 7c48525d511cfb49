// Answers the questions of node_test.go, a JSON list on standard input, with
// the packages in the folder given.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const packages = process.argv[2];
const loaded = new Map();

async function load(file) {
  if (!loaded.has(file)) {
    const path = join(packages, file);
    loaded.set(file, file.endsWith("_bg.js") ? await bundled(path) : createRequire(import.meta.url)(path));
  }
  return loaded.get(file);
}

// bundled loads glue that leaves it to a bundler to load the module.
async function bundled(path) {
  const glue = await import(pathToFileURL(path));
  const module = new WebAssembly.Module(readFileSync(path.replace(/\.js$/, ".wasm")));
  const name = WebAssembly.Module.imports(module)[0].module;
  glue.__wbg_set_wasm(new WebAssembly.Instance(module, { [name]: glue }).exports);
  return glue;
}

const answers = [];
for (const { File, Export, Args } of JSON.parse(readFileSync(0, "utf8"))) {
  const glue = await load(File);
  try {
    const Result = glue.Workspace
      ? new glue.Workspace(Args[0], glue.PositionEncoding.Utf32)[Export](Args[1])
      : glue[Export](...Args);
    answers.push({ Result });
  } catch (e) {
    answers.push({ Thrown: e instanceof Error ? e.message : String(e) });
  }
}
console.log(JSON.stringify(answers));
