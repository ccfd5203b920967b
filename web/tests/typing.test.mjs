// What a person meets first: texts without a scheme, an empty field, half a URL, steps back, links.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import test from "node:test";

import { address, fact, json, link, open, texts, urlid, withPage } from "./setup.mjs";

const WRONG = /rgb\(168, 32, 45\)/;

/** Returns the colours of all codes of errors that are shown. */
const errorColours = (page) => page.evaluate(() => [...document.querySelectorAll(".error")].filter((error) => error.checkVisibility()).map((error) => getComputedStyle(error).color));

test("a text without a scheme is read as https, and the page says so", withPage({}, async (page) => {
  for (const text of ["example.com", "localhost:3000", "docs.rs/a?b#c:d", "docs.rs?x=a:b", "www.bücher.example/ü"]) {
    await page.fill("#url", text);
    assert.equal(await page.textContent("#note"), `Read as https://${text}: no scheme is written.`);
    const explained = json("explain", "--format", "json", `https://${text}`);
    assert.equal(await fact(page, "#facts", "URL Standard"), explained.web, text);
    assert.equal(await fact(page, "#targets", "A browser opens"), urlid(["resolve", `https://${text}`, await page.inputValue("#reference")]).trim());
    assert.equal(await page.locator('[data-form="web"] .form-value').textContent(), explained.web);
  }
  await page.fill("#url", "www.docs.rs:8080/a");
  const colours = await page.locator("#mirror [data-part]").evaluateAll((parts) => parts.map((part) => [part.dataset.part, part.textContent]));
  assert.deepEqual(colours, [["sub", "www"], ["domain", "docs"], ["tld", "rs"], ["port", "8080"], ["path", "/a"]]);
  for (const text of ["//h", "/p", "C:\\", "mailto:a@b", "?q", "https://docs.rs/", "docs.rs:x/", urlid(["id", "https://docs.rs/"]).trim()]) {
    await page.fill("#url", text);
    assert.equal(await page.isVisible("#note"), false, text);
  }
}));

test("an empty field is not an error", withPage({ url: "" }, async (page) => {
  assert.deepEqual(await errorColours(page), []);
  assert.match(await page.textContent("#readout"), /Type a URL/);
  await page.fill("#url", "https://docs.rs/");
  await page.fill("#url", "");
  await page.press("#url", "Enter");
  assert.deepEqual(await errorColours(page), []);
  assert.equal(await page.textContent("#what"), "");
}));

test("errors are not shown while someone types", withPage({}, async (page) => {
  await page.focus("#url");
  await page.keyboard.press("Control+A");
  for (const character of "http://[::1/ \u200b") {
    await page.keyboard.type(character);
    for (const colour of await errorColours(page)) assert.doesNotMatch(colour, WRONG);
    const wrong = await page.evaluate(() => [...document.querySelectorAll(".blank, .unseen")].map((sign) => getComputedStyle(sign).borderBottomColor));
    for (const colour of wrong) assert.doesNotMatch(colour, WRONG);
  }
  await page.keyboard.press("Tab");
  assert.match((await errorColours(page))[0], WRONG);
}));

test("Back goes a step back, and forward again", withPage({}, async (page) => {
  const first = await page.inputValue("#url");
  await page.click("#examples button:nth-child(3)");
  const second = await page.inputValue("#url");
  await page.focus("#url");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("https://a.example/");
  await page.goBack();
  assert.equal(await page.inputValue("#url"), second);
  await page.goBack();
  assert.equal(await page.inputValue("#url"), first);
  await page.goForward();
  await page.goForward();
  assert.equal(await page.inputValue("#url"), "https://a.example/");
}));

test("the pointer over a part does not make a step", withPage({}, async (page) => {
  const before = await page.evaluate(() => history.length);
  for (const part of ["tld", "path", "frag"]) await page.hover(`#id [data-part="${part}"]`);
  assert.equal(await page.evaluate(() => history.length), before);
}));

test("a part is chosen by the pointer, also of a text without a scheme", withPage({ url: "www.docs.rs/a" }, async (page) => {
  for (const part of ["sub", "domain", "tld", "path"]) {
    const box = await page.locator(`#mirror [data-part="${part}"]`).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    assert.equal(await page.getAttribute('#id [aria-pressed="true"]', "data-part"), part);
  }
}));

test("Copy link of a file gives the fragment with a hint", withPage({ url: "https://docs.rs/" }, async (page) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  assert.equal(await page.isVisible("#share-hint"), false);
  await page.click("#share");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^#url=https%3A%2F%2Fdocs\.rs%2F/);
  assert.match(await page.textContent("#share-hint"), /behind the address of any copy/);
  assert.ok(await page.isVisible("#share-hint"));
  await page.goto(`${address}${copied}`);
  assert.equal(await page.inputValue("#url"), "https://docs.rs/");
}));

