// Answers by the npm package: `in_node.mjs PACKAGE`, as host.py describes.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(`${process.argv[2]}/package.json`));
const { callFunction } = await import(pathToFileURL(require.resolve("urlid/forms")));

const bytesOf = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const digitsOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const fromJson = (value) => (typeof value?.hex === "string" ? bytesOf(value.hex) : value);
const toJson = (value) => (value instanceof Uint8Array ? { hex: digitsOf(value) } : value);
/** Prints a value as a line of JSON, with all digits of its integers. */
const print = (value) => {
  const text = JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `\0${each}` : each));
  console.log(text.replace(/"\\u0000(-?\d+)"/g, "$1"));
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
  print(answer);
}
for (const url of urls) print(job.calls.map((call) => toJson(evaluate(call, url))));
const costs = job.costs.map((call) => {
  const start = process.cpuUsage();
  for (const url of urls) evaluate(call, url);
  const { user, system } = process.cpuUsage(start);
  return (1e3 * (user + system)) / urls.length;
});
print({ questions: job.questions.map(() => null), costs });
