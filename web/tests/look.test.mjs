// How the page looks and reads: accessibility, widths, themes. Screenshots are kept beside the page.
// `docs/page.png` is `first-1280-light.png` of them.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";

import { axe, folder, open, samples, urlid } from "./setup.mjs";

const shots = join(dirname(process.env.URLID_PAGE), "screenshots");
mkdirSync(shots, { recursive: true });
const index = join(folder, "look.db");
urlid(["index", "add", index, samples]);

const WIDTHS = [390, 820, 1280];

for (const colorScheme of ["light", "dark"]) {
  for (const width of WIDTHS) {
    test(`${width} pixels, ${colorScheme}: no serious finding, nothing wider than the page`, async () => {
      const { page, close } = await open({ domain: "debian", tld: "org", by: "host" }, { width, colorScheme });
      await page.screenshot({ path: join(shots, `first-${width}-${colorScheme}.png`) });
      await page.setInputFiles("#index-file", index);
      await page.waitForFunction(() => /ms ·/.test(document.querySelector("#count").textContent));
      await page.locator('[data-form="surt-0.3.1"] summary').click();
      assert.deepEqual(await findings(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
      await page.evaluate(() => scrollTo(0, 0));
      await page.screenshot({ path: join(shots, `whole-${width}-${colorScheme}.png`), fullPage: true });
      await close();
    });
  }
}

test("each chosen slice has a contrast of at least 4.5 : 1, in light and dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { page, close } = await open({}, { colorScheme });
    for (const place of ["#id", "#mirror"]) {
      for (const name of await page.locator("#id .slice").evaluateAll((slices) => slices.map((slice) => slice.dataset.part))) {
        await page.hover(`#id [data-part="${name}"]`);
        const element = page.locator(`${place} [data-part="${name}"]`);
        assert.ok(await element.evaluate((element) => element.matches(".chosen")));
        const contrast = await (place === "#id" ? element.locator(".digits") : element).evaluate(contrastOf);
        assert.ok(contrast >= 4.5, `${name} in ${place}, ${colorScheme}: ${contrast}`);
      }
    }
    await close();
  }
});

/** Returns the contrast of a text to what is behind it, from the pixels that a canvas makes of the computed colours. */
function contrastOf(element) {
  const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const behind = [];
  for (let at = element; at; at = at.parentElement) behind.unshift(getComputedStyle(at).backgroundColor);
  const luminance = (colours) => {
    for (const colour of colours) {
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
    }
    const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((byte) => byte / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [paper, text] = [luminance(behind), luminance([...behind, getComputedStyle(element).color])];
  return (Math.max(paper, text) + 0.05) / (Math.min(paper, text) + 0.05);
}

/** What people look at besides the first view, each kept as a screenshot. */
const VIEWS = {
  compare: { url: "http://www.example.com/a/?x=1", compare: "1", other: "https://example.com/a?x=2#top" },
  decoded: { url: "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356", guess: "docs" },
  assumed: { url: "example.com" },
  list: { url: "https://a.example/", listed: "https://a.example/\nno url\nhttps://b.example/" },
};

for (const colorScheme of ["light", "dark"]) {
  for (const width of [390, 1280]) {
    test(`other views, ${width} pixels, ${colorScheme}: no serious finding, nothing wider than the page, no holes`, async () => {
      for (const [name, state] of Object.entries(VIEWS)) {
        const { page, close } = await open(state, { width, colorScheme });
        assert.deepEqual(await findings(page), [], name);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name}: the page scrolls sideways`);
        if (width === 390) assert.deepEqual(await holes(page), [], name);
        await page.evaluate(() => scrollTo(0, 0));
        await page.screenshot({ path: join(shots, `${name}-${width}-${colorScheme}.png`), fullPage: true });
        await close();
      }
    });
  }
}

/** Returns what is much taller than its content. */
function holes(page) {
  return page.evaluate(() => [...document.querySelectorAll("main :is(div, dl, ol, ul)")].flatMap((element) => {
    const children = [...element.children].filter((child) => child.checkVisibility() && getComputedStyle(child).position !== "absolute");
    if (!element.checkVisibility() || getComputedStyle(element).overflowY !== "visible" || (children.length === 0 && element.textContent === "" && element.offsetHeight < 24)) return [];
    const range = document.createRange();
    range.selectNodeContents(element);
    const empty = element.getBoundingClientRect().bottom - range.getBoundingClientRect().bottom;
    return empty > 40 ? [`${element.id || element.className}: ${Math.round(empty)} px`] : [];
  }));
}

test("rejections and identifiers have no serious finding", async () => {
  for (const url of ["http://192.0.2.7/", "http://[::1/", "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356", ""]) {
    const { page, close } = await open({ url });
    assert.deepEqual(await findings(page), [], url);
    await close();
  }
});

test("the button changes the theme, and the system's is the first", async () => {
  const { page, close } = await open({}, { colorScheme: "dark" });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await paper();
  assert.equal(await page.getAttribute("#theme", "aria-pressed"), "true");
  await page.click("#theme");
  assert.notEqual(await paper(), dark);
  assert.equal(await page.getAttribute("#theme", "aria-pressed"), "false");
  await close();
});

/** Returns the rules of axe-core that the page breaks in a serious way, each with a place. */
async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0].target} ${nodes[0].failureSummary}`);
}
