//! Resolution of a reference against a base: goto, then the removal of dot segments (RFC 3986, section 5.2;
//! RFC 2396, section 5.2).

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::dots::{remove_dot_segments, remove_dot_segments_rfc2396};
use crate::error::{Error, ErrorCode, ErrorKind};
use crate::reference::{Context, Reference, SchemeOf, TokenKind};

/// Which rules resolve a reference.
///
/// ```
/// use urlid::generic::{Mode, resolve};
///
/// assert_eq!(resolve("http://h/a/b", "http:c", Mode::Strict)?, "http:c");
/// assert_eq!(resolve("http://h/a/b", "http:c", Mode::Nonstrict)?, "http://h/a/c");
/// # Ok::<(), urlid::Error>(())
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

const RELATIVE_BASE: ErrorKind =
    ErrorKind::new(ErrorCode::Relative, "base has no scheme: expected an absolute URI");

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
/// # Ok::<(), urlid::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if the base has no scheme, or for texts of 4 GiB.
pub fn resolve(base: &str, reference: &str, mode: Mode) -> Result<String, Error> {
    let base = Reference::parse(base, Context::Rfc3986)?;
    let reference = Reference::parse(reference, Context::Rfc3986)?;
    if base.scheme().is_none() {
        return Err(RELATIVE_BASE.error());
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
) -> Result<String, Error> {
    let target = base.splice(reference, order, scheme)?;
    let target = target.as_reference();
    // A reference without a path takes that of the base as it is, dots and all (RFC 3986, section 5.2.2).
    if order < TokenKind::Query {
        Ok(with_path(&target, &remove_dot_segments(target.path())))
    } else {
        Ok(target.as_str().to_owned())
    }
}

fn resolve_rfc2396(base: &Reference<'_>, reference: &Reference<'_>) -> Result<String, Error> {
    let order = match reference.ord() {
        // RFC 2396, 5.2 (6): the empty path of such a reference is merged with that of the base.
        TokenKind::Query => TokenKind::File,
        order => order,
    };
    let target = base.splice(reference, order, SchemeOf::Reference)?;
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

/// Returns the text that keeps `path` from being read as an authority where `target` lacks one: `/.` before a
/// path that begins with `//` (T-13, H-19).
pub(super) fn guard(target: &Reference<'_>, path: &str) -> &'static str {
    match target.authority() {
        None if path.starts_with("//") => "/.",
        _ => "",
    }
}
