//! The kinds of errors of WHATWG URLs.

use crate::error::{Error, ErrorCode, ErrorKind};

pub(super) const RELATIVE_WITHOUT_BASE: ErrorKind =
    kind("text has no scheme: expected an absolute URL, or a base");
/// The base's path is opaque, and the reference is more than a fragment.
pub(super) const OPAQUE_BASE: ErrorKind =
    kind("base has an opaque path: expected a reference that is a fragment only");
/// A special URL, and every user and port, needs a host.
pub(super) const HOST_MISSING: ErrorKind = kind("host is missing");
pub(super) const FILE_AUTHORITY: ErrorKind = kind("`file` URL has a user or a port: expected a host only");
pub(super) const PORT: ErrorKind = kind("port is out of range: found {found}, expected 0 to 65535");

const fn kind(message: &'static str) -> ErrorKind {
    ErrorKind::new(ErrorCode::UrlParse, message)
}

/// Converts an error of a host or a reference to an error of a URL: the standard has a single kind of
/// failure.
pub(super) fn of_url(error: Error) -> Error {
    error.with_code(ErrorCode::UrlParse)
}
