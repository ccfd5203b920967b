// A hidden list: what its publisher lists, what everybody sees, and where the URL above meets it.

import { $, h, prose, seen } from "./dom.js";
import { bind, watch } from "./state.js";
import { attempt, forms } from "./urlid.js";

/** What the list was read from, if it is a file. */
let file;
let list;

export function startList() {
  bind($("listed"), "listed");
  bind($("ladder"), "ladder");
  $("list-file").addEventListener("change", async (event) => {
    const [chosen] = event.target.files;
    file = chosen && { name: chosen.name, bytes: new Uint8Array(await chosen.arrayBuffer()) };
    remake();
  });
  watch(["listed", "ladder"], () => {
    file = undefined;
    $("list-file").value = "";
    remake();
  });
  watch(["url"], match);
}

function remake() {
  const made = attempt(() => (file ? forms().List.parse(file.bytes) : forms().List.make(lines($("listed").value), { ladder: $("ladder").value })));
  list?.free();
  list = made.value;
  $("published").replaceChildren(made.error ? h("span", { class: "error" }, `${made.error.code}: ${made.error.message}`) : shown(list));
  match();
}

const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

/** Returns the text form, cut where a file is long. */
function shown(list) {
  const text = list.toText();
  const end = text.length > 20_000 ? text.lastIndexOf("\n", 20_000) : text.length;
  return text.slice(0, end) + (end < text.length ? "\n…" : "");
}

function match() {
  const url = $("url").value;
  const { value, error } = list ? attempt(() => ({ found: list.check(url), rungs: list.rungs(url) })) : {};
  $("rungs").replaceChildren(...(value?.rungs ?? []).map(rung));
  const verdict = $("verdict");
  verdict.className = error ? "refused" : value?.found ? "match" : "";
  verdict.replaceChildren(...text(value, error));
}

function text(value, error) {
  if (error) return [h("code", { class: "error" }, error.code), " The URL cannot be looked up: ", ...prose(error.message)];
  if (!value) return ["\u00a0"];
  return value.found ? [h("strong", {}, "Listed."), " It matches ", h("code", {}, value.found.entry)] : [h("strong", {}, "Not listed.")];
}

function rung({ canonical, entry }) {
  return h("li", { class: entry ? "match" : null }, h("code", {}, ...seen(canonical)), h("span", {}, entry ? "in the list" : "not in the list"));
}