test("credentials never go into the address", withPage({}, async (page) => {
  const hidden = async (name) => {
    assert.doesNotMatch(decodeURIComponent(page.url()), /secret/, name);
    assert.doesNotMatch(decodeURIComponent(await page.evaluate(() => location.href)), /secret/, name);
  };
  const urls = [
    "https://user:secret@example.com/", "user:secret@example.com", "https:user:secret@h/", "http:/user:secret@h/", "\\\\user:secret@h", "//secret@h/p",
    "ht\ttps://user:secret@h/", "https://archive.example/web/http://user:secret@h/", "ssh://secret@h/", "  https://user:secret@h", "https://user:secret@@h/",
  ];
  for (const url of urls) {
    await page.fill("#url", url);
    assert.equal(await page.inputValue("#url"), url);
    await hidden(url);
    assert.match(await page.textContent("#note"), /credentials/);
  }
  await page.fill("#listed", "https://a.example/\nhttps://user:secret@h/\n");
  await hidden("the list");
  await page.fill("#reference", "//user:secret@h/");
  await hidden("the reference");
  await page.goto(link({ url: "https://user:secret@example.com/" }));
  await page.waitForFunction(() => !/secret/.test(location.href));
  await hidden("a link");
  await page.fill("#url", "https://example.com/@user/a@b?c=d@e");
  assert.match(decodeURIComponent(page.url()), /url=https:\/\/example\.com\/@user\/a@b\?c=d@e/);
}));

test("Copy link of a page from a server gives its address", async () => {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(readFileSync(process.env.URLID_PAGE));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { page, close } = await open();
  await page.context().setOffline(false);
  await page.context().unrouteAll();
  const served = `http://127.0.0.1:${server.address().port}/`;
  const other = await page.context().newPage();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await other.goto(`${served}#url=https%3A%2F%2Fdocs.rs%2F`);
  await other.waitForSelector("#about p");
  await other.click("#share");
  assert.match(await other.evaluate(() => navigator.clipboard.readText()), new RegExp(`^${served}#url=https%3A%2F%2Fdocs\\.rs%2F`));
  assert.equal(await other.isVisible("#share-hint"), false);
  await other.close();
  server.close();
  await page.context().close();
});

test("the row of the browser says whether it gives the same", withPage({}, async (page) => {
  const row = () => page.textContent('#facts [data-fact="Your browser"] dd');
  assert.equal(await row(), "same");
  await page.fill("#url", "http://[::1/");
  assert.equal(await row(), "same: it rejects this, too");
  // A browser with another opinion.
  await page.evaluate(() => Object.defineProperty(URL.prototype, "href", { get: () => "https://other.example/" }));
  await page.fill("#url", "https://docs.rs/");
  assert.equal(await row(), "differs: https://other.example/");
}));

test("a decoded identifier is a URL with its unknown parts hidden, and a guess shows them", withPage({}, async (page) => {
  await page.fill("#url", urlid(["id", "https://www.example.co.uk/secret/"]).trim());
  const rebuilt = () => page.textContent("#rebuilt");
  assert.equal(await rebuilt(), "https://www.▒▒▒.co.uk/▒▒▒");
  assert.ok(await page.getByLabel(/Guess the domain/).isVisible());
  await page.fill("#guess", "sample");
  assert.match(await page.textContent("#guessed"), /^Another domain/);
  assert.equal(await rebuilt(), "https://www.▒▒▒.co.uk/▒▒▒");
  for (const guess of ["example", "EXAMPLE", "www.example.co.uk"]) {
    await page.fill("#guess", guess);
    assert.match(await page.textContent("#guessed"), /^Yes\./, guess);
    assert.equal(await rebuilt(), "https://www.example.co.uk/▒▒▒");
  }
  await page.fill("#guess", "example.co.uk/secret/");
  assert.equal(await rebuilt(), "https://www.example.co.uk/secret/");
  await page.fill("#guess", "a b");
  assert.match(await page.textContent("#guessed"), /^ERR_/);
  await page.fill("#url", urlid(["id", "http://h.org:81/?q#f"]).trim());
  assert.equal(await rebuilt(), "http://▒▒▒.org:81/?▒▒▒#▒▒▒");
  await page.fill("#url", "https://docs.rs/");
  assert.equal(await page.isVisible("#decoded"), false);
}));
