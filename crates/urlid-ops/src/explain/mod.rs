//! Explanations of a URL as data: its parts and the digits computed from them, its tokens, and the facts
//! about an identifier.
//!
//! - [`explain`] collects the facts about a text: a URL, an SXURL, a hashed URI or a url-hash.
//! - [`Goto`] shows which tokens of a base and of a reference make up the target of goto.
//! - [`RuleTrace`] shows what each rule of a canonical form changes.
//! - [`UrlDiff`] compares two URLs by part, identifier and canonical form.
//!
//! All of them serialise as `urlid explain --format json` prints them. Nothing is printed here.
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
    /// The text that is explained, as given.
    pub text: String,
    /// The kind of the text: `url`, `sxurl`, `hashed-uri`, `url-hash`, `url-short-hash` or
    /// `url-very-short-hash`.
    pub kind: &'static str,
    /// The parts of a URL in the order of the text, and of an SXURL in that of its digits.
    pub parts: Vec<ExplainedPart>,
    /// The facts about the text as a whole.
    #[serde(flatten)]
    pub facts: Facts,
}

/// Names and values, in their order. Serialises as a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts(pub Vec<(&'static str, Fact)>);

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A list of pairs and not a map, because the order is that in which the program prints the facts.
        serializer.collect_map(self.0.iter().map(|(name, fact)| (name, fact)))
    }
}

/// A fact about a text as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Fact {
    /// The value, as text.
    Text(String),
    /// The reason why there is no value.
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
    /// The value that was hashed, or read.
    pub value: Option<String>,
    /// Where it is in the text.
    #[serde(flatten)]
    pub place: Option<TextSpan>,
    /// Its digits in the identifier.
    #[serde(flatten)]
    pub digits: Option<Digits>,
    /// A remark; may be empty.
    pub note: String,
}

/// A place in a text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TextSpan {
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// Digits of an identifier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Digits {
    /// Lower-case hex digits, as they stand in the identifier.
    pub digits: String,
    /// Which digit of the identifier is the first.
    pub hex_start: usize,
    /// Which digit of the identifier follows the last.
    pub hex_end: usize,
}

/// An error as data: its code, and its message with those of its causes.
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
        // JSON has no chain of sources, so the causes join the message.
        let causes = std::iter::successors(error.source(), |&cause| cause.source());
        let message = causes.fold(error.to_string(), |line, cause| format!("{line}: {cause}"));
        Self { code: error.code(), message }
    }
}

fn as_text<S: Serializer>(code: &ErrorCode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(code.as_str())
}
