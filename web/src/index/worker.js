// The worker that reads an index. A question that is no longer wanted ends with its worker: the page starts another.

import sqlite3InitModule from "@sqlite.org/sqlite-wasm";
import wasmBinary from "@sqlite.org/sqlite-wasm/sqlite3.wasm";

import { indexFormat, indexLayout, plan, search } from "urlid/search";

import { Groups } from "./groups.js";
import { fillSample } from "./sample.js";
import { Source } from "./source.js";
import { installVfs, VFS } from "./vfs.js";

/** Rows that are sent, and the time between two reports in milliseconds. */
const MOST_ROWS = 1000;
const INTERVAL = 100;
/** Rows between two looks at the clock. */
const EACH = 1024;
/** Without a condition, more rows than these are counted by group only where that is wanted. */
const COUNTED_UNASKED = 300_000;

/** The bytes of the file, and how many were read. */
let source;
let db;
let overview;
/** Prepared statements by their SQL. */
const statements = new Map();

const verbs = {
  async open({ code, snapshot, file, wal }) {
    globalThis.urlidCode = code;
    source = new Source(file, wal, indexFormat());
    const sqlite3 = await startSqlite();
    installVfs(sqlite3, source);
    db = new sqlite3.oo1.DB(`file:/index?vfs=${VFS}`, "r");
    db.exec("PRAGMA trusted_schema = off; PRAGMA cell_size_check = on; PRAGMA cache_size = -16384; PRAGMA temp_store = memory");
    overview = describe(file.name, snapshot);
    postMessage({ verb: "opened", overview });
  },

  async sample({ code, snapshot, urls }) {
    globalThis.urlidCode = code;
    const sqlite3 = await startSqlite();
    db = new sqlite3.oo1.DB();
    fillSample(db, urls);
    const pages = db.selectValue("PRAGMA page_count") * db.selectValue("PRAGMA page_size");
    source = { size: pages, bytesRead: 0, isSealed: true, logPages: 0 };
    overview = describe("a sample", snapshot);
    postMessage({ verb: "opened", overview });
  },

  ask({ question, by, all }) {
    const { layout } = overview;
    const isUnconditional = Object.keys(question).length === 0;
    const total = overview.rows + overview.otherRows;
    const isCut = isUnconditional && total > COUNTED_UNASKED && !all;
    const about = { plan: plan(question, layout), isCut };
    const groups = new Groups();
    const state = { seen: 0, count: 0, rows: [] };
    const started = performance.now();
    const readBefore = source.bytesRead;
    const report = (isLast) => postMessage({
      verb: isLast ? "answered" : "progress",
      ...about,
      ...state,
      count: isCut ? total : state.count,
      counted: state.count,
      share: isUnconditional ? state.seen / total : undefined,
      groups: groups.largest(),
      bytesRead: source.bytesRead - readBefore,
      milliseconds: performance.now() - started,
    });
    let next = started + INTERVAL;
    // Counts rows and not answers, so that a search reports while it finds nothing.
    const onRow = () => {
      state.seen += 1;
      if (state.seen % EACH || performance.now() < next) return;
      report(false);
      state.rows = [];
      next = performance.now() + INTERVAL;
    };
    let kept = 0;
    const found = (url, group) => {
      state.count += 1;
      groups.add(group);
      // `kept` goes on counting when a report has emptied `state.rows`.
      if (kept < MOST_ROWS) kept = state.rows.push(url) && kept + 1;
      return !(isCut && kept === MOST_ROWS);
    };
    const { dropped, damaged } = search((sql, values) => rows(sql, values, onRow), question, layout, found, { by });
    Object.assign(about, { dropped, damaged });
    report(true);
  },
};

/** Yields the rows of a statement of two columns. */
function* rows(sql, values, onRow) {
  if (!statements.has(sql)) statements.set(sql, db.prepare(sql));
  const statement = statements.get(sql);
  try {
    if (values.length) statement.bind(values);
    while (statement.step()) {
      onRow();
      yield [statement.get(0), statement.get(1)];
    }
  } finally {
    statement.reset();
  }
}

async function startSqlite() {
  const sqlite3 = await sqlite3InitModule({ wasmBinary, print() {}, printErr() {} });
  // Errors are shown on the page.
  Object.assign(sqlite3.config, { warn() {}, error() {} });
  return sqlite3;
}

/** Reads what the file says of itself; fails where its objects are not those of an index. */
function describe(name, ourSnapshot) {
  const objects = db.selectArrays("SELECT type, name, sql FROM sqlite_schema");
  const layout = indexLayout(objects, db.selectValue("PRAGMA user_version"));
  const meta = (key) => db.selectValue("SELECT value FROM meta WHERE key = ?", key);
  return {
    name,
    layout,
    size: source.size,
    isSealed: source.isSealed,
    logPages: source.logPages,
    format: meta("format"),
    tool: meta("tool"),
    isOurSnapshot: String(meta("snapshot")) === ourSnapshot,
    form: meta("canonical_form") ?? "",
    rows: Number(meta("rows")),
    otherRows: Number(meta("other_rows")),
  };
}

addEventListener("message", async ({ data }) => {
  try {
    await verbs[data.verb](data);
  } catch (error) {
    // Only errors of SQLite have this number.
    const isDamage = error.resultCode !== undefined;
    postMessage({ verb: "failed", of: data.verb, code: isDamage ? "ERR_INDEX_DAMAGED" : error.code ?? "ERR_PAGE", message: error.message });
  }
});
