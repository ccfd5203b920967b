//! Why a text has no explanation, and refusals as data.

use std::error::Error;
use std::fmt;

use serde::{Serialize, Serializer};
use urlid::reference::TooLong;
use urlid::sxurl::DecodeError;
use urlid::{Coded, ErrorCode, web};

/// Why a text has no explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExplainError {
    /// The text is too long.
    TooLong(TooLong),
    /// The text is hexadecimal digits, but not those of an SXURL.
    Sxurl(DecodeError),
    /// The text is not a URL by any of the specifications; this is the error of the URL Standard.
    Url(web::ParseError),
}

impl From<TooLong> for ExplainError {
    fn from(error: TooLong) -> Self {
        Self::TooLong(error)
    }
}

impl From<DecodeError> for ExplainError {
    fn from(error: DecodeError) -> Self {
        Self::Sxurl(error)
    }
}

impl From<web::ParseError> for ExplainError {
    fn from(error: web::ParseError) -> Self {
        Self::Url(error)
    }
}

impl ExplainError {
    fn inner(&self) -> &dyn Coded {
        match self {
            Self::TooLong(error) => error,
            Self::Sxurl(error) => error,
            Self::Url(error) => error,
        }
    }
}

impl fmt::Display for ExplainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.inner())
    }
}

impl Error for ExplainError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.inner().source()
    }
}

impl Coded for ExplainError {
    fn code(&self) -> ErrorCode {
        self.inner().code()
    }
}

/// An error as data: its code, and its message with those of its causes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The stable code.
    #[serde(rename = "error", serialize_with = "as_text")]
    pub code: ErrorCode,
    /// The error and its causes in one line.
    pub message: String,
}

impl Refusal {
    /// Describes an error.
    pub fn of(error: &dyn Coded) -> Self {
        let causes = std::iter::successors(error.source(), |&cause| cause.source());
        let message = causes.fold(error.to_string(), |line, cause| format!("{line}: {cause}"));
        Self { code: error.code(), message }
    }
}

fn as_text<S: Serializer>(code: &ErrorCode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(code.as_str())
}
