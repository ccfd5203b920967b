// Goto, canonical forms, the hidden list.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { fact, folder, json, texts, urlid, withPage } from "./setup.mjs";

test("the surviving tokens match the program", withPage({}, async (page) => {
  const pairs = [["http://a/b/c/d?q#f", "../x"], ["http://a/b/c/d?q", "?y"], ["https://a.example/b", "//c.example/d"], ["file:///c:/a/b", "../../d"]];
  for (const [url, reference] of pairs) {
    await page.fill("#url", url);
    await page.fill("#reference", reference);
    const expected = json("explain", "--format", "json", "--goto", reference, url);
    const shown = await texts(page, "#tokens .kept code");
    const kept = [...expected.base, ...expected.reference].filter((token) => token.survives).map((token) => token.text || "''");
    assert.deepEqual(shown, kept, `${url} ${reference}`);
    assert.equal(await fact(page, "#targets", "Target"), expected.target);
    assert.equal(await fact(page, "#targets", "A browser opens"), urlid(["resolve", url, reference]).trim());
  }
}));

test("the nonstrict definition drops an equal scheme", withPage({ url: "http://a/b", reference: "http:c" }, async (page) => {
  assert.equal(await fact(page, "#targets", "Target"), "http:c");
  await page.selectOption("#mode", "nonstrict");
  assert.equal(await fact(page, "#targets", "Target"), json("explain", "--format", "json", "--goto", "http:c", "--mode", "nonstrict", "http://a/b").target);
}));

test("each canonical form and its rules match the program", withPage({}, async (page) => {
  const url = "HTTP://www.Example.com:80/%7Ea/../b//c?b=2&a=1&utm_source=x#frag";
  await page.fill("#url", url);
  const names = await texts(page, "#form-list .form-name");
  assert.ok(names.includes("web") && names.includes("surt-0.3.1"));
  for (const name of names) {
    const item = page.locator(`[data-form="${name}"]`);
    const { canonical, error, changes } = json("explain", "--format", "json", "--as", name, url);
    assert.equal(await item.locator(".form-value code").first().textContent(), canonical ?? error, name);
    assert.deepEqual(await item.locator(".rule").allTextContents(), changes.map((change) => change.rule), name);
  }
}));

test("steps follow the forms that are URLs", withPage({ url: "https://www.example.com/a#b" }, async (page) => {
  await page.check('#steps input[value="drop-fragment"]');
  await page.check('#steps input[value="strip-www"]');
  const item = page.locator('[data-form="web"]');
  assert.equal(await item.locator(".form-name").textContent(), "web+drop-fragment+strip-www");
  assert.equal(await item.locator(".form-value").textContent(), "https://example.com/a");
  await item.locator("summary").click();
  assert.ok(await item.locator(".form-body").isVisible());
}));

test("a list is made as the program makes it, and a URL below an entry is found", withPage({}, async (page) => {
  const listed = "https://example.com/private/\nhttps://other.example/";
  await page.fill("#listed", listed);
  await page.selectOption("#covers", "directory");
  await page.fill("#url", "https://example.com/private/deep/page?x#y");
  assert.equal(await page.textContent("#published"), urlid(["list", "make", "--covers=directory", "-"], { input: listed }));
  assert.match(await page.textContent("#verdict"), /^Listed\. It matches hashed:/);
  const expressions = await texts(page, "#expressions code");
  assert.deepEqual(expressions.slice(-3), ["https://example.com/private/deep/", "https://example.com/private/", "https://example.com/"]);
  assert.deepEqual(await texts(page, "#expressions .match code"), ["https://example.com/private/"]);
  await page.fill("#url", "https://example.com/public");
  assert.equal(await page.textContent("#verdict"), "Not listed.");
}));

test("list files are read in both forms", withPage({ url: "https://bad.example/page" }, async (page) => {
  const text = urlid(["list", "make", "-"], { input: "https://bad.example/page\n" });
  const [plain, compiled, broken] = ["a.list", "a.compiled", "b.list"].map((name) => join(folder, name));
  writeFileSync(plain, text);
  urlid(["list", "compile", plain, "--out", compiled]);
  writeFileSync(broken, text.replace("# count: 1", "# count: 2"));
  for (const file of [plain, compiled]) {
    await page.setInputFiles("#list-file", file);
    await page.waitForFunction(() => document.querySelector("#verdict").textContent.startsWith("Listed"));
    assert.equal(await page.textContent("#published"), text);
  }
  await page.setInputFiles("#list-file", broken);
  await page.waitForFunction(() => document.querySelector("#published").textContent.startsWith("ERR_LIST_HEADER"));
}));

test("a bad line of a list is named by its number, and the others are listed", withPage({ url: "https://a.example/" }, async (page) => {
  const good = "https://a.example/\nhttps://b.example/";
  await page.fill("#listed", "https://a.example/\nno url\n\nhttps://[x/\nhttps://b.example/");
  assert.equal(await page.textContent("#published"), urlid(["list", "make", "--covers=subdomains", "-"], { input: good }));
  assert.match(await page.textContent("#verdict"), /^Listed/);
  const lines = await texts(page, "#bad-lines p");
  assert.deepEqual(lines.map((line) => /^Line (\d+) is left out: ERR_/.exec(line)?.[1]), ["2", "4"]);
  await page.fill("#listed", good);
  assert.deepEqual(await texts(page, "#bad-lines p"), []);
}));
