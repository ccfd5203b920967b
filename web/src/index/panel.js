// The index browser: a file is dropped, questions go to a worker, answers are shown as they come.

import { $, fill, h, seen } from "../dom.js";
import { bind, get, set, watch } from "../state.js";
import { core } from "../urlid.js";
import { CONDITIONS, SHOWN } from "./conditions.js";

const NAMES = CONDITIONS.map(({ name }) => name);
/** What is typed for an empty text: an empty field is no condition. */
const EMPTY = '""';
const GROUPS = [
  ["registered-domain", "registered domain"], ["host", "host"], ["tld", "public suffix"], ["domain", "domain"], ["sub", "subdomain"],
  ["first-directory", "first directory"], ["path", "path"], ["query", "query"], ["fragment", "fragment"], ["port", "port"], ["scheme", "scheme"],
];
const PAGE = 200;
const PAUSE = 180;

/** The first message to a worker: which files it opens, or the sample. */
let opening;
let worker;
let isBusy = false;
let rows = [];
let timer;

export function startIndex() {
  const drop = $("drop");
  for (const type of ["dragenter", "dragover"]) document.addEventListener(type, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  for (const type of ["dragleave", "drop"]) document.addEventListener(type, () => drop.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    choose(event.dataTransfer.files);
  });
  $("index-file").addEventListener("change", (event) => choose(event.target.files));
  $("sample").addEventListener("click", openSample);
  const fields = CONDITIONS.map(({ name, label, example }) => h("div", { class: "field" },
    h("label", { for: `ask-${name}` }, label),
    h("input", { id: `ask-${name}`, type: "text", placeholder: example, spellcheck: "false", autocapitalize: "off", autocomplete: "off" })));
  const more = fields.splice(SHOWN);
  $("question").append(h("div", { class: "conditions" }, fields), h("details", { id: "more-conditions" },
    h("summary", {}, "More conditions"),
    h("div", { class: "conditions" }, more),
    h("p", {}, "Values are as written in the URLs. ", h("code", {}, EMPTY), " stands for a part that is absent.")));
  $("more-conditions").open = NAMES.slice(SHOWN).some(get);
  for (const name of NAMES) bind($(`ask-${name}`), name);
  $("question").addEventListener("submit", (event) => event.preventDefault());
  $("by").append(...GROUPS.map(([value, name]) => h("option", { value }, name)));
  bind($("by"), "by");
  $("more").addEventListener("click", () => showRows(PAGE));
  watch([...NAMES, "by"], () => {
    clearTimeout(timer);
    if (opening) timer = setTimeout(ask, PAUSE);
  });
  if (get("sample")) openSample();
}

function choose(list) {
  const chosen = [...list];
  const file = chosen.find(({ name }) => !/-(wal|shm)$/.test(name));
  if (!file) return;
  set({ sample: "" });
  openWith({ verb: "open", file, wal: chosen.find(({ name }) => name === `${file.name}-wal`) });
}

function openSample() {
  set({ sample: "1" });
  openWith({ verb: "sample", urls: $("sample-urls").textContent.trim().split("\n") });
}

function openWith(message) {
  opening = message;
  $("drop").classList.add("has-file");
  $("drop-hint").textContent = "or drop another";
  $("overview").replaceChildren("Opening…");
  $("question").hidden = true;
  $("answer").hidden = true;
  $("count").replaceChildren();
  start();
}

/** Starts a worker on the files; one that is still busy is ended. */
function start() {
  worker?.terminate();
  const address = URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" }));
  worker = new Worker(address);
  URL.revokeObjectURL(address);
  worker.addEventListener("message", ({ data }) => handlers[data.verb](data));
  worker.postMessage({ ...opening, code: globalThis.urlidCode, snapshot: core.snapshot().line });
  isBusy = true;
}

const handlers = {
  opened({ overview }) {
    isBusy = false;
    showOverview(overview);
    $("question").hidden = false;
    ask();
  },
  progress(data) {
    showAnswer(data, false);
  },
  answered(data) {
    isBusy = false;
    showAnswer(data, true);
  },
  failed({ of, code, message }) {
    isBusy = false;
    const isOpening = of === opening.verb;
    const place = isOpening ? $("overview") : $("count");
    place.replaceChildren(h("p", {}, h("code", { class: "error" }, code), " ", message));
    if (isOpening) worker.terminate();
    else clearAnswer();
  },
};

