// Puts the package together: node assemble.mjs FOLDER CORE.wasm FORMS.wasm
//
// A module is compressed and written as base64 into a file of JavaScript, so that Node, browsers, Deno and every bundler take
// it without configuration, and it is there without waiting. Hosts that compile no code at run time take the module itself: of a file
// that Cloudflare's workerd imports by its name, and that the edge of Vercel imports with `?module`.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";

const [folder, core, forms] = process.argv.slice(2);
const here = import.meta.dirname;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
cpSync(join(here, "package"), folder, { recursive: true });
for (const [name, path] of [["core", core], ["forms", forms]]) {
  const module = readFileSync(path);
  const text = deflateRawSync(module, { level: 9 }).toString("base64");
  const write = (file, content) => writeFileSync(join(folder, "lib", `${name}.${file}`), content);
  write("wasm.js", `// Compressed WebAssembly in base64.\nexport default "${text}";\n`);
  write("wasm", module);
  write("workerd.js", `// A module that workerd has compiled.\nexport { default } from "./${name}.wasm";\n`);
  write("edge.js", `// A module that the bundler has compiled.\nexport { default } from "./${name}.wasm?module";\n`);
}
// The same types for CommonJS, whose files have names of their own.
for (const name of ["urlid", "forms", "search"]) {
  const types = readFileSync(join(folder, `${name}.d.ts`), "utf8");
  writeFileSync(join(folder, `${name}.d.cts`), types.replaceAll(/from "\.\/(\w+)\.js"/g, 'from "./$1.cjs"'));
}
for (const [from, to] of [["README.md", "README.md"], ["../../LICENSE-MIT", "LICENSE-MIT"], ["../../LICENSE-APACHE", "LICENSE-APACHE"], ["../../crates/urlid-psl/LICENSE-MPL", "LICENSE-MPL"]]) {
  cpSync(join(here, from), join(folder, to), { dereference: true });
}
