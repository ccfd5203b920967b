// The index browser: answers are those of the program, sealed or with a log, small or large.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { Source } from "../src/index/source.js";
import { folder, link, samples, texts, urlid, withPage } from "./setup.mjs";

const small = join(folder, "small.db");
const OTHERS = "http://192.0.2.7/status\nhttp://www.example.com./a\nmailto:someone@example.org\nweb+x://h.example.org/p\nhttp://localhost/x\nhttps://github.io/\n"
  + "https://b\u00fccher.example:8443/a?lang=en&page=2#top\nhttps://example.example/a?lang=en&page=2\nhttp://www.b.example:8443/#top\n";
urlid(["index", "add", small, samples]);
urlid(["index", "add", small, "-"], { input: OTHERS });

const QUESTIONS = [
  { domain: "debian", tld: "org" },
  { domain: "github" },
  { domain: "github", pathPrefix: "/pro" },
  { tld: "co.uk" },
  { tld: "CO.UK", sub: "" },
  { tld: "org", path: "/" },
  { tld: "org", sub: "www", scheme: "http" },
  { host: "www.debian.org" },
  { host: "192.0.2.7" },
  { host: "0xC0000207" },
  { host: "www.example.com." },
  { host: "WWW.Debian.org" },
  { host: "localhost" },
  { host: "github.io" },
  { host: "b\u00fccher.example" },
  { host: "" },
  { tld: "github.io" },
  { pathPrefix: "/projects/" },
  { path: "/status" },
  { scheme: "mailto" },
  { scheme: "ftp" },
  { scheme: "web+x", path: "/p" },
  { port: "8443" },
  { query: "lang=en&page=2" },
  { query: "", tld: "example" },
  { fragment: "top" },
  { has: "query,fragment" },
  { has: "port", lacks: "fragment" },
  { lacks: "sub", tld: "example" },
  { domain: "no-such-domain", tld: "com" },
  { domain: "example", tld: "org" },
  { under: "debian.org" },
  { registeredDomain: "debian.org", scheme: "http" },
];

async function drop(page, ...files) {
  await page.setInputFiles("#index-file", files);
  await page.waitForFunction(() => /ms ·/.test(document.querySelector("#count").textContent) || document.querySelector("#overview .error"));
}

async function ask(page, question) {
  await page.evaluate(() => document.querySelector("#count").replaceChildren());
  await page.evaluate((values) => {
    for (const field of document.querySelectorAll("#question input")) {
      field.value = values[field.id.slice("ask-".length)] ?? "";
      field.dispatchEvent(new Event("input"));
    }
  }, Object.fromEntries(Object.entries(question).map(([name, value]) => [name, value || '""'])));
  await page.waitForFunction(() => /ms ·|ERR_/.test(document.querySelector("#count").textContent));
}

