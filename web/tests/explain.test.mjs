// The URL by slices, identifiers decoded, links and keys.

import assert from "node:assert/strict";
import test from "node:test";

import { fact, json, link, texts, urlid, withPage } from "./setup.mjs";

const URLS = [
  "https://www.example.com/",
  "HTTPS://WWW.Example.CO.UK:443/a/../b?x=1&y#top",
  "https://alice.github.io/notes/",
  "https://www.bücher.example/straße?q=ü#ä",
  "https://user:secret@example.com/",
  "ftp://ftp.debian.org/debian/",
  "http://a.b.c.d.e.example.org",
];

test("the slices and their characters match the program", withPage({}, async (page) => {
  for (const url of URLS) {
    await page.fill("#url", url);
    const explained = json("explain", "--format", "json", url);
    const digits = explained.parts.filter((part) => part.digits).sort((one, other) => one.hex_start - other.hex_start);
    assert.deepEqual(await texts(page, "#id .digits"), digits.map((part) => part.digits), url);
    const bytes = Buffer.from(url);
    const placed = explained.parts.filter((part) => part.end > part.start).sort((one, other) => one.start - other.start);
    assert.deepEqual(await texts(page, "#mirror [data-part]"), placed.map((part) => bytes.subarray(part.start, part.end).toString()), url);
    assert.equal(await fact(page, "#facts", "url-hash"), explained["url-hash"]);
    assert.equal(await fact(page, "#facts", "Hashed URI"), explained["hashed-uri"].error ?? explained["hashed-uri"]);
    assert.equal(await fact(page, "#facts", "URL Standard"), explained.web);
  }
}));

test("a pasted text is cut at its first line end, as the program reads lines", withPage({}, async (page) => {
  const url = "https://docs.rs/a";
  for (const text of [`${url}\n`, `${url}\r\n`, `\n${url}\nhttps://other.example/`]) {
    await page.fill("#url", text);
    assert.equal(await page.inputValue("#url"), url);
    assert.equal(await fact(page, "#facts", "SXURL"), json("explain", "--format", "json", url).sxurl);
  }
}));

test("blanks at the ends are shown, and can be removed", withPage({}, async (page) => {
  assert.equal(await page.isVisible("#unseen"), false);
  await page.fill("#url", "  https://docs.rs/a ");
  assert.match(await page.textContent("#unseen"), /␠␠https:\/\/docs\.rs\/a␠/);
  // The sign of a space is drawn, not written in a font that may lack it.
  const signs = await page.evaluate(() => [...document.querySelectorAll("#unseen .blank")].map((sign) => [sign.textContent, getComputedStyle(sign).color]));
  assert.deepEqual(signs, Array(3).fill(["␠", "rgba(0, 0, 0, 0)"]));
  await page.click("#unseen button");
  assert.equal(await page.inputValue("#url"), "https://docs.rs/a");
  assert.equal(await page.isVisible("#unseen"), false);
}));

test("characters that cannot be seen are shown as escapes wherever a text is", withPage({}, async (page) => {
  await page.fill("#url", "https://docs.rs/\u202eexe.\u200bgpj#\x1b");
  assert.match(await page.textContent("#unseen"), /docs\.rs\/\\u\{202e\}exe\.\\u\{200b\}gpj#\\x1b/);
  const shown = await page.evaluate(() => [...document.querySelectorAll("#facts dd code, #tokens code, #form-list code, #expressions code")].map((code) => code.textContent).join(""));
  assert.doesNotMatch(shown, /[\u202e\u200b\x1b]/);
  assert.match(shown, /\\u\{202e\}/);
}));

test("a URL without an SXURL says why, and has its other identifiers", withPage({ url: "http://192.0.2.7/status" }, async (page) => {
  assert.match(await page.textContent("#readout"), /^ERR_HOST_NOT_DNS No SXURL: /);
  assert.equal(await page.locator("#id button").count(), 0);
  assert.equal(await fact(page, "#facts", "URL Standard"), "http://192.0.2.7/status");
}));

test("text that is not a URL is rejected with the code of the program", withPage({ url: "http://[::1/" }, async (page) => {
  assert.match(await page.textContent("#what"), /^ERR_/);
  assert.match(await page.textContent("#readout"), /^ERR_/);
}));

test("an identifier is decoded", withPage({}, async (page) => {
  const id = urlid(["id", "https://docs.rs:8080/"]).trim();
  await page.fill("#url", id);
  assert.equal(await page.textContent("#what"), "An SXURL, decoded");
  assert.equal((await texts(page, "#mirror [data-part]")).join(""), id);
  await page.click('#id [data-part="tld"]');
  assert.match(await page.textContent("#readout"), /rs.*guessed/);
  await page.click('#id [data-part="port"]');
  assert.match(await page.textContent("#readout"), /8080/);
  await page.fill("#url", "hashed:sha1=651de0d24dc55138c24765bbb0119e17f8d4375a+query");
  assert.match(await fact(page, "#facts", "Kept"), /^the query/);
  await page.fill("#url", urlid(["id", "--kind", "url-hash", "https://docs.rs/"]).trim());
  assert.equal(await page.textContent("#what"), "A url-hash");
}));

test("the readout shows the digest whose last digits are the slice", withPage({ url: "https://docs.rs/" }, async (page) => {
  await page.hover('#id [data-part="domain"]');
  await page.waitForFunction(() => document.querySelector("#readout .digest")?.textContent.length === 64);
  assert.match(await page.textContent("#readout"), /domain\\0docs/);
  assert.match(await page.textContent("#readout .digest"), /f4018b8efa86c31$/);
}));

test("the pointer, the caret and a tap choose a slice", withPage({}, async (page) => {
  const chosen = () => page.getAttribute('#id [aria-pressed="true"]', "data-part");
  const box = await page.locator('#mirror [data-part="path"]').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  assert.equal(await chosen(), "path");
  await page.focus("#url");
  await page.keyboard.press("End");
  assert.equal(await chosen(), "frag");
  await page.tap('#id [data-part="tld"]');
  assert.equal(await chosen(), "tld");
}, { hasTouch: true }));

test("slices are reached with the arrow keys, the input with a slash", withPage({}, async (page) => {
  await page.focus('#id [data-part="tld"]');
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.part), "domain");
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "url");
  await page.keyboard.type("https://a.example/b");
  await page.keyboard.press("Enter");
  assert.equal(await page.inputValue("#url"), "https://a.example/b");
}));

