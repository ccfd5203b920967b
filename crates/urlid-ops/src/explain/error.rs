//! Errors as data.

use serde::{Serialize, Serializer};
use urlid::{Coded, ErrorCode};

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
