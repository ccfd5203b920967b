// Groups as conditions: a click on a group selects its URLs, another click selects all again.

import { get, set } from "../state.js";

/** What is written for an empty text: an empty field is not a condition. */
export const EMPTY = '""';

/** The condition of each part, those that it replaces, and those which already fix the part, so that a click adds nothing. */
const FACETS = {
  registered_domain: { name: "registeredDomain", replaces: ["tld", "domain"], fixedBy: ["host"] },
  host: { name: "host", replaces: ["under", "registeredDomain", "tld", "domain", "sub"], fixedBy: [] },
  tld: { name: "tld", replaces: [], fixedBy: ["host", "registeredDomain"] },
  domain: { name: "domain", replaces: [], fixedBy: ["host", "registeredDomain"] },
  sub: { name: "sub", replaces: [], fixedBy: ["host"] },
  first_directory: { name: "pathPrefix", replaces: [], fixedBy: ["path"] },
  path: { name: "path", replaces: ["pathPrefix"], fixedBy: [] },
  query: { name: "query", replaces: [], fixedBy: [] },
  fragment: { name: "fragment", replaces: [], fixedBy: [] },
  port: { name: "port", replaces: [], fixedBy: [] },
  scheme: { name: "scheme", replaces: [], fixedBy: [] },
};

/** Returns the facet of a group: whether it is chosen, and what a click on it does; nothing where a click would add nothing. */
export function facet(by, group) {
  const { name, replaces, fixedBy } = FACETS[by];
  // The URLs without a directory have no prefix of their own.
  const isRest = by === "first_directory" && group === "/";
  if (isRest || fixedBy.some((other) => get(other) !== "")) return undefined;
  const value = group || EMPTY;
  const isChosen = get(name).trim() === value;
  const others = Object.fromEntries(replaces.map((other) => [other, ""]));
  return { isChosen, toggle: () => set(isChosen ? { [name]: "" } : { [name]: value, ...others }, { isStep: true }) };
}
