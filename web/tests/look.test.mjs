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

test("refusals and identifiers have no serious finding", async () => {
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
