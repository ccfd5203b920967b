// Explains a URL as data.

import { core } from "./core.js";
import { optionsOf } from "./options.js";

/** Returns the kind of a text, and its parts with their digits. Offsets are UTF-16 code units, like the indices of strings. */
export function explain(text) {
  const explanation = inCamelCase(core.call("explain", text));
  explanation.parts = explanation.parts.map(inCamelCase);
  if (isAscii(explanation.text)) return explanation;
  const bytes = new TextEncoder().encode(explanation.text);
  const index = (offset) => new TextDecoder().decode(bytes.subarray(0, offset)).length;
  for (const part of explanation.parts) {
    if ("start" in part) [part.start, part.end] = [index(part.start), index(part.end)];
  }
  return explanation;
}

/** Names in the program's JSON have `-` and `_`. */
function inCamelCase(object) {
  const name = (name) => name.replace(/[-_](.)/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [name(key), value]));
}

/** In such a text, bytes and characters have the same offsets. */
function isAscii(text) {
  return /^[\0-\x7f]*$/.test(text);
}

/** Returns which tokens of a base and a reference are part of the target of goto. */
export function explainGoto(base, reference, options) {
  const { nonstrict = false } = optionsOf(options, { nonstrict: "flag" });
  return core.call("explain_goto", base, reference, nonstrict);
}

/** Returns the formats that a text can have, the most specific first. */
export function detect(text) {
  return core.call("detect", text);
}

/**
 * Returns the data versions that an identifier depends on in addition to its specification. The default is the line of this
 * package.
 */
export function snapshot(line) {
  return core.call("snapshot", line);
}
