// The URL coloured by slice, the identifier below it, and what the chosen slice is the hash of.

import { browserFact } from "./browser.js";
import { showDecoded } from "./decoded.js";
import { $, facts, fill, h, prose, seen } from "./dom.js";
import { chooseByPointer, showMirror } from "./editor.js";
import { showNote } from "./note.js";
import { drawRibbons } from "./ribbons.js";
import { showReadout } from "./readout.js";
import { bind, get, set, watch } from "./state.js";
import { read } from "./typed.js";
import { firstLine, hasUnseen } from "./unseen.js";
import { attempt, core } from "./urlid.js";

const EXAMPLES = [
  ["all parts", "https://docs.example.co.uk:8443/guide/urls?lang=en#ids"],
  ["untidy", "HTTP://www.Example.COM:80/a/../b//%7Ec?utm_source=x&b=2&a=1#top"],
  ["private suffix", "https://alice.github.io/notes/"],
  ["not ASCII", "https://www.bücher.example/straße?q=ü"],
  ["credentials", "https://user:secret@example.com/"],
  ["no SXURL", "http://192.0.2.7/status"],
  ["an SXURL", "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356"],
  ["a hashed URI", "hashed:sha1=651de0d24dc55138c24765bbb0119e17f8d4375a"],
];

/** The slices in the order of the identifier, and how many digits each has. */
const SLICES = { header: 3, tld: 4, domain: 15, sub: 8, port: 4, path: 15, params: 9, frag: 6 };

const KINDS = {
  url: "A URL",
  sxurl: "An SXURL, decoded",
  "hashed-uri": "A hashed URI",
  "url-hash": "A url-hash",
  "url-short-hash": "A short url-hash",
  "url-very-short-hash": "A very short url-hash",
};

/** The facts that are shown, with the names they get. */
const FACTS = {
  sxurl: "SXURL",
  sxurlText: "SXURL normal text",
  web: "URL Standard",
  urlHash: "url-hash",
  urlShortHash: "url-hash, 16 bytes",
  urlVeryShortHash: "url-hash, 8 bytes",
  hashedUri: "Hashed URI",
  algorithm: "Algorithm",
  digest: "Digest",
  kept: "Kept",
  variant: "Variant",
};

let explanation;
/** Why there is no identifier by slices, as elements. */
let reason;

export function startExplain() {
  bind($("url"), "url", firstLine);
  $("examples").append(...EXAMPLES.map(([name, url]) =>
    h("button", { type: "button", title: url, onclick: () => set({ url }, { isStep: true }) }, name)));
  bind($("guess"), "guess");
  watch(["url"], ({ url }) => show(url));
  performance.mark("answer");
  watch(["part"], choose);
  watch(["guess"], ({ guess }) => showDecoded(explanation, guess));
  chooseByPointer($("url"), $("mirror"));
  new ResizeObserver(() => drawRibbons()).observe($("id"));
  // Another font has other widths, which move the parts but may leave the size of the identifier as it is.
  document.fonts?.ready.then(() => drawRibbons());
}

function show(text) {
  const { url, added } = read(text);
  // An empty field is not an error.
  const { value, error } = url === "" ? {} : attempt(() => core.explain(url));
  explanation = value ?? { kind: null, parts: [] };
  showMirror($("mirror"), text, placed(added));
  showNote($("note"), text, url);
  showUnseen(text);
  showId();
  showDecoded(explanation, get("guess"));
  reason = url === "" ? [h("span", { class: "hint" }, "Type a URL, or paste an identifier.")] : whyNoSlices(error);
  showFacts(url, error);
  const what = error ? `${error.code}: ${error.message}` : KINDS[explanation.kind] ?? "";
  // Every change of a status is read out.
  if ($("what").textContent !== what) $("what").textContent = what;
  choose();
}

function whyNoSlices(error) {
  const rejected = error ?? rejection(explanation.sxurl);
  const about = error ? "" : rejected ? "No SXURL: " : `${KINDS[explanation.kind]}. It has no slices.`;
  return [rejected && h("code", { class: "error" }, rejected.code), " ", about, ...prose(rejected?.message ?? "")];
}

