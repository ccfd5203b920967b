//! The kinds of errors of an index, for [`Error::is`](urlid::Error::is). Each function of this module fails
//! with a [`urlid::Error`].
//!
//! The subject of an error is its path. The source is the error of the operating system or of SQLite.
//!
//! ```
//! use urlid_store::file::{Index, error};
//!
//! let error = Index::open("Cargo.toml".as_ref()).unwrap_err();
//! assert!(error.is(error::FOREIGN));
//! assert_eq!((error.code().as_str(), error.subject()), ("ERR_INDEX_FORMAT", Some("Cargo.toml")));
//! ```

use std::path::Path;

pub use crate::description::{EMPTY_FORM, FORM, FORM_NAME, RULES, SNAPSHOT};
use crate::question::schema::{APPLICATION_ID, FORMAT_VERSION};
use urlid::ErrorCode::{CanonName, InUse, IndexDamaged, IndexFormat, Io};
use urlid::{Error, ErrorKind};

/// The operating system reported an error about the file or its directory.
pub const IO: ErrorKind = ErrorKind::new(Io, "index cannot be opened: {subject}");
/// A different load is making the index.
pub const MAKING: ErrorKind =
    ErrorKind::new(InUse, "index is in use: a different load is creating {subject}");
/// The file was removed or replaced after it was opened.
pub const REPLACED: ErrorKind =
    ErrorKind::new(Io, "index was removed or replaced while it was open: {subject}");
/// The file has several names (hard links), and each name would have its own log. It can be read, but not
/// written.
pub const LINKED: ErrorKind = ErrorKind::new(
    Io,
    "index has more than one name: found {found} hard links at {subject}, expected 1 for writing",
);
/// A log or journal with the name of a new index exists, and would be replayed into it.
pub const LOG_IN_THE_WAY: ErrorKind =
    ErrorKind::new(Io, "found a log without its index: {subject}; restore its index or remove the log");
/// The file needs a log next to it, which cannot be created there. Sealing the index first avoids this.
pub const UNSEALED: ErrorKind = ErrorKind::new(
    Io,
    "index is not sealed: a log cannot be created next to {subject}; seal the index where its folder is writable",
);
/// A different process held the write lock for longer than the waiting time of 10 s.
pub const BUSY: ErrorKind =
    ErrorKind::new(InUse, "index is locked: another process is writing {subject}, waited {found} s");
/// Other processes had the file open for longer than 10 s, and the operation needs exclusive access.
pub const IN_USE: ErrorKind =
    ErrorKind::new(InUse, "index is in use: other processes have {subject} open, waited {found} s");
/// No space is left for the file or its log.
pub const FULL: ErrorKind = ErrorKind::new(Io, "no space is left: {subject} or its log could not grow");
/// The file or its directory cannot be written.
pub const READ_ONLY: ErrorKind =
    ErrorKind::new(Io, "index cannot be written: {subject} or its directory is read-only");
/// The file system reported an error to SQLite.
pub const FILE_SYSTEM: ErrorKind = ErrorKind::new(Io, "index cannot be read or written: {subject}");
/// SQLite failed in any other way.
pub const UNUSABLE: ErrorKind = ErrorKind::new(Io, "index cannot be used: {subject}");
/// The file of the external sort cannot be written or read. The subject is its directory, which is the
/// directory of the index.
pub const SORT: ErrorKind = ErrorKind::new(Io, "rows cannot be sorted with temporary files in {subject}");
/// The caller stopped the load. The number of the error is the number of first lines with URLs that are kept.
/// A new index is discarded, so its error has no number.
pub const LOAD_STOPPED: ErrorKind = ErrorKind::new(Io, "load was stopped: {found}");
/// The load failed in an earlier call and cannot continue.
pub const OVER: ErrorKind = ErrorKind::new(Io, "load cannot continue: it failed in an earlier call");
/// The rows to change cannot be written to a temporary file in this directory.
pub const SET_ASIDE: ErrorKind =
    ErrorKind::new(Io, "rows to change cannot be written to temporary files in {subject}");
/// The index is changed, but the changed rows cannot be listed.
pub const UNLISTED: ErrorKind = ErrorKind::new(
    Io,
    "index is changed, but the changed rows cannot be listed from temporary files in {subject}",
);
/// The callback of a migration returned `Break`.
pub const CHANGE_STOPPED: ErrorKind = ErrorKind::new(Io, "change was stopped: the index is unchanged");
/// A file of an export cannot be created, or its name exists.
pub const FILE: ErrorKind = ErrorKind::new(Io, "file cannot be created: {subject}");
/// A file of an export cannot be written.
pub const WRITE: ErrorKind = ErrorKind::new(Io, "file cannot be written: {subject}");
/// The callback of an export returned `Break`.
pub const EXPORT_STOPPED: ErrorKind = ErrorKind::new(Io, "export was stopped");

