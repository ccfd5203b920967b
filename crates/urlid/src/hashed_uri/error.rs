//! Why a text has no canonical form.

use core::fmt;

use crate::error_code::{Coded, ErrorCode};
use crate::excerpt::Excerpt;
use crate::generic::ResolveError;
use crate::reference::TooLong;

/// Which of two texts an error is about.
///
/// ```
/// use urlid::hashed_uri::{CanonicalError, Keep, Variant, Which, canonicalize};
///
/// let error = canonicalize("a", Some("http://h/%"), Keep::NONE, Variant::N).unwrap_err();
/// assert_eq!(error, CanonicalError::Percent { of: Which::Base, offset: 9 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Which {
    /// The URI.
    Uri,
    /// The base that a relative URI is resolved against.
    Base,
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Uri => "uri",
            Self::Base => "base",
        })
    }
}

/// Why a text has no canonical form.
///
/// ```
/// use urlid::hashed_uri::{Keep, Variant, canonicalize};
/// use urlid::{Coded, ErrorCode};
///
/// let error = canonicalize("http://h/a b", None, Keep::NONE, Variant::N).unwrap_err();
/// assert_eq!(error.code(), ErrorCode::NotUri);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CanonicalError {
    /// A character that no URI has (H-2).
    Character {
        /// Where it is.
        of: Which,
        /// Its byte offset there.
        offset: usize,
        /// The character.
        found: Excerpt,
    },
    /// A `%` without two hexadecimal digits.
    Percent {
        /// Where it is.
        of: Which,
        /// Its byte offset there.
        offset: usize,
    },
    /// A second `#`.
    SecondFragment {
        /// Where it is.
        of: Which,
        /// Its byte offset there.
        offset: usize,
    },
    /// The authority of a scheme that has hosts is not `[user@]host[:port]` (H-6).
    Authority {
        /// The authority.
        found: Excerpt,
    },
    /// A relative URI, and no base.
    Relative {
        /// The URI.
        found: Excerpt,
    },
    /// The URI and the base do not make an absolute URI.
    Resolve(ResolveError),
    /// The text is 4 GiB or longer.
    TooLong(TooLong),
}

impl Coded for CanonicalError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Character { .. }
            | Self::Percent { .. }
            | Self::SecondFragment { .. }
            | Self::Authority { .. } => ErrorCode::NotUri,
            Self::Relative { .. } => ErrorCode::Relative,
            Self::Resolve(error) => error.code(),
            Self::TooLong(error) => error.code(),
        }
    }
}

impl fmt::Display for CanonicalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Character { of, offset, found } => {
                write!(
                    f,
                    "{of} has a character that no URI has: found {found} at byte {offset}, expected it escaped"
                )
            }
            Self::Percent { of, offset } => {
                write!(f, "{of} has a bare `%` at byte {offset}, expected two hexadecimal digits after it")
            }
            Self::SecondFragment { of, offset } => {
                write!(f, "{of} has a second `#` at byte {offset}, expected one")
            }
            Self::Authority { found } => {
                write!(f, "authority of the uri is malformed: found {found}, expected `[user@]host[:port]`")
            }
            Self::Relative { found } => write!(f, "uri is relative and has no base: found {found}"),
            Self::Resolve(error) => error.fmt(f),
            Self::TooLong(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for CanonicalError {}

impl From<ResolveError> for CanonicalError {
    fn from(error: ResolveError) -> Self {
        Self::Resolve(error)
    }
}

impl From<TooLong> for CanonicalError {
    fn from(error: TooLong) -> Self {
        Self::TooLong(error)
    }
}
