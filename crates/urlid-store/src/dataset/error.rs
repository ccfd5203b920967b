//! The kinds of errors of datasets, for [`Error::is`](urlid::Error::is). Each function of this module fails
//! with a [`urlid::Error`].
//!
//! The subject of an error is its path. The source is the error of the operating system or of a decoder.

use urlid::{ErrorCode, ErrorKind};

pub use crate::description::{EMPTY_FORM, FORM, FORM_NAME, RULES, SNAPSHOT};
use crate::description::{FolderKind, OF_DATASET};

/// A folder cannot be read.
pub const READ: ErrorKind = ErrorKind::new(ErrorCode::Io, "dataset cannot be read: {subject}");
/// A folder cannot be written.
pub const WRITE: ErrorKind = ErrorKind::new(ErrorCode::Io, "dataset cannot be written: {subject}");
/// The name of a new dataset exists already.
pub const EXISTS: ErrorKind =
    ErrorKind::new(ErrorCode::Io, "dataset cannot be created: {subject} exists already");
/// A folder is not a dataset.
pub const FOREIGN: ErrorKind =
    ErrorKind::new(ErrorCode::IndexFormat, "not a dataset: found {found} in {subject}");
/// A dataset is of a later format.
pub const NEWER: ErrorKind = ErrorKind::new(
    ErrorCode::IndexFormat,
    "dataset is of a newer format: found version {found} in {subject}",
);
/// A dataset lacks something, or holds something that no builder wrote.
pub const DAMAGED: ErrorKind =
    ErrorKind::new(ErrorCode::IndexDamaged, "dataset is damaged: {found} in {subject}");
/// The caller stopped the work.
pub const STOPPED: ErrorKind = ErrorKind::new(ErrorCode::Io, "stopped before the dataset was created");

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
