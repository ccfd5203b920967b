//! Why a text is not a WHATWG URL.

use core::fmt;

use crate::error_code::{Coded, ErrorCode};
use crate::excerpt::Excerpt;
use crate::host::HostError;
use crate::reference::TooLong;

/// Why a text is not a WHATWG URL.
///
/// ```
/// use urlid::{Coded, ErrorCode, Url};
///
/// assert_eq!(Url::parse("/a").unwrap_err().code(), ErrorCode::UrlParse);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseError {
    /// There is no scheme, and no base to take one from.
    RelativeWithoutBase,
    /// The base's path has no structure, and the reference is more than a fragment.
    OpaqueBase,
    /// A special URL needs a host, and a user or port needs one.
    HostMissing,
    /// A `file` URL has a user or a port.
    FileAuthority,
    /// The host is not valid.
    Host(HostError),
    /// The port is not a number from 0 to 65535.
    Port {
        /// The text after the host's `:`.
        found: Excerpt,
    },
    /// The text, or its normal form, is 4 GiB or longer.
    TooLong {
        /// Its length in bytes.
        length: usize,
    },
}

impl Coded for ParseError {
    fn code(&self) -> ErrorCode {
        ErrorCode::UrlParse
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RelativeWithoutBase => {
                f.write_str("text has no scheme: expected an absolute URL, or a base")
            }
            Self::OpaqueBase => {
                f.write_str("base has an opaque path: expected a reference that is a fragment only")
            }
            Self::HostMissing => f.write_str("host is missing"),
            Self::FileAuthority => f.write_str("`file` URL has a user or a port: expected a host only"),
            Self::Host(error) => error.fmt(f),
            Self::Port { found } => write!(f, "port is out of range: found {found}, expected 0 to 65535"),
            Self::TooLong { length } => {
                write!(f, "text is too long: found {length} bytes, expected less than {}", u32::MAX)
            }
        }
    }
}

impl core::error::Error for ParseError {}

impl From<HostError> for ParseError {
    fn from(error: HostError) -> Self {
        Self::Host(error)
    }
}

impl From<TooLong> for ParseError {
    fn from(error: TooLong) -> Self {
        Self::TooLong { length: error.length }
    }
}
