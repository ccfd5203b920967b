//! Why a sequence of tokens is no URL, or has no text.

use core::fmt;

use crate::error_code::{Coded, ErrorCode};

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
    /// A token stands after one of a later type.
    Order,
    /// Two tokens have one type that is not directory.
    Repeated,
    /// An authority or a drive is followed by a directory or a file without a root between.
    RootMissing,
    /// The scheme is not `file` and there is a drive.
    DriveOutsideFile,
    /// The scheme is `file` and the authority has a user, a password or a port.
    FileAuthority,
    /// The authority has a password and no user.
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

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Order => "tokens are out of order: expected scheme, authority, drive, root, directories, file, query, fragment",
            Self::Repeated => "a token is repeated: expected at most one of each type but directory",
            Self::RootMissing => "root is missing: expected one between an authority or drive and a directory or file",
            Self::DriveOutsideFile => "drive with a scheme that is not `file`: expected no scheme or `file`",
            Self::FileAuthority => "scheme is `file` and the authority has a user, password or port: expected a host only",
            Self::PasswordWithoutUser => "authority has a password and no user",
            Self::EmptyHost => "host is empty and the authority has a user, password or port",
            Self::PortOutOfRange => "port is out of range: expected a number from 0 to 65535",
        })
    }
}

impl core::error::Error for Violation {}

/// Why a sequence of tokens could not be made into a text.
///
/// ```
/// use urlid::reference::{Context, ReferenceBuf, Token, TokenKind, TokensError};
///
/// let token = Token { kind: TokenKind::File, text: "a/b" };
/// let error = ReferenceBuf::from_tokens(Context::Rfc3986, [token]).unwrap_err();
/// assert_eq!(error, TokensError::NotRepresentable { index: 0 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TokensError {
    /// The tokens are no URL.
    Structure(Violation),
    /// The tokens are a URL that no text can hold: the printed text reads as other tokens.
    NotRepresentable {
        /// The index of the first token that reads differently.
        index: usize,
    },
    /// The text would be 4 GiB or longer.
    TooLong,
}

impl Coded for TokensError {
    fn code(&self) -> ErrorCode {
        ErrorCode::NoUrl
    }
}

impl fmt::Display for TokensError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Structure(violation) => violation.fmt(f),
            Self::NotRepresentable { index } => {
                write!(f, "no text reads as these tokens: token {index} would read differently")
            }
            Self::TooLong => write!(f, "text would be too long: expected less than {} bytes", u32::MAX),
        }
    }
}

impl core::error::Error for TokensError {}
