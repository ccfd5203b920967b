//! What an index says about itself: the table `meta` (docs/index-format.md, section 3).
//!
//! Writes the five values of a new file and reads them back with every size bounded. Knows nothing about the rows.

use std::fmt;
use std::io::Read;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension};
use urlid::snapshot::Snapshot;
use urlid::suffix::{Sections, SuffixList};

use crate::file::schema::FORMAT_VERSION;

/// No suffix list is longer than this, in bytes of text; the real one is a third of a million.
const LIST_LIMIT: usize = 64 << 20;
const COMPRESSION_LEVEL: i32 = 9;

/// Why the values of `meta` cannot be those that a loader wrote.
#[non_exhaustive]
#[derive(Debug)]
pub enum MetaError {
    /// A key is missing, or its value is of another type or too long.
    Value {
        /// The key.
        key: &'static str,
    },
    /// The stored list is not the one that the snapshot names.
    List,
    /// SQLite failed.
    Sqlite(rusqlite::Error),
}

impl fmt::Display for MetaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { key } => write!(f, "found no usable `{key}` in meta"),
            Self::List => write!(f, "found a suffix list in meta that its snapshot does not name"),
            Self::Sqlite(e) => write!(f, "found `{e}` in meta"),
        }
    }
}

impl std::error::Error for MetaError {}

impl From<rusqlite::Error> for MetaError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

/// The values of `meta`, the list already restored.
#[derive(Clone, Debug)]
pub(crate) struct Meta {
    pub(crate) tool: String,
    pub(crate) snapshot: Snapshot,
    pub(crate) list: SuffixList,
}

/// Writes the values of a new file that will hold identifiers made with `list`.
pub(crate) fn write(conn: &Connection, list: &SuffixList) -> rusqlite::Result<()> {
    let mut insert = conn.prepare("INSERT INTO meta(key, value) VALUES(?1, ?2)")?;
    insert.execute(("format", FORMAT_VERSION))?;
    insert.execute(("tool", concat!("urlid ", env!("CARGO_PKG_VERSION"))))?;
    insert.execute(("snapshot", Snapshot::of(list).to_string()))?;
    insert.execute(("suffix_list", compress(list.text())?))?;
    insert.execute(("rows", 0))?;
    Ok(())
}

/// Replaces the list and the snapshot, as a migration does.
pub(crate) fn replace_list(conn: &Connection, list: &SuffixList) -> rusqlite::Result<()> {
    let mut update = conn.prepare("UPDATE meta SET value = ?2 WHERE key = ?1")?;
    update.execute(("snapshot", Snapshot::of(list).to_string()))?;
    update.execute(("suffix_list", compress(list.text())?))?;
    Ok(())
}

/// Adds `change` to the number of rows; belongs in the transaction that changes them.
pub(crate) fn count(conn: &Connection, change: i64) -> rusqlite::Result<()> {
    conn.prepare_cached("UPDATE meta SET value = value + ?1 WHERE key = 'rows'")?.execute([change])?;
    Ok(())
}

/// Reads the number of rows.
pub(crate) fn rows(conn: &Connection) -> Result<u64, MetaError> {
    let found: Option<Option<u64>> = conn
        .prepare_cached("SELECT value FROM meta WHERE key = 'rows'")?
        .query_row([], |row| Ok(integer(row.get_ref(0)?)))
        .optional()?;
    found.flatten().ok_or(MetaError::Value { key: "rows" })
}

/// Reads the snapshot alone.
pub(crate) fn snapshot(conn: &Connection) -> Result<Snapshot, MetaError> {
    value(conn, "snapshot", |v| text(v, 1 << 12)?.parse().ok())
}

/// Reads and checks the values of a file whose schema has been checked.
pub(crate) fn read(conn: &Connection) -> Result<Meta, MetaError> {
    let format = value(conn, "format", integer)?;
    if format != u64::from(FORMAT_VERSION) {
        return Err(MetaError::Value { key: "format" });
    }
    let tool = value(conn, "tool", |v| text(v, 1 << 10))?;
    let snapshot = snapshot(conn)?;
    let packed = value(conn, "suffix_list", |v| blob(v, LIST_LIMIT))?;
    rows(conn)?;
    let sections = match snapshot.psl_sections.as_str() {
        "icann" => Sections::Icann,
        "all" => Sections::All,
        _ => return Err(MetaError::Value { key: "snapshot" }),
    };
    let compiled = SuffixList::compiled(sections);
    let list = if is_of(&snapshot, compiled) {
        compiled.clone()
    } else {
        let text = decompress(&packed).ok_or(MetaError::List)?;
        SuffixList::parse(&text, sections).map_err(|_| MetaError::List)?
    };
    if !is_of(&snapshot, &list) {
        return Err(MetaError::List);
    }
    Ok(Meta { tool, snapshot, list })
}

