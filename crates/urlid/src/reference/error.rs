//! The reasons why a sequence of tokens is not a URL, or cannot be written as a text.

use core::fmt;

use crate::error::{Coded, Error, ErrorCode, ErrorKind};

/// The constraint that a sequence of tokens breaks.
///
/// ```
/// use urlid::reference::{Authority, Violation};
///
/// assert_eq!(Authority::split("h:65536").check(), Err(Violation::PortOutOfRange));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Violation {
    /// A token comes after a token of a later type.
    Order,
    /// Two tokens have the same type, and the type is not directory.
    Repeated,
    /// An authority or a drive is followed by a directory or a file without a root between them.
    RootMissing,
    /// The scheme is not `file` and there is a drive.
    DriveOutsideFile,
    /// The scheme is `file` and the authority has a user, a password or a port.
    FileAuthority,
    /// The authority has a password but lacks a user.
    PasswordWithoutUser,
    /// The host is empty and there is a user, a password or a port.
    EmptyHost,
    /// The port is not a number from 0 to 65535.
    PortOutOfRange,
}

impl Coded for Violation {
    fn code(&self) -> ErrorCode {
        ErrorCode::NoUrl
    }
}

impl Violation {
    const fn message(self) -> &'static str {
        match self {
            Self::Order => {
                "tokens are out of order: expected scheme, authority, drive, root, directories, file, query, fragment"
            }
            Self::Repeated => {
                "a token is repeated: expected at most one token of each type, except directories"
            }
            Self::RootMissing => {
                "root is missing: expected one between an authority or drive and a directory or file"
            }
            Self::DriveOutsideFile => {
                "drive follows a scheme other than `file`: expected `file` or a text without a scheme"
            }
            Self::FileAuthority => {
                "scheme is `file` and the authority has a user, password or port: expected a host only"
            }
            Self::PasswordWithoutUser => {
                "authority has a password but lacks a user: expected a user before the password"
            }
            Self::EmptyHost => {
                "host is empty, but the authority has a user, password or port: expected a host"
            }
            Self::PortOutOfRange => "port is out of range: expected a number from 0 to 65535",
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl From<Violation> for Error {
    fn from(violation: Violation) -> Self {
        ErrorKind::new(violation.code(), violation.message()).error()
    }
}

impl core::error::Error for Violation {}

/// The tokens are a URL that cannot be written as a text, because the printed text reads as different tokens.
pub(super) const NOT_REPRESENTABLE: ErrorKind = ErrorKind::new(
    ErrorCode::NoUrl,
    "tokens cannot be written as a text: token {place} would be read differently",
);
pub(super) const TOO_LONG: ErrorKind =
    ErrorKind::new(ErrorCode::NoUrl, "text would be too long: expected less than 4294967295 bytes");
