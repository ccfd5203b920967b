// The page opens from a file without a network and answers.

import assert from "node:assert/strict";
import test from "node:test";

import { fact, json, open, texts, withPage } from "./setup.mjs";

test("the page opens from a file, loads nothing and shows the identifier of its example", withPage({}, async (page) => {
  assert.match(page.url(), /^file:/);
  const url = await page.inputValue("#url");
  assert.equal((await texts(page, "#id .digits")).join(""), json("explain", "--format", "json", url).sxurl);
  assert.notEqual((await texts(page, "#form-list .form-name")).length, 0);
  assert.match(await page.textContent("#verdict"), /^Listed/);
}));

test("an identifier follows what is typed", withPage({}, async (page) => {
  await page.fill("#url", "https://docs.rs/");
  assert.equal(await fact(page, "#facts", "SXURL"), json("explain", "--format", "json", "https://docs.rs/").sxurl);
}));

/** Returns the sum of the layout shifts so far. */
const shiftOf = (page) => page.evaluate(() => new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => (sum += entry.value))).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(sum), 500);
}));

/** Runs in the page: what needs the whole file starts a while after the first answer is painted, as on a slow machine. */
function delayRest() {
  let late;
  Object.defineProperty(globalThis, "urlidPage", {
    get: () => late,
    set: ({ rest }) => (late = { rest: () => new Promise((resolve) => setTimeout(resolve, 700)).then(rest) }),
  });
}

test("the layout does not move while the page loads, however late its sections start", async () => {
  for (const [width, height] of [[1280, 900], [1280, 1440], [1080, 1920], [360, 740], [1280, 4000]]) {
    const { page, close } = await open({}, { width, height, first: delayRest });
    const shift = await shiftOf(page);
    assert.ok(shift < 0.001, `layout shift ${shift} at ${width} by ${height}`);
    await close();
  }
});

test("nothing moves while the page loads", async (context) => {
  const { page, close } = await open();
  const shift = await shiftOf(page);
  assert.ok(shift < 0.001, `layout shift ${shift}`);
  const { answered, loaded } = await page.evaluate(() => ({
    answered: performance.getEntriesByName("answer")[0].startTime,
    loaded: performance.getEntriesByType("navigation")[0].loadEventStart,
  }));
  context.diagnostic(`the first answer comes ${Math.round(answered - loaded)} ms after the load event`);
  await close();
});
