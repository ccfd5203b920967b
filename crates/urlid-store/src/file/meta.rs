//! The description of an index: the table `meta` and the optional indexes (docs/index-format.md, sections 3
//! and 5).
//!
//! Writes the values of a new file and reads them back, each with a bound on its size. Does not depend on the
//! rows.

use std::io::Read;

use crate::kind::TOOL;
use crate::question::schema::{self, FORMAT_VERSION, Object};
use crate::question::{Layout, SliceIndex};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension};
use urlid::internal::decode_hex;
use urlid::snapshot::Snapshot;
use urlid::suffix::{Sections, SuffixList};
use urlid::{Error, hex};
use urlid_canonical::{Form, Rules};

use super::database::Database;
use crate::file::error;

/// The longest suffix list that is read, in bytes of its text; the real one has a third of a million. A small
/// frame of a hostile file can decompress to gigabytes.
const LIST_LIMIT: usize = 64 << 20;
/// The level of zstd.
const COMPRESSION_LEVEL: i32 = 9;

/// The description of an index, as its file stores it.
#[non_exhaustive]
#[derive(Clone, Debug)]
pub struct Description {
    /// The version of the file format, `PRAGMA user_version`.
    pub format: u32,
    /// The program that made it, as in `urlid 0.1.0`.
    pub tool: String,
    /// The suffix list and Unicode data that the identifiers depend on.
    pub snapshot: Snapshot,
    /// The suffix list that the identifiers were made with.
    pub suffixes: SuffixList,
    /// The name of the canonical form of the URLs; `None` if they are stored as they came.
    pub canonical_form: Option<String>,
    /// The SHA-256 of the rules of sites that the form names; the file has their text.
    pub rules_sha256: Option<[u8; 32]>,
    /// The optional indexes of the file.
    pub slice_indexes: Vec<SliceIndex>,
}

impl Description {
    /// Returns the properties that affect planning.
    pub(crate) fn layout(&self) -> Layout<'_> {
        Layout { suffixes: &self.suffixes, slice_indexes: &self.slice_indexes }
    }
}

/// The basis of rows: the suffix list of their identifiers and the canonical form of their URLs.
#[derive(Clone, Debug)]
pub(crate) struct Basis {
    pub(crate) list: SuffixList,
    pub(crate) form: Option<Form>,
}

impl Basis {
    /// Returns the name of the form as `meta` stores it: empty without one.
    pub(crate) fn form_name(&self) -> String {
        self.form.as_ref().map(Form::to_string).unwrap_or_default()
    }

    /// Returns the rules of sites that the form names.
    pub(crate) fn rules(&self) -> Option<&Rules> {
        self.form.as_ref()?.rules()
    }
}

/// The numbers of rows of both tables, or the changes of these numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RowCounts<N> {
    /// Rows of `url`.
    pub(crate) sxurl: N,
    /// Rows of `other`.
    pub(crate) other: N,
}

/// Writes the values of a new file for rows of a basis.
pub(crate) fn write(conn: &Connection, basis: &Basis) -> rusqlite::Result<()> {
    let list = &basis.list;
    let mut insert = conn.prepare("INSERT INTO meta(key, value) VALUES(?1, ?2)")?;
    insert.execute(("format", FORMAT_VERSION))?;
    insert.execute(("tool", TOOL))?;
    insert.execute(("snapshot", Snapshot::new(list).to_string()))?;
    insert.execute(("suffix_list", compress(list.text())?))?;
    insert.execute(("rows", 0))?;
    insert.execute(("other_rows", 0))?;
    insert.execute(("canonical_form", basis.form_name()))?;
    write_rules(conn, basis)
}

/// Writes the rules of the form, if it names some: the name alone would not bring them back.
fn write_rules(conn: &Connection, basis: &Basis) -> rusqlite::Result<()> {
    let Some(rules) = basis.rules() else { return Ok(()) };
    let mut insert = conn.prepare("INSERT INTO meta(key, value) VALUES(?1, ?2)")?;
    insert.execute(("rules_sha256", hex::encode(&rules.sha256())))?;
    insert.execute(("rules", compress(rules.text())?))?;
    Ok(())
}

/// Records the canonical form of future rows; call it within the transaction that found the file empty.
pub(crate) fn replace_form(conn: &Connection, basis: &Basis) -> rusqlite::Result<()> {
    conn.execute("UPDATE meta SET value = ?1 WHERE key = 'canonical_form'", [basis.form_name()])?;
    conn.execute("DELETE FROM meta WHERE key IN ('rules', 'rules_sha256')", [])?;
    write_rules(conn, basis)
}

/// Replaces the list and the snapshot, for a migration.
pub(crate) fn replace_list(conn: &Connection, list: &SuffixList) -> rusqlite::Result<()> {
    let mut update = conn.prepare("UPDATE meta SET value = ?2 WHERE key = ?1")?;
    update.execute(("snapshot", Snapshot::new(list).to_string()))?;
    update.execute(("suffix_list", compress(list.text())?))?;
    Ok(())
}