/// Tells whether a snapshot names a list, by the text's SHA-256.
fn is_of(snapshot: &Snapshot, list: &SuffixList) -> bool {
    snapshot.psl_sha256 == Snapshot::of(list).psl_sha256
}

/// Returns the snapshot of identifiers made with `list`, as it is read back from a file: printing it loses a list's spaces.
pub(crate) fn snapshot_of(list: &SuffixList) -> Snapshot {
    let snapshot = Snapshot::of(list);
    snapshot.to_string().parse().unwrap_or(snapshot)
}

/// Tells whether the stored frame is the text of `list`, for `verify`; `read` takes a compiled list on trust.
pub(crate) fn stored_list_is(conn: &Connection, list: &SuffixList) -> Result<bool, MetaError> {
    let packed = value(conn, "suffix_list", |v| blob(v, LIST_LIMIT))?;
    Ok(decompress(&packed).is_some_and(|text| text == list.text()))
}

/// Reads one value through `take`, which refuses a wrong type or length.
fn value<T>(
    conn: &Connection,
    key: &'static str,
    take: impl Fn(ValueRef<'_>) -> Option<T>,
) -> Result<T, MetaError> {
    let found: Option<Option<T>> = conn
        .prepare("SELECT value FROM meta WHERE key = ?1")?
        .query_row([key], |row| Ok(take(row.get_ref(0)?)))
        .optional()?;
    found.flatten().ok_or(MetaError::Value { key })
}

fn integer(value: ValueRef<'_>) -> Option<u64> {
    value.as_i64().ok().and_then(|n| u64::try_from(n).ok())
}

fn text(value: ValueRef<'_>, limit: usize) -> Option<String> {
    value.as_str().ok().filter(|text| text.len() <= limit).map(str::to_owned)
}

fn blob(value: ValueRef<'_>, limit: usize) -> Option<Vec<u8>> {
    value.as_blob().ok().filter(|bytes| bytes.len() <= limit).map(<[u8]>::to_vec)
}

fn compress(text: &str) -> rusqlite::Result<Vec<u8>> {
    zstd::bulk::compress(text.as_bytes(), COMPRESSION_LEVEL)
        .map_err(|e| rusqlite::Error::ToSqlConversionFailure(Box::new(e)))
}

/// Restores a list's text, or nothing if the frame is damaged, no UTF-8 or longer than any list.
fn decompress(packed: &[u8]) -> Option<String> {
    let mut text = String::new();
    let decoder = zstd::Decoder::new(packed).ok()?;
    let read = decoder.take(LIST_LIMIT as u64 + 1).read_to_string(&mut text).ok()?;
    (read <= LIST_LIMIT).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::schema::META_TABLE;

    fn fresh() -> Connection {
        let conn = Connection::open_in_memory().expect("opens");
        conn.execute_batch(META_TABLE).expect("creates");
        write(&conn, <&SuffixList>::default()).expect("writes");
        conn
    }

    #[test]
    fn what_was_written_is_read() {
        let conn = fresh();
        let meta = read(&conn).expect("reads");
        assert_eq!(meta.tool, concat!("urlid ", env!("CARGO_PKG_VERSION")));
        assert_eq!(meta.snapshot, Snapshot::of(<&SuffixList>::default()));
        assert_eq!(meta.list.text(), <&SuffixList>::default().text());
        assert!(stored_list_is(&conn, &meta.list).expect("reads"));
        count(&conn, 7).expect("counts");
        count(&conn, -2).expect("counts");
        assert_eq!(rows(&conn).expect("reads"), 5);
    }

    #[test]
    fn each_missing_or_mistyped_value_is_named() {
        for key in ["format", "tool", "snapshot", "suffix_list", "rows"] {
            for spoil in ["DELETE FROM meta WHERE key = ?1", "UPDATE meta SET value = 1.5 WHERE key = ?1"] {
                let conn = fresh();
                conn.execute(spoil, [key]).expect("spoils");
                let error = read(&conn).expect_err(key).to_string();
                assert_eq!(error, format!("found no usable `{key}` in meta"));
            }
        }
    }

    #[test]
    fn a_list_of_another_length_or_text_is_refused() {
        assert_eq!(decompress(&zstd::bulk::compress(b"a", 1).expect("packs")).as_deref(), Some("a"));
        assert_eq!(decompress(b"not zstd"), None);
        assert_eq!(decompress(&zstd::bulk::compress(b"\xff", 1).expect("packs")), None);
        let bomb = zstd::bulk::compress(&vec![b' '; LIST_LIMIT + 1], 1).expect("packs");
        assert!(bomb.len() < 100_000);
        assert_eq!(decompress(&bomb), None);
    }

    #[test]
    fn messages_name_what_was_found() {
        assert_eq!(
            MetaError::List.to_string(),
            "found a suffix list in meta that its snapshot does not name"
        );
    }
}
