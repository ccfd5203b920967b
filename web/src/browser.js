// What the browser itself makes of a URL, beside the URL Standard of the library.

import { h, seen } from "./dom.js";

/** Returns a fact: whether the class `URL` of this browser gives what the library gives. */
export function browserFact(url, fact) {
  const own = URL.canParse(url) ? new URL(url).href : undefined;
  const ours = typeof fact === "string" ? fact : undefined;
  return { name: "Your browser", said: own === ours ? ["same", own === undefined && ": it rejects this, too"].filter(Boolean) : ["differs: ", answer(own)].flat() };
}

function answer(own) {
  return own === undefined ? "it rejects this" : h("code", {}, ...seen(own));
}
