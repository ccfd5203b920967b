//! Small works on an index that exists: sealing, compacting, and its optional indexes (docs/index-format.md, sections 4 and 5).

use std::path::Path;

use crate::file::open::{self, OpenError, Opened};
use crate::file::schema::SliceIndex;
use crate::file::store::{Access, StoreError};
use crate::load::writer::checkpoint;

/// Puts everything into the one file and returns to a rollback journal, so that it can be read where nothing can be written.
///
/// # Errors
/// Fails when another process has the index open.
pub fn seal(path: &Path) -> Result<(), OpenError> {
    let opened = open::open(path, Access::Write)?;
    sealed(&opened)?;
    opened.store.close()?;
    Ok(())
}

/// Rewrites the file without free pages, and seals it. What was there stays readable until it is done, also after a crash.
///
/// # Errors
/// Fails when another process has the index open, or when space for a second copy is missing.
pub fn compact(path: &Path) -> Result<(), OpenError> {
    let opened = open::open(path, Access::Write)?;
    sealed(&opened)?;
    opened.store.conn.execute_batch("VACUUM").map_err(|e| opened.store.error(e))?;
    opened.store.close()?;
    Ok(())
}

fn sealed(opened: &Opened) -> Result<(), StoreError> {
    checkpoint(&opened.store)?;
    opened.store.journal_mode("delete")?;
    opened.store.synchronous(2)
}

/// Makes optional indexes that are not there.
///
/// # Errors
/// Fails when SQLite does; those made before stay.
pub fn add_slice_indexes(path: &Path, wanted: &[SliceIndex]) -> Result<(), OpenError> {
    let opened = open::open(path, Access::Write)?;
    for index in wanted.iter().filter(|index| !opened.indexes.contains(index)) {
        opened.store.conn.execute_batch(&index.sql()).map_err(|e| opened.store.error(e))?;
    }
    opened.store.close()?;
    Ok(())
}

/// Removes optional indexes that are there.
///
/// # Errors
/// Fails when SQLite does; those removed before stay removed.
pub fn drop_slice_indexes(path: &Path, unwanted: &[SliceIndex]) -> Result<(), OpenError> {
    let opened = open::open(path, Access::Write)?;
    for index in unwanted.iter().filter(|index| opened.indexes.contains(index)) {
        let sql = format!("DROP INDEX {}", index.object());
        opened.store.conn.execute_batch(&sql).map_err(|e| opened.store.error(e))?;
    }
    opened.store.close()?;
    Ok(())
}
