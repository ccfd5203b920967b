//! The kinds of errors of seen-sets, for [`Error::is`](urlid::Error::is). Each function of this module fails
//! with a [`urlid::Error`].
//!
//! The subject of an error is its path. The source is the error of the operating system or of a decoder.

use urlid::{ErrorCode, ErrorKind};

pub use crate::description::{EMPTY_FORM, SNAPSHOT};
use crate::description::{FolderKind, OF_SEEN_SET};

/// A file or folder cannot be read.
pub const READ: ErrorKind = ErrorKind::new(ErrorCode::Io, "seen-set cannot be read: {subject}");
/// A file or folder cannot be written.
pub const WRITE: ErrorKind = ErrorKind::new(ErrorCode::Io, "seen-set cannot be written: {subject}");
/// The folder is locked by a different process or by a second set in this one, or the set was opened before a
/// fork.
pub const IN_USE: ErrorKind =
    ErrorKind::new(ErrorCode::InUse, "seen-set is in use: a different writer has {subject} open");
/// An earlier write failed, and the state of the disk is unknown. Opening the set again determines it.
pub const BROKEN: ErrorKind =
    ErrorKind::new(ErrorCode::Io, "seen-set must be opened again because an earlier write failed: {subject}");
/// A folder is not a seen-set.
pub const FOREIGN: ErrorKind =
    ErrorKind::new(ErrorCode::IndexFormat, "not a seen-set: found {found} in {subject}");
/// A seen-set is of a later format.
pub const NEWER: ErrorKind = ErrorKind::new(
    ErrorCode::IndexFormat,
    "seen-set is of a newer format: found version {found} in {subject}",
);
/// A seen-set lacks something, or holds something that no writer wrote.
pub const DAMAGED: ErrorKind =
    ErrorKind::new(ErrorCode::IndexDamaged, "seen-set is damaged: {found} in {subject}");
/// The recorded keys have a different origin than the keys to be added.
pub const MIXED: ErrorKind = ErrorKind::new(
    ErrorCode::CanonMixed,
    "seen-set has different keys: found {found} in {subject}, expected {expected}",
);
/// Seen-sets, as folders with a description.
pub(crate) const SEEN_SET: FolderKind = FolderKind {
    name: OF_SEEN_SET,
    format: 1,
    read: READ,
    write: WRITE,
    foreign: FOREIGN,
    newer: NEWER,
    damaged: DAMAGED,
};
