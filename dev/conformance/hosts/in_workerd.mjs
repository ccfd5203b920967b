// Answers by the npm package in workerd: `in_workerd.mjs PROJECT`, as host.py describes. The costs are the CPU time of its process.

import { readdirSync, readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

import { startWorker } from "../../../bindings/js/tests/workerd.mjs";

/** How many URLs are in a request. */
const MOST = 1000;
/** Ticks of `/proc` in a second. */
const TICKS = 100;

const require = createRequire(pathToFileURL(`${process.argv[2]}/package.json`));
const job = JSON.parse(readFileSync(0, "utf8"));
const urls = JSON.parse(readFileSync(job.urls, "utf8"));
const workerd = await startWorker(require, fileURLToPath(new URL("workerd_worker.mjs", import.meta.url)));

async function ask(question) {
  const response = await workerd.dispatchFetch("http://h/", { method: "POST", body: JSON.stringify(question) });
  if (!response.ok) throw new Error(await response.text());
  return response.text();
}

async function askForAll(calls, isCounted) {
  for (let start = 0; start < urls.length; start += MOST) {
    write(await ask({ calls, urls: urls.slice(start, start + MOST), isCounted }));
  }
}

/** Writes all of a text, to a pipe that may be full. */
function write(text) {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

/** Returns the seconds of CPU of the child processes of this process. Workerd is the only one. */
function seconds() {
  const fields = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      return [readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1).split(" ")];
    } catch {
      return []; // It has ended.
    }
  });
  const children = fields.filter(([, parent]) => Number(parent) === process.pid);
  return children.reduce((sum, stat) => sum + (Number(stat[11]) + Number(stat[12])) / TICKS, 0);
}

async function cost(calls) {
  const start = seconds();
  await askForAll(calls, true);
  return seconds() - start;
}

write(await ask({ vectors: job.vectors }));
await askForAll(job.calls, false);
const without = await cost([]);
const costs = [];
for (const call of job.costs) costs.push((1e9 * Math.max(0, (await cost([call])) - without)) / urls.length);
write(`${JSON.stringify({ questions: job.questions.map(() => null), costs })}\n`);
await workerd.dispose();
