// The state of the page, kept in the fragment of its address, so that a link shows what its sender saw.

import { CONDITIONS } from "./index/conditions.js";
import { firstLine } from "./unseen.js";

const DEFAULTS = {
  url: "https://docs.example.co.uk:8443/guide/urls?lang=en#ids",
  part: "domain",
  reference: "../faq?q=id",
  mode: "",
  steps: "",
  listed: "https://example.co.uk:8443/guide/\nhttps://another.example/\nhttps://third.example/page",
  ladder: "hosts",
  ...Object.fromEntries(CONDITIONS.map(({ name }) => [name, ""])),
  by: "registered-domain",
  sample: "",
};

const listeners = [];
let values = read();

export const get = (name) => values[name];

/** Calls `listener` with the state now and after each change of one of `names`. */
export function watch(names, listener) {
  listeners.push({ names, listener });
  listener(values);
}

export function set(changes) {
  const changed = Object.keys(changes).filter((name) => values[name] !== changes[name]);
  if (changed.length === 0) return;
  values = { ...values, ...changes };
  history.replaceState(null, "", `#${write()}`);
  notify(changed);
}

/** Connects a form field with a name of the state. `clean` is what becomes of a text that is typed or pasted. */
export function bind(element, name, clean = (text) => text) {
  watch([name], (state) => {
    if (element.value !== state[name]) element.value = state[name];
  });
  element.addEventListener("input", () => {
    const value = clean(element.value);
    if (element.value !== value) element.value = value;
    set({ [name]: value });
  });
}

function notify(changed) {
  for (const { names, listener } of listeners) {
    if (names.some((name) => changed.includes(name))) listener(values);
  }
}

function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  const entries = Object.entries(DEFAULTS).map(([name, value]) => [name, given.get(name) ?? value]);
  const state = Object.fromEntries(entries);
  return { ...state, url: firstLine(state.url) };
}

function write() {
  const given = Object.entries(values).filter(([name, value]) => value !== DEFAULTS[name] || name === "url");
  return new URLSearchParams(given).toString();
}

addEventListener("hashchange", () => {
  const before = values;
  values = read();
  notify(Object.keys(values).filter((name) => values[name] !== before[name]));
});
