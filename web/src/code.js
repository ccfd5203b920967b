// The WebAssembly of the library. It is in the page as compressed text, and inflated by the browser, ten times as fast as by JavaScript.

import { $ } from "./dom.js";

globalThis.urlidCode = {};

/** Makes a module ready for use: `core`, `forms` or `search`. */
export async function inflate(name) {
  const text = atob($(`${name}-code`).textContent);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  // Written at once: a stream of a Blob would wait for the rest of the page to be read, piece by piece.
  const { readable, writable } = new DecompressionStream("deflate-raw");
  const writer = writable.getWriter();
  // Not awaited: neither ends before the other side is read, which begins below.
  writer.write(bytes);
  writer.close();
  globalThis.urlidCode[name] = new Uint8Array(await new Response(readable).arrayBuffer());
}
