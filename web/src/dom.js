// Elements: finding them by id, making them, and the buttons that copy a text.

import { pieces } from "./unseen.js";

export const $ = (id) => document.getElementById(id);

/** Stands for a text that is not known, or not shown. */
export const HIDDEN = "▒▒▒";

/** Makes an element. Properties that are `null`, `undefined` or `false` are left out; `on…` are listeners. */
export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value != null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  fill(element, ...children);
  return element;
}

/** Replaces the content of an element; `null`, `undefined` and `false` are left out. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child != null && child !== false));
}

/** Returns a text as children of an element, its unseen characters as escapes. */
export const seen = (text) => pieces(text, (escape) => h("span", { class: "unseen" }, escape));

/** Makes a change to the page above or below an element, which stays where it is on the screen. */
export function stay(element, change) {
  const before = element.getBoundingClientRect().top;
  change();
  scrollBy({ top: element.getBoundingClientRect().top - before, behavior: "instant" });
}

/** Copies a text and shows that on the button for a moment. */
export async function copy(text, button) {
  try {
    // Where there is no clipboard, this throws too.
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  const label = button.textContent;
  button.textContent = "Copied";
  button.disabled = true;
  setTimeout(() => Object.assign(button, { textContent: label, disabled: false }), 1200);
}

// Pages that are opened from a file have no clipboard in some browsers.
function copyBySelection(text) {
  const area = h("textarea", { class: "visually-hidden" });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** Returns the rows of a description list: names, values and what the copy button copies. A value that is `said` is shown without one. */
export function facts(rows) {
  return rows.map(({ name, value, error, said }) =>
    h("div", { class: error ? "fact rejected" : "fact", "data-fact": name },
      h("dt", {}, name),
      said ? h("dd", {}, h("span", {}, said))
        : error
        ? h("dd", {}, h("code", { class: "error" }, error.code), " ", ...prose(error.message))
        : h("dd", {}, h("code", {}, ...seen(value)), copyButton(value, name))));
}

function copyButton(text, name) {
  return h("button", { type: "button", class: "copy", "aria-label": `Copy ${name}`, onclick: (event) => copy(text, event.currentTarget) }, "Copy");
}

/** Returns a text as the library writes it, in which code stands between backticks. */
export const prose = (text) => text.split("`").map((piece, index) => (index % 2 ? h("code", {}, ...seen(piece)) : piece));
