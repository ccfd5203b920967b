// Answers by the npm package: `in_node.mjs PROJECT`, as host.py describes.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

import { answers, line } from "./calls.mjs";

const require = createRequire(pathToFileURL(`${process.argv[2]}/package.json`));
const { callFunction } = await import(pathToFileURL(require.resolve("urlid/forms")));
const { vector, row, evaluate } = answers(callFunction);

const job = JSON.parse(readFileSync(0, "utf8"));
const urls = JSON.parse(readFileSync(job.urls, "utf8"));
for (const each of job.vectors) console.log(line(vector(each)));
for (const url of urls) console.log(line(row(job.calls, url)));
const costs = job.costs.map((call) => {
  const start = process.cpuUsage();
  for (const url of urls) evaluate(call, url);
  const { user, system } = process.cpuUsage(start);
  return (1e3 * (user + system)) / urls.length;
});
console.log(line({ questions: job.questions.map(() => null), costs }));
