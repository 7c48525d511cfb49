// What clients of each kind see of poly mcp: the official SDK 1.x, 2.x in both
// eras, and the tasks extension. Arguments: poly, a repository with two
// whole-project jobs of which one fails. It fails at the first surprise.
import { Client as Client2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { createTaskSessionFromClient, resultFromTaskOutcome } from "@modelcontextprotocol/ext-tasks/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [poly, cwd] = process.argv.slice(2);
const server = { command: poly, args: ["mcp"], cwd, stderr: "inherit", env: process.env };

async function tools(name, client) {
  const list = (await client.listTools()).tools;
  assert.equal(list.length, 11, name);
  for (const t of list) {
    const readOnly = ["cache_stats", "config_show", "format_check", "lint", "rules", "version"].includes(t.name);
    assert.equal(t.annotations.readOnlyHint, readOnly, t.name);
  }
  // The clients check structuredContent against the output schemas themselves.
  for (const t of list) {
    const good = await client.callTool({ name: t.name, arguments: { format: "toon" } });
    assert.ok(!good.isError, `${name} ${t.name}: ${good.content[0].text}`);
    assert.match(good.structuredContent.poly.engines, /^[0-9a-f]{64}$/);
    const bad = await client.callTool({ name: t.name, arguments: { bogus: 1 } });
    assert.equal(bad.isError, true);
    assert.equal(bad.structuredContent.error.code, "unknown_argument");
  }
  const phase = await client.callTool({ name: "workspace_lint", arguments: {} });
  assert.equal(phase.structuredContent.passed, false);
  await assert.rejects(client.callTool({ name: "hooks", arguments: {} }));
  await client.close();
  console.log(`   ${name}: as agreed`);
}

const one = new Client1({ name: "check", version: "1" });
await one.connect(new Stdio1(server));
await tools("SDK 1.x", one);

for (const mode of ["legacy", "auto", { pin: "2026-07-28" }]) {
  const two = new Client2({ name: "check", version: "1" }, { versionNegotiation: { mode } });
  await two.connect(new Stdio2(server));
  await tools(`SDK 2.x, ${JSON.stringify(mode)}`, two);
}

// The tasks extension sends its requests through pipes of its own.
const raw = spawn(poly, ["mcp"], { cwd, stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
createInterface({ input: raw.stdout }).on("line", (line) => {
  const m = JSON.parse(line);
  waiting.get(m.id)?.(m);
});
let last = 0;
const seen = [];
function dispatch(request) {
  const id = ++last;
  return new Promise((resolve) => {
    waiting.set(id, (m) => {
      seen.push(m.result?.resultType);
      resolve({ ...m, id: request.id ?? id });
    });
    raw.stdin.write(JSON.stringify({ ...request, jsonrpc: "2.0", id }) + "\n");
  });
}
const host = new Client2({ name: "check", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
await host.connect(new Stdio2(server));
const session = createTaskSessionFromClient(host, {
  endpointId: "poly",
  rawDispatch: dispatch,
  v2RequestFraming: {
    protocolVersion: "2026-07-28",
    clientInfo: { name: "check", version: "1" },
    clientCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } },
  },
});
const execution = await session.callTool("workspace_lint", {});
const { outcome } = await execution.settle();
const result = resultFromTaskOutcome(outcome);
assert.equal(result.structuredContent.passed, false);
assert.deepEqual(result.structuredContent.tools.map((t) => t.outcome).sort(), ["failed", "passed"]);
assert.ok(seen.includes("task"), `there was no task: ${seen}`);
await session.close();
await host.close();
raw.stdin.end();
await new Promise((resolve) => raw.on("exit", resolve));
assert.equal(raw.exitCode, 0);
console.log("   ext-tasks: as agreed");