function ask(all = false) {
  // The worker opens the file and then asks.
  if (isBusy) return start();
  isBusy = true;
  const given = NAMES.map((name) => [name, get(name).trim()]).filter(([, value]) => value !== "");
  const question = Object.fromEntries(given.map(([name, value]) => [name, value === EMPTY ? "" : value]));
  clearAnswer();
  $("answer").hidden = false;
  worker.postMessage({ verb: "ask", question, by: get("by"), all: all === true });
}

function clearAnswer() {
  rows = [];
  $("rows").replaceChildren();
  $("groups").replaceChildren();
  $("more").hidden = true;
}

const number = (value) => value.toLocaleString("en");
const size = (bytes) => {
  const units = ["bytes", "kB", "MB", "GB"];
  let power = 0;
  while (bytes >= 1000 && power < 3) [bytes, power] = [bytes / 1000, power + 1];
  return `${bytes.toFixed(bytes < 10 && power ? 1 : 0)} ${units[power]}`;
};

function showOverview(overview) {
  const figure = (value, unit) => h("span", {}, h("b", {}, value), ` ${unit}`);
  const notes = [
    `${overview.tool}, format ${overview.format}`,
    overview.isSealed ? "sealed" : overview.logPages ? `${number(overview.logPages)} pages from its log` : "not sealed: rows that are only in its -wal file are not shown",
    overview.form && `URLs in the form ${overview.form}`,
    overview.isOurSnapshot ? "the suffix list of this page" : "made with other data than this page: hosts are split by the page's suffix list",
  ];
  $("overview").replaceChildren(
    h("p", { class: "figures" },
      figure(number(overview.rows + overview.otherRows), "URLs"),
      overview.otherRows > 0 && figure(number(overview.otherRows), "of them without an SXURL"),
      h("span", {}, `${overview.name}, ${size(overview.size)}`)),
    h("p", { class: "notes" }, notes.filter(Boolean).join(" · ")));
}

function showAnswer(data, isLast) {
  rows.push(...data.rows);
  const shown = $("rows").childElementCount;
  if (shown < PAGE) showRows(PAGE - shown);
  $("more").hidden = $("rows").childElementCount >= rows.length;
  const done = data.share === undefined || data.isCut ? "" : ` (${Math.floor(data.share * 100)} %)`;
  const left = [[data.dropped, "left out: their identifiers fit, their URLs do not"], [data.damaged, "damaged"]].filter(([count]) => count > 0);
  const time = isLast ? `${Math.max(1, Math.round(data.milliseconds))} ms` : `reading${done}`;
  fill($("count"),
    h("span", {}, h("b", {}, number(data.count)), data.count === 1 ? " URL" : " URLs"),
    h("span", { class: "plan" }, [time, data.bytesRead && `${size(data.bytesRead)} read`, data.plan, ...left.map(([count, why]) => `${number(count)} ${why}`)].filter(Boolean).join(" · ")),
    data.isCut && h("button", { type: "button", onclick: () => ask(true) }, "Count every row"));
  showGroups(data.groups, data.isCut);
}

function showRows(count) {
  const shown = $("rows").childElementCount;
  $("rows").append(...rows.slice(shown, shown + count).map((url) =>
    h("li", {}, h("button", { type: "button", onclick: () => explain(url) }, ...seen(url)))));
  $("more").hidden = shown + count >= rows.length;
}

function explain(url) {
  set({ url });
  $("explain").scrollIntoView();
}

function showGroups({ groups, count, rest }, isCut) {
  const most = groups[0]?.[1] ?? 1;
  const note = isCut ? "of the rows that are shown" : count > groups.length ? `the largest of ${number(count)}${rest ? " and more" : ""}` : "";
  $("groups").replaceChildren(
    h("caption", { class: "visually-hidden" }, "Number of URLs by group"),
    h("tbody", {}, groups.map(([name, size]) => h("tr", {},
      h("td", {}, name || "none", h("div", { class: "bar", style: `width:${(100 * size) / most}%` })),
      h("td", { class: "number" }, number(size))))),
    h("tfoot", {}, h("tr", {}, h("td", { colspan: 2, class: "plan" }, note))));
}
