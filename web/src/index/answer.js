// An answer as it comes: how many URLs, the first of them, and how many of each group.
//
// The answer before is shown until the next one begins to come, and what is clicked stays where it is.

import { $, fill, h, seen, stay } from "../dom.js";
import { get, set } from "../state.js";
import { facet } from "./facets.js";

const PAGE = 200;

let rows = [];
/** Whether what is shown belongs to the question before. */
let isStale = false;

export const number = (value) => value.toLocaleString("en");

export function size(bytes) {
  const units = ["bytes", "kB", "MB", "GB"];
  let power = 0;
  while (bytes >= 1000 && power < 3) [bytes, power] = [bytes / 1000, power + 1];
  return `${bytes.toFixed(bytes < 10 && power ? 1 : 0)} ${units[power]}`;
}

/** Keeps what is shown until the next answer. */
export function startAnswer() {
  isStale = true;
  rows = [];
  $("answer").classList.add("stale");
}

export function clearAnswer() {
  isStale = false;
  rows = [];
  $("answer").classList.remove("stale");
  for (const id of ["rows", "groups", "sampled"]) $(id).replaceChildren();
  $("more").hidden = $("sampled").hidden = true;
}

/** Shows the answers received so far. `countAll` repeats a count that covered only the first rows. */
export function showAnswer(data, isLast, countAll) {
  // The focus is put back on what replaces its element.
  const focused = document.activeElement?.dataset.group;
  if (isStale) clearAnswer();
  rows.push(...data.rows);
  const shown = $("rows").childElementCount;
  if (shown < PAGE) showRows(PAGE - shown);
  $("more").hidden = $("rows").childElementCount >= rows.length;
  showCount(data, isLast);
  showSampled(data, countAll);
  showGroups(data, isLast);
  if (focused !== undefined) [...$("groups").querySelectorAll("button")].find((button) => button.dataset.group === focused)?.focus({ preventScroll: true });
}

function showCount(data, isLast) {
  // Made anew with every report, it stays unfolded.
  const isOpen = $("count").querySelector("details")?.open;
  const done = data.share === undefined || data.isCut ? "" : ` (${Math.floor(data.share * 100)} %)`;
  const left = [[data.dropped, "left out: their identifiers fit, their URLs do not"], [data.damaged, "damaged"]].filter(([count]) => count > 0);
  const time = isLast ? `${Math.max(1, Math.round(data.milliseconds))} ms` : `reading${done}`;
  const details = [data.plan, data.bytesRead && `${size(data.bytesRead)} read`].filter(Boolean).join(" · ");
  fill($("count"),
    h("span", {}, h("b", {}, number(data.count)), data.count === 1 ? " URL" : " URLs", !isLast && !data.isCut && " so far"),
    h("details", { class: "plan", open: isOpen }, h("summary", {}, `${time} · How?`), h("p", {}, details)),
    left.length > 0 && h("span", { class: "plan" }, left.map(([count, why]) => `${number(count)} ${why}`).join(" · ")));
}

/** Says of what the rows and the groups are a part. */
function showSampled({ count, isCut, counted }, countAll) {
  const isPart = count > rows.length;
  $("rows-label").textContent = isPart ? `Rows: the first ${number(rows.length)} of ${number(count)}` : "Rows";
  $("sampled").hidden = !isCut;
  fill($("sampled"), isCut && [
    h("span", {}, "Groups of the ", h("b", {}, `first ${number(counted)} of ${number(count)} URLs`), " only. "),
    h("button", { type: "button", onclick: countAll }, "Count every row")]);
}

export function showRows(count = PAGE) {
  const shown = $("rows").childElementCount;
  $("rows").append(...rows.slice(shown, shown + count).map((url) =>
    h("li", {}, h("button", { type: "button", "aria-pressed": "false", onclick: (event) => explain(url, event.currentTarget) }, ...seen(url)))));
  $("more").hidden = shown + count >= rows.length;
}

/** Explains the URL of a row, which stays where it is. */
function explain(url, button) {
  for (const other of $("rows").querySelectorAll("button[aria-pressed]")) other.setAttribute("aria-pressed", String(other === button));
  $("rows").querySelector(".explained")?.remove();
  button.after(h("p", { class: "explained" }, "Explained at the top of the page. ", h("a", { href: "#explain", "data-jump": "explain" }, "Go there")));
  stay(button, () => set({ url }, { isStep: true }));
}

function showGroups({ groups: { groups, count, rest }, isCut, counted }, isLast) {
  const most = groups[0]?.[1] ?? 1;
  const note = count > groups.length ? `the largest of ${number(count)}${rest ? " and more" : ""}` : "";
  // A number of a part never stands alone.
  const shown = (size) => (isCut ? `${number(size)} of ${number(counted)}` : isLast ? number(size) : `${number(size)} so far`);
  $("groups").classList.toggle("sampled", isCut);
  $("groups").replaceChildren(
    h("caption", { class: "visually-hidden" }, isCut ? `Number of URLs by group, of the first ${number(counted)} URLs` : "Number of URLs by group"),
    h("tbody", {}, groups.map(([name, size]) => h("tr", {},
      h("td", {}, groupButton(name), h("div", { class: "bar", style: `width:${(100 * size) / most}%` })),
      h("td", { class: "number" }, shown(size))))),
    h("tfoot", {}, h("tr", {}, h("td", { colspan: 2, class: "plan" }, note))));
}

function groupButton(name) {
  const shown = name ? seen(name) : ["none"];
  const chosen = facet(get("by"), name);
  if (!chosen) return shown;
  const toggle = (event) => {
    // A shorter answer must not pull the page up.
    $("groups").parentElement.style.minHeight = `${$("groups").parentElement.offsetHeight}px`;
    stay(event.currentTarget, chosen.toggle);
  };
  return h("button", { type: "button", "data-group": name, "aria-pressed": String(chosen.isChosen), onclick: toggle }, ...shown);
}
