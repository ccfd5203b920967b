// The package at the edge: every vector in workerd, Deno and Bun, and pages and a service worker under a strict policy in Chromium.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { files, read, run, runAll } from "./vectors.mjs";
import { startWorker } from "./workerd.mjs";

const require = createRequire(import.meta.url);
const beside = (name) => fileURLToPath(new URL(name, import.meta.url));
const DOCS = "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356";

const alias = {
  "urlid-module": fileURLToPath(new URL("./lib/module.js", import.meta.resolve("urlid"))),
  "vectors.wasm": process.env.URLID_JS_VECTORS,
};

async function ask(workerd, path, body) {
  const response = await workerd.dispatchFetch(`http://h${path}`, { method: "POST", body });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

test("workerd passes every vector", async () => {
  const workerd = await startWorker(require, beside("edge_worker.mjs"), { alias });
  try {
    for (const name of files) {
      const { passed, failures } = await ask(workerd, "/", read(name));
      assert.deepEqual(failures, [], name);
      assert.equal(passed, run(read(name)).passed, name);
    }
    assert.deepEqual(await ask(workerd, "/paths", ""), ["portable", "simd128"]);
  } finally {
    await workerd.dispose();
  }
});

test("the files of the edge of Vercel are modules too, and without a condition no code is compiled", async () => {
  const [name] = files;
  const edge = await startWorker(require, beside("edge_worker.mjs"), { alias, conditions: ["edge-light"] });
  try {
    assert.deepEqual((await ask(edge, "/", read(name))).failures, []);
  } finally {
    await edge.dispose();
  }
  const without = await startWorker(require, beside("edge_worker.mjs"), { alias, conditions: [] });
  try {
    assert.match(JSON.stringify(await ask(without, "/", read("explain.json"))), /code generation disallowed/);
  } finally {
    await without.dispose();
  }
});

for (const [name, ...options] of [["deno", "run", "--allow-all"], ["bun", "run"]]) {
  test(`${name} passes every vector`, () => {
    const program = beside(`node_modules/.bin/${name}`);
    const passed = execFileSync(program, [...options, beside("vectors.mjs")], { encoding: "utf8", cwd: beside(".") });
    assert.equal(Number(passed), runAll(run));
  });
}

test("a strict policy of content allows the package in a page and in a service worker", async () => {
  const { outputFiles } = await require("esbuild").build({ entryPoints: [beside("edge_page.mjs")], bundle: true, write: false, format: "iife" });
  const page = '<!doctype html><meta charset="utf-8"><script src="/script.js"></script>';
  const reports = new Map();
  let reported;
  const complete = new Promise((resolve) => (reported = resolve));
  const server = createServer(async (request, response) => {
    const [, first, place] = request.url.split("/");
    const evaluation = first === "strict" ? "" : " 'wasm-unsafe-eval'";
    response.setHeader("Content-Security-Policy", `default-src 'none'; script-src 'self'${evaluation}; worker-src 'self'; connect-src 'self'`);
    if (first === "report") {
      reports.set(place, JSON.parse(await text(request)));
      if (reports.size === 3) reported();
      return response.end();
    }
    response.setHeader("Content-Type", first === "script.js" ? "text/javascript" : "text/html");
    response.end(first === "script.js" ? outputFiles[0].text : page);
  });
  await new Promise((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address();
  const browsers = ["allowed", "strict"].map((path) => openInChromium(`http://localhost:${port}/${path}`));
  const late = new Promise((_, reject) => setTimeout(reject, 120_000, new Error("no reports within two minutes")).unref());
  try {
    await Promise.race([complete, late, ...browsers.map(({ failure }) => failure)]);
  } finally {
    for (const { close } of browsers) close();
    server.close();
    server.closeAllConnections();
  }
  assert.deepEqual(Object.fromEntries(reports), { allowed: [DOCS, "http://h/"], worker: [DOCS, "http://h/"], strict: ["CompileError"] });
});

/** Opens one page, with a separate profile, because headless Chromium opens only one page. */
function openInChromium(url) {
  const profile = mkdtempSync(join(tmpdir(), "urlid-chromium-"));
  const options = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", `--user-data-dir=${profile}`];
  const chromium = spawn("chromium", [...options, url], { stdio: "ignore" });
  const failure = new Promise((_, reject) => chromium.on("error", reject).on("exit", (code) => reject(new Error(`chromium ended: ${code}`))));
  // The promise may still be rejected after the race, when it is not awaited.
  failure.catch(() => {});
  return { failure, close: () => chromium.kill() };
}