test("the coloured copy breaks lines where the input does", withPage({ url: `https://example.com/${"long/".repeat(60)}?q=${"w".repeat(90)}` }, async (page) => {
  const heights = await page.evaluate(() => ["mirror", "url"].map((id) => document.getElementById(id).getBoundingClientRect().height));
  assert.equal(heights[0], heights[1]);
  assert.ok(await page.evaluate(() => document.getElementById("url").scrollHeight <= document.getElementById("url").clientHeight));
}));

test("a link shows what its sender saw", withPage({ url: "https://docs.rs/?a#b", part: "frag", reference: "../x", steps: "drop-fragment" }, async (page) => {
  assert.equal(await page.inputValue("#url"), "https://docs.rs/?a#b");
  assert.equal(await page.getAttribute('#id [aria-pressed="true"]', "data-part"), "frag");
  assert.equal(await page.inputValue("#reference"), "../x");
  assert.ok(await page.isChecked('#steps input[value="drop-fragment"]'));
  await page.fill("#url", "https://a.example/ü?x=1&y=2#z");
  const { url } = Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));
  assert.equal(url, "https://a.example/ü?x=1&y=2#z");
  await page.goto(link({ url: "https://b.example/" }));
  assert.equal(await page.inputValue("#url"), "https://b.example/");
}));

test("identifiers are copied", withPage({}, async (page) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.click('#facts [aria-label="Copy SXURL"]');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), (await texts(page, "#id .digits")).join(""));
}));

/** Presses "Copy as SVG", and reads the picture as a browser and a strict XML parser read it. */
async function picture(page) {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.click("#picture");
  return page.evaluate(async () => {
    const source = await navigator.clipboard.readText();
    const { documentElement: svg } = new DOMParser().parseFromString(source, "image/svg+xml");
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(source)}`;
    await image.decode();
    return {
      source,
      texts: [...svg.querySelectorAll("text")].map((text) => text.textContent),
      ribbons: svg.querySelectorAll("path").length,
      title: svg.querySelector("title").textContent,
      width: image.naturalWidth,
    };
  });
}

test("the picture is copied as an SVG file", withPage({ url: "https://docs.example.co.uk:8443/a?<b>&c=ü#d" }, async (page) => {
  const { texts: found, ribbons, source, title, width } = await picture(page);
  const digits = (await texts(page, "#id .digits")).join("");
  assert.equal(title, `https://docs.example.co.uk:8443/a?<b>&c=ü#d – ${digits}`);
  // Each slice is its digits, and its name below them.
  const slices = found.slice(-16);
  assert.equal(slices.filter((_, index) => index % 2 === 0).join(""), digits);
  assert.deepEqual(slices.filter((_, index) => index % 2 === 1), ["header", "tld", "domain", "sub", "port", "path", "params", "frag"]);
  assert.equal(ribbons, 8);
  assert.doesNotMatch(source, /var\(|light-dark|class=|href|url\(/);
  await page.setViewportSize({ width: 360, height: 800 });
  assert.equal((await picture(page)).width, width);
}));

test("the picture has no credentials", withPage({}, async (page) => {
  await page.fill("#url", "https://user:secret@example.com/");
  assert.match((await picture(page)).title, /^https:\/\/▒▒▒@example\.com\/ – /);
  await page.click("#compare");
  await page.fill("#other", "https://user:other@example.com/");
  assert.doesNotMatch((await picture(page)).source, /user|secret|other/);
}));

test("the picture of two URLs, and of none", withPage({ url: "https://a.example/\u0001?x", compare: "1", other: "https://b.example/?y" }, async (page) => {
  const { title, ribbons } = await picture(page);
  assert.match(title, /^https:\/\/a\.example\/\\x01.*\?x – https:\/\/b\.example\/\?y$/);
  assert.equal(ribbons, 4);
  await page.fill("#other", "");
  assert.equal(await page.isVisible("#picture"), false);
  await page.click("#compare");
  assert.equal(await page.isVisible("#picture"), true);
  await page.fill("#url", "http://192.0.2.7/status");
  assert.equal(await page.isVisible("#picture"), false);
}));