/// Adds `change` to the recorded numbers of rows; call it within the transaction that changes the rows.
pub(crate) fn count(conn: &Connection, change: RowCounts<i64>) -> rusqlite::Result<()> {
    let mut update = conn.prepare_cached("UPDATE meta SET value = value + ?2 WHERE key = ?1")?;
    for (key, change) in [("rows", change.sxurl), ("other_rows", change.other)] {
        if change != 0 {
            // Without a change nothing is written: a batch that holds only known URLs leaves the file as it
            // is.
            update.execute((key, change))?;
        }
    }
    Ok(())
}

/// Reads the recorded numbers of rows.
pub(crate) fn rows(store: &Database) -> Result<RowCounts<u64>, Error> {
    Ok(RowCounts { sxurl: value(store, "rows", integer)?, other: value(store, "other_rows", integer)? })
}

/// Reads and checks the description of a file. `before` is an earlier one, whose parsed list is used again if
/// the snapshot is equal.
pub(crate) fn describe(store: &Database, before: Option<&Description>) -> Result<Description, Error> {
    let format = format(store)?;
    // Before any row is read: in a hostile file `meta` may be a view, whose expressions a read would run.
    let slice_indexes = schema::check(&objects(store).map_err(|e| store.error(e))?)
        .map_err(|object| error::SCHEMA.error().with_path(&store.path).with_shown(object))?;
    if value(store, "format", integer)? != u64::from(format) {
        return Err(damaged_value(store, "format"));
    }
    // Far above what is ever written; the limits bound what a hostile file makes this process copy.
    let tool = value(store, "tool", |v| text(v, 1 << 10))?;
    let snapshot: Snapshot = value(store, "snapshot", |v| text(v, 1 << 12)?.parse().ok())?;
    // Only checked here: every load changes the numbers, so they are read again when they are needed.
    rows(store)?;
    let canonical_form =
        Some(value(store, "canonical_form", |v| text(v, 1 << 12))?).filter(|name| !name.is_empty());
    let rules_sha256 = rules_sha256(store)?;
    let suffixes = match before {
        Some(before) if before.snapshot == snapshot => before.suffixes.clone(),
        _ => stored_list(store, &snapshot)?,
    };
    Ok(Description { format, tool, snapshot, suffixes, canonical_form, rules_sha256, slice_indexes })
}

/// Returns the SHA-256 of the rules that the form names, if there are some.
fn rules_sha256(store: &Database) -> Result<Option<[u8; 32]>, Error> {
    const KEY: &str = "rules_sha256";
    match optional_value(store, KEY, |v| decode_hex(v.as_str().ok()?))? {
        None => Ok(None),
        Some(sha256) => sha256.map(Some).ok_or_else(|| damaged_value(store, KEY)),
    }
}

/// Returns the rules that the form names, if there are some. Their aliases stay in the registered domains of
/// the list of the file.
pub(crate) fn stored_rules(store: &Database, description: &Description) -> Result<Option<Rules>, Error> {
    let Some(sha256) = description.rules_sha256 else { return Ok(None) };
    let packed = value(store, "rules", |v| blob(v, LIST_LIMIT))?;
    let rules = decompress(&packed).and_then(|text| Rules::parse_with(&text, &description.suffixes).ok());
    let rules = rules.filter(|rules| rules.sha256() == sha256);
    rules.map(Some).ok_or_else(|| damaged_value(store, "rules"))
}

/// Reads the version of the format through SQLite: a page in the log replaces the header of the file.
fn format(store: &Database) -> Result<u32, Error> {
    let version: u32 =
        store.conn.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(|e| store.error(e))?;
    if version == FORMAT_VERSION { Ok(version) } else { Err(error::version(&store.path, version)) }
}

fn objects(store: &Database) -> rusqlite::Result<Vec<Object>> {
    let mut statement = store.conn.prepare_cached("SELECT type, name, sql FROM sqlite_schema")?;
    let rows = statement
        .query_map([], |row| Ok(Object { kind: row.get(0)?, name: row.get(1)?, sql: row.get(2)? }))?;
    rows.collect()
}

/// Returns the list that a snapshot names.
fn stored_list(store: &Database, snapshot: &Snapshot) -> Result<SuffixList, Error> {
    let packed = value(store, "suffix_list", |v| blob(v, LIST_LIMIT))?;
    let sections = match snapshot.psl_sections.as_str() {
        "icann" => Sections::Icann,
        "all" => Sections::All,
        _ => return Err(damaged_value(store, "snapshot")),
    };
    let compiled = SuffixList::compiled_with(sections);
    if is_of(snapshot, compiled) {
        // The usual case. It saves decompressing and parsing the list each time an index is opened; `verify`
        // checks the frame.
        return Ok(compiled.clone());
    }
    let list = decompress(&packed).and_then(|text| SuffixList::parse(&text, sections).ok());
    list.filter(|list| is_of(snapshot, list)).ok_or_else(|| damaged(store, error::META_LIST.error()))
}

