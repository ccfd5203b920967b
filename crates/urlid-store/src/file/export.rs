//! Export of an index as a SQLite file with readable columns and an integer key (docs/index-format.md,
//! section 8).
//!
//! It is for programs that show and group tables. They link to a row by its key, which must not be a blob,
//! and SQLite lacks a function that could split a URL in a view.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use crate::description::{Description, TOOL};
use crate::question::{Condition, Question, Row, StoredUrl};
use rusqlite::{Connection, OpenFlags, Statement, params};
use urlid::Error;
use urlid_io::files::{Existing, NewFile};

use crate::file::error;
use crate::file::query::Index;
use crate::file::query::find::search;

/// Rows between two calls of the caller's `tick`.
const ROWS_BETWEEN_LOOKS: u64 = 10_000;

const TABLES: &str = "
    CREATE TABLE urls(
        id INTEGER PRIMARY KEY, url_text TEXT NOT NULL, sxurl TEXT, scheme TEXT NOT NULL, host TEXT, tld TEXT,
        registered_domain TEXT, sub TEXT, port INTEGER, path TEXT NOT NULL, query TEXT, fragment TEXT
    ) STRICT;
    CREATE TABLE about(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;";
const INSERT: &str = "INSERT INTO urls(url_text, sxurl, scheme, host, tld, registered_domain, sub, port, path, query, fragment) \
                      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
/// The indexes are created after the rows, so that SQLite sorts each index once instead of inserting into it
/// row by row.
const INDEXES: &str = "
    CREATE INDEX urls_scheme ON urls(scheme);
    CREATE INDEX urls_host ON urls(host);
    CREATE INDEX urls_registered_domain ON urls(registered_domain);
    CREATE INDEX urls_tld ON urls(tld);
    CREATE INDEX urls_url_text ON urls(url_text);";

/// Writes all rows of an index to a SQLite file with readable columns, and returns their number. An existing
/// file is an error.
///
/// # Errors
/// If the rows cannot be read or written. The file is not created then.
pub fn export_sqlite(index: &Index, target: &Path) -> Result<u64, Error> {
    export_sqlite_with(index, target, &mut |_| ControlFlow::Continue(()))
}

/// Does the same as [`export_sqlite`], and calls `tick` with the number of rows written. `tick` returns
/// whether to continue.
///
/// # Errors
/// The same as [`export_sqlite`], and [`EXPORT_STOPPED`](crate::file::error::EXPORT_STOPPED) when `tick`
/// returns `Break`.
pub fn export_sqlite_with(
    index: &Index,
    target: &Path,
    tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<u64, Error> {
    let failed = |source| error::FILE.error().with_path(target).with_source(source);
    let new = NewFile::create(target, Existing::Keep).map_err(failed)?;
    let path = new.temporary_path().ok_or_else(|| {
        failed(io::Error::other("found a device, a pipe or a socket, expected a name that is free"))
    })?;
    let rows = index.file.read(|view| {
        let wrong = |source: rusqlite::Error| error::WRITE.error().with_path(target).with_source(source);
        let conn = open(path).map_err(wrong)?;
        let mut end = Ok(0);
        // The block ends the statement before the connection is closed.
        {
            let mut insert = conn.prepare(INSERT).map_err(wrong)?;
            let mut rows = 0;
            search(view, &Question::default(), &mut |row, url| {
                end = put(&mut insert, &row, url).map_err(wrong).and_then(|()| {
                    rows += 1;
                    // The closure can only return `Break`. The error itself leaves through `end`.
                    if rows % ROWS_BETWEEN_LOOKS == 0 && tick(rows).is_break() {
                        Err(error::EXPORT_STOPPED.error())
                    } else {
                        Ok(rows)
                    }
                });
                if end.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
        }
        let rows = end?;
        finish(conn, &view.state.description).map_err(wrong)?;
        Ok(rows)
    })?;
    new.publish().map_err(failed)?;
    Ok(rows)
}

/// Opens the temporary file and creates its tables.
fn open(path: &Path) -> rusqlite::Result<Connection> {
    let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    // The journal and syncs are off. No other process opens the file before `publish`, which syncs it, and a
    // failed export removes it.
    conn.execute_batch("PRAGMA journal_mode = off; PRAGMA synchronous = off; BEGIN")?;
    conn.execute_batch(TABLES)?;
    Ok(conn)
}

fn put(insert: &mut Statement<'_>, row: &Row<'_>, url: &StoredUrl<'_>) -> rusqlite::Result<()> {
    // The parts are the same as in the table `urlid_find`, so that a column has one meaning.
    let part = |condition| url.part(condition);
    insert.execute(params![
        row.url,
        row.id.map(|id| id.to_hex()),
        url.scheme(),
        part(Condition::Host),
        part(Condition::Tld),
        part(Condition::RegisteredDomain),
        part(Condition::Sub),
        url.port(),
        url.path(),
        part(Condition::Query),
        part(Condition::Fragment),
    ])?;
    Ok(())
}

fn finish(conn: Connection, index: &Description) -> rusqlite::Result<()> {
    conn.execute_batch(INDEXES)?;
    let facts = [
        ("tool", TOOL),
        ("snapshot", &index.snapshot.to_string()),
        ("canonical_form", index.canonical_form.as_deref().unwrap_or_default()),
    ];
    for fact in facts {
        conn.execute("INSERT INTO about(key, value) VALUES(?1, ?2)", fact)?;
    }
    // Without statistics, planners of other programs would have to guess which index is the most selective.
    conn.execute_batch("COMMIT; ANALYZE")?;
    // Dropping the connection would ignore an error of closing.
    conn.close().map_err(|(_, error)| error)
}