function rejection(fact) {
  return fact?.error ? { code: fact.error, message: fact.message } : undefined;
}

/** Returns the parts with their places in the field; `added` characters before its text are not in it. */
function placed(added) {
  const isId = explanation.kind === "sxurl";
  return explanation.parts.map((part) => ({
    name: part.name,
    from: isId ? part.hexStart : Math.max(0, part.start - added),
    to: isId ? part.hexEnd : part.end - added,
  }));
}

/** Shows what the input cannot: blanks at its ends, which are part of the URL and can be removed, and unseen characters. */
function showUnseen(url) {
  const trimmed = url.trim();
  const start = url.length - url.trimStart().length;
  const blanks = url.length - trimmed.length;
  const isShown = blanks > 0 || hasUnseen(url);
  $("unseen").hidden = !isShown;
  if (!isShown) return fill($("unseen"));
  const ends = [url.slice(0, start), url.slice(start + trimmed.length)].map(shownBlanks);
  fill($("unseen"),
    blanks > 0 ? "Blanks at the ends belong to the URL: " : "Some characters show nothing, or change how others are shown: ",
    h("code", {}, ...ends[0], ...seen(trimmed), ...ends[1]),
    blanks > 0 && h("button", { type: "button", onclick: () => set({ url: trimmed }) }, "Remove the blanks"));
}

/** Returns blanks as children of an element. The sign of a space is drawn, since few fonts have it. */
function shownBlanks(text) {
  return [...text].flatMap((character) => (character === " " ? h("span", { class: "blank" }, "␠") : seen(character)));
}

/** Shows the slices; without an identifier, their empty places. */
function showId() {
  const byName = new Map(explanation.parts.filter((part) => part.digits).map((part) => [part.name, part]));
  $("id").classList.toggle("empty", byName.size === 0);
  $("id").replaceChildren(...Object.entries(SLICES).map(([name, length]) => (byName.size === 0 ? place(name, length) : slice(byName.get(name)))));
}

function place(name, length) {
  return h("span", { class: "slice absent", "aria-hidden": "true" },
    h("span", { class: "digits" }, "·".repeat(length)), h("span", { class: "name" }, name));
}

function slice(part) {
  const isAbsent = part.name === "port" ? /^0+$/.test(part.digits) : part.value === "";
  const value = part.value ? ` of ${part.value}` : isAbsent ? ", absent" : "";
  return h("button", {
    type: "button",
    "data-part": part.name,
    "aria-controls": "readout",
    class: isAbsent ? "slice absent" : "slice",
    onpointerenter: (event) => event.pointerType === "mouse" && set({ part: part.name }),
    onfocus: () => set({ part: part.name }),
    onclick: () => set({ part: part.name }),
    onkeydown: walk,
  }, h("span", { class: "digits" }, part.digits), h("span", { class: "name" }, part.name, h("span", { class: "visually-hidden" }, value)));
}

/** The arrow keys go from slice to slice. */
function walk(event) {
  const step = { ArrowRight: "nextElementSibling", ArrowLeft: "previousElementSibling" }[event.key];
  if (!step) return;
  event.preventDefault();
  event.currentTarget[step]?.focus();
}

function showFacts(url, error) {
  const rows = Object.entries(FACTS)
    .filter(([key]) => explanation[key] !== undefined)
    .flatMap(([key, name]) => {
      const fact = explanation[key];
      const row = { name, value: fact, error: rejection(fact) };
      return key === "web" ? [row, browserFact(url, fact)] : [row];
    });
  if (error && rows.length === 0) rows.push({ name: "Rejected", error }, browserFact(url));
  $("facts").replaceChildren(...facts(rows));
}

function choose() {
  const name = get("part");
  for (const element of document.querySelectorAll("#explain [data-part]")) {
    const isChosen = element.dataset.part === name;
    element.classList.toggle("chosen", isChosen);
    if (element.matches(".slice")) element.setAttribute("aria-pressed", String(isChosen));
  }
  if ($("id").matches(".empty")) fill($("readout"), h("p", {}, reason.filter(Boolean)));
  else showReadout($("readout"), explanation, explanation.parts.find((part) => part.name === name));
  drawRibbons();
}
