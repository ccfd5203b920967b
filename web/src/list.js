// A hidden list: what its publisher lists, what everybody sees, and where the URL above meets it.

import { $, h, prose, seen } from "./dom.js";
import { bind, get, watch } from "./state.js";
import { read } from "./typed.js";
import { attempt, forms } from "./urlid.js";

/** What the list was read from, if it is a file. */
let file;
let list;

export function startList() {
  bind($("listed"), "listed");
  bind($("covers"), "covers");
  $("list-file").addEventListener("change", async (event) => {
    const [chosen] = event.target.files;
    file = chosen && { name: chosen.name, bytes: new Uint8Array(await chosen.arrayBuffer()) };
    remake();
  });
  watch(["listed", "covers"], () => {
    file = undefined;
    $("list-file").value = "";
    remake();
  });
  watch(["url"], match);
}

function remake() {
  const { good, bad } = file ? { bad: [] } : sorted($("listed").value);
  const made = attempt(() => (file ? forms().List.parse(file.bytes) : make(good)));
  $("bad-lines").replaceChildren(...bad.map(badLine));
  list?.free();
  list = made.value;
  $("published").replaceChildren(made.error ? h("span", { class: "error" }, `${made.error.code}: ${made.error.message}`) : shown(list));
  match();
}

const make = (lines) => forms().List.make(lines, { covers: $("covers").value });

/** Returns the lines that can be listed, and the others with their numbers. */
function sorted(text) {
  const lines = text.split("\n").map((line, index) => ({ number: index + 1, text: line.trim() })).filter(({ text }) => text);
  // Most lists are good as they are.
  if (!attempt(() => make(lines.map(({ text }) => text)).free()).error) return { good: lines.map(({ text }) => text), bad: [] };
  // One bad line fails a whole list, so each is tried alone to find them all.
  const tried = lines.map((line) => ({ ...line, ...attempt(() => make([line.text]).free()) }));
  return { good: tried.filter(({ error }) => !error).map(({ text }) => text), bad: tried.filter(({ error }) => error) };
}

function badLine({ number, error }) {
  return h("p", {}, `Line ${number} is left out: `, h("code", { class: "error" }, error.code), " ", ...prose(error.message));
}

/** Returns the text form, cut where a file is long. */
function shown(list) {
  const text = list.toText();
  const end = text.length > 20_000 ? text.lastIndexOf("\n", 20_000) : text.length;
  return text.slice(0, end) + (end < text.length ? "\n…" : "");
}

function match() {
  const { url } = read(get("url"));
  // An empty field is nothing to look up.
  const { value, error } = list && url !== "" ? attempt(() => ({ found: list.check(url), expressions: list.expressions(url) })) : {};
  $("expressions").replaceChildren(...(value?.expressions ?? []).map(expression));
  const verdict = $("verdict");
  verdict.className = error ? "rejected" : value?.found ? "match" : "";
  verdict.replaceChildren(...text(value, error));
}

function text(value, error) {
  if (error) return [h("code", { class: "error" }, error.code), " The URL cannot be looked up: ", ...prose(error.message)];
  if (!value) return ["\u00a0"];
  return value.found ? [h("strong", {}, "Listed."), " It matches ", h("code", {}, value.found.entry)] : [h("strong", {}, "Not listed.")];
}

function expression({ canonical, entry }) {
  return h("li", { class: entry ? "match" : null }, h("code", {}, ...seen(canonical)), h("span", {}, entry ? "in the list" : "not in the list"));
}
