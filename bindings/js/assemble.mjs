// Puts the package together: node assemble.mjs FOLDER CORE.wasm FORMS.wasm
//
// A module is compressed and written as base64 into a file of JavaScript, so that Node, browsers, Deno and every bundler take
// it without configuration, and it is there without waiting.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";

const [folder, core, forms] = process.argv.slice(2);
const here = import.meta.dirname;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
cpSync(join(here, "package"), folder, { recursive: true });
for (const [name, module] of [["core", core], ["forms", forms]]) {
  const text = deflateRawSync(readFileSync(module), { level: 9 }).toString("base64");
  writeFileSync(join(folder, "lib", `${name}.wasm.js`), `// Compressed WebAssembly in base64.\nexport default "${text}";\n`);
}
for (const [from, to] of [["README.md", "README.md"], ["../../LICENSE-MIT", "LICENSE-MIT"], ["../../LICENSE-APACHE", "LICENSE-APACHE"], ["../../crates/urlid-psl/LICENSE-MPL", "LICENSE-MPL"]]) {
  cpSync(join(here, from), join(folder, to), { dereference: true });
}
