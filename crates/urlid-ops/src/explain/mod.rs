//! Explanations of a URL as data: its parts and the digits computed from them, its tokens, and the facts
//! about an identifier.
//!
//! - [`explain`] collects the facts about a text: a URL, an SXURL, a hashed URI or a url-hash.
//! - [`Goto`] shows which tokens of a base and of a reference make up the target of goto.
//! - [`RuleTrace`] shows what each rule of a canonical form changes.
//! - [`UrlDiff`] compares two URLs by part, identifier and canonical form.
//!
//! All of them serialise like the output of `urlid explain --format json`. The module does not print.
//!
//! ```
//! use urlid::suffix::SuffixList;
//!
//! let explanation = urlid_ops::explain::explain("mailto:a@b", SuffixList::compiled())?;
//! let json = serde_json::to_value(&explanation)?;
//! assert_eq!((&json["kind"], &json["web"]), (&"url".into(), &"mailto:a@b".into()));
//! assert_eq!(json["sxurl"]["error"], "ERR_INVALID_SCHEME");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "canonical")]
mod diff;
mod goto;
mod text;

use serde::{Serialize, Serializer};
use urlid::{Coded, ErrorCode};

#[cfg(feature = "canonical")]
pub use diff::{Comparison, PartPair, RuleTrace, TraceOutcome, UrlDiff};
pub use goto::{Fate, Goto, GotoMode};
pub use text::{explain, failed_check};

/// The facts about a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The explained text, as given.
    pub text: String,
    /// The kind of the text: `url`, `sxurl`, `hashed-uri`, `url-hash`, `url-short-hash` or
    /// `url-very-short-hash`.
    pub kind: &'static str,
    /// The parts. For a URL they are in the order of the text, and for an SXURL in the order of its digits.
    pub parts: Vec<ExplainedPart>,
    /// The facts about the whole text.
    #[serde(flatten)]
    pub facts: Facts,
}

/// Names and values, in their order. Serialises as a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts(pub Vec<(&'static str, Fact)>);

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The facts are a list of pairs instead of a map, because the program prints them in this order.
        serializer.collect_map(self.0.iter().map(|(name, fact)| (name, fact)))
    }
}

/// A fact about a whole text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Fact {
    /// The value, as text.
    Text(String),
    /// The reason that there is no value.
    Rejected(Rejection),
}

impl Fact {
    pub(crate) fn text(text: impl ToString) -> Self {
        Self::Text(text.to_string())
    }

    pub(crate) fn from_result<T: ToString>(result: Result<T, impl Coded>) -> Self {
        match result {
            Ok(value) => Self::text(value),
            Err(error) => Self::Rejected(Rejection::new(&error)),
        }
    }
}

/// A part of a text, and its place in the identifier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplainedPart {
    /// The name: `header` (the scheme), `user`, `sub`, `domain`, `tld`, `port`, `path`, `params` or `frag`.
    pub name: &'static str,
    /// The value that was hashed, or that was read from the digits.
    pub value: Option<String>,
    /// Its place in the text.
    #[serde(flatten)]
    pub place: Option<TextSpan>,
    /// Its digits in the identifier.
    #[serde(flatten)]
    pub digits: Option<Digits>,
    /// A remark, which may be empty.
    pub note: String,
}

/// A place in a text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TextSpan {
    /// The start offset.
    pub start: usize,
    /// The end offset (exclusive).
    pub end: usize,
}

/// Digits of an identifier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Digits {
    /// Lower-case hex digits, as in the identifier.
    pub digits: String,
    /// The index of the first digit in the identifier.
    pub hex_start: usize,
    /// The index after the last digit in the identifier.
    pub hex_end: usize,
}

/// An error as data: its code, and its message together with the messages of its causes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rejection {
    /// The stable code.
    #[serde(rename = "error", serialize_with = "as_text")]
    pub code: ErrorCode,
    /// The error and its causes in one line.
    pub message: String,
}

impl Rejection {
    /// Describes an error.
    pub fn new(error: &dyn Coded) -> Self {
        // JSON has no chain of sources, so the causes are appended to the message.
        let causes = std::iter::successors(error.source(), |&cause| cause.source());
        let message = causes.fold(error.to_string(), |line, cause| format!("{line}: {cause}"));
        Self { code: error.code(), message }
    }
}

fn as_text<S: Serializer>(code: &ErrorCode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(code.as_str())
}