/** Returns what the program answers. */
function found(index, question) {
  const options = Object.entries(question).flatMap(([name, value]) => [`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, value]);
  return urlid(["index", "find", index, ...options], { allowed: 1 }).split("\n").filter(Boolean);
}

async function check(page, index, question) {
  await ask(page, question);
  const expected = found(index, question);
  const name = JSON.stringify(question);
  assert.equal((await page.textContent("#count b")).replaceAll(",", ""), String(expected.length), name);
  assert.deepEqual(await texts(page, "#rows li"), expected.slice(0, 200), name);
}

test("questions are answered as the program answers them", withPage({}, async (page) => {
  await drop(page, small);
  assert.match(await page.textContent("#overview"), /4 of them without an SXURL/);
  for (const question of QUESTIONS) await check(page, small, question);
  const asked = new Set(QUESTIONS.flatMap(Object.keys));
  const fields = await page.locator("#question input").evaluateAll((inputs) => inputs.map(({ id }) => id.slice("ask-".length)));
  assert.deepEqual(fields.filter((name) => !asked.has(name)), [], "conditions without a question");
}));

test("a sealed index, one with the index on paths, and one in a canonical form are read", withPage({}, async (page) => {
  const [sealed, indexed, form] = ["sealed.db", "indexed.db", "form.db"].map((name) => join(folder, name));
  copyFileSync(small, sealed);
  urlid(["index", "seal", sealed]);
  assert.equal(readFileSync(sealed)[18], 1);
  urlid(["index", "add", indexed, samples, "--index", "path"]);
  urlid(["index", "add", form, "--as", "web+drop-fragment", "-"], { input: "https://a.example/x#y\n" });
  await drop(page, sealed);
  assert.match(await page.textContent("#overview"), /sealed/);
  await check(page, sealed, QUESTIONS[0]);
  await drop(page, indexed);
  await check(page, indexed, { path: "/status" });
  assert.match(await page.textContent("#count"), /index on path, 1 range/);
  await drop(page, form);
  assert.match(await page.textContent("#overview"), /web\+drop-fragment/);
}));

test("rows that are only in the log are read from it", withPage({}, async (page) => {
  const index = join(folder, "logged.db");
  urlid(["index", "add", index, "-"], { input: "https://a.example/\n" });
  const id = urlid(["id", "https://b.example/"]).trim();
  execFileSync("sqlite3", [index], {
    input: `.dbconfig no_ckpt_on_close on\nPRAGMA wal_autocheckpoint = 0;\nBEGIN;\nINSERT INTO url VALUES(x'${id}', 'https://b.example/');\nUPDATE meta SET value = 2 WHERE key = 'rows';\nCOMMIT;\n`,
  });
  assert.ok(statSync(`${index}-wal`).size > 0);
  await drop(page, index);
  assert.deepEqual(await texts(page, "#rows li"), ["https://a.example/"]);
  assert.match(await page.textContent("#overview"), /-wal/);
  await drop(page, index, `${index}-wal`);
  assert.deepEqual((await texts(page, "#rows li")).sort(), ["https://a.example/", "https://b.example/"]);
  assert.match(await page.textContent("#overview"), /pages from its log/);

  // A frame that was written in part is not read.
  const torn = join(folder, "torn.db");
  copyFileSync(index, torn);
  writeFileSync(`${torn}-wal`, readFileSync(`${index}-wal`).subarray(0, -100));
  await drop(page, torn, `${torn}-wal`);
  assert.deepEqual(await texts(page, "#rows li"), ["https://a.example/"]);
}));

test("a file that is not an index is rejected, and a damaged one is reported", withPage({}, async (page) => {
  const [text, other, damaged] = ["text.db", "other.db", "damaged.db"].map((name) => join(folder, name));
  writeFileSync(text, "not a database");
  execFileSync("sqlite3", [other, "CREATE TABLE t(x)"]);
  const bytes = readFileSync(small);
  bytes.fill(0xff, 8192, bytes.length - 4096);
  writeFileSync(damaged, bytes);
  for (const [file, message] of [[text, /ERR_INDEX_FORMAT .*not an SQLite database/], [other, /ERR_INDEX_FORMAT .*not an index of urlid/]]) {
    await drop(page, file);
    assert.match(await page.textContent("#overview"), message);
  }
  await page.setInputFiles("#index-file", damaged);
  await page.waitForFunction(() => /ERR_INDEX_(DAMAGED|FORMAT)/.test(document.querySelector("#index").textContent));
}));

test("a value that is not part of a host is rejected", withPage({}, async (page) => {
  await drop(page, small);
  const rejected = [[{ domain: "a b" }, /ERR_HOST_NOT_DNS/], [{ port: "65536" }, /ERR_PORT/], [{ path: "a" }, /ERR_URL_PARSE/], [{ host: "a.com", tld: "com" }, /given twice/]];
  for (const [question, message] of rejected) {
    await ask(page, question);
    assert.match(await page.textContent("#count"), message);
  }
  await check(page, small, { domain: "debian", tld: "org" });
}));

test("a group is counted as the program counts it, and a row is explained", withPage({}, async (page) => {
  await drop(page, small);
  for (const by of await page.locator("#by option").evaluateAll((options) => options.map(({ value }) => value))) {
    await page.evaluate(() => document.querySelector("#count").replaceChildren());
    await page.selectOption("#by", by === "tld" ? "host" : "tld");
    await page.selectOption("#by", by);
    await page.waitForFunction(() => /ms ·/.test(document.querySelector("#count").textContent));
    const [name, count] = urlid(["index", "count", small, "--by", by, "--limit", "1"]).trimEnd().split("\t");
    assert.equal(await page.textContent("#groups td"), name || "none", by);
    assert.equal((await page.textContent("#groups .number")).replaceAll(",", ""), count, by);
  }
}));

/** Reads a file that holds its bytes, as a worker reads one. */
globalThis.FileReaderSync = class {
  readAsArrayBuffer(bytes) {
    return Uint8Array.from(bytes).buffer;
  }
};
const held = (path, end) => Object.assign(readFileSync(path).subarray(0, end), { name: path, size: end ?? statSync(path).size });

test("a read behind the end of a file that is too short for its log has zeros, and is reported as short", () => {
  const index = join(folder, "short.db");
  urlid(["index", "add", index, samples]);
  execFileSync("sqlite3", [index], {
    input: ".dbconfig no_ckpt_on_close on\nPRAGMA wal_autocheckpoint = 0;\nUPDATE meta SET value = value + 1 WHERE key = 'rows';\n",
  });
  const bytes = readFileSync(index);
  const pageSize = bytes.readUInt16BE(16);
  const format = { applicationId: bytes.readUInt32BE(68), version: bytes.readUInt32BE(60) };
  const read = (end) => {
    const source = new Source(held(index, end), held(`${index}-wal`), format);
    assert.ok(source.logPages > 0);
    const target = new Uint8Array(pageSize).fill(0xee);
    return [source.read(bytes.length - pageSize, target), target];
  };
  const last = new Uint8Array(bytes.subarray(-pageSize));
  assert.deepEqual(read(), [true, last]);
  assert.deepEqual(read(bytes.length - pageSize / 2), [false, new Uint8Array(last).fill(0, pageSize / 2)]);
  assert.deepEqual(read(pageSize), [false, new Uint8Array(pageSize)]);
});

test("a file that cannot be opened answers no more questions, and says so", withPage({}, async (page) => {
  const wrong = join(folder, "wrong.db");
  writeFileSync(wrong, "no index");
  await drop(page, small);
  await drop(page, wrong);
  const state = () => page.evaluate(() => [document.querySelector("#overview .error")?.textContent, ...["#question", "#answer"].map((id) => document.querySelector(id).hidden)]);
  const failed = ["ERR_INDEX_FORMAT", true, true];
  assert.deepEqual(await state(), failed);
  await page.goto(link({ domain: "github" }));
  await page.waitForTimeout(1000);
  assert.deepEqual(await state(), failed);
  await drop(page, small);
  assert.deepEqual(await texts(page, "#rows li"), found(small, { domain: "github" }).slice(0, 200));
}));

/** Runs in the page: no question reaches a worker, so that each one is still busy when the next is typed. */
function dropQuestions() {
  globalThis.Worker = class extends Worker {
    postMessage(message) {
      if (message.verb !== "ask") super.postMessage(message);
    }
  };
}

test("a file that changed while a question ran says so", withPage({}, async (page) => {
  const changed = join(folder, "changed.db");
  copyFileSync(small, changed);
  await page.setInputFiles("#index-file", changed);
  await page.waitForSelector("#overview .figures");
  writeFileSync(changed, "no index any more");
  await page.fill("#ask-host", "docs.rs");
  await page.waitForSelector("#overview .error");
  assert.deepEqual([await page.isVisible("#question"), await page.isVisible("#answer")], [false, false]);
}, { first: dropQuestions }));

/** Scrolls an element to the middle and returns where it is on the screen after `act`, beside where it was. */
async function places(page, element, act) {
  await element.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const top = () => element.evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const before = await top();
  await act();
  return [await top(), before];
}

test("a row is explained, and stays in place", withPage({ url: "https://docs.rs/" }, async (page) => {
  await drop(page, small);
  await ask(page, { host: "www.debian.org" });
  const [first] = await texts(page, "#rows li");
  const row = page.locator("#rows li:first-child button");
  const [after, before] = await places(page, row, () => row.click());
  assert.equal(after, before);
  assert.equal(await page.inputValue("#url"), first);
  assert.equal(await row.getAttribute("aria-pressed"), "true");
  await page.click("#rows .explained a");
  await page.waitForFunction(() => scrollY < 100);
  await page.goBack();
  assert.equal(await page.inputValue("#url"), "https://docs.rs/");
}));

test("a click makes a group a condition, a second click undoes it, and the group stays in place", withPage({ by: "registered_domain" }, async (page) => {
  await drop(page, small);
  const settled = () => page.waitForFunction(() => !document.querySelector("#answer").matches(".stale") && /ms ·/.test(document.querySelector("#count").textContent));
  const all = await page.textContent("#count b");
  const [group] = await texts(page, "#groups button");
  const button = page.locator("#groups button").first();
  const [after, before] = await places(page, button, async () => {
    await button.click();
    await page.waitForFunction((all) => document.querySelector("#count b")?.textContent !== all, all);
    await settled();
  });
  assert.equal(after, before);
  assert.equal(await page.inputValue("#ask-registeredDomain"), group);
  assert.deepEqual(await texts(page, "#groups button"), [group]);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.group), group);
  assert.deepEqual(await texts(page, "#rows li"), found(small, { registeredDomain: group }).slice(0, 200));
  assert.equal(await button.getAttribute("aria-pressed"), "true");
  await button.click();
  await page.waitForFunction((all) => document.querySelector("#count b")?.textContent === all, all);
  assert.equal(await page.inputValue("#ask-registeredDomain"), "");
  await page.goBack();
  assert.equal(await page.inputValue("#ask-registeredDomain"), group);
  await page.goBack();
  await page.waitForFunction((all) => document.querySelector("#count b")?.textContent === all, all);
}));

test("how an answer was found is shown on demand", withPage({ tld: "org" }, async (page) => {
  await drop(page, small);
  const plan = page.locator("#count details p");
  assert.equal(await plan.isVisible(), false);
  await page.click("#count summary");
  assert.ok(await plan.isVisible());
  assert.match(await plan.textContent(), /range/);
}));

test("a link opens the sample with a question, and its rows match an index that the program makes", withPage({ sample: "1", domain: "debian", tld: "org" }, async (page) => {
  await page.waitForFunction(() => /ms ·/.test(document.querySelector("#count").textContent));
  const index = join(folder, "sample.db");
  const lines = readFileSync(samples, "utf8").split("\n").filter((_, line) => line % 10 === 0);
  urlid(["index", "add", index, "-"], { input: lines.join("\n") });
  for (const question of [{ domain: "github" }, { domain: "debian", tld: "org" }, {}]) await check(page, index, question);
}));

test("an index of 100 MB answers without being read whole, while the page stays usable", withPage({}, async (page) => {
  const index = join(folder, "large.db");
  const lines = [];
  for (let number = 0; number < 1_150_000; number += 1) lines.push(`https://www.site${number % 90_000}.example.org/section/${number % 7}/page-${number}.html`);
  const input = join(folder, "large.txt");
  writeFileSync(input, lines.join("\n"));
  urlid(["index", "add", index, input]);
  const { size } = statSync(index);
  assert.ok(size > 100e6, `${size} bytes`);
  await drop(page, index);

  // Groups of the first rows never look like groups of all.
  const total = lines.length.toLocaleString("en");
  assert.equal(await page.textContent("#count b"), total);
  assert.match(await page.textContent("#sampled"), new RegExp(`^Groups of the first 1,000 of ${total} URLs only\\.`));
  assert.equal(await page.textContent("#rows-label"), `Rows: the first 1,000 of ${total}`);
  for (const number of await texts(page, "#groups .number")) assert.match(number, /^[\d,]+ of 1,000$/);
  await page.click("#sampled button");
  await page.waitForFunction(() => /reading/.test(document.querySelector("#count").textContent));
  assert.match(await page.textContent("#count"), /so far/);
  for (const number of await texts(page, "#groups .number")) assert.match(number, /so far$/);
  await page.waitForFunction(() => /ms ·/.test(document.querySelector("#count").textContent), null, { timeout: 300_000 });
  assert.equal(await page.isVisible("#sampled"), false);
  assert.equal(await page.textContent("#groups .number"), total);

  await check(page, index, { host: "www.site77.example.org" });
  const [, read, unit] = /([\d.]+) (bytes|kB|MB) read/.exec(await page.textContent("#count"));
  assert.ok(read * { bytes: 1, kB: 1e3, MB: 1e6 }[unit] < size / 4, `${read} ${unit} of ${size} bytes were read`);

  // A question that reads every row, and the first part of the page meanwhile.
  await page.evaluate(() => document.querySelector("#count").replaceChildren());
  await page.fill("#ask-host", "");
  await page.fill("#ask-pathPrefix", "/section/3/");
  await page.waitForFunction(() => /reading/.test(document.querySelector("#count").textContent));
  await page.fill("#url", "https://docs.rs/");
  assert.equal((await texts(page, "#id .digits"))[1], "2397");
  await page.waitForFunction(() => /ms ·/.test(document.querySelector("#count").textContent), null, { timeout: 300_000 });
  assert.equal(await page.textContent("#count b"), lines.filter((line) => line.includes("/section/3/")).length.toLocaleString("en"));
}));
