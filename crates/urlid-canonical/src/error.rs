//! The errors of canonicalization, and of the names of forms. A profile that reproduces an implementation
//! rejects the same texts.

use urlid::{Error, ErrorCode, ErrorKind};

const PORT: ErrorKind =
    ErrorKind::new(ErrorCode::Port, "port is not valid: found {found}, expected {expected}");
const HOST: ErrorKind =
    ErrorKind::new(ErrorCode::Canon, "host is not valid: found {found}, expected {expected}");
const TEXT: ErrorKind =
    ErrorKind::new(ErrorCode::Canon, "text has no canonical form: found {found}, expected {expected}");
/// A rule leaves bytes that are not UTF-8.
pub(super) const NOT_UTF8: ErrorKind = ErrorKind::new(ErrorCode::Canon, "the form of the text is not UTF-8");

pub(super) const UNKNOWN_PROFILE: ErrorKind =
    name("canonical form is unknown: found {found}, expected {expected}");
pub(super) const UNKNOWN_STEP: ErrorKind =
    name("step of the canonical form is unknown: found {found}, expected one of {expected}");
pub(super) const PARAMETER: ErrorKind =
    name("name of a parameter is not in canonical form: found {found}, expected {expected}");
/// The kind of error for a step with a list of tracking parameters that is neither part of this library nor
/// given.
pub const NO_TRACKING_LIST: ErrorKind =
    name("list of tracking parameters is not given: found {found}, expected {expected}");
pub(super) const FIELD: ErrorKind =
    name("field No-Vary-Search is not in canonical form: found {found}, expected {expected}");
/// The kind of error for a step with rules of sites that are not given.
pub const NO_RULES: ErrorKind = name("rules of sites are not given: found {found}, expected {expected}");
pub(super) const OTHER_RULES: ErrorKind =
    name("rules of sites do not match the form: found {found}, expected {expected}");
pub(super) const REPEATED_STEP: ErrorKind =
    name("step of the canonical form is repeated: found {found} twice, expected each step once");
pub(super) const STEP_AFTER_KEY: ErrorKind =
    name("{subject} gives keys, so steps cannot follow it: expected a profile that gives URLs");

/// A step that may only follow `web`, or `web` and `page-1`, follows a different profile.
pub(super) const AFTER_OTHER: ErrorKind = name("step {subject} cannot follow {found}: expected {expected}");
/// A step would change the host or path by which the scopes of rules are looked up.
pub(super) const AFTER_RULES: ErrorKind =
    name("step {found} cannot follow rules: expected {expected} in the file of rules");

/// A base, or a part that is kept, is given to a form without that option.
pub(super) const NO_OPTION: ErrorKind = name("{subject} has no option {found}: expected {expected}");

const fn name(message: &'static str) -> ErrorKind {
    ErrorKind::new(ErrorCode::CanonName, message)
}

/// Reports a port that the profile does not allow.
pub(super) fn port(found: &[u8], expected: &'static str) -> Error {
    detailed(PORT, found, expected)
}

/// Reports an authority or a host that the profile rejects.
pub(super) fn host(found: &[u8], expected: &'static str) -> Error {
    detailed(HOST, found, expected)
}

/// Reports a text that the profile rejects.
pub(super) fn text(found: &[u8], expected: &'static str) -> Error {
    detailed(TEXT, found, expected)
}

fn detailed(kind: ErrorKind, found: &[u8], expected: &'static str) -> Error {
    kind.found(&String::from_utf8_lossy(found)).with_expected(expected)
}
