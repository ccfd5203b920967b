// Every file of vectors, over the functions of the installed package.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparePaths, files, read, run, runBySuffix } from "./vectors.mjs";

for (const name of files) {
  test(name, () => {
    const { passed, failures } = run(read(name));
    assert.deepEqual(failures, []);
    assert.ok(passed > 0);
  });
}

test("hosts.json by urlid/suffix", () => {
  const { passed, failures } = runBySuffix(read("hosts.json"));
  assert.deepEqual([failures, passed], [[], run(read("hosts.json")).passed]);
});

test("CPU paths agree with the portable one", () => {
  for (let number = 0; number < 20; number++) {
    assert.deepEqual(comparePaths(crypto.getRandomValues(new Uint8Array(64 * 40))), ["portable", "simd128"]);
  }
});
