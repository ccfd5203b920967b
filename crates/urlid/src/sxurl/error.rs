//! The kinds of errors of encoding and decoding (SXURL, section 8).

use crate::error::{Error, ErrorCode, ErrorKind, Excerpt};

pub(crate) const SCHEME: ErrorKind = ErrorKind::new(
    ErrorCode::InvalidScheme,
    "scheme is not supported: found {found}, expected https, http or ftp",
);
pub(crate) const NO_SCHEME: ErrorKind =
    ErrorKind::new(ErrorCode::InvalidScheme, "scheme is missing: expected https, http or ftp");
pub(crate) const NO_AUTHORITY: ErrorKind =
    ErrorKind::new(ErrorCode::HostNotDns, "host is missing: expected `//` after the scheme");
/// The host has brackets, ends in a number, or has more than one `:`.
pub(crate) const ADDRESS_LITERAL: ErrorKind = ErrorKind::new(
    ErrorCode::HostNotDns,
    "host has the form of an IP address: found {found}, expected a DNS name",
);
/// The host is empty, longer than 4,096 bytes as given, or longer than 255 bytes in ASCII.
pub(crate) const HOST_LENGTH: ErrorKind =
    ErrorKind::new(ErrorCode::HostLen, "host has a bad length: found {found} bytes, expected 1 to 255");
/// The label is empty or longer than 63 bytes in ASCII.
pub(crate) const LABEL_LENGTH: ErrorKind =
    ErrorKind::new(ErrorCode::HostLen, "host label has a bad length: found {found}, expected 1 to 63");
pub(crate) const PORT: ErrorKind =
    ErrorKind::new(ErrorCode::Port, "port is out of range: found {found}, expected 1 to 65535");

// Identifiers: the checks are made in this order.
pub(crate) const LENGTH: ErrorKind = ErrorKind::new(
    ErrorCode::IdLength,
    "id has the wrong length: found {found} characters, expected 64 digits",
);
pub(crate) const BYTE_LENGTH: ErrorKind =
    ErrorKind::new(ErrorCode::IdLength, "id has the wrong length: found {found} bytes, expected 32");
pub(crate) const DIGIT: ErrorKind =
    ErrorKind::new(ErrorCode::IdHex, "id has a character at byte {place} that is not a hexadecimal digit");
pub(crate) const VERSION: ErrorKind =
    ErrorKind::new(ErrorCode::IdVersion, "id has version {found}, expected 1");
pub(crate) const SCHEME_CODE: ErrorKind = ErrorKind::new(
    ErrorCode::InvalidScheme,
    "id has scheme code {found}, expected 0 (https), 1 (http) or 2 (ftp)",
);
pub(crate) const RESERVED: ErrorKind =
    ErrorKind::new(ErrorCode::IdReserved, "id has the reserved bit of its header set, expected 0");
pub(crate) const PORT_ZERO: ErrorKind =
    ErrorKind::new(ErrorCode::Port, "id has a port of 0, expected 1 to 65535");
pub(crate) const PORT_WITHOUT_FLAG: ErrorKind =
    ErrorKind::new(ErrorCode::Port, "id has port {found}, but its header declares no port");

pub(crate) fn scheme(found: Option<&str>) -> Error {
    match found {
        Some(found) => SCHEME.found(found),
        None => NO_SCHEME.error(),
    }
}

pub(crate) fn label_length(label: &str, host: &str) -> Error {
    LABEL_LENGTH.error().with_shown(format_args!("{} bytes in {}", label.len(), Excerpt(host)))
}
