//! The kinds of errors of canonical texts.

use crate::error::{ErrorCode, ErrorKind};

// The subject of these is the URI or the base.
/// A character that no URI has (H-2).
pub(super) const CHARACTER: ErrorKind =
    not_uri("{subject} has a character that no URI has: found {found} at byte {place}, expected it escaped");
pub(super) const PERCENT: ErrorKind =
    not_uri("{subject} has a bare `%` at byte {place}, expected two hexadecimal digits after it");
pub(super) const SECOND_FRAGMENT: ErrorKind =
    not_uri("{subject} has a second `#` at byte {place}, expected one");

/// The authority of a scheme that has hosts is not `[user@]host[:port]` (H-6).
pub(super) const AUTHORITY: ErrorKind =
    not_uri("authority of the uri is malformed: found {found}, expected `[user@]host[:port]`");

pub(super) const FIRST_SEGMENT: ErrorKind =
    not_uri("uri has no scheme, and a colon in its first segment, which no reference has: found {found}");
pub(super) const RELATIVE: ErrorKind =
    ErrorKind::new(ErrorCode::Relative, "uri is relative and has no base: found {found}");

const fn not_uri(message: &'static str) -> ErrorKind {
    ErrorKind::new(ErrorCode::NotUri, message)
}
