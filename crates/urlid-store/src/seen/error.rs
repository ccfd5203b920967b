//! The kinds of errors of seen-sets, for [`Error::is`](urlid::Error::is): each function of this crate fails
//! with a [`urlid::Error`].
//!
//! The subject of an error is the path that it is about. Its source is what the operating system or a decoder
//! reported.

use urlid::{ErrorCode, ErrorKind};

pub use crate::description::{EMPTY_FORM, SNAPSHOT};
use crate::description::{FolderKind, OF_SEEN_SET};

/// A file or folder cannot be read.
pub const READ: ErrorKind = ErrorKind::new(ErrorCode::Io, "seen-set cannot be read: {subject}");
/// A file or folder cannot be written.
pub const WRITE: ErrorKind = ErrorKind::new(ErrorCode::Io, "seen-set cannot be written: {subject}");
/// Another process has the folder, or another set of this one; or the set was opened before a fork.
pub const IN_USE: ErrorKind =
    ErrorKind::new(ErrorCode::InUse, "seen-set is in use: another writer has {subject}");
/// An earlier write failed in a way that leaves open what is on the disk. Opening the set again finds out.
pub const BROKEN: ErrorKind =
    ErrorKind::new(ErrorCode::Io, "seen-set was not written before, and has to be opened again: {subject}");
/// A folder is something else.
pub const FOREIGN: ErrorKind =
    ErrorKind::new(ErrorCode::IndexFormat, "not a seen-set: found {found} in {subject}");
/// A seen-set is of a later format.
pub const NEWER: ErrorKind = ErrorKind::new(
    ErrorCode::IndexFormat,
    "seen-set is of a newer format: found version {found} in {subject}",
);
/// A seen-set holds something that no writer wrote, or lacks something.
pub const DAMAGED: ErrorKind =
    ErrorKind::new(ErrorCode::IndexDamaged, "seen-set is damaged: {found} in {subject}");
/// The keys are of something else than those that are to be added.
pub const MIXED: ErrorKind = ErrorKind::new(
    ErrorCode::CanonMixed,
    "seen-set has other keys: found {found} in {subject}, expected {expected}",
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
