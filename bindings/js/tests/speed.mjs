// Prints the time of an SXURL in batches and separately, and of suffixes compared with tldts and the platform's URL: node
// speed.mjs FILE-OF-URLS
import { readFileSync } from "node:fs";
import * as tldts from "tldts";
import { Sxurl, UrlHash, explain } from "urlid";
import { split } from "urlid/suffix";

const lines = readFileSync(process.argv[2]);
const urls = lines.toString().trimEnd().split("\n");
const time = (name, count, run) => {
  run();
  const times = Array.from({ length: 7 }, () => {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    return ((user + system) * 1000) / count;
  });
  console.log(`${name}: ${Math.min(...times).toFixed(0)} ns`);
};
time("SXURL in batches", urls.length, () => Sxurl.encodeLines(lines));
time("url-hash in batches", urls.length, () => UrlHash.encodeLines(lines));
time("SXURL", urls.length, () => urls.forEach((url) => { try { Sxurl.encode(url); } catch { /* rejected */ } }));
time("explain", 2000, () => urls.slice(0, 2000).forEach((url) => { try { explain(url); } catch { /* rejected */ } }));

const web = urls.filter((url) => URL.canParse(url) && url.startsWith("http"));
const hosts = web.map((url) => new URL(url).hostname);
for (const [what, texts] of [["a URL", web], ["a host", hosts]]) {
  time(`split of ${what}`, texts.length, () => texts.forEach((text) => { try { split(text); } catch { /* rejected */ } }));
  time(`tldts.parse of ${what}`, texts.length, () => texts.forEach((text) => tldts.parse(text)));
  time(`tldts.parse of ${what}, with private domains`, texts.length, () => texts.forEach((text) => tldts.parse(text, { allowPrivateDomains: true })));
}
time("new URL", web.length, () => web.forEach((url) => new URL(url)));
