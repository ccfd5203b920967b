// A sample index, made in memory of the URLs in the page, so that there is something to ask without a file.

import { Components, snapshot, Sxurl } from "urlid";
import { indexFormat } from "urlid/search";

/** Fills an empty database as docs/index-format.md says; only what the page reads of `meta` is there. */
export function fillSample(db, urls) {
  const { applicationId, version, statements } = indexFormat();
  db.exec([...statements, `PRAGMA application_id = ${applicationId}`, `PRAGMA user_version = ${version}`].join(";"));
  const rows = new Map();
  for (const url of urls) {
    try {
      // URLs with the same normal text have the same identifier, and are one row.
      const text = new Components(url).normalText;
      rows.set(text, Sxurl.encode(text).bytes);
    } catch {
      // A sample has URLs with an SXURL only.
    }
  }
  const meta = { format: version, tool: "made in this page", snapshot: snapshot().line, rows: rows.size, other_rows: 0, canonical_form: "" };
  db.transaction(() => {
    for (const pair of Object.entries(meta)) db.exec({ sql: "INSERT INTO meta VALUES(?, ?)", bind: pair });
    const insert = db.prepare("INSERT INTO url VALUES(?, ?)");
    for (const [text, id] of rows) insert.bind([id, text]).stepReset();
    insert.finalize();
  });
}
