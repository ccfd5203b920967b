//! Output files, which replace others of their names, but never one that the command reads.

use std::path::Path;

use urlid_io::files::{Existing, FileKey, NewFile};

use crate::output::escape::Escaped;
use crate::report::exit::Failure;

/// Returns an error if the command reads the file that it would write. `option` is the name of the option for the file.
pub(crate) fn check_unread<'p>(
    option: &str,
    path: &Path,
    read: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Failure> {
    // A path without a key cannot be opened, and that is reported when it is.
    match FileKey::of_path(path) {
        Ok(key) if key.is_of_any(read) => {
            Err(Failure::usage(format!("{option} {}: the command reads this file", Escaped::path(path))))
        }
        _ => Ok(()),
    }
}

/// Returns an error if the command reads a file that it would write, or would write one twice. Each output has the name of the option
/// that asks for it.
pub(crate) fn check_outputs(
    outputs: &[(&str, Option<&Path>)],
    read: &[Option<&Path>],
) -> Result<(), Failure> {
    let mut before = Vec::new();
    for (option, path) in outputs {
        let Some(path) = path else { continue };
        check_unread(option, path, read.iter().copied().flatten())?;
        if FileKey::of_path(path).is_ok_and(|key| key.is_of_any(&before)) {
            return Err(Failure::usage(format!(
                "{option} {}: the command writes something else to this file",
                Escaped::path(path)
            )));
        }
        before.push(path);
    }
    Ok(())
}

/// Makes a file that receives its name when it is published.
pub(crate) fn create(path: &Path) -> Result<NewFile, Failure> {
    NewFile::create(path, Existing::Replace).map_err(|error| Failure::write(path, &error))
}
