// Tokens, and which of them survive when one goes from a base to a reference.

import { $, facts, h, seen } from "./dom.js";
import { bind, watch } from "./state.js";
import { read } from "./typed.js";
import { attempt, core } from "./urlid.js";

const KINDS = ["scheme", "authority", "drive", "root", "directory", "file", "query", "fragment"];

export function startGoto() {
  bind($("reference"), "reference");
  bind($("mode"), "mode");
  watch(["url", "reference", "mode"], ({ url, reference, mode }) => show(read(url).url, reference, mode === "nonstrict"));
}

function show(url, reference, nonstrict) {
  const { value, error } = attempt(() => core.explainGoto(url, reference, { nonstrict }));
  // An empty field is not an error.
  const rows = url === "" ? [] : [{ name: "A browser opens", ...attempt(() => core.resolve(url, reference)) }];
  if (error) {
    $("tokens").replaceChildren();
    $("targets").replaceChildren(...facts([{ name: "Target", error }, ...rows]));
    return;
  }
  $("tokens").replaceChildren(h("caption", { class: "visually-hidden" }, "Tokens by type; those that do not survive are struck through"), ...table(value));
  if (url === "") return $("targets").replaceChildren();
  const target = value.target.error ? { error: { code: value.target.error, message: value.target.message } } : { value: value.target };
  $("targets").replaceChildren(...facts([{ name: "Target", ...target }, ...rows]));
}

/** A column for each token. Directories of the base stand before those of the reference, for both survive. */
function table({ base, reference }) {
  const columns = KINDS.flatMap((kind) => {
    const [above, below] = [base, reference].map((tokens) => tokens.filter((token) => token.kind === kind));
    const pairs = kind === "directory"
      ? [...above.map((token) => [token, null]), ...below.map((token) => [null, token])]
      : Array.from({ length: Math.max(above.length, below.length) }, (_, index) => [above[index], below[index]]);
    return pairs.map(([one, other]) => ({ kind, one, other }));
  });
  const row = (name, cells) => h("tr", {}, h("th", { scope: "row" }, name), cells);
  return [
    h("thead", {}, h("tr", {}, h("td"), columns.map(({ kind }) => h("th", { scope: "col" }, kind)))),
    h("tbody", {},
      row("base", columns.map(({ one }) => cell(one))),
      row("reference", columns.map(({ other }) => cell(other)))),
  ];
}

function cell(token) {
  if (!token) return h("td");
  const text = h("code", {}, ...(token.text === "" ? ["''"] : seen(token.text)));
  return h("td", { class: token.survives ? "kept" : "dropped" },
    token.survives ? text : h("del", {}, text, h("span", { class: "visually-hidden" }, " (does not survive)")));
}