/// The path names something other than a regular file.
pub const SPECIAL: ErrorKind =
    ErrorKind::new(IndexFormat, "not an index: found {found} at {subject}, expected a regular file");
/// The file has length 0.
pub const EMPTY: ErrorKind = ErrorKind::new(IndexFormat, "not an index: found an empty file at {subject}");
/// The file is not a SQLite database.
pub const FOREIGN: ErrorKind =
    ErrorKind::new(IndexFormat, "not an index: {subject} is not a SQLite database");
/// The file is a SQLite database of another program.
pub const OTHER: ErrorKind = ErrorKind::new(
    IndexFormat,
    "not an index: found application_id {found} in {subject}, expected {expected}",
);
/// The file has the `application_id` of an index, but lacks a version.
pub const UNVERSIONED: ErrorKind =
    ErrorKind::new(IndexFormat, "not an index: found user_version 0 in {subject}, expected {expected}");
/// The file is an index of a later format.
pub const NEWER: ErrorKind = ErrorKind::new(
    IndexFormat,
    "index is of a newer format: found version {found} in {subject}, expected {expected}",
);
/// The schema differs from the format. The error contains the first object that is missing, altered or not
/// part of the format.
pub const SCHEMA: ErrorKind = ErrorKind::new(
    IndexFormat,
    "not an index: `{found}` in {subject} is missing, altered or not part of the format",
);
/// A source of a merge is the target itself.
pub const SAME: ErrorKind =
    ErrorKind::new(IndexFormat, "index cannot be merged with itself: found {subject} among the sources");

/// The file is not a whole database, or its description cannot be used.
pub const DAMAGED: ErrorKind = ErrorKind::new(IndexDamaged, "index is damaged: {subject}");
/// The file holds rows that no loader wrote. The number of the error is the number of such rows. All other
/// rows were read.
pub const DAMAGED_ROWS: ErrorKind =
    ErrorKind::new(IndexDamaged, "index is damaged: {found} skipped in {subject}");
/// A row that should be changed is damaged. `verify` lists all damaged rows.
pub const DAMAGED_ROW: ErrorKind = ErrorKind::new(IndexDamaged, "index is damaged: found a malformed row");
/// The source of `DAMAGED`: a key of the description is missing, or its value has the wrong type or is too
/// long.
pub const META_VALUE: ErrorKind = ErrorKind::new(IndexDamaged, "`{subject}` in meta is missing or not valid");
/// The source of `DAMAGED`: the stored list is not the one that the snapshot names.
pub const META_LIST: ErrorKind =
    ErrorKind::new(IndexDamaged, "suffix list in meta does not match the snapshot");
/// The canonical form gives keys, but an index holds URLs.
pub const KEY_FORM: ErrorKind =
    ErrorKind::new(CanonName, "{subject} gives keys: expected a canonical form that gives URLs");

pub(crate) fn io(path: &Path, source: std::io::Error) -> Error {
    IO.error().with_path(path).with_source(source)
}

pub(crate) fn other(path: &Path, application_id: u32) -> Error {
    let shown = |id: u32| format!("{id:#010x}");
    OTHER.error().with_path(path).with_shown(shown(application_id)).with_expected(shown(APPLICATION_ID))
}

/// Returns the error of a version that is not [`FORMAT_VERSION`].
pub(crate) fn version(path: &Path, version: u32) -> Error {
    let kind = if version == 0 { UNVERSIONED } else { NEWER };
    kind.error().with_path(path).with_shown(version).with_expected(FORMAT_VERSION.to_string())
}

pub(crate) fn damaged_rows(path: &Path, rows: u64) -> Error {
    let error = DAMAGED_ROWS.error().with_path(path).with_number(rows);
    match rows {
        1 => error.with_shown("1 malformed row was"),
        rows => error.with_shown(format_args!("{rows} malformed rows were")),
    }
}

pub(crate) fn load_stopped(kept: Option<u64>) -> Error {
    match kept {
        None => LOAD_STOPPED.error().with_shown("the new index is discarded"),
        Some(lines) => {
            let kept = format_args!("the first {lines} lines are kept");
            LOAD_STOPPED.error().with_shown(kept).with_number(lines)
        }
    }
}

/// Rejects an empty canonical form. Some forms return it for white space instead of an error.
pub(crate) fn check_canonical(canonical: &str) -> Result<(), Error> {
    if canonical.is_empty() { Err(EMPTY_FORM.error()) } else { Ok(()) }
}