/// Returns whether a snapshot names a list, by the SHA-256 of its text.
fn is_of(snapshot: &Snapshot, list: &SuffixList) -> bool {
    snapshot.psl_sha256 == Snapshot::new(list).psl_sha256
}

/// Returns the snapshot of identifiers made with `list` as it is read back from a file: printing it loses the
/// spaces in the version of a list, and snapshots are compared for equality.
pub(crate) fn snapshot_of(list: &SuffixList) -> Snapshot {
    let snapshot = Snapshot::new(list);
    snapshot.to_string().parse().unwrap_or(snapshot)
}

/// Returns whether the stored frame contains the text of `list`. `describe` does not check this for a
/// compiled list.
pub(crate) fn stored_list_is(store: &Database, list: &SuffixList) -> Result<bool, Error> {
    let packed = value(store, "suffix_list", |v| blob(v, LIST_LIMIT))?;
    Ok(decompress(&packed).is_some_and(|text| text == list.text()))
}

/// Reads one value by `take`, which returns `None` for a wrong type or length.
fn value<T>(
    store: &Database,
    key: &'static str,
    take: impl Fn(ValueRef<'_>) -> Option<T>,
) -> Result<T, Error> {
    optional_value(store, key, take)?.flatten().ok_or_else(|| damaged_value(store, key))
}

/// Reads one value, if it is there.
fn optional_value<T>(
    store: &Database,
    key: &'static str,
    take: impl Fn(ValueRef<'_>) -> Option<T>,
) -> Result<Option<Option<T>>, Error> {
    let read = || -> rusqlite::Result<Option<Option<T>>> {
        let mut statement = store.conn.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
        statement.query_row([key], |row| Ok(take(row.get_ref(0)?))).optional()
    };
    read().map_err(|e| store.error(e))
}

/// Returns the error of a value that is missing or cannot be used.
pub(crate) fn damaged_value(store: &Database, key: &'static str) -> Error {
    damaged(store, error::META_VALUE.error().with_subject(key))
}

fn damaged(store: &Database, source: Error) -> Error {
    error::DAMAGED.error().with_path(&store.path).with_source(source)
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

/// Decompresses the text of a list. Returns `None` if the frame is damaged, not UTF-8, or longer than
/// [`LIST_LIMIT`].
fn decompress(packed: &[u8]) -> Option<String> {
    let mut text = String::new();
    let decoder = zstd::Decoder::new(packed).ok()?;
    // One byte past the limit tells a list that is too long from one of just that length.
    let read = decoder.take(LIST_LIMIT as u64 + 1).read_to_string(&mut text).ok()?;
    (read <= LIST_LIMIT).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::database::Access;
    use crate::question::schema::{HEX_VIEW, META_TABLE, OTHER_TABLE, URL_TABLE};

    /// A file with the schema and the values of a new index.
    fn fresh(directory: &tempfile::TempDir) -> Database {
        let path = directory.path().join("fresh");
        std::fs::write(&path, b"").expect("an empty file");
        let store = Database::open(&path, Access::Write).expect("opens");
        for sql in [URL_TABLE, META_TABLE, HEX_VIEW, OTHER_TABLE] {
            store.conn.execute_batch(sql).expect("creates");
        }
        store.conn.pragma_update(None, "user_version", FORMAT_VERSION).expect("sets");
        let basis = Basis { list: SuffixList::compiled().clone(), form: None };
        write(&store.conn, &basis).expect("writes");
        store
    }

    #[test]
    fn what_was_written_is_read() {
        let directory = tempfile::tempdir().expect("a directory");
        let store = fresh(&directory);
        let found = describe(&store, None).expect("reads");
        assert_eq!(found.tool, TOOL);
        assert_eq!(found.snapshot, Snapshot::new(SuffixList::compiled()));
        assert_eq!(found.suffixes.text(), SuffixList::compiled().text());
        assert!(stored_list_is(&store, &found.suffixes).expect("reads"));
        count(&store.conn, RowCounts { sxurl: 7, other: 3 }).expect("counts");
        count(&store.conn, RowCounts { sxurl: -2, other: 0 }).expect("counts");
        assert_eq!(rows(&store).expect("reads"), RowCounts { sxurl: 5, other: 3 });
    }

    #[test]
    fn each_missing_or_mistyped_value_is_named() {
        for key in ["format", "tool", "snapshot", "suffix_list", "rows", "other_rows", "canonical_form"] {
            for spoil in ["DELETE FROM meta WHERE key = ?1", "UPDATE meta SET value = 1.5 WHERE key = ?1"] {
                let directory = tempfile::tempdir().expect("a directory");
                let store = fresh(&directory);
                store.conn.execute(spoil, [key]).expect("spoils");
                let error = describe(&store, None).expect_err(key);
                let source = std::error::Error::source(&error).map(ToString::to_string);
                assert!(error.is(error::DAMAGED));
                assert_eq!(source, Some(format!("found no usable `{key}` in meta")));
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
}
