// Every file of vectors, over the functions of the installed package.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";

import * as urlid from "urlid";
import * as forms from "urlid/forms";

import { runner } from "./surface.mjs";

const { Module } = await import(new URL("./lib/module.js", import.meta.resolve("urlid")));
const module = deflateRawSync(readFileSync(process.env.URLID_JS_VECTORS)).toString("base64");
const { run, comparePaths } = runner(Module, module, urlid, forms);
const folder = process.env.URLID_VECTORS;

for (const name of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
  test(name, () => {
    const { passed, failures } = run(readFileSync(`${folder}/${name}`, "utf8"));
    assert.deepEqual(failures, []);
    assert.ok(passed > 0);
  });
}

test("CPU paths agree with the portable one", () => {
  for (let number = 0; number < 20; number++) {
    assert.deepEqual(comparePaths(crypto.getRandomValues(new Uint8Array(64 * 40))), ["portable", "simd128"]);
  }
});
