// What differs between two texts, marked.

import { h, seen } from "./dom.js";

/** Returns the second text as children of an element, marked what lies between the ends that it shares with the first. */
export function difference(...texts) {
  // By characters: a UTF-16 unit can be half of one.
  const [before, after] = texts.map((text) => [...text]);
  let start = 0;
  while (start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  // The ends do not overlap: in `aa` and `aaa` one `a` is new.
  while (end < Math.min(after.length, before.length) - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const stop = after.length - end;
  const piece = (from, to) => seen(after.slice(from, to).join(""));
  return [...piece(0, start), start < stop && h("mark", {}, ...piece(start, stop)), ...piece(stop)].filter(Boolean);
}
