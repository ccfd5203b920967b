//! Reads and writes the text of a hashed URI (draft, section 4.1).
//!
//! ```text
//! hashed-uri = "hashed:" hash-algorithm "=" hash-value *flag
//! ```
//!
//! The text is case-insensitive and written in lower case. Canonical forms are in `canonical`, digests in
//! `hasher`.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::fmt;

use super::algorithm::{Algorithm, is_identifier_byte};
use super::keep::Keep;
use crate::error::{Error, ErrorCode, ErrorKind};
use crate::hex;

const SCHEME: &str = "hashed:";

/// The pieces of a hashed URI's text.
pub(super) struct ParsedText<'a> {
    pub(super) algorithm: Algorithm,
    /// The digits, in either case.
    pub(super) digits: &'a str,
    pub(super) keep: Keep,
}

const OTHER_SCHEME: ErrorKind = ErrorKind::new(
    ErrorCode::HashedScheme,
    "hashed URI has the wrong scheme: found {found}, expected `hashed:`",
);
const SYNTAX: ErrorKind = ErrorKind::new(
    ErrorCode::HashedSyntax,
    "hashed URI breaks its grammar at byte {place}: expected {expected}",
);
const DIGEST_LENGTH: ErrorKind = ErrorKind::new(
    ErrorCode::DigestLength,
    "digest has the wrong length: found {found} digits, expected {expected}",
);

/// Reads a text: first its scheme, then its syntax, then the algorithm, then the length of the digest.
pub(super) fn parse(text: &str) -> Result<ParsedText<'_>, Error> {
    let start = text.get(..SCHEME.len()).filter(|start| start.eq_ignore_ascii_case(SCHEME));
    if start.is_none() {
        return Err(OTHER_SCHEME.found(text));
    }
    // The order of these checks decides which code a text with several faults gets.
    let (name, digits, flags) = split(text)?;
    let keep = parse_flags(text, flags)?;
    let algorithm: Algorithm = name.parse()?;
    check_length(&algorithm, digits.len())?;
    Ok(ParsedText { algorithm, digits, keep })
}

/// Returns the identifier, the digits and the flags.
fn split(text: &str) -> Result<(&str, &str, &str), Error> {
    let expected =
        |offset: usize, expected: &'static str| SYNTAX.error().with_offset(offset).with_expected(expected);
    let run = |from: usize, is: fn(u8) -> bool| {
        text.as_bytes()[from..].iter().position(|&byte| !is(byte)).map_or(text.len(), |length| from + length)
    };
    let name_end = run(SCHEME.len(), is_identifier_byte);
    if name_end == SCHEME.len() {
        return Err(expected(name_end, "the name of a hash algorithm"));
    }
    if text.as_bytes().get(name_end) != Some(&b'=') {
        return Err(expected(name_end, "`=`"));
    }
    let digits_end = run(name_end + 1, |byte| byte.is_ascii_hexdigit());
    if digits_end == name_end + 1 {
        return Err(expected(digits_end, "a hexadecimal digit"));
    }
    Ok((&text[SCHEME.len()..name_end], &text[name_end + 1..digits_end], &text[digits_end..]))
}

/// Reads `*flag`, in any order and with repeats (H-4).
fn parse_flags(text: &str, flags: &str) -> Result<Keep, Error> {
    let mut keep = Keep::NONE;
    let mut rest = flags.as_bytes();
    while !rest.is_empty() {
        let takes = |flag: &str| {
            rest.get(..flag.len()).is_some_and(|start| start.eq_ignore_ascii_case(flag.as_bytes()))
        };
        // H-4: flags may come in any order and may repeat. They are written once, in the grammar's order.
        let length = if takes(Keep::FRAGMENT.flags()) {
            keep.fragment = true;
            Keep::FRAGMENT.flags().len()
        } else if takes(Keep::QUERY.flags()) {
            keep.query = true;
            Keep::QUERY.flags().len()
        } else {
            return Err(SYNTAX
                .error()
                .with_offset(text.len() - rest.len())
                .with_expected("`+frag`, `+query` or the end"));
        };
        rest = &rest[length..];
    }
    Ok(keep)
}

/// Checks the number of digits of a digest. Digests of an unknown algorithm have an even number of digits
/// (H-14).
pub(super) fn check_length(algorithm: &Algorithm, digits: usize) -> Result<(), Error> {
    let is_right = match algorithm.digest_length() {
        Some(length) => digits == 2 * length,
        None => digits > 0 && digits.is_multiple_of(2),
    };
    if is_right {
        Ok(())
    } else {
        let expected: Cow<'static, str> = match algorithm.digest_length() {
            Some(length) => format!("{} for {algorithm}", 2 * length).into(),
            None => "an even number".into(),
        };
        Err(DIGEST_LENGTH.error().with_shown(digits).with_expected(expected))
    }
}

/// Returns the text before the digits.
pub(crate) fn start(algorithm: &Algorithm) -> String {
    format!("{SCHEME}{algorithm}=")
}

/// Writes a hashed URI.
pub fn write(out: &mut impl fmt::Write, algorithm: &Algorithm, digest: &[u8], keep: Keep) -> fmt::Result {
    write!(out, "{SCHEME}{algorithm}=")?;
    hex::push(digest, out)?;
    out.write_str(keep.flags())
}
