// The state of the page, kept in the fragment of its address, so that a link shows what its sender saw, and Back undoes a step.

import { withoutCredentials } from "./credentials.js";
import { CONDITIONS } from "./index/conditions.js";
import { firstLine } from "./unseen.js";

const DEFAULTS = {
  url: "https://docs.example.co.uk:8443/guide/urls?lang=en#ids",
  compare: "",
  other: "",
  part: "domain",
  guess: "",
  reference: "../faq?q=id",
  mode: "",
  steps: "",
  listed: "https://example.co.uk:8443/guide/\nhttps://another.example/\nhttps://third.example/page",
  covers: "subdomains",
  ...Object.fromEntries(CONDITIONS.map(({ name }) => [name, ""])),
  by: "registered_domain",
  sample: "",
};

/** The names whose texts are URLs or guesses of them. */
const URLS = ["url", "other", "guess", "reference", "listed"];

const listeners = [];
let values = read();

export const get = (name) => values[name];

/** Calls `listener` with the state now and after each change of one of `names`. */
export function watch(names, listener) {
  listeners.push({ names, listener });
  listener(values);
}

/** Changes the state and the address. With `isStep`, the button Back of the browser undoes the change. */
export function set(changes, { isStep = false } = {}) {
  const changed = Object.keys(changes).filter((name) => values[name] !== changes[name]);
  if (changed.length === 0) return;
  values = { ...values, ...changes };
  history[isStep ? "pushState" : "replaceState"](null, "", fragment());
  notify(changed);
}

/** Connects a form field with a name of the state. `clean` is what becomes of a text that is typed or pasted. */
export function bind(element, name, clean = (text) => text) {
  // What is typed without leaving the field is one step.
  let isStep = true;
  element.addEventListener("focus", () => (isStep = true));
  watch([name], (state) => {
    if (element.value !== state[name]) element.value = state[name];
  });
  element.addEventListener("input", () => {
    const value = clean(element.value);
    if (element.value !== value) element.value = value;
    if (value === values[name]) return;
    set({ [name]: value }, { isStep });
    // Each choice of a select is a step, although the field is not left.
    isStep = element.matches("select");
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
  return { ...state, url: firstLine(state.url), other: firstLine(state.other) };
}

/** Returns the fragment of the address for the state. It has no credentials. */
export function fragment() {
  const given = Object.entries(values).filter(([name, value]) => value !== DEFAULTS[name] || name === "url");
  return `#${new URLSearchParams(given.map(([name, value]) => [name, URLS.includes(name) ? withoutCredentials(value) : value]))}`;
}

function readAgain() {
  const before = values;
  values = read();
  hideCredentials();
  notify(Object.keys(values).filter((name) => values[name] !== before[name]));
}

/** Takes credentials out of an address that came with some. */
function hideCredentials() {
  if (URLS.some((name) => withoutCredentials(values[name]) !== values[name])) history.replaceState(null, "", fragment());
}

hideCredentials();
// A change may come as both; the second then finds nothing that differs.
addEventListener("popstate", readAgain);
addEventListener("hashchange", readAgain);
