// Workers in workerd, the runtime of Cloudflare Workers, as Wrangler makes them: bundled by esbuild, started by Miniflare.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Modules of WebAssembly as the edge of Vercel has them imported. */
const asModule = {
  name: "as-module",
  setup(build) {
    build.onResolve({ filter: /\.wasm\?module$/ }, ({ path, resolveDir }) => ({ path: join(resolveDir, path.replace("?module", "")) }));
  },
};

/**
 * Starts a worker from its source. `require` finds the packages, `alias` has paths for other names that the source imports, and
 * `conditions` select the files of a package.
 */
export async function startWorker(require, source, { alias = {}, conditions = ["workerd", "worker", "browser"] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "urlid-workerd-"));
  const esbuild = require("esbuild");
  await esbuild.build({
    entryPoints: [source],
    bundle: true,
    format: "esm",
    outdir: folder,
    entryNames: "worker",
    conditions,
    loader: { ".wasm": "copy" },
    nodePaths: require.resolve.paths("urlid"),
    alias,
    plugins: [asModule],
    logLevel: "warning",
  });
  await esbuild.stop();
  const { Miniflare } = require("miniflare");
  return new Miniflare({
    modules: true,
    modulesRoot: folder,
    scriptPath: join(folder, "worker.js"),
    modulesRules: [{ type: "CompiledWasm", include: ["**/*.wasm"] }],
    compatibilityDate: "2026-01-01",
  });
}
