// Two URLs: what differs, and what is the same, as `urlid diff` says.

import assert from "node:assert/strict";
import test from "node:test";

import { texts, urlid, withPage } from "./setup.mjs";

const PAIRS = [
  ["http://www.example.com/a/?x=1", "https://example.com/a?x=2#top"],
  ["http://h.example/", "http://h.example:80/"],
  ["https://user:pw@h.example/a?b&a", "https://h.example/a?a&b"],
  ["http://192.0.2.7/", "no url"],
  ["mailto:a@b.example", "file:///a/b"],
];

/** Returns what the program says; its exit code says whether the two are the same. */
const diff = (a, b) => JSON.parse(urlid(["diff", "--format", "json", "--", a, b], { allowed: 3 }));

const rows = (page, selector) => page.locator(selector).evaluateAll((rows) => rows.map((row) => [row.dataset.row, row.className]));
const KINDS = new Map([[true, "same"], [false, "different"], [null, "rejected"]]);

test("parts, identifiers and canonical forms are compared as the program compares them", withPage({ compare: "1" }, async (page) => {
  for (const [a, b] of PAIRS) {
    await page.fill("#url", a);
    await page.fill("#other", b);
    const read = /:/.test(b) ? b : `https://${b}`;
    const { parts, verdict, identifiers, forms } = diff(a, read);
    assert.deepEqual(await rows(page, "#comparison .parts tr"), parts.map(({ part, same }) => [part, KINDS.get(same)]), `${a} ${b}`);
    assert.deepEqual(await rows(page, "#comparison .answers tbody tr"), [...identifiers, ...forms].map(({ name, same }) => [name, KINDS.get(same)]));
    assert.match(await page.textContent("#comparison .verdict"), { true: /^The same under web/, false: /^Different under web/, null: /^Not comparable under web/ }[verdict.same]);
    for (const reason of [...verdict.differs, ...verdict.ignores]) assert.ok((await page.textContent("#comparison .verdict")).includes(reason));
    const cells = await page.locator("#comparison .parts td:not(.sign)").allTextContents();
    assert.deepEqual(cells, parts.flatMap((part) => [part.a ?? "absent", part.b ?? "absent"]));
  }
}));

test("ribbons connect corresponding parts, and differences are marked", withPage({ compare: "1", url: PAIRS[0][0], other: PAIRS[0][1] }, async (page) => {
  const parts = (mirror) => page.locator(`${mirror} [data-part]`).evaluateAll((parts) => parts.map((part) => [part.textContent, part.classList.contains("differs")]));
  assert.deepEqual(await parts("#mirror"), [["http", true], ["www.example.com", true], ["/a/", true], ["x=1", true]]);
  assert.deepEqual(await parts("#other-mirror"), [["https", true], ["example.com", true], ["/a", true], ["x=2", true], ["top", true]]);
  assert.equal(await page.locator("#ribbons path.differs").count(), 4);
  await page.fill("#other", "http://www.example.com/b?x=1");
  assert.deepEqual(await page.locator("#ribbons path").evaluateAll((paths) => paths.map((path) => path.classList.contains("differs"))), [false, false, true, false]);
  assert.deepEqual(await texts(page, "#comparison .parts mark"), ["a/", "b"]);
  const box = await page.locator('#other-mirror [data-part="path"]').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  assert.equal(await page.locator("#explain .editor .chosen").count(), 2);
}));

/** URLs whose parts look like what stands between parts, with their parts that have a place. */
const ODD = [
  ["https://example.com///b", ["https", "example.com", "///b"]],
  ["https://example.com/b?//c", ["https", "example.com", "/b", "//c"]],
  ["https://a//b", ["https", "a", "//b"]],
  ["https://a/??", ["https", "a", "/", "?"]],
  ["https://u::@h:8//##", ["https", "u", ":", "h", "8", "//", "#"]],
  ["https://:@h:/", ["https", "h", "/"]],
  ["file:///a", ["file", "/a"]],
  ["x:::", ["x", "::"]],
  ["//h/h", ["h", "/h"]],
  ["h.example//h", ["h.example", "//h"]],
];

test("each part has its place, whatever slashes and marks it holds", withPage({ compare: "1", other: "ftp://x.example/y" }, async (page) => {
  for (const [url, parts] of ODD) {
    await page.fill("#url", url);
    assert.deepEqual(await texts(page, "#mirror [data-part]"), parts, url);
    const between = await page.$eval("#mirror", (mirror) => [...mirror.childNodes].map((node) => (node.nodeType === 3 ? node.data : "…")).join(""));
    assert.match(between, /^(…:)?(\/\/)?(:?(…)?(:(…)?)?@)?(…)?(:(…)?)?(…)?(\?(…)?)?(#(…)?)?\u200b$/, url);
    assert.equal(await page.textContent("#mirror"), `${url}\u200b`);
  }
}));

test("a character is marked whole", withPage({ compare: "1", url: "https://h/😀", other: "https://h/😁" }, async (page) => {
  assert.deepEqual(await texts(page, "#comparison .parts mark"), ["😀", "😁"]);
  // The second half of both is the same.
  await page.fill("#url", "https://h/\u{10400}");
  await page.fill("#other", "https://h/\u{10000}");
  assert.deepEqual(await texts(page, "#comparison .parts mark"), ["\u{10400}", "\u{10000}"]);
}));

test("a link shares both URLs, and Back ends the comparison", withPage({ url: "https://docs.rs/a" }, async (page) => {
  await page.click("#compare");
  assert.equal(await page.evaluate(() => document.activeElement.id), "other");
  assert.match(await page.textContent("#comparison"), /Type a URL into each field/);
  await page.keyboard.type("docs.rs/b");
  assert.equal(await page.textContent("#other-note"), "Read as https://docs.rs/b: no scheme is written.");
  const shared = page.url();
  const other = await page.context().newPage();
  await other.goto(shared);
  await other.waitForSelector("#comparison .parts");
  assert.deepEqual([await other.inputValue("#url"), await other.inputValue("#other")], ["https://docs.rs/a", "docs.rs/b"]);
  await other.close();
  await page.goBack();
  await page.goBack();
  assert.equal(await page.isVisible("#second"), false);
  assert.ok(await page.isVisible("#readout"));
}));

test("credentials of the second URL also stay out of the address", withPage({ compare: "1" }, async (page) => {
  await page.fill("#other", "https://user:secret@h.example/");
  assert.doesNotMatch(decodeURIComponent(page.url()), /secret/);
  assert.match(await page.textContent("#other-note"), /credentials/);
}));
