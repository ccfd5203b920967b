//! Explanations of a URL as data: its parts and the digits computed from them, its tokens, and the facts
//! about an identifier.
//!
//! - [`explain`] collects the facts about a text: a URL, an SXURL, a hashed URI or a url-hash.
//! - [`Goto`] shows which tokens of a base and of a reference make up the target of goto.
//! - [`Rules`] shows what each rule of a canonical form changes.
//! - [`Diff`] compares two URLs by part, identifier and canonical form.
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
mod explanation;
#[cfg(feature = "canonical")]
mod form;
mod goto;
mod id;
mod url;

#[cfg(feature = "canonical")]
pub use diff::{Comparison, Diff, PartPair};
pub use explanation::{Digits, Explanation, Fact, Facts, Part, Place, Refusal};
#[cfg(feature = "canonical")]
pub use form::{Outcome, Rules};
pub use goto::{Fate, Goto, GotoMode};
pub use id::failed_check;

use urlid::suffix::SuffixList;

/// Returns the kind of a text, tried as an identifier first, and its parts.
///
/// # Errors
/// [`urlid::Error`] if the text is neither an identifier nor a URL by any of the specifications.
pub fn explain(text: &str, list: &SuffixList) -> Result<Explanation, urlid::Error> {
    // SXURLs first: they have a version and checks, while any 64 digits can be a url-hash.
    let found = id::sxurl(text, list).or_else(|| id::hashed_uri(text)).or_else(|| id::url_hash(text));
    match (found, failed_check(text)) {
        (Some(explanation), _) => Ok(explanation),
        // Hexadecimal digits are also a relative reference; the failed check of the SXURL is the more useful
        // answer.
        (None, Some(error)) => Err(error),
        (None, None) => url::explain(text, list),
    }
}
