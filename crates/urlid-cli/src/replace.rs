//! Files that are written in the place of others of their names: never of one that the command reads.

use std::path::Path;

use urlid_files::{Existing, FileKey, NewFile};

use crate::escape::Escaped;
use crate::exit::Failure;

/// Returns an error if a file to write is one of those that the command reads. `option` is what the user names it by.
pub(crate) fn check_unread<'p>(
    option: &str,
    path: &Path,
    read: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Failure> {
    // What is wrong with a path that has no key is reported where it is opened.
    match FileKey::of_path(path) {
        Ok(key) if key.is_of_any(read) => {
            Err(Failure::usage(format!("{option} {}: the command reads this file", Escaped::path(path))))
        }
        _ => Ok(()),
    }
}

/// Makes a file that gets its name when it is published.
pub(crate) fn create(path: &Path) -> Result<NewFile, Failure> {
    NewFile::create(path, Existing::Replace).map_err(|error| Failure::write(path, &error))
}
