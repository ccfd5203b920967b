// The conditions of a question by their names in the state, each with its label and an example.

import all from "./conditions.json";

/** The conditions used most. The others are folded. */
const FIRST = ["host", "domain", "tld", "pathPrefix"];

/** First those that are not folded, `SHOWN` of them. */
export const CONDITIONS = [
  ...FIRST.map((wanted) => all.find(({ name }) => name === wanted)),
  ...all.filter(({ name }) => !FIRST.includes(name)),
];
export const SHOWN = FIRST.length;
