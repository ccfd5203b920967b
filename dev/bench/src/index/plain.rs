//! What a careful user writes with existing crates: ids of the `sxurl` crate and statements of `rusqlite`.
//!
//! Rows are inserted in input order, in transactions, with the commonly recommended settings. Shares only the
//! schema of the table with urlid.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::Failure;

/// The table of an index.
const TABLE: &str = "CREATE TABLE url(id BLOB, url TEXT, PRIMARY KEY(id, url)) WITHOUT ROWID, STRICT";
/// Inserts a row that is not there.
const INSERT: &str = "INSERT OR IGNORE INTO url(id, url) VALUES(?1, ?2)";

/// Loads lines into a new file in transactions of 100,000 rows, unsorted.
pub(super) fn load(path: &Path, lines: &[&str]) -> Result<(Duration, u64), Failure> {
    let start = Instant::now();
    let conn = open(path)?;
    conn.execute_batch(TABLE)?;
    let mut new = 0;
    for batch in lines.chunks(100_000) {
        new += insert(&conn, batch)?;
    }
    conn.close().map_err(|(_, error)| error)?;
    Ok((start.elapsed(), new))
}

/// Opens a file that may be there.
pub(super) fn open(path: &Path) -> Result<Connection, Failure> {
    let conn = Connection::open(path)?;
    conn.execute_batch("PRAGMA journal_mode = wal; PRAGMA synchronous = normal")?;
    Ok(conn)
}

/// Inserts the lines that are not there in one transaction and returns how many they are.
pub(super) fn insert(conn: &Connection, lines: &[&str]) -> Result<u64, Failure> {
    conn.execute_batch("BEGIN")?;
    let mut insert = conn.prepare_cached(INSERT)?;
    let mut new = 0;
    for line in lines {
        if let Ok(id) = sxurl::encode_url(line) {
            new += insert.execute((id.as_slice(), line))? as u64;
        }
    }
    conn.execute_batch("COMMIT")?;
    Ok(new)
}

/// Inserts rows that are sorted already into a new file without a journal: what the file itself costs.
pub(super) fn sorted<'l>(
    path: &Path,
    lines: &[&'l str],
    id_of: impl Fn(&'l str) -> Option<[u8; 32]>,
) -> Result<(Duration, u64), Failure> {
    let mut rows: Vec<([u8; 32], &str)> =
        lines.iter().filter_map(|line| id_of(line).map(|id| (id, *line))).collect();
    rows.sort_unstable();
    rows.dedup();
    let start = Instant::now();
    let conn = Connection::open(path)?;
    conn.execute_batch(
        "PRAGMA journal_mode = off; PRAGMA synchronous = off; PRAGMA locking_mode = exclusive; PRAGMA cache_size = -65536",
    )?;
    conn.execute_batch(&format!("{TABLE}; BEGIN"))?;
    let mut insert = conn.prepare("INSERT INTO url(id, url) VALUES(?1, ?2)")?;
    for (id, url) in &rows {
        insert.execute((id.as_slice(), url))?;
    }
    drop(insert);
    conn.execute_batch("COMMIT")?;
    conn.close().map_err(|(_, error)| error)?;
    std::fs::File::open(path)?.sync_all()?;
    Ok((start.elapsed(), rows.len() as u64))
}
