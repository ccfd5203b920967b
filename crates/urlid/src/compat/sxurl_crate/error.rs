//! Why there is no identifier as crate `sxurl` emits it.

use core::fmt;

use crate::error_code::{Coded, ErrorCode};
use crate::excerpt::Excerpt;
use crate::host::HostError;
use crate::web::ParseError;

/// Why there is no identifier of the crate's.
///
/// ```
/// use urlid::compat::{CrateFormat, CrateSxurl};
/// use urlid::{Coded, ErrorCode};
///
/// let error = CrateSxurl::encode("https://localhost/", CrateFormat::V0).unwrap_err();
/// assert_eq!(error.code(), ErrorCode::HostNotDns);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CrateSxurlError {
    /// The text is no absolute URL.
    Url(ParseError),
    /// The scheme is not `https`, `http` or `ftp`.
    Scheme {
        /// The scheme.
        found: Excerpt,
    },
    /// There is no host.
    NoHost,
    /// The host is an address, a single label, or has other characters than letters, digits and inner hyphens.
    NotDns {
        /// The host.
        host: Excerpt,
    },
    /// The host is no valid internationalised name.
    Host(HostError),
    /// The host has more than 255 bytes, or a label not 1 to 63.
    HostLength {
        /// The host.
        host: Excerpt,
    },
    /// The text has not 64 characters.
    Length {
        /// Its length in bytes.
        found: usize,
    },
    /// A character is no hexadecimal digit.
    Digit {
        /// Its byte offset.
        offset: usize,
    },
    /// The version is not 1.
    Version {
        /// The version.
        found: u8,
    },
    /// The scheme code is none of 0, 1 and 2.
    SchemeCode {
        /// The code.
        found: u8,
    },
    /// The second digit is not 0.
    Reserved {
        /// The digit.
        found: u8,
    },
}

impl Coded for CrateSxurlError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Url(error) => error.code(),
            Self::Scheme { .. } | Self::SchemeCode { .. } => ErrorCode::InvalidScheme,
            Self::NoHost | Self::NotDns { .. } | Self::Host(_) => ErrorCode::HostNotDns,
            Self::HostLength { .. } => ErrorCode::HostLen,
            Self::Length { .. } => ErrorCode::IdLength,
            Self::Digit { .. } => ErrorCode::IdHex,
            Self::Version { .. } => ErrorCode::IdVersion,
            Self::Reserved { .. } => ErrorCode::IdReserved,
        }
    }
}

impl fmt::Display for CrateSxurlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(error) => error.fmt(f),
            Self::Scheme { found } => write!(f, "only https, http, ftp: found scheme {found}"),
            Self::NoHost => f.write_str("host is missing"),
            Self::NotDns { host } => {
                write!(
                    f,
                    "host is no DNS name of the crate's: found {host}, expected two labels of letters, digits and inner hyphens"
                )
            }
            Self::Host(error) => error.fmt(f),
            Self::HostLength { host } => {
                write!(
                    f,
                    "host has a bad length: found {host}, expected labels of 1 to 63 and at most 255 bytes"
                )
            }
            Self::Length { found } => {
                write!(f, "id has the wrong length: found {found} characters, expected 64 digits")
            }
            Self::Digit { offset } => {
                write!(f, "id has a character at byte {offset} that is no hexadecimal digit")
            }
            Self::Version { found } => write!(f, "id has version {found}, expected 1"),
            Self::SchemeCode { found } => {
                write!(f, "id has scheme code {found}, expected 0 (https), 1 (http) or 2 (ftp)")
            }
            Self::Reserved { found } => write!(f, "id has {found:x} as its second digit, expected 0"),
        }
    }
}

impl core::error::Error for CrateSxurlError {}
