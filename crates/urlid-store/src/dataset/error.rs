//! The kinds of errors of datasets, for [`Error::is`](urlid::Error::is): each function of this crate fails
//! with a [`urlid::Error`].
//!
//! The subject of an error is the path that it is about. Its source is what the operating system or a decoder
//! reported.

use urlid::{ErrorCode, ErrorKind};

pub use crate::description::{EMPTY_FORM, FORM, FORM_NAME, RULES, SNAPSHOT};
use crate::description::{FolderKind, OF_DATASET};

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
/// The caller stopped the work.
pub const STOPPED: ErrorKind = ErrorKind::new(ErrorCode::Io, "stopped: no dataset was made");

/// Datasets, as folders with a description.
pub(crate) const DATASET: FolderKind = FolderKind {
    name: OF_DATASET,
    format: 1,
    read: READ,
    write: WRITE,
    foreign: FOREIGN,
    newer: NEWER,
    damaged: DAMAGED,
};
