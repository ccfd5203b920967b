// Bundles the page into one file: `node build.mjs MODULES PACKAGE OUT`.
//
// MODULES is the `node_modules` folder of package.json, PACKAGE that of the npm package of urlid. `cargo xtask web` calls this.

import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [modules, urlid, out] = process.argv.slice(2);
const source = join(dirname(fileURLToPath(import.meta.url)), "src");
const esbuild = createRequire(join(modules, "package.json"))("esbuild");
const { version } = JSON.parse(await readFile(join(urlid, "package.json"), "utf8"));
const pieces = {};

/** Takes the compressed WebAssembly out of the package, which gets its name instead, and the inflater of the page. */
const codeApart = {
  name: "code-apart",
  setup(build) {
    build.onResolve({ filter: /^fflate$/ }, () => ({ path: join(source, "inflate.js") }));
    build.onLoad({ filter: /\.wasm\.js$/ }, async ({ path }) => {
      const name = basename(path, ".wasm.js");
      pieces[`${name}-code`] = (await import(pathToFileURL(path))).default;
      return { contents: `export default btoa("${name}")` };
    });
  },
};

async function bundle(entry, options = {}) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    legalComments: "none",
    format: "iife",
    target: "es2022",
    charset: "utf8",
    nodePaths: [modules],
    alias: { urlid: join(urlid, "urlid.js"), "urlid/search": join(urlid, "search.js") },
    loader: { ".wasm": "binary", ".woff2": "dataurl" },
    // Of modules only: the wrapper of SQLite looks for files beside itself, and is given them instead.
    define: { "import.meta.url": '"file:///"', URLID_VERSION: JSON.stringify(version) },
    plugins: [codeApart],
    logLevel: "warning",
    ...options,
  });
  return outputFiles[0].text.trim();
}

pieces.style = await bundle(join(source, "style/page.css"));
pieces.core = await bundle(join(urlid, "urlid.js"), { globalName: "urlid" });
pieces.forms = await bundle(join(urlid, "forms.js"), { globalName: "urlidForms" });
pieces.page = await bundle(join(source, "page.js"), { globalName: "urlidPage" });
pieces.worker = await bundle(join(source, "index/worker.js"));
// Each tenth homepage is enough to ask questions.
const homepages = await readFile(join(source, "../../samples/debian_homepages.txt"), "utf8");
pieces.sample = homepages.split("\n").filter((_, line) => line % 10 === 0).join("\n");
const page = await readFile(join(source, "index.html"), "utf8");
await writeFile(out, page.replace(/\/\*\{([\w-]+)\}\*\//g, (_, name) => pieces[name]));
