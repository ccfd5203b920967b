//! The kinds of errors of hosts. Systems that need URLs instead of names replace the codes.

use crate::error::{ErrorCode, ErrorKind};

/// The host has a forbidden byte after percent-decoding and mapping.
pub const FORBIDDEN_BYTE: ErrorKind = kind("host has a forbidden character: found {found}");
pub(super) const NOT_UTF8: ErrorKind = kind("host is not UTF-8 after percent-decoding: found {found}");
/// The host is not valid under UTS 46, Unicode's processing of internationalised names.
pub(super) const IDNA: ErrorKind = kind("host is not a valid internationalised name: found {found}");
/// The label is too long to be mapped: the limit is 1,000 characters, or 2,000 in Punycode.
pub(super) const LONG_LABEL: ErrorKind =
    ErrorKind::new(ErrorCode::HostLen, "host has a label too long to be mapped: found {found}");
/// The mapping removes every character of the host.
pub(super) const EMPTY: ErrorKind = kind("host is empty after mapping");
/// The last label is a number and the host is not an IPv4 address.
pub(super) const IPV4: ErrorKind = kind("host ends in a number but is not an IPv4 address: found {found}");
/// The brackets do not contain an IPv6 address.
pub(super) const IPV6: ErrorKind = kind("host is not an IPv6 address in brackets: found {found}");
/// The IPv6 address has a zone, so it is only meaningful on one machine.
pub(super) const ZONE: ErrorKind =
    kind("host is an IPv6 address with a zone, which URLs do not allow: found {found}");

const fn kind(message: &'static str) -> ErrorKind {
    ErrorKind::new(ErrorCode::HostNotDns, message)
}
