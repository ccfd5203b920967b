//! The matcher of a list, with its key.

use std::path::Path;

use urlid::ErrorCode;
use urlid_lists::{HiddenList, ListMatcher};

use crate::args::hashed::KeyArg;
use crate::report::exit::Failure;

/// Makes the matcher of a list.
pub(super) fn of_list(path: &Path, list: &HiddenList, key: &KeyArg) -> Result<ListMatcher, Failure> {
    let key = key.read()?;
    ListMatcher::new(list, key.as_ref()).map_err(|error| failure(path, &error, key.is_some()))
}

/// Makes the failure of a list that cannot be matched with what was given.
pub(super) fn failure(path: &Path, error: &urlid::Error, has_key: bool) -> Failure {
    let failure = Failure::of_file(path, error);
    match error.code() {
        ErrorCode::Key if !has_key => failure.with_hint("--key names the file with the key"),
        _ => failure,
    }
}
