// Puts the package together: node assemble.mjs FOLDER MODULE.wasm…
//
// Compresses a module and writes it as base64 into a file of JavaScript. Node, browsers, Deno and every bundler load this file
// without configuration, and the module is available synchronously. Hosts that do not compile code at run time import the module
// as a file, which Cloudflare's workerd imports by its name and the edge of Vercel with `?module`.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { deflateRawSync } from "node:zlib";

const [folder, ...modules] = process.argv.slice(2);
const here = import.meta.dirname;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
cpSync(join(here, "package"), folder, { recursive: true });
for (const path of modules) {
  const name = basename(path, ".wasm");
  const module = readFileSync(path);
  const text = deflateRawSync(module, { level: 9 }).toString("base64");
  const write = (file, content) => writeFileSync(join(folder, "lib", `${name}.${file}`), content);
  write("wasm.js", `// Compressed WebAssembly in base64.\nexport default "${text}";\n`);
  write("wasm", module);
  write("workerd.js", `// A module that workerd has compiled.\nexport { default } from "./${name}.wasm";\n`);
  write("edge.js", `// A module that the bundler has compiled.\nexport { default } from "./${name}.wasm?module";\n`);
}
for (const [from, to] of [["README.md", "README.md"], ["../../LICENSE-MIT", "LICENSE-MIT"], ["../../LICENSE-APACHE", "LICENSE-APACHE"], ["../../crates/urlid-psl/LICENSE-MPL", "LICENSE-MPL"]]) {
  cpSync(join(here, from), join(folder, to), { dereference: true });
}
