// Workers in workerd, the runtime of Cloudflare Workers, as Wrangler makes them: bundled by esbuild, started by Miniflare.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Starts a worker from its source. `require` finds the packages, and `alias` has paths for other names that the source imports. */
export async function startWorker(require, source, alias = {}) {
  const folder = mkdtempSync(join(tmpdir(), "urlid-workerd-"));
  const esbuild = require("esbuild");
  await esbuild.build({
    entryPoints: [source],
    bundle: true,
    format: "esm",
    outdir: folder,
    entryNames: "worker",
    conditions: ["workerd", "worker", "browser"],
    loader: { ".wasm": "copy" },
    nodePaths: require.resolve.paths("urlid"),
    alias,
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
