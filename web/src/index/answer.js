// Answers a question from an open database: rows, their number, and how many have which host or suffix.

import { matcher, parts, range, splitter } from "./question.js";

/** How many groups are counted, and how many are shown. */
const MOST_GROUPS = 200_000;
const SHOWN_GROUPS = 16;

export const GROUPS = ["registered domain", "host", "public suffix", "first directory", "scheme"];

/** Calls `found` with each answer's URL and its group. Stops where `found` returns `true`. */
export function answer(db, plan, by, core, found) {
  const split = splitter(core);
  const isAnswer = matcher(plan.wanted, split);
  const groupOf = grouper(by, split);
  for (const url of candidates(db, plan)) {
    const of = parts(url);
    if (found(isAnswer(of) ? url : undefined, of, groupOf)) return;
  }
}

/** Yields the URL of each row that can be an answer, in the order of the index. */
function* candidates(db, plan) {
  const filters = [];
  const values = [];
  if (plan.pathDigits) {
    filters.push("substr(id, 18, 7) = ?");
    values.push(range(plan.pathDigits)[0].slice(0, 7));
  } else if (plan.wanted.path.prefix) {
    filters.push("instr(url, ?) > 0");
    values.push(plan.wanted.path.prefix);
  }
  const where = (...conditions) => (conditions.length ? ` WHERE ${conditions.join(" AND ")}` : "");
  if (plan.route.kind === "all") yield* rows(db, `SELECT url FROM url${where(...filters)}`, values);
  for (const prefix of prefixes(db, plan.route)) {
    yield* rows(db, `SELECT url FROM url${where("id >= ?", "id <= ?", ...filters)}`, [...range(prefix), ...values]);
  }
  if (!hasOther(db)) return;
  if (plan.other === null) yield* rows(db, "SELECT url FROM other", []);
  for (const keys of plan.other ?? []) yield* rows(db, "SELECT url FROM other WHERE host_key >= ? AND host_key < ?", keys);
}

function prefixes(db, route) {
  if (route.kind === "ranges") return route.prefixes;
  return route.kind === "skip" ? skipped(db, route.domain) : [];
}

/** Yields header and suffix of each that occurs, with the domain's digits behind. */
function* skipped(db, domain) {
  const digits = 7;
  for (let next = "0".repeat(digits); next; ) {
    const [id] = [...rows(db, "SELECT lower(hex(id)) FROM url WHERE id >= ? LIMIT 1", [range(next)[0]])];
    if (!id) return;
    const prefix = id.slice(0, digits);
    yield prefix + domain;
    const after = parseInt(prefix, 16) + 1;
    next = after < 16 ** digits ? after.toString(16).padStart(digits, "0") : "";
  }
}

function* rows(db, sql, values) {
  const statement = db.prepare(sql);
  try {
    if (values.length) statement.bind(values);
    while (statement.step()) yield statement.getString(0);
  } finally {
    statement.finalize();
  }
}

export function hasOther(db) {
  return db.selectValue("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'other'") === 1;
}

function grouper(by, split) {
  switch (by) {
    case "host":
      return ({ host }) => host;
    case "public suffix":
      return ({ host }) => split(host).tld;
    case "first directory":
      return ({ path }) => /^\/[^/]*\//.exec(path)?.[0] ?? "/";
    case "scheme":
      return ({ scheme }) => scheme;
    default:
      return ({ host }) => {
        const { domain, tld } = split(host);
        return domain ? `${domain}.${tld}` : host;
      };
  }
}

/** Numbers of rows by group. */
export class Groups {
  #counts = new Map();
  #rest = 0;

  add(group) {
    const count = this.#counts.get(group);
    if (count === undefined && this.#counts.size >= MOST_GROUPS) this.#rest += 1;
    else this.#counts.set(group, (count ?? 0) + 1);
  }

  /** Returns the largest, and how many groups there are. */
  largest() {
    const sorted = [...this.#counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
    return { groups: sorted.slice(0, SHOWN_GROUPS), count: this.#counts.size, rest: this.#rest };
  }
}
