//! The structural constraints that make a sequence of tokens a URL (Theory of URLs, "URLs" and "File URLs").
//!
//! One function over tokens, used by `Reference`, `ReferenceBuf` and `TokenUrl`. Constrains structure
//! only, never the values of names (docs/spec/theory.md, T-4).

use std::cmp::Ordering;
use std::fmt;

use super::authority::Authority;
use super::token::{Token, TokenKind};
use crate::error_code::{Coded, ErrorCode};

/// The constraint that a sequence of tokens breaks.
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

impl std::error::Error for Violation {}

/// Why a sequence of tokens could not be made into a text.
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

impl std::error::Error for TokensError {}

/// What the constraints take into account of a token.
pub(super) enum Shape<'a> {
    Scheme(&'a str),
    Authority(Presence),
    Other(TokenKind),
}

impl Shape<'_> {
    fn kind(&self) -> TokenKind {
        match self {
            Self::Scheme(_) => TokenKind::Scheme,
            Self::Authority(_) => TokenKind::Authority,
            Self::Other(kind) => *kind,
        }
    }
}

/// Which parts an authority has.
#[derive(Clone, Copy)]
pub(super) struct Presence {
    pub(super) has_user: bool,
    pub(super) has_password: bool,
    pub(super) has_host: bool,
    pub(super) has_port: bool,
    pub(super) is_port_in_range: bool,
}

impl Presence {
    pub(super) fn check(self) -> Result<(), Violation> {
        if self.has_password && !self.has_user {
            return Err(Violation::PasswordWithoutUser);
        }
        if !self.has_host && (self.has_user || self.has_port) {
            return Err(Violation::EmptyHost);
        }
        if !self.is_port_in_range {
            return Err(Violation::PortOutOfRange);
        }
        Ok(())
    }

    pub(super) fn has_more_than_host(self) -> bool {
        self.has_user || self.has_password || self.has_port
    }
}

/// Checks every structural constraint of the specification, the two file constraints included.
pub fn check_structure<'a>(tokens: impl IntoIterator<Item = Token<'a>>) -> Result<(), Violation> {
    check_shapes(tokens.into_iter().map(|token| match token.kind {
        TokenKind::Scheme => Shape::Scheme(token.text),
        TokenKind::Authority => Shape::Authority(Authority::split(token.text).presence()),
        kind => Shape::Other(kind),
    }))
}

/// Checks every structural constraint on what matters of each token.
pub(super) fn check_shapes<'a>(shapes: impl Iterator<Item = Shape<'a>>) -> Result<(), Violation> {
    let mut last = None;
    let (mut scheme, mut needs_root, mut has_root) = (None, false, false);
    for shape in shapes {
        let kind = shape.kind();
        match last.cmp(&Some(kind)) {
            Ordering::Greater => return Err(Violation::Order),
            Ordering::Equal if kind != TokenKind::Directory => return Err(Violation::Repeated),
            _ => last = Some(kind),
        }
        let is_file = |scheme: &str| scheme.eq_ignore_ascii_case("file");
        match shape {
            Shape::Scheme(text) => scheme = Some(text),
            Shape::Authority(parts) => {
                needs_root = true;
                parts.check()?;
                if scheme.is_some_and(is_file) && parts.has_more_than_host() {
                    return Err(Violation::FileAuthority);
                }
            }
            Shape::Other(TokenKind::Drive) => {
                needs_root = true;
                if scheme.is_some_and(|scheme| !is_file(scheme)) {
                    return Err(Violation::DriveOutsideFile);
                }
            }
            Shape::Other(TokenKind::Root) => has_root = true,
            Shape::Other(TokenKind::Directory | TokenKind::File) => {
                if needs_root && !has_root {
                    return Err(Violation::RootMissing);
                }
            }
            Shape::Other(_) => {}
        }
    }
    Ok(())
}
