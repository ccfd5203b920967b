//! Optional indexes over slices: made and removed (docs/index-format.md, section 5).

use std::path::Path;

use urlid_plan::SliceIndex;

use crate::file::error::IndexError;
use crate::file::open::IndexFile;
use crate::file::store::Access;

/// Makes optional indexes that are not there.
///
/// # Errors
/// Fails when SQLite does; those made before stay.
pub fn add_slice_indexes(path: &Path, wanted: &[SliceIndex]) -> Result<(), IndexError> {
    each(path, wanted, |index, is_there| (!is_there).then(|| index.sql()))
}

/// Removes optional indexes that are there.
///
/// # Errors
/// Fails when SQLite does; those removed before stay removed.
pub fn drop_slice_indexes(path: &Path, unwanted: &[SliceIndex]) -> Result<(), IndexError> {
    each(path, unwanted, |index, is_there| is_there.then(|| format!("DROP INDEX {}", index.object())))
}

/// Executes a statement for each index that needs one, in a transaction of its own.
fn each(
    path: &Path,
    indexes: &[SliceIndex],
    statement: impl Fn(SliceIndex, bool) -> Option<String>,
) -> Result<(), IndexError> {
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
