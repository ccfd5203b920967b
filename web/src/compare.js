// Two URLs: their parts one below the other, and which identifiers and canonical forms are the same.

import { difference } from "./difference.js";
import { $, fill, h, prose, seen } from "./dom.js";
import { chooseByPointer, showMirror } from "./editor.js";
import { showNote } from "./note.js";
import { drawRibbons } from "./ribbons.js";
import { bind, get, set, watch } from "./state.js";
import { read } from "./typed.js";
import { firstLine } from "./unseen.js";
import { core, forms } from "./urlid.js";

/** The colour of each part: that of the slice which most of it is in. */
const COLOURS = {
  scheme: "header", user: "user", password: "user", host: "domain", port: "port", path: "path", query: "params", fragment: "frag",
};

export function startCompare() {
  bind($("other"), "other", firstLine);
  $("compare").addEventListener("click", () => {
    set({ compare: get("compare") ? "" : "1" }, { isStep: true });
    if (get("compare")) $("other").focus();
  });
  chooseByPointer($("other"), $("other-mirror"));
  watch(["compare"], ({ compare }) => {
    $("explain").classList.toggle("comparing", compare !== "");
    $("second").hidden = $("comparison").hidden = compare === "";
    $("compare").textContent = compare ? "Explain the first URL alone" : "Compare with another URL";
  });
  watch(["compare", "url", "other"], ({ compare, url, other }) => compare && show(url, other));
}

function show(...texts) {
  const [a, b] = texts.map(read);
  const diff = forms().diff(a.url, b.url);
  for (const [index, mirror] of [$("mirror"), $("other-mirror")].entries()) {
    showMirror(mirror, texts[index], places([a, b][index], diff.parts));
  }
  showNote($("other-note"), texts[1], b.url);
  const isWhole = a.url !== "" && b.url !== "";
  fill($("comparison"), isWhole ? answer(diff) : h("p", { class: "hint" }, "Type a URL into each field."));
  for (const element of document.querySelectorAll("#explain .editor [data-part]")) {
    element.classList.toggle("chosen", element.dataset.part === get("part"));
  }
  drawRibbons();
}

/** Returns where the parts of a URL are in its field, whose text lacks the first `added` characters. */
function places({ url, added }, parts) {
  const written = new core.Reference(url, "rfc3986");
  const before = {
    scheme: "", user: "//", password: ":", host: written.user === null ? "//" : "@", port: ":",
    path: written.authority === null && written.scheme !== null ? ":" : "", query: "?", fragment: "#",
  };
  const differing = new Set(parts.filter(({ same }) => !same).map(({ part }) => part));
  const found = [];
  let end = 0;
  for (const part of Object.keys(before).filter((part) => written[part] !== null)) {
    const start = url.indexOf(before[part], end) + before[part].length;
    end = start + written[part].length;
    found.push({ name: COLOURS[part], from: Math.max(0, start - added), to: end - added, class: differing.has(part) ? "differs" : null });
  }
  return found;
}

function answer({ parts, verdict, identifiers, forms }) {
  const [word, kind] = { true: ["The same", "same"], false: ["Different", "different"], null: ["Not comparable", "rejected"] }[verdict.same];
  return [
    h("p", { class: `verdict ${kind}` }, h("strong", {}, word), " under ", h("code", {}, verdict.name), ...reasons(verdict)),
    h("table", { class: "parts" },
      h("caption", { class: "visually-hidden" }, "Parts of both URLs as they are written"),
      h("tbody", {}, parts.map(partRow))),
    answerTable("Identifiers", identifiers),
    answerTable("Canonical forms", forms)];
}

function answerTable(name, comparisons) {
  return h("table", { class: "answers" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, name), h("td"), h("td"))),
    h("tbody", {}, comparisons.map(answerRow)));
}

/** The sign and the marks show what differs, so that colour is not needed to see it. */
function partRow({ part, a, b, same }) {
  const cell = (text, other) => h("td", {}, text === null ? h("span", { class: "hint" }, "absent") : h("code", {}, same ? seen(text) : difference(other ?? "", text)));
  return h("tr", { class: same ? "same" : "different", "data-row": part },
    h("th", { scope: "row", "data-part": COLOURS[part] }, part),
    h("td", { class: "sign" }, same ? "=" : "≠", h("span", { class: "visually-hidden" }, same ? " the same" : " different")),
    cell(a, b), cell(b, a));
}

function answerRow(comparison) {
  const kind = { true: "same", false: "different", null: "rejected" }[comparison.same];
  return h("tr", { class: kind, "data-row": comparison.name },
    h("th", { scope: "row" }, h("code", {}, comparison.name)),
    h("td", { class: "answer" }, kind),
    // Without the `: `, since the answer is in a cell of its own.
    h("td", { class: "reasons" }, ...reasons(comparison).slice(1)));
}

/** Returns what differs, what is ignored and what is rejected as children of an element, `: ` first. */
function reasons({ a, b, differs, ignores }) {
  const rejected = [["first", a], ["second", b]].filter(([, fact]) => fact.error);
  const all = [
    ...rejected.map(([which, fact]) => [`${which}: `, h("code", {}, fact.error), " ", ...prose(fact.message)]),
    differs.length > 0 && [differs.join(", ")],
    ignores.length > 0 && [`ignores ${ignores.join(", ")}`],
  ].filter(Boolean);
  return all.flatMap((reason, index) => [index === 0 ? ": " : "; ", ...reason]);
}
