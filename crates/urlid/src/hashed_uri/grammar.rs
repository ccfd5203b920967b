//! Reading and writing the text of a hashed URI (draft, section 4.1).
//!
//! ```text
//! hashed-uri = "hashed:" hash-algorithm "=" hash-value *flag
//! ```
//!
//! Case-insensitive; written in lower case. Canonical forms are in `canonical`, digests in `hasher`.

use alloc::format;
use alloc::string::String;
use core::fmt;

use super::algorithm::{Algorithm, AlgorithmError, is_identifier_byte};
use super::keep::Keep;
use crate::error_code::{Coded, ErrorCode};
use crate::excerpt::Excerpt;
use crate::hex;

const SCHEME: &str = "hashed:";

/// The pieces of a hashed URI's text.
pub(super) struct Text<'a> {
    pub(super) algorithm: Algorithm,
    /// The digits, of either case.
    pub(super) digits: &'a str,
    pub(super) keep: Keep,
}

/// Reads a text: first its scheme, then its syntax, then the algorithm, then the length of the digest.
pub(super) fn parse(text: &str) -> Result<Text<'_>, ParseHashedUriError> {
    let start = text.get(..SCHEME.len()).filter(|start| start.eq_ignore_ascii_case(SCHEME));
    if start.is_none() {
        return Err(ParseHashedUriError::Scheme { found: Excerpt::of(text) });
    }
    let (name, digits, flags) = split(text)?;
    let keep = parse_flags(text, flags)?;
    let algorithm: Algorithm = name.parse().map_err(ParseHashedUriError::Algorithm)?;
    check_length(&algorithm, digits.len())?;
    Ok(Text { algorithm, digits, keep })
}

/// Returns the identifier, the digits and the flags.
fn split(text: &str) -> Result<(&str, &str, &str), ParseHashedUriError> {
    let expected = |offset: usize, expected: Expected| ParseHashedUriError::Syntax { offset, expected };
    let run = |from: usize, is: fn(u8) -> bool| {
        text.as_bytes()[from..].iter().position(|&byte| !is(byte)).map_or(text.len(), |length| from + length)
    };
    let name_end = run(SCHEME.len(), is_identifier_byte);
    if name_end == SCHEME.len() {
        return Err(expected(name_end, Expected::Algorithm));
    }
    if text.as_bytes().get(name_end) != Some(&b'=') {
        return Err(expected(name_end, Expected::EqualsSign));
    }
    let digits_end = run(name_end + 1, |byte| byte.is_ascii_hexdigit());
    if digits_end == name_end + 1 {
        return Err(expected(digits_end, Expected::Digit));
    }
    Ok((&text[SCHEME.len()..name_end], &text[name_end + 1..digits_end], &text[digits_end..]))
}

/// Reads `*flag`, in any order and with repeats (H-4).
fn parse_flags(text: &str, flags: &str) -> Result<Keep, ParseHashedUriError> {
    let mut keep = Keep::NONE;
    let mut rest = flags.as_bytes();
    while !rest.is_empty() {
        let takes = |flag: &str| {
            rest.get(..flag.len()).is_some_and(|start| start.eq_ignore_ascii_case(flag.as_bytes()))
        };
        let length = if takes(Keep::FRAGMENT.flags()) {
            keep.fragment = true;
            Keep::FRAGMENT.flags().len()
        } else if takes(Keep::QUERY.flags()) {
            keep.query = true;
            Keep::QUERY.flags().len()
        } else {
            return Err(ParseHashedUriError::Syntax {
                offset: text.len() - rest.len(),
                expected: Expected::Flag,
            });
        };
        rest = &rest[length..];
    }
    Ok(keep)
}

/// Checks that a digest of the algorithm has so many digits; one of an unknown algorithm has an even number (H-14).
pub(super) fn check_length(algorithm: &Algorithm, digits: usize) -> Result<(), ParseHashedUriError> {
    let is_right = match algorithm.digest_length() {
        Some(length) => digits == 2 * length,
        None => digits > 0 && digits.is_multiple_of(2),
    };
    match is_right {
        true => Ok(()),
        false => Err(ParseHashedUriError::DigestLength { algorithm: algorithm.clone(), found: digits }),
    }
}

/// Returns the text before the digits.
pub(crate) fn start(algorithm: &Algorithm) -> String {
    format!("{SCHEME}{algorithm}=")
}

/// Writes a hashed URI.
pub(crate) fn write(
    out: &mut impl fmt::Write,
    algorithm: &Algorithm,
    digest: &[u8],
    keep: Keep,
) -> fmt::Result {
    write!(out, "{SCHEME}{algorithm}=")?;
    hex::push(digest, out)?;
    out.write_str(keep.flags())
}

/// Why a text is not a hashed URI. The checks are made in the order of the variants.
///
/// ```
/// use urlid::hashed_uri::HashedUri;
/// use urlid::{Coded, ErrorCode};
///
/// let error = "hashed:md5=00".parse::<HashedUri>().unwrap_err();
/// assert_eq!(error.code(), ErrorCode::DigestLength);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseHashedUriError {
    /// It does not begin with `hashed:`.
    Scheme {
        /// The text.
        found: Excerpt,
    },
    /// It does not follow the grammar.
    Syntax {
        /// The byte offset of the first character that does not.
        offset: usize,
        /// What could have been there.
        expected: Expected,
    },
    /// The algorithm is neither registered nor for private use.
    Algorithm(AlgorithmError),
    /// The digest is not of the algorithm's length.
    DigestLength {
        /// The algorithm.
        algorithm: Algorithm,
        /// The number of digits.
        found: usize,
    },
}

/// What a text lacks to be a hashed URI.
///
/// ```
/// use urlid::hashed_uri::{Expected, HashedUri, ParseHashedUriError};
///
/// let error = "hashed:md5".parse::<HashedUri>().unwrap_err();
/// assert_eq!(error, ParseHashedUriError::Syntax { offset: 10, expected: Expected::EqualsSign });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Expected {
    /// The identifier of an algorithm.
    Algorithm,
    /// The `=` after it.
    EqualsSign,
    /// A hexadecimal digit.
    Digit,
    /// `+frag`, `+query` or the end.
    Flag,
}

impl Coded for ParseHashedUriError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Scheme { .. } => ErrorCode::HashedScheme,
            Self::Syntax { .. } => ErrorCode::HashedSyntax,
            Self::Algorithm(error) => error.code(),
            Self::DigestLength { .. } => ErrorCode::DigestLength,
        }
    }
}

impl fmt::Display for ParseHashedUriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scheme { found } => {
                write!(f, "hashed URI has another scheme: found {found}, expected `hashed:`")
            }
            Self::Syntax { offset, expected } => {
                write!(f, "hashed URI breaks its grammar at byte {offset}: expected {expected}")
            }
            Self::Algorithm(error) => error.fmt(f),
            Self::DigestLength { algorithm, found } => match algorithm.digest_length() {
                Some(length) => {
                    write!(
                        f,
                        "digest has the wrong length: found {found} digits, expected {} for {algorithm}",
                        2 * length
                    )
                }
                None => {
                    write!(f, "digest has the wrong length: found {found} digits, expected an even number")
                }
            },
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Algorithm => "the name of a hash algorithm",
            Self::EqualsSign => "`=`",
            Self::Digit => "a hexadecimal digit",
            Self::Flag => "`+frag`, `+query` or the end",
        })
    }
}

impl core::error::Error for ParseHashedUriError {}
