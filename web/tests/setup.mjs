// What the tests share: Chromium, the page from a file, and the program to compare with.
//
// The environment, set by `run`: URLID_PAGE (the file), URLID_MODULES (node_modules), URLID_CHROMIUM and URLID_PROGRAM.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";

const { URLID_PAGE, URLID_MODULES, URLID_CHROMIUM, URLID_PROGRAM } = process.env;
const require = createRequire(join(URLID_MODULES, "package.json"));
const { chromium } = require("playwright-core");

export const address = pathToFileURL(URLID_PAGE).href;
export const samples = new URL("../../samples/debian_homepages.txt", import.meta.url).pathname;
export const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
export const folder = mkdtempSync(join(tmpdir(), "urlid-page-"));

const browser = await chromium.launch({
  executablePath: URLID_CHROMIUM,
  args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Opens the page without a network. Its requests and errors are recorded, and checked when it is closed. `first` is a function that runs in
 * the page before its own scripts.
 */
export async function open(state = {}, { width = 1280, height = 900, colorScheme = "light", first, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, ...options });
  await context.setOffline(true);
  if (first) await context.addInitScript(first);
  const requests = [];
  const complaints = [];
  await context.route(/^(?!file:|blob:|data:)/, (route) => route.abort());
  context.on("request", (request) => requests.push(request.url()));
  const page = await context.newPage();
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(link(state));
  await page.waitForSelector("#about p");
  return {
    page,
    /** Closes the page after it has been seen to load nothing but itself. */
    async close() {
      const foreign = requests.filter((request) => !/^(blob|data):/.test(request) && !request.startsWith(address));
      await context.close();
      assert.deepEqual({ foreign, complaints }, { foreign: [], complaints: [] });
    },
  };
}

/** Returns the address of the page in a state. */
export function link(state) {
  const fragment = new URLSearchParams(state).toString();
  return fragment ? `${address}#${fragment}` : address;
}

/** Runs a test body with the page open in a state. */
export function withPage(state, body, options) {
  return async () => {
    const { page, close } = await open(state, options);
    await body(page);
    await close();
  };
}

/** Runs the program and returns what it prints. Exit codes up to `allowed` are no failure. */
export function urlid(args, { input, allowed = 0 } = {}) {
  try {
    return execFileSync(URLID_PROGRAM, args, { input, encoding: "utf8", maxBuffer: 1 << 30, stdio: ["pipe", "pipe", "ignore"] });
  } catch (error) {
    if (error.status > 0 && error.status <= allowed) return error.stdout;
    throw error;
  }
}

export const json = (...args) => JSON.parse(urlid(args));

/** Returns the texts of all elements. */
export const texts = (page, selector) => page.locator(selector).allTextContents();

/** Returns the value of a fact by its name. */
export const fact = (page, place, name) => page.locator(`${place} [data-fact="${name}"] code`).first().textContent();
