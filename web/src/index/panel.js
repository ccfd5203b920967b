// The index browser: a file is dropped, questions go to a worker, answers are shown as they come.

import { $, h } from "../dom.js";
import { bind, get, set, watch } from "../state.js";
import { core } from "../urlid.js";
import { clearAnswer, number, showAnswer, showRows, size, startAnswer } from "./answer.js";
import { CONDITIONS, SHOWN } from "./conditions.js";
import { EMPTY } from "./facets.js";

const NAMES = CONDITIONS.map(({ name }) => name);
const GROUPS = [
  ["registered_domain", "registered domain"], ["host", "host"], ["tld", "public suffix"], ["domain", "domain"], ["sub", "subdomain"],
  ["first_directory", "first directory"], ["path", "path"], ["query", "query"], ["fragment", "fragment"], ["port", "port"], ["scheme", "scheme"],
];
const PAUSE = 180;

/** The first message to a worker: which files it opens, or the sample. Without one there is nothing to question. */
let opening;
let worker;
let isBusy = false;
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
  $("more").addEventListener("click", () => showRows());
  watch([...NAMES, "by"], () => {
    clearTimeout(timer);
    timer = setTimeout(() => opening && ask(), PAUSE);
  });
  if (get("sample")) openSample();
}

function choose(list) {
  const chosen = [...list];
  const file = chosen.find(({ name }) => !/-(wal|shm)$/.test(name));
  if (!file) return;
  set({ sample: "" }, { isStep: true });
  openWith({ verb: "open", file, wal: chosen.find(({ name }) => name === `${file.name}-wal`) });
}

function openSample() {
  set({ sample: "1" }, { isStep: true });
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
  clearAnswer();
  start();
}

/** Starts a worker on the files; one that is still busy is ended. */
function start() {
  worker?.terminate();
  const address = URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" }));
  worker = new Worker(address);
  // The constructor has looked up the address already.
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
    showAnswer(data, false, countAll);
  },
  answered(data) {
    isBusy = false;
    showAnswer(data, true, countAll);
  },
  failed({ of, code, message }) {
    isBusy = false;
    const isOpening = of === opening.verb;
    const place = isOpening ? $("overview") : $("count");
    place.replaceChildren(h("p", {}, h("code", { class: "error" }, code), " ", message));
    if (!isOpening) return clearAnswer();
    worker.terminate();
    opening = undefined;
    // The files can also fail when they are opened again for a question.
    $("question").hidden = $("answer").hidden = true;
  },
};

function ask(all = false) {
  // The worker opens the file and then runs the question.
  if (isBusy) return start();
  isBusy = true;
  const given = NAMES.map((name) => [name, get(name).trim()]).filter(([, value]) => value !== "");
  const question = Object.fromEntries(given.map(([name, value]) => [name, value === EMPTY ? "" : value]));
  startAnswer();
  $("answer").hidden = false;
  worker.postMessage({ verb: "ask", question, by: get("by"), all });
}

const countAll = () => ask(true);

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
