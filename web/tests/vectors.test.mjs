// Every file of test vectors, over the npm package in Chromium.
//
// URLID_JS_VECTORS, set by `run`, is the module that runs a file; the package is in the folder beside it.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";

import { open } from "./setup.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "vectors");
const modules = process.env.URLID_MODULES;
const module = process.env.URLID_JS_VECTORS;
const urlid = join(dirname(module), "package");

const { build } = createRequire(join(modules, "package.json"))("esbuild");
const { outputFiles } = await build({
  stdin: {
    contents: `
      import * as urlid from "${urlid}/urlid.js";
      import * as forms from "${urlid}/forms.js";
      import { Module } from "${urlid}/lib/module.js";
      import { runner } from "${root}/bindings/js/tests/surface.mjs";
      globalThis.run = runner(Module, "${deflateRawSync(readFileSync(module)).toString("base64")}", urlid, forms).run;`,
    resolveDir: root,
  },
  bundle: true,
  write: false,
  format: "iife",
  nodePaths: [modules],
});

const { page, close } = await open();
await page.evaluate(outputFiles[0].text);
const names = readdirSync(folder).filter((name) => name.endsWith(".json"));

for (const name of names) {
  test(name, async () => {
    const { passed, failures } = await page.evaluate((text) => globalThis.run(text), readFileSync(join(folder, name), "utf8"));
    assert.deepEqual(failures, []);
    assert.ok(passed > 0);
  });
}

test("the page has loaded nothing meanwhile", close);
