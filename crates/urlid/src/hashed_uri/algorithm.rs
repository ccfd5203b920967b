//! Hash algorithms and their identifiers (draft, section 4.2).
//!
//! This module has only names and digest lengths. `hasher` computes digests.

use alloc::boxed::Box;
use core::fmt;
use core::str::FromStr;

use crate::error::{Error, ErrorCode, ErrorKind};

/// A hash algorithm that a hashed URI can name.
///
/// Displays as its identifier in lower case. [`FromStr`] accepts any case.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid::{Coded, ErrorCode};
///
/// assert_eq!("SHA1".parse(), Ok(Algorithm::Sha1));
/// assert_eq!("sha256".parse::<Algorithm>().unwrap_err().code(), ErrorCode::Algorithm);
/// assert_eq!(Algorithm::XSha256.to_string(), "x-sha256");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// `md5`: RFC 1321, registered.
    Md5,
    /// `sha1`: FIPS 180-1, registered. Every reader must accept it.
    Sha1,
    /// `x-sha256`: SHA-256 of FIPS 180-2, private use.
    XSha256,
    /// `x-sha384`: SHA-384 of FIPS 180-2, private use.
    XSha384,
    /// `x-sha512`: SHA-512 of FIPS 180-2, private use.
    XSha512,
    /// `x-blake3`: BLAKE3 with 32 bytes of output, private use.
    XBlake3,
    /// `x-hmac-sha256`: HMAC-SHA-256 (RFC 2104) with a key that the readers were given, private use.
    XHmacSha256,
    /// Any other identifier that starts with `x-`. Such algorithms can be read and printed, but not computed.
    Private(PrivateName),
}

impl Algorithm {
    /// The algorithms that this library computes, in the order of their identifiers.
    pub const KNOWN: [Self; 7] = [
        Self::Md5,
        Self::Sha1,
        Self::XBlake3,
        Self::XHmacSha256,
        Self::XSha256,
        Self::XSha384,
        Self::XSha512,
    ];

    /// Returns the identifier, in lower case.
    pub fn name(&self) -> &str {
        match self {
            Self::Md5 => "md5",
            Self::Sha1 => "sha1",
            Self::XSha256 => "x-sha256",
            Self::XSha384 => "x-sha384",
            Self::XSha512 => "x-sha512",
            Self::XBlake3 => "x-blake3",
            Self::XHmacSha256 => "x-hmac-sha256",
            Self::Private(name) => &name.0,
        }
    }

    /// Returns the length of a digest in bytes, if the algorithm is known.
    pub fn digest_length(&self) -> Option<usize> {
        match self {
            Self::Md5 => Some(16),
            Self::Sha1 => Some(20),
            Self::XSha256 | Self::XBlake3 | Self::XHmacSha256 => Some(32),
            Self::XSha384 => Some(48),
            Self::XSha512 => Some(64),
            Self::Private(_) => None,
        }
    }

    /// Returns whether this library computes the algorithm.
    pub fn is_known(&self) -> bool {
        self.digest_length().is_some()
    }

    /// Returns whether a digest needs a key.
    pub fn is_keyed(&self) -> bool {
        *self == Self::XHmacSha256
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl PartialOrd for Algorithm {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Algorithm {
    /// Orders algorithms like the texts of hashed URIs, in which `=` follows the identifier.
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        let (own, others) = (self.name().bytes(), other.name().bytes());
        own.chain([b'=']).cmp(others.chain([b'=']))
    }
}

impl FromStr for Algorithm {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let is_identifier = !text.is_empty() && text.bytes().all(is_identifier_byte);
        let known = Self::KNOWN.into_iter().find(|algorithm| algorithm.name().eq_ignore_ascii_case(text));
        match known {
            Some(algorithm) => Ok(algorithm),
            None if is_identifier && text.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("x-")) => {
                // Hashed URIs are case-insensitive (4.1), so names are compared in one case.
                Ok(Self::Private(PrivateName(text.to_ascii_lowercase().into())))
            }
            None => Err(NOT_REGISTERED.found(text)),
        }
    }
}

/// An identifier for private use that this library does not define. It is in lower case and starts with `x-`.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
///
/// let algorithm: Algorithm = "X-CRC16".parse()?;
/// assert!(matches!(&algorithm, Algorithm::Private(_)) && algorithm.name() == "x-crc16");
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PrivateName(Box<str>);

/// `ALPHA / DIGIT / "." / "-"`: the bytes of an identifier.
pub(super) fn is_identifier_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-')
}

const NOT_REGISTERED: ErrorKind = ErrorKind::new(
    ErrorCode::Algorithm,
    "hash algorithm is not registered: found {found}, expected md5, sha1 or a name that starts with x-",
);
