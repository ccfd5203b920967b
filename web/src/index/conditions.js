// The conditions of a question, as the library has them; `build.mjs` puts them into the page. Their names are those in the state.

/* global URLID_CONDITIONS */

/** The ones that are asked most. The others are folded. */
const FIRST = ["host", "domain", "tld", "pathPrefix"];

const all = URLID_CONDITIONS.map((one) => ({ ...one, name: one.name.replace(/-(.)/g, (_, letter) => letter.toUpperCase()) }));
const isFirst = ({ name }) => FIRST.includes(name);

/** Each with its name, label and example: first those that are not folded, `SHOWN` of them. */
export const CONDITIONS = [...FIRST.map((name) => all.find((one) => one.name === name)), ...all.filter((one) => !isFirst(one))];
export const SHOWN = FIRST.length;
