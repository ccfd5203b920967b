//! Operations on an existing index. This module has seal, compact, and the optional indexes over slices
//! (docs/index-format.md, sections 4 and 5).

pub(crate) mod finding;
pub(crate) mod merge;
pub(crate) mod migrate;
pub(crate) mod set_aside;
pub(crate) mod verify;

use std::path::Path;

use urlid::Error;

use crate::file::database::{Access, Database, in_use};
use crate::file::open::IndexFile;
use crate::question::SliceIndex;

/// Creates the wanted optional indexes that do not exist yet.
///
/// # Errors
/// Fails when SQLite does. Indexes that were created before the failure stay.
pub fn add_slice_indexes(path: &Path, wanted: &[SliceIndex]) -> Result<(), Error> {
    each(path, wanted, |index, is_there| (!is_there).then(|| index.sql()))
}

/// Drops the unwanted optional indexes that exist.
///
/// # Errors
/// Fails when SQLite does. Indexes that were dropped before the failure stay dropped.
pub fn drop_slice_indexes(path: &Path, unwanted: &[SliceIndex]) -> Result<(), Error> {
    each(path, unwanted, |index, is_there| is_there.then(|| format!("DROP INDEX {}", index.object())))
}

/// Executes a statement for each index that needs one, each in its own transaction.
fn each(
    path: &Path,
    indexes: &[SliceIndex],
    statement: impl Fn(SliceIndex, bool) -> Option<String>,
) -> Result<(), Error> {
    let file = IndexFile::open(path, Access::Write)?;
    for index in indexes {
        file.change(|view| {
            let is_there = view.state.slice_indexes.contains(index);
            match statement(*index, is_there) {
                Some(sql) => view.conn().execute_batch(&sql).map_err(|e| view.error(e)),
                None => Ok(()),
            }
        })?;
    }
    Ok(())
}

/// Moves all data into the one file and returns to a rollback journal, so that the index can be read in a
/// read-only place.
///
/// # Errors
/// Fails if a different process has the index open.
pub fn seal(path: &Path) -> Result<(), Error> {
    sealed(path, |_| Ok(()))
}

/// Rewrites the file without free pages, and seals it. After a crash the old content is still there.
///
/// # Errors
/// Fails if a different process has the index open, if there is no space for a second copy, or if the
/// structure of the file is damaged.
pub fn compact(path: &Path) -> Result<(), Error> {
    sealed(path, |store| {
        let failed = |error| in_use(store.error(error));
        // `VACUUM` copies only pages that it can reach, so it would silently lose the rows after a damaged
        // page.
        let found: String =
            store.conn.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(failed)?;
        if found != "ok" {
            let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
            return Err(store.error(rusqlite::Error::SqliteFailure(code, Some(found))));
        }
        store.conn.execute_batch("VACUUM").map_err(failed)
    })
}

fn sealed(path: &Path, then: impl FnOnce(&Database) -> Result<(), Error>) -> Result<(), Error> {
    let file = IndexFile::open(path, Access::Write)?;
    let store = file.store();
    file.checkpoint()?;
    store.journal_mode("delete")?;
    store.synchronous(2)?;
    // The file has a rollback journal by now, which can undo an interrupted `VACUUM`.
    then(store)
}
