// The vectors of `page-1` and of its steps agree with a model that shares no code with urlid.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { modelOf } from "./page_model.mjs";

const { vectors } = JSON.parse(readFileSync(`${process.env.URLID_VECTORS}/page.json`, "utf8"));

test("the vectors match the model", () => {
  const modelled = vectors.filter(({ input }) => input.rules === undefined);
  assert.ok(modelled.length > 80);
  for (const { id, input, expect, error } of modelled) {
    if (error) assert.throws(() => modelOf(input.form, input.text), id);
    else assert.equal(modelOf(input.form, input.text), expect.canonical, id);
  }
});
