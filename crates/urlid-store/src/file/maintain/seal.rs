//! Sealing and compacting an index file (docs/index-format.md, section 4).

use std::path::Path;

use urlid::Error;

use crate::file::database::{Access, Database, in_use};
use crate::file::open::IndexFile;

/// Moves everything into the one file and returns to a rollback journal, so that the index can be read in a read-only place.
///
/// # Errors
/// Fails when another process has the index open.
pub fn seal(path: &Path) -> Result<(), Error> {
    sealed(path, |_| Ok(()))
}

/// Rewrites the file without free pages, and seals it. After a crash the old content is still there.
///
/// # Errors
/// Fails when another process has the index open, when space for a second copy is missing, or when the structure of the file is
/// damaged.
pub fn compact(path: &Path) -> Result<(), Error> {
    sealed(path, |store| {
        let failed = |error| in_use(store.error(error));
        // `VACUUM` copies what it can reach, so it would silently lose the rows behind a damaged page.
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
    // By now with a rollback journal, from which an interrupted `VACUUM` is undone.
    then(store)
}
