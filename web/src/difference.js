// What differs between two texts, marked.

import { h, seen } from "./dom.js";

/** Returns `after` as children of an element, marked what lies between the ends that it shares with `before`. */
export function difference(before, after) {
  let start = 0;
  while (start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  // The ends do not overlap: in `aa` and `aaa` one `a` is new.
  while (end < Math.min(after.length, before.length) - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const stop = after.length - end;
  return [...seen(after.slice(0, start)), start < stop && h("mark", {}, ...seen(after.slice(start, stop))), ...seen(after.slice(stop))].filter(Boolean);
}
