//! Creating and dropping optional indexes over slices (docs/index-format.md, section 5).

use std::path::Path;

use crate::question::SliceIndex;
use urlid::Error;

use crate::file::database::Access;
use crate::file::open::IndexFile;

/// Creates those of the optional indexes that do not exist.
///
/// # Errors
/// Fails when SQLite does. Indexes created before the failure stay.
pub fn add_slice_indexes(path: &Path, wanted: &[SliceIndex]) -> Result<(), Error> {
    each(path, wanted, |index, is_there| (!is_there).then(|| index.sql()))
}

/// Drops those of the optional indexes that exist.
///
/// # Errors
/// Fails when SQLite does. Indexes dropped before the failure stay dropped.
pub fn drop_slice_indexes(path: &Path, unwanted: &[SliceIndex]) -> Result<(), Error> {
    each(path, unwanted, |index, is_there| is_there.then(|| format!("DROP INDEX {}", index.object())))
}

/// Executes a statement for each index that needs one, in a transaction of its own.
fn each(
    path: &Path,
    indexes: &[SliceIndex],
    statement: impl Fn(SliceIndex, bool) -> Option<String>,
) -> Result<(), Error> {
    let file = IndexFile::open(path, Access::Write)?;
    for index in indexes {
        file.change(|view| {
            let is_there = view.description.slice_indexes.contains(index);
            match statement(*index, is_there) {
                Some(sql) => view.conn().execute_batch(&sql).map_err(|e| view.error(e)),
                None => Ok(()),
            }
        })?;
    }
    Ok(())
}
