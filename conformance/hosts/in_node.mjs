// Answers by the npm package: `in_node.mjs PACKAGE`, as host.py describes.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(`${process.argv[2]}/package.json`));
const { callFunction } = await import(pathToFileURL(require.resolve("urlid/forms")));

const bytesOf = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const digitsOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const fromJson = (value) => (typeof value?.hex === "string" ? bytesOf(value.hex) : value);
const toJson = (value) => {
  if (value instanceof Uint8Array) return { hex: digitsOf(value) };
  return typeof value === "bigint" ? Number(value) : value;
};

/** Evaluates a call for a URL. */
function evaluate(call, url) {
  const [name, ...values] = call;
  return callFunction(name, ...values.map((each) => (each === null ? url : Array.isArray(each) ? evaluate(each, url) : each)));
}

const job = JSON.parse(readFileSync(0, "utf8"));
const urls = JSON.parse(readFileSync(job.urls, "utf8"));
for (const vector of job.vectors) {
  let answer;
  try {
    answer = { value: toJson(callFunction(vector.name, ...vector.arguments.map(fromJson))) };
  } catch (error) {
    answer = { error: `${error.code} ${error.message}` };
  }
  console.log(JSON.stringify(answer));
}
for (const url of urls) console.log(JSON.stringify(job.calls.map((call) => toJson(evaluate(call, url)))));
const costs = job.costs.map((call) => {
  const start = process.cpuUsage();
  for (const url of urls) evaluate(call, url);
  const { user, system } = process.cpuUsage(start);
  return (1e3 * (user + system)) / urls.length;
});
console.log(JSON.stringify({ questions: job.questions.map(() => null), costs }));
