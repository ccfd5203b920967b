// Prints the result of an implementation for each line of its input: `node oracle.mjs MODULES NAME`.
//
// A line is a text or an answer, written as for `oracle.py`. `\N` stands for an error.

import { pathToFileURL } from "node:url";

const [modules, name] = process.argv.slice(2);
const versions = { "normalize-url-9": "v20.", "normalize-url-10": "v22." };
if (!process.version.startsWith(versions[name])) {
  console.error(`${name} is frozen as Node ${versions[name]} gives it`);
  process.exit(1);
}
const { default: form } = await import(pathToFileURL(`${modules}/normalize-url/index.js`));

const ESCAPED = { "\\\\": "\\", "\\n": "\n", "\\r": "\r" };
const ESCAPES = { "\\": "\\\\", "\n": "\\n", "\r": "\\r" };

function answer(text) {
  try {
    return form(text).replaceAll(/[\\\n\r]/g, (character) => ESCAPES[character]);
  } catch {
    return "\\N";
  }
}

let answers = [];
function flush() {
  if (answers.length === 0) return true;
  const text = `${answers.join("\n")}\n`;
  answers = [];
  return process.stdout.write(text);
}

// Not `readline`, which also ends lines at U+2028.
let rest = "";
process.stdin.setEncoding("utf8");
for await (const chunk of process.stdin) {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines) {
    answers.push(answer(line.replaceAll(/\\[\\nr]/g, (escape) => ESCAPED[escape])));
  }
  if (!flush()) await new Promise((resolve) => process.stdout.once("drain", resolve));
}
