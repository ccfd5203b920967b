//! Why a text is not stored.

use std::fmt;

use urlid::canonical::ProfileError;
use urlid::web::ParseError;
use urlid::{Coded, ErrorCode};

/// Why an index does not store a text.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusedUrl {
    /// It is not an absolute URL.
    Parse(ParseError),
    /// It has no canonical form in the one that the index stores.
    Form(ProfileError),
}

impl Coded for RefusedUrl {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Parse(error) => error.code(),
            Self::Form(error) => error.code(),
        }
    }
}

impl fmt::Display for RefusedUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parse(error) => error.fmt(f),
            Self::Form(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RefusedUrl {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Parse(error) => error.source(),
            Self::Form(error) => error.source(),
        }
    }
}

impl From<ParseError> for RefusedUrl {
    fn from(error: ParseError) -> Self {
        Self::Parse(error)
    }
}
