//! The errors of encoding and decoding (SXURL, section 8).

use core::fmt;

use crate::error_code::{Coded, ErrorCode};
use crate::excerpt::Excerpt;
use crate::host::HostError;

/// Why a URL has no identifier.
///
/// ```
/// use urlid::{Coded, ErrorCode, Sxurl};
///
/// assert_eq!(Sxurl::encode("https://h:0/").unwrap_err().code(), ErrorCode::Port);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodeError {
    /// The scheme is not `https`, `http` or `ftp`.
    Scheme {
        /// The scheme, if the text has one.
        found: Option<Excerpt>,
    },
    /// There is no `//` after the scheme.
    NoAuthority,
    /// Brackets, a number as last label, or more than one `:`: no DNS name.
    AddressLiteral {
        /// The host as it was given.
        host: Excerpt,
    },
    /// The host cannot be mapped to a DNS name.
    Host(HostError),
    /// The host is empty, or has more than 4,096 bytes as given or more than 255 in ASCII.
    HostLength {
        /// Its length in bytes.
        length: usize,
    },
    /// A label is empty or has more than 63 bytes in ASCII.
    LabelLength {
        /// The host in ASCII.
        host: Excerpt,
        /// The length of its first bad label in bytes.
        length: usize,
    },
    /// The port is not a number from 1 to 65535.
    Port {
        /// The text after the host's `:`.
        found: Excerpt,
    },
    /// The text is 4 GiB or longer.
    TooLong {
        /// Its length in bytes.
        length: usize,
    },
}

impl Coded for EncodeError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Scheme { .. } => ErrorCode::InvalidScheme,
            Self::Host(HostError::LongLabel { .. }) => ErrorCode::HostLen,
            Self::NoAuthority | Self::AddressLiteral { .. } | Self::Host(_) => ErrorCode::HostNotDns,
            Self::HostLength { .. } | Self::LabelLength { .. } => ErrorCode::HostLen,
            Self::Port { .. } => ErrorCode::Port,
            Self::TooLong { .. } => ErrorCode::LineLen,
        }
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scheme { found: Some(found) } => write!(f, "only https, http, ftp: found scheme {found}"),
            Self::Scheme { found: None } => f.write_str("only https, http, ftp: found no scheme"),
            Self::NoAuthority => f.write_str("host is missing: expected `//` after the scheme"),
            Self::AddressLiteral { host } => {
                write!(f, "host is no DNS name: found {host}, expected no address")
            }
            Self::Host(error) => error.fmt(f),
            Self::HostLength { length } => {
                write!(f, "host has a bad length: found {length} bytes, expected 1 to 255")
            }
            Self::LabelLength { host, length } => {
                write!(f, "host label has a bad length: found {length} bytes in {host}, expected 1 to 63")
            }
            Self::Port { found } => write!(f, "port is out of range: found {found}, expected 1 to 65535"),
            Self::TooLong { length } => {
                write!(f, "text is too long: found {length} bytes, expected less than {}", u32::MAX)
            }
        }
    }
}

impl core::error::Error for EncodeError {}

impl From<HostError> for EncodeError {
    fn from(error: HostError) -> Self {
        Self::Host(error)
    }
}

/// Why bytes or digits are not an identifier. The checks are made in the order of the variants.
///
/// ```
/// use urlid::{Coded, ErrorCode, Sxurl};
///
/// assert_eq!(Sxurl::from_bytes([0xff; 32]).unwrap_err().code(), ErrorCode::IdVersion);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecodeError {
    /// The text has not 64 characters.
    Length {
        /// Its length in characters.
        found: usize,
    },
    /// There are not 32 bytes.
    ByteLength {
        /// How many there are.
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
    Scheme {
        /// The code.
        found: u8,
    },
    /// The reserved bit of the header is set.
    Reserved,
    /// The flag and the slice of the port disagree.
    Port {
        /// Whether the header says that a port is present.
        present: bool,
        /// The port slice.
        found: u16,
    },
}

impl Coded for DecodeError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Length { .. } | Self::ByteLength { .. } => ErrorCode::IdLength,
            Self::Digit { .. } => ErrorCode::IdHex,
            Self::Version { .. } => ErrorCode::IdVersion,
            Self::Scheme { .. } => ErrorCode::InvalidScheme,
            Self::Reserved => ErrorCode::IdReserved,
            Self::Port { .. } => ErrorCode::Port,
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { found } => {
                write!(f, "id has the wrong length: found {found} characters, expected 64 digits")
            }
            Self::ByteLength { found } => {
                write!(f, "id has the wrong length: found {found} bytes, expected 32")
            }
            Self::Digit { offset } => {
                write!(f, "id has a character at byte {offset} that is no hexadecimal digit")
            }
            Self::Version { found } => write!(f, "id has version {found}, expected 1"),
            Self::Scheme { found } => {
                write!(f, "id has scheme code {found}, expected 0 (https), 1 (http) or 2 (ftp)")
            }
            Self::Reserved => f.write_str("id has the reserved bit of its header set, expected 0"),
            Self::Port { present: true, .. } => f.write_str("id has a port of 0, expected 1 to 65535"),
            Self::Port { present: false, found } => {
                write!(f, "id has port {found} and a header that says there is none")
            }
        }
    }
}

impl core::error::Error for DecodeError {}
