//! Resolution of a reference against a base: goto, then the removal of dot segments (RFC 3986, section 5.2; RFC
//! 2396, section 5.2).

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;

use super::dots::{remove_dot_segments, remove_dot_segments_rfc2396};
use crate::error_code::{Coded, ErrorCode};
use crate::reference::{Context, NoUrl, Reference, SchemeOf, TokenKind, TooLong};

/// Which rules resolve a reference.
///
/// ```
/// use urlid::generic::{Mode, resolve};
///
/// assert_eq!(resolve("http://h/a/b", "http:c", Mode::Strict)?, "http:c");
/// assert_eq!(resolve("http://h/a/b", "http:c", Mode::Nonstrict)?, "http://h/a/c");
/// # Ok::<(), urlid::generic::ResolveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// RFC 3986: goto.
    Strict,
    /// RFC 3986 for backward compatibility: goto', which ignores a scheme that equals the base's.
    Nonstrict,
    /// RFC 2396: a query alone replaces the file, dots go from merged paths only, and a `..` too many stays.
    Rfc2396,
}

/// Why a reference could not be resolved.
///
/// ```
/// use urlid::generic::{Mode, ResolveError, resolve};
///
/// assert_eq!(resolve("a/b", "c", Mode::Strict), Err(ResolveError::RelativeBase));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResolveError {
    /// The base has no scheme.
    RelativeBase,
    /// The result would be 4 GiB or longer, or is no URL.
    NoUrl(NoUrl),
    /// An argument is 4 GiB or longer.
    TooLong(TooLong),
}

impl Coded for ResolveError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::RelativeBase => ErrorCode::Relative,
            Self::NoUrl(error) => error.code(),
            Self::TooLong(error) => error.code(),
        }
    }
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RelativeBase => f.write_str("base has no scheme: expected an absolute URI"),
            Self::NoUrl(error) => error.fmt(f),
            Self::TooLong(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ResolveError {}

impl From<TooLong> for ResolveError {
    fn from(error: TooLong) -> Self {
        Self::TooLong(error)
    }
}

/// Resolves `reference` against the absolute `base`.
///
/// Any text will do as a reference; nothing is encoded or checked.
///
/// ```
/// use urlid::generic::{Mode, resolve};
///
/// assert_eq!(resolve("http://a/b/c/d;p?q", "../g", Mode::Strict)?, "http://a/b/g");
/// assert_eq!(resolve("http://a/b/c/d;p?q", "http:g", Mode::Nonstrict)?, "http://a/b/c/g");
/// assert_eq!(resolve("http://a/b/c/d;p?q", "?y", Mode::Rfc2396)?, "http://a/b/c/?y");
/// # Ok::<(), urlid::generic::ResolveError>(())
/// ```
///
/// # Errors
/// [`ResolveError`] if the base has no scheme, or for texts of 4 GiB.
pub fn resolve(base: &str, reference: &str, mode: Mode) -> Result<String, ResolveError> {
    let base = Reference::parse(base, Context::Rfc3986)?;
    let reference = Reference::parse(reference, Context::Rfc3986)?;
    if base.scheme().is_none() {
        return Err(ResolveError::RelativeBase);
    }
    match mode {
        Mode::Rfc2396 => resolve_rfc2396(&base, &reference),
        Mode::Nonstrict if base.has_scheme_of(&reference) => {
            resolve_rfc3986(&base, &reference, reference.ord_after_scheme(), SchemeOf::Base)
        }
        Mode::Strict | Mode::Nonstrict => {
            resolve_rfc3986(&base, &reference, reference.ord(), SchemeOf::Reference)
        }
    }
}

fn resolve_rfc3986(
    base: &Reference<'_>,
    reference: &Reference<'_>,
    order: TokenKind,
    scheme: SchemeOf,
) -> Result<String, ResolveError> {
    let target = base.splice(reference, order, scheme).map_err(ResolveError::NoUrl)?;
    let target = target.as_reference();
    match order < TokenKind::Query {
        true => Ok(with_path(&target, &remove_dot_segments(target.path()))),
        false => Ok(target.as_str().to_owned()),
    }
}

fn resolve_rfc2396(base: &Reference<'_>, reference: &Reference<'_>) -> Result<String, ResolveError> {
    let order = match reference.ord() {
        TokenKind::Query => TokenKind::File,
        order => order,
    };
    let target = base.splice(reference, order, SchemeOf::Reference).map_err(ResolveError::NoUrl)?;
    let target = target.as_reference();
    match order {
        TokenKind::Directory | TokenKind::File => {
            Ok(with_path(&target, &remove_dot_segments_rfc2396(target.path())))
        }
        _ => Ok(target.as_str().to_owned()),
    }
}

/// Returns the text with another path.
fn with_path(target: &Reference<'_>, path: &str) -> String {
    let text = target.as_str();
    [&text[..target.path_start()], guard(target, path), path, &text[target.path_end()..]].concat()
}

/// Returns what keeps `path` from being read as an authority where `target` has none: `/.` before a path that begins with
/// `//` (T-13, H-19).
pub(super) fn guard(target: &Reference<'_>, path: &str) -> &'static str {
    match target.authority() {
        None if path.starts_with("//") => "/.",
        _ => "",
    }
}
