//! The kinds of errors of seen-sets, for [`Error::is`]: each function of this crate fails with a
//! [`urlid::Error`].
//!
//! The subject of an error is the path that it is about. Its source is what the operating system or a decoder
//! reported.

use std::io;
use std::path::Path;

pub use crate::kind::EMPTY_FORM;
use crate::kind::{OF_SEEN_SET, stored_kind};
use urlid::{Error, ErrorCode, ErrorKind};

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
/// The keys depend on other data than those that are to be added.
pub const SNAPSHOT: ErrorKind =
    ErrorKind::new(ErrorCode::Snapshot, "snapshots differ: found {found} in {subject}, expected {expected}");

/// Returns the error of reading a file or folder.
pub(crate) fn unread(path: &Path, source: io::Error) -> Error {
    READ.error().with_path(path).with_source(source)
}

/// Returns the error of writing a file or folder.
pub(crate) fn unwritten(path: &Path, source: io::Error) -> Error {
    WRITE.error().with_path(path).with_source(source)
}

/// Returns the error of damage in a file.
pub(crate) fn damaged(path: &Path, what: impl std::fmt::Display) -> Error {
    DAMAGED.error().with_shown(what).with_path(path)
}

/// Returns the error of a path that does not hold a seen-set, which names what it holds instead.
pub(crate) fn foreign(path: &Path) -> Error {
    let found = stored_kind(path).map_or_else(|| format!("no {OF_SEEN_SET}"), str::to_owned);
    FOREIGN.error().with_shown(found).with_path(path)
}
