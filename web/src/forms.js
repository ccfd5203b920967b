// Canonical forms side by side, with the rules that changed something.

import { difference } from "./difference.js";
import { $, h, prose } from "./dom.js";
import { set, watch } from "./state.js";
import { read } from "./typed.js";
import { attempt, forms } from "./urlid.js";

const STEPS = [
  ["drop-fragment", "drops the fragment"],
  ["drop-anchor", "drops the fragment unless it starts with ! or /"],
  ["sort-query", "sorts the fields of the query"],
  ["drop-tracking@firefox-46740ded", "drops the fields that Firefox drops from shared links"],
  ["drop-session", "drops session identifiers"],
  ["drop-values", "keeps only the names of the fields of the query"],
  ["strip-www", "strips www from the host"],
  ["trailing-slash", "drops one slash at the end of the path"],
  ["https", "turns http into https where no port is written"],
];

export function startForms() {
  $("steps").append(...STEPS.map(([name, does]) => h("label", { title: does },
    h("input", { type: "checkbox", value: name, onchange: choose }), `+${name.split("@")[0]}`)));
  const all = forms().forms();
  watch(["steps"], ({ steps }) => {
    const chosen = steps.split(" ");
    for (const box of $("steps").querySelectorAll("input")) box.checked = chosen.includes(box.value);
  });
  watch(["url", "steps"], ({ url, steps }) => show(all, read(url).url, steps.split(" ").filter(Boolean)));
}

function choose() {
  const boxes = [...$("steps").querySelectorAll("input:checked")];
  set({ steps: boxes.map((box) => box.value).join(" ") }, { isStep: true });
}

function show(all, url, steps) {
  // The list is made anew, and what was unfolded stays so.
  const open = new Set([...$("form-list").querySelectorAll("details[open]")].map((item) => item.dataset.form));
  $("form-list").replaceChildren(...all.map((form) => {
    const name = [form.name, ...(form.kind === "url" ? steps : [])].join("+");
    return item(form, name, url, open.has(form.name));
  }));
}

function item(form, name, url, isOpen) {
  // An empty field is not an error.
  const { value, error } = url === "" ? { value: { canonical: "" } } : attempt(() => forms().explainForm(url, name));
  const failed = error ?? (value.error ? { code: value.error, message: value.message } : undefined);
  const changes = value?.changes ?? [];
  const count = url === "" ? "" : changes.length === 0 ? "unchanged" : changes.length === 1 ? "1 rule" : `${changes.length} rules`;
  return h("details", { "data-form": form.name, open: isOpen },
    h("summary", {},
      h("span", { class: "form-name" }, name),
      h("span", { class: "form-value" }, failed ? [h("code", { class: "error" }, failed.code), " ", ...prose(failed.message)] : h("code", {}, difference(url, value.canonical))),
      h("span", { class: "form-count" }, failed ? "rejected" : count)),
    h("div", { class: "form-body" },
      h("p", {}, prose(form.about)),
      changes.length > 0 && h("ol", {}, changes.map(change))));
}

function change({ rule, clause, before, after }) {
  return h("li", {},
    h("p", {}, h("code", { class: "rule" }, rule), " ", prose(clause)),
    h("p", { class: "before" }, h("span", { class: "visually-hidden" }, "before: "), h("code", {}, difference(after, before))),
    h("p", { class: "after" }, h("span", { class: "visually-hidden" }, "after: "), h("code", {}, difference(before, after))));
}
