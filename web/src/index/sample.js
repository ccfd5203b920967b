// A sample index, made in memory of the URLs in the page, so that there is something to ask without a file.

import { OTHER, TABLES } from "./schema.js";

/** Fills an empty database as docs/index-format.md says; only what the page reads of `meta` is there. */
export function fillSample(db, urls, core) {
  db.exec([...Object.values(TABLES), OTHER].join(";"));
  const rows = new Map();
  for (const url of urls) {
    try {
      const text = new core.Components(url).normalText;
      rows.set(text, core.Sxurl.encode(text).bytes);
    } catch {
      // A sample has URLs with an SXURL only.
    }
  }
  const meta = { format: 2, tool: "made in this page", snapshot: core.snapshot().line, rows: rows.size, other_rows: 0, canonical_form: "" };
  db.transaction(() => {
    for (const pair of Object.entries(meta)) db.exec({ sql: "INSERT INTO meta VALUES(?, ?)", bind: pair });
    const insert = db.prepare("INSERT INTO url VALUES(?, ?)");
    for (const [text, id] of rows) insert.bind([id, text]).stepReset();
    insert.finalize();
  });
}
