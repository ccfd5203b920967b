// The note below a field: how its text is read, and which parts are not in the address.

import { withoutCredentials } from "./credentials.js";
import { fill, h, seen } from "./dom.js";

export function showNote(place, text, url) {
  const notes = [
    url !== text && ["Read as ", h("code", {}, ...seen(url)), ": no scheme is written."],
    withoutCredentials(text) !== text && "The credentials stay in this field. They are neither in the address of the page nor in links to it.",
  ].filter(Boolean);
  place.hidden = notes.length === 0;
  fill(place, notes.map((note) => h("span", {}, ...[note].flat())));
}
