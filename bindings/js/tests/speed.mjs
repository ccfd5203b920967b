// Prints the time of an SXURL in batches and alone: node speed.mjs FILE-OF-URLS
import { readFileSync } from "node:fs";
import { Sxurl, UrlHash, explain } from "urlid";

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
