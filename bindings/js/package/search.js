// Finds URLs in an index file that is open in any build of SQLite, with the same answers as `urlid index find`.

import { UrlidError } from "./lib/error.js";
import { optionsOf } from "./lib/options.js";
import { reader, search as module } from "./lib/search_module.js";

/** Returns the conditions of questions. */
export function conditions() {
  return module.call("conditions");
}

/** Returns the names of the parts by which answers can be grouped. */
export function groupParts() {
  return module.call("group_parts");
}

/** Returns the header of a new index file, and the statements that make the file. */
export function indexFormat() {
  return module.call("index_format");
}

/** Returns the layout that a search needs, from the rows of `type`, `name` and `sql` of `sqlite_schema` and the `user_version`. */
export function indexLayout(objects, version) {
  const expected = indexFormat().version;
  if (Number(version) !== expected) throw new UrlidError("ERR_INDEX_FORMAT", `index has a different format: found version ${version}, expected ${expected}`);
  const { wrong, ...layout } = module.call("index_layout", ...[...objects].flat());
  if (wrong !== undefined) throw new UrlidError("ERR_INDEX_FORMAT", `the object \`${wrong}\` is not as the format of an index says`);
  return layout;
}

/** Describes in one line the rows that a search reads. */
export function plan(question, layout) {
  return module.call("plan", ...asked(question, layout));
}

/** Calls `found` with the URL of each answer and its group, until it returns false. Returns the number of rows for each result. */
export function search(query, question, layout, found, options) {
  const { by } = optionsOf(options, { by: "text" });
  return reader.run(query, found, () => module.call("search", by, ...asked(question, layout)));
}

function asked(question, { indexes }) {
  if (typeof question !== "object" || question === null || Array.isArray(question)) {
    throw new TypeError(`question is not an object: found ${String(question)}, expected conditions by their names`);
  }
  const given = Object.entries(question).filter(([, value]) => value !== undefined && value !== null);
  const wrong = given.find(([, value]) => typeof value !== "string" && typeof value !== "number");
  if (wrong) throw new TypeError(`condition ${wrong[0]} has another type: found ${typeof wrong[1]}, expected a string`);
  const named = given.map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), String(value)]);
  return [indexes.join(","), ...named.flat()];
}
