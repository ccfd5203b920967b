// The worker that reads an index. A question that is no longer wanted ends with its worker: the page starts another.

import sqlite3InitModule from "@sqlite.org/sqlite-wasm";
import wasmBinary from "@sqlite.org/sqlite-wasm/sqlite3.wasm";

import { answer, Groups, hasOther } from "./answer.js";
import { described, plan } from "./question.js";
import { fillSample } from "./sample.js";
import { TABLES } from "./schema.js";
import { Source } from "./source.js";
import { installVfs, VFS } from "./vfs.js";

const core = globalThis.urlid;

/** Rows that are sent, and the time between two reports in milliseconds. */
const MOST_ROWS = 1000;
const INTERVAL = 100;
/** Without a condition, more rows than these are counted by group only where that is wanted. */
const COUNTED_UNASKED = 300_000;

/** The bytes of the file, and how many were read. */
let source;
let db;
let overview;
let report = () => {};

const verbs = {
  async open({ code, file, wal }) {
    globalThis.urlidCode = code;
    source = new Source(file, wal);
    const sqlite3 = await startSqlite();
    installVfs(sqlite3, source, () => report());
    db = new sqlite3.oo1.DB(`file:/index?vfs=${VFS}`, "r");
    db.exec("PRAGMA trusted_schema = off; PRAGMA cell_size_check = on; PRAGMA cache_size = -16384; PRAGMA temp_store = memory");
    overview = describe(file.name);
    postMessage({ verb: "opened", overview });
  },

  async sample({ code, urls }) {
    globalThis.urlidCode = code;
    const sqlite3 = await startSqlite();
    db = new sqlite3.oo1.DB();
    fillSample(db, urls, core);
    const pages = db.selectValue("PRAGMA page_count") * db.selectValue("PRAGMA page_size");
    source = { size: pages, bytesRead: 0, isSealed: true, logPages: 0 };
    overview = describe("a sample");
    postMessage({ verb: "opened", overview });
  },

  ask({ question, by, all }) {
    const planned = plan(question, core);
    const isUnconditional = planned.route.kind === "all" && !question.path;
    const total = overview.rows + overview.otherRows;
    const isCut = isUnconditional && total > COUNTED_UNASKED && !all;
    const about = { plan: described(planned, overview.indexes.includes("url_path")), isCut };
    const groups = new Groups();
    const state = { seen: 0, count: 0, rows: [] };
    const started = performance.now();
    const readBefore = source.bytesRead;
    const tell = (isLast) => postMessage({
      verb: isLast ? "answered" : "progress",
      ...about,
      ...state,
      count: isCut ? total : state.count,
      share: isUnconditional ? state.seen / total : undefined,
      groups: groups.largest(),
      bytesRead: source.bytesRead - readBefore,
      milliseconds: performance.now() - started,
    });
    let next = started + INTERVAL;
    report = () => {
      if (performance.now() < next) return;
      tell(false);
      state.rows = [];
      next = performance.now() + INTERVAL;
    };
    let kept = 0;
    answer(db, planned, by, core, (url, parts, groupOf) => {
      state.seen += 1;
      if (state.seen % 1024 === 0) report();
      if (url === undefined) return false;
      state.count += 1;
      groups.add(groupOf(parts));
      if (kept < MOST_ROWS) kept = state.rows.push(url) && kept + 1;
      return isCut && kept === MOST_ROWS;
    });
    report = () => {};
    tell(true);
  },
};

async function startSqlite() {
  const sqlite3 = await sqlite3InitModule({ wasmBinary, print() {}, printErr() {} });
  // Errors are shown on the page.
  Object.assign(sqlite3.config, { warn() {}, error() {} });
  return sqlite3;
}

/** Reads what the file says of itself; fails where its tables are not those of an index. */
function describe(name) {
  for (const [table, sql] of Object.entries(TABLES)) {
    if (db.selectValue("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", table) !== sql) {
      throw Object.assign(new Error(`${name} lacks the table \`${table}\` of an index`), { code: "ERR_INDEX_FORMAT" });
    }
  }
  const meta = (key) => db.selectValue("SELECT value FROM meta WHERE key = ?", key);
  const snapshot = String(meta("snapshot"));
  return {
    name,
    size: source.size,
    isSealed: source.isSealed,
    logPages: source.logPages,
    format: meta("format"),
    tool: meta("tool"),
    snapshot,
    isOurSnapshot: snapshot === core.snapshot().line,
    form: meta("canonical_form") ?? "",
    rows: Number(meta("rows")),
    otherRows: hasOther(db) ? Number(meta("other_rows")) : 0,
    indexes: db.selectValues("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"),
  };
}

addEventListener("message", async ({ data }) => {
  try {
    await verbs[data.verb](data);
  } catch (error) {
    const isDamage = error.resultCode !== undefined;
    postMessage({ verb: "failed", of: data.verb, code: isDamage ? "ERR_INDEX_DAMAGED" : error.code ?? "ERR_PAGE", message: error.message });
  }
});
