// Runs every file of vectors over the functions of the installed package, in any host with Node's modules. `vectors.mjs` prints
// the number of passed vectors. Environment variables name the files and the module that reads them.

import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { deflateRawSync } from "node:zlib";

import * as urlid from "urlid";
import * as forms from "urlid/forms";
import * as suffix from "urlid/suffix";

import { runner } from "./surface.mjs";

const { Module } = await import(new URL("./lib/module.js", import.meta.resolve("urlid")));
const module = deflateRawSync(readFileSync(process.env.URLID_JS_VECTORS)).toString("base64");
const folder = process.env.URLID_VECTORS;

export const { run, comparePaths } = runner(Module, module, urlid, forms);
/** The same with the functions of only the module of suffixes. */
export const { run: runBySuffix } = runner(Module, module, { ...urlid, ...suffix }, forms);
export const files = readdirSync(folder).filter((name) => name.endsWith(".json"));

export function read(name) {
  return readFileSync(`${folder}/${name}`, "utf8");
}

/** Runs all files, and throws with the vectors that failed. */
export function runAll(run) {
  const results = files.map((name) => run(read(name)));
  const failures = results.flatMap(({ failures }) => failures);
  if (failures.length > 0) throw new Error(JSON.stringify(failures, null, 2));
  return results.reduce((sum, { passed }) => sum + passed, 0);
}

if (process.argv[1]?.endsWith("vectors.mjs")) console.log(runAll(run));
