// Prints the least CPU time of a call of tldts, of `urlid/suffix` and of `new URL`: node suffixes.mjs FILE-OF-URLS, in a project with both packages.
import { readFileSync } from "node:fs";
import process from "node:process";

import { parse } from "tldts";
import { split } from "urlid/suffix";

const urls = readFileSync(process.argv[2], "utf8").split("\n").filter((line) => line.startsWith("http"));
const hosts = urls.map((url) => new URL(url).hostname);
const works = {
  "tldts, parse of a URL": () => urls.forEach((url) => parse(url, { allowPrivateDomains: true })),
  "urlid/suffix, split of a URL": () => urls.forEach((url) => split(url)),
  "tldts, parse of a host": () => hosts.forEach((host) => parse(host, { allowPrivateDomains: true })),
  "urlid/suffix, split of a host": () => hosts.forEach((host) => split(host)),
  "new URL": () => urls.forEach((url) => new URL(url)),
};
const best = {};
for (let round = 0; round < 40; round++) {
  for (const [name, work] of Object.entries(works)) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    best[name] = Math.min(best[name] ?? Infinity, ((user + system) * 1000) / urls.length);
  }
}
for (const [name, ns] of Object.entries(best)) console.log(`${name}: ${ns.toFixed(0)} ns`);
