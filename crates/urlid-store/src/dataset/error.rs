//! The kinds of errors of datasets, for [`Error::is`]: each function of this crate fails with a
//! [`urlid::Error`].
//!
//! The subject of an error is the path that it is about. Its source is what the operating system or a decoder
//! reported.

use std::error::Error as StdError;
use std::io;
use std::path::Path;

pub use crate::kind::EMPTY_FORM;
use crate::kind::{OF_DATASET, stored_kind};
use urlid::{Error, ErrorCode, ErrorKind};

/// A folder cannot be read.
pub const READ: ErrorKind = ErrorKind::new(ErrorCode::Io, "dataset cannot be read: {subject}");
/// A folder cannot be written.
pub const WRITE: ErrorKind = ErrorKind::new(ErrorCode::Io, "dataset cannot be written: {subject}");
/// A name is taken.
pub const EXISTS: ErrorKind =
    ErrorKind::new(ErrorCode::Io, "dataset cannot be made: found {subject} already");
/// A folder is something else.
pub const FOREIGN: ErrorKind =
    ErrorKind::new(ErrorCode::IndexFormat, "not a dataset: found {found} in {subject}");
/// A dataset is of a later format.
pub const NEWER: ErrorKind = ErrorKind::new(
    ErrorCode::IndexFormat,
    "dataset is of a newer format: found version {found} in {subject}",
);
/// A dataset holds something that no builder wrote, or lacks something.
pub const DAMAGED: ErrorKind =
    ErrorKind::new(ErrorCode::IndexDamaged, "dataset is damaged: {found} in {subject}");
/// Datasets that are queried together differ in their suffix list or Unicode data.
pub const SNAPSHOT: ErrorKind =
    ErrorKind::new(ErrorCode::Snapshot, "datasets were made with different data: found {found} in {subject}");
/// Datasets that are queried together differ in their canonical form.
pub const FORM: ErrorKind = ErrorKind::new(
    ErrorCode::CanonMixed,
    "datasets have different canonical forms: found {found} in {subject}",
);
/// The rules of sites of a dataset differ from the given ones of the same name.
pub const RULES: ErrorKind = ErrorKind::new(
    ErrorCode::CanonMixed,
    "rules of sites differ from those of {subject}, which have the same name",
);
/// The caller stopped the work.
pub const STOPPED: ErrorKind = ErrorKind::new(ErrorCode::Io, "stopped: no dataset was made");

/// The name of the canonical form is unknown: a later version of the library wrote it, or it names a list
/// that is not given.
pub const FORM_NAME: ErrorKind =
    ErrorKind::new(ErrorCode::CanonName, "canonical form of {subject} is unknown");

/// Returns the error of reading a file or folder.
pub(crate) fn unread(path: &Path, source: io::Error) -> Error {
    READ.error().with_subject(path.display().to_string()).with_source(source)
}

/// Returns the error of writing a file or folder.
pub(crate) fn unwritten(path: &Path, source: impl StdError + Send + Sync + 'static) -> Error {
    WRITE.error().with_subject(path.display().to_string()).with_source(source)
}

/// Returns the error of damage in a file.
pub(crate) fn damaged(path: &Path, what: &str) -> Error {
    DAMAGED.error().with_shown(what).with_subject(path.display().to_string())
}

/// Returns the error of a path that does not hold a dataset, which names what it holds instead.
pub(crate) fn foreign(path: &Path) -> Error {
    let found = stored_kind(path).map_or_else(|| format!("no {OF_DATASET}"), str::to_owned);
    FOREIGN.error().with_shown(found).with_path(path)
}
