// What the chosen slice is made of: the message that is hashed, and which digits of its digest the identifier holds.

import { h, prose, seen } from "./dom.js";

const LABELS = {
  header: "version, scheme and flags",
  tld: "public suffix",
  domain: "label left of the public suffix",
  sub: "everything left of the domain",
  port: "port, as a number",
  path: "path as written",
  params: "query as written",
  frag: "fragment as written",
};

/** Shows a part of an explanation, or how to choose one. */
export function showReadout(place, explanation, part) {
  if (!part) return place.replaceChildren(h("p", { class: "hint" }, "Choose a slice to see its text and its hash."));
  const bits = part.digits ? `${part.digits.length * 4} bits, digits ${part.hexStart} to ${part.hexEnd - 1}` : "";
  place.replaceChildren(
    h("p", { class: "title", "data-part": part.name },
      h("strong", {}, part.name), " ", h("span", {}, [LABELS[part.name], bits].filter(Boolean).join(" · "))),
    h("div", { class: "sum" }, made(explanation, part)));
}

function made(explanation, part) {
  if (!part.digits) return [h("p", {}, prose(part.note))];
  if (part.name === "header") return [h("p", {}, `scheme ${part.value}: ${part.note}`), result(part.digits)];
  if (part.name === "port") {
    return [h("p", {}, part.value ? `${part.value} in hexadecimal` : "no port is written"), result(part.digits)];
  }
  if (part.value == null) return [h("p", {}, "The hash alone. ", part.note, "."), result(part.digits)];
  const digest = h("code", { class: "digest" }, h("span", { class: "rest" }), h("b", { "data-part": part.name }, part.digits));
  fill(digest.firstChild, part);
  const note = explanation.kind === "sxurl" || part.value === "" || part.note ? [" (", prose(part.note), ")"].flat() : [];
  return [
    h("p", {}, "SHA-256 of ", h("code", {}, part.name, h("i", {}, "\\0"), h("b", { "data-part": part.name }, ...seen(part.value))), ...note),
    digest,
  ];
}

const result = (digits) => h("code", { class: "digest" }, h("b", {}, digits));

/** Fills in the digits of the digest that are not in the identifier, where the browser can compute them. */
async function fill(place, part) {
  const message = new TextEncoder().encode(`${part.name}\0${part.value}`);
  const digest = await globalThis.crypto?.subtle?.digest("SHA-256", message);
  if (!digest) return;
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  // An identifier holds the last digits of a digest: the others stand before them.
  if (hex.endsWith(part.digits)) place.textContent = hex.slice(0, -part.digits.length);
}
