//! The description of an index: the table `meta` and the optional indexes (docs/index-format.md, sections 3
//! and 5).
//!
//! This module writes the values of a new file and reads them back, with a limit on the size of each. It does
//! not depend on the rows.

use std::collections::HashMap;

use rusqlite::types::{ToSql, ValueRef};
use rusqlite::{Connection, OptionalExtension};
use urlid::Error;
use urlid::suffix::SuffixList;
use urlid_canonical::{Form, Rules};

use super::database::Database;
use crate::description::{Description, MOST_BYTES, pack, unpack};
use crate::file::error;
use crate::question::schema::{self, FORMAT_VERSION, Object};
use crate::question::{Layout, SliceIndex};

/// The longest text of the description, in bytes, which is much more than is ever written. It limits how much
/// a hostile file makes this process copy.
const MOST_TEXT: usize = 1 << 12;

/// The description of an index, its suffix list and its optional indexes.
#[derive(Clone, Debug)]
pub(crate) struct IndexState {
    pub(crate) description: Description,
    pub(crate) suffixes: SuffixList,
    pub(crate) slice_indexes: Vec<SliceIndex>,
}

impl IndexState {
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
    /// Returns the description of an index of such rows.
    pub(crate) fn describe(&self) -> Description {
        Description::new(FORMAT_VERSION, &self.list, self.form.as_ref())
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

/// Writes the values of an empty file for rows of a basis, over existing values.
pub(crate) fn write(conn: &Connection, basis: &Basis) -> rusqlite::Result<()> {
    conn.execute("DELETE FROM meta WHERE key IN ('rules', 'rules_sha256')", [])?;
    write_list(conn, &basis.describe(), &basis.list)?;
    if let Some(rules) = basis.form.as_ref().and_then(Form::rules) {
        // The rules cannot be recovered from the name of the form.
        put(conn, "rules", packed(rules.text())?)?;
    }
    put(conn, "rows", 0)?;
    put(conn, "other_rows", 0)
}

/// Writes a description and its suffix list over existing ones.
pub(crate) fn write_list(
    conn: &Connection,
    description: &Description,
    list: &SuffixList,
) -> rusqlite::Result<()> {
    description.entries().try_for_each(|(key, value)| put(conn, key, value))?;
    put(conn, "suffix_list", packed(list.text())?)
}

fn put(conn: &Connection, key: &str, value: impl ToSql) -> rusqlite::Result<()> {
    conn.prepare_cached("REPLACE INTO meta(key, value) VALUES(?1, ?2)")?.execute((key, value)).map(drop)
}

fn packed(text: &str) -> rusqlite::Result<Vec<u8>> {
    pack(text).map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

/// Adds `change` to the recorded numbers of rows. Must be called within the transaction that changes the
/// rows.
pub(crate) fn count(conn: &Connection, change: RowCounts<i64>) -> rusqlite::Result<()> {
    let mut update = conn.prepare_cached("UPDATE meta SET value = value + ?2 WHERE key = ?1")?;
    for (key, change) in [("rows", change.sxurl), ("other_rows", change.other)] {
        if change != 0 {
            // If the numbers do not change, nothing is written, so a batch with only known URLs leaves the
            // file unchanged.
            update.execute((key, change))?;
        }
    }
    Ok(())
}

/// Reads the recorded numbers of rows.
pub(crate) fn rows(store: &Database) -> Result<RowCounts<u64>, Error> {
    let number = |key| {
        let read = value(store, key, |value| u64::try_from(value.as_i64().ok()?).ok())?;
        read.ok_or_else(|| damaged_value(store, key))
    };
    Ok(RowCounts { sxurl: number("rows")?, other: number("other_rows")? })
}

/// Reads and checks the description of a file. `before` is an earlier state. Its parsed list is reused if the
/// snapshot is equal.
pub(crate) fn describe(store: &Database, before: Option<&IndexState>) -> Result<IndexState, Error> {
    check_version(store)?;
    // The schema is checked before any row is read. In a hostile file `meta` may be a view, and reading it
    // would run its expressions.
    let slice_indexes = schema::check(&objects(store).map_err(|e| store.error(e))?)
        .map_err(|object| error::SCHEMA.error().with_path(&store.path).with_shown(object))?;
    let mut texts = HashMap::new();
    for key in Description::ENTRIES {
        let text = |value: ValueRef<'_>| Some(value.as_str().ok()?.to_owned());
        let read = value(store, key, |value| text(value).filter(|text| text.len() <= MOST_TEXT))?;
        texts.insert(key, read);
    }
    let description = Description::read(FORMAT_VERSION, |key| texts.get(key)?.clone())
        .map_err(|key| damaged_value(store, key))?;
    // The numbers are only checked here. Every load changes them, so they are read again when they are
    // needed.
    rows(store)?;
    let suffixes = match before {
        Some(before) if before.description.snapshot == description.snapshot => before.suffixes.clone(),
        _ => match description.compiled_suffixes() {
            Some(compiled) => {
                blob(store, "suffix_list")?;
                compiled.clone()
            }
            None => stored_list(store, &description)?,
        },
    };
    Ok(IndexState { description, suffixes, slice_indexes })
}

/// Returns whether the stored frame contains the text of `list`. This avoids parsing it again.
pub(crate) fn stored_list_is(store: &Database, list: &SuffixList) -> Result<bool, Error> {
    Ok(unpack(&blob(store, "suffix_list")?).is_some_and(|text| text == list.text()))
}

/// Returns the stored suffix list, if it is the one that the snapshot names.
fn stored_list(store: &Database, description: &Description) -> Result<SuffixList, Error> {
    let list = description.suffixes(&blob(store, "suffix_list")?);
    list.ok_or_else(|| damaged(store, error::META_LIST.error()))
}

/// Returns the rules that the form names, or `None` if it does not name any.
pub(crate) fn stored_rules(store: &Database, state: &IndexState) -> Result<Option<Rules>, Error> {
    if state.description.rules_sha256.is_none() {
        return Ok(None);
    }
    let rules = state.description.rules(&blob(store, "rules")?, &state.suffixes);
    rules.map(Some).ok_or_else(|| damaged_value(store, "rules"))
}

/// Reads the version of the format through SQLite, because a page in the log replaces the header of the file.
fn check_version(store: &Database) -> Result<(), Error> {
    let version: u32 =
        store.conn.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(|e| store.error(e))?;
    if version == FORMAT_VERSION { Ok(()) } else { Err(error::version(&store.path, version)) }
}

fn objects(store: &Database) -> rusqlite::Result<Vec<Object>> {
    let mut statement = store.conn.prepare_cached("SELECT type, name, sql FROM sqlite_schema")?;
    let rows = statement
        .query_map([], |row| Ok(Object { kind: row.get(0)?, name: row.get(1)?, sql: row.get(2)? }))?;
    rows.collect()
}

fn blob(store: &Database, key: &'static str) -> Result<Vec<u8>, Error> {
    let is_short = |bytes: &&[u8]| bytes.len() as u64 <= MOST_BYTES;
    let read = value(store, key, |value| value.as_blob().ok().filter(is_short).map(<[u8]>::to_vec))?;
    read.ok_or_else(|| damaged_value(store, key))
}

/// Reads one value by `take`, which returns `None` for a wrong type or length. A missing value is also
/// `None`.
fn value<T>(
    store: &Database,
    key: &'static str,
    take: impl Fn(ValueRef<'_>) -> Option<T>,
) -> Result<Option<T>, Error> {
    let read = || -> rusqlite::Result<Option<Option<T>>> {
        let mut statement = store.conn.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
        statement.query_row([key], |row| Ok(take(row.get_ref(0)?))).optional()
    };
    read().map(Option::flatten).map_err(|e| store.error(e))
}

/// Returns the error of a value that is missing or cannot be used.
pub(crate) fn damaged_value(store: &Database, key: &'static str) -> Error {
    damaged(store, error::META_VALUE.error().with_subject(key))
}

fn damaged(store: &Database, source: Error) -> Error {
    error::DAMAGED.error().with_path(&store.path).with_source(source)
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
    fn written_values_are_read_back() {
        let directory = tempfile::tempdir().expect("a directory");
        let store = fresh(&directory);
        let found = describe(&store, None).expect("reads");
        assert_eq!(found.description, Description::new(FORMAT_VERSION, SuffixList::compiled(), None));
        assert_eq!(found.suffixes.text(), SuffixList::compiled().text());
        stored_list(&store, &found.description).expect("is stored");
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
                assert_eq!(source, Some(format!("`{key}` in meta is missing or not valid")));
            }
        }
    }
}
