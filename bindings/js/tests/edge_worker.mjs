// A worker of workerd that runs files of vectors over the package.

import * as urlid from "urlid";
import * as forms from "urlid/forms";
import { Module } from "urlid-module";
import vectors from "vectors.wasm";

import { runner } from "./surface.mjs";

export default {
  async fetch(request) {
    const { run, comparePaths } = runner(Module, vectors, urlid, forms);
    if (new URL(request.url).pathname === "/paths") return Response.json(comparePaths(new Uint8Array(64 * 40).fill(37)));
    return Response.json(run(await request.text()));
  },
};
