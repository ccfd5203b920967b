//! Detects the formats that a text can have. Every format is tried, because some overlap.

use alloc::vec::Vec;

use super::sxurl_crate::{CrateFormat, CrateSxurl};
use crate::hashed_uri::HashedUri;
use crate::sxurl::Sxurl;
use crate::url_hash::{UrlHash, UrlShortHash, UrlVeryShortHash};
use crate::web::Url;

/// A format that a text can have.
///
/// ```
/// use urlid::compat::{Format, detect};
///
/// assert_eq!(detect("https://docs.rs/"), [Format::Url]);
/// assert_eq!(Format::CrateUrlHash.to_string(), "url-hash-0.1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// An SXURL, 64 digits that pass every check.
    Sxurl,
    /// An identifier of a version of crate `sxurl`.
    CrateSxurl(CrateFormat),
    /// A url-hash: four decimal words, or 64 digits.
    UrlHash,
    /// The hash of crate `url-hash` 0.1.0, which looks the same.
    CrateUrlHash,
    /// The first two words of a url-hash, or 32 digits.
    UrlShortHash,
    /// The same of the crate's hash.
    CrateUrlShortHash,
    /// The first word of a url-hash, or 16 digits.
    UrlVeryShortHash,
    /// The same of the crate's hash.
    CrateUrlVeryShortHash,
    /// A hashed URI of any algorithm: `hashed:`, a name, `=`, digits.
    HashedUri,
    /// An absolute URL.
    Url,
}

impl Format {
    /// Returns the name of the format.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sxurl => "sxurl",
            Self::CrateSxurl(format) => format.name(),
            Self::UrlHash => "url-hash",
            Self::CrateUrlHash => "url-hash-0.1",
            Self::UrlShortHash => "url-short-hash",
            Self::CrateUrlShortHash => "url-short-hash-0.1",
            Self::UrlVeryShortHash => "url-very-short-hash",
            Self::CrateUrlVeryShortHash => "url-very-short-hash-0.1",
            Self::HashedUri => "hashed-uri",
            Self::Url => "url",
        }
    }
}

impl core::fmt::Display for Format {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

/// Returns the formats that `text` can have, the most specific first; none if it has none of them.
///
/// ```
/// use urlid::compat::{CrateFormat, Format, detect};
///
/// let formats = detect("004817c7e16ca8efb818406f000000000001bb35884d71189f90000000000000");
/// assert!(formats.contains(&Format::CrateSxurl(CrateFormat::V1_0)));
/// assert!(!formats.contains(&Format::Sxurl));
/// ```
pub fn detect(text: &str) -> Vec<Format> {
    let crate_formats =
        CrateFormat::ALL.map(|format| (Format::CrateSxurl(format), is_crate_sxurl(text, format)));
    let is_url_hash = text.parse::<UrlHash>().is_ok() || UrlHash::from_hex(text).is_ok();
    let is_short = text.parse::<UrlShortHash>().is_ok() || UrlShortHash::from_hex(text).is_ok();
    let is_very_short = text.parse::<UrlVeryShortHash>().is_ok() || UrlVeryShortHash::from_hex(text).is_ok();
    let is_hashed_uri = text.parse::<HashedUri>().is_ok();

    [(Format::Sxurl, Sxurl::from_hex(text).is_ok())]
        .into_iter()
        .chain(crate_formats)
        .chain([
            (Format::UrlHash, is_url_hash),
            (Format::CrateUrlHash, is_url_hash),
            (Format::UrlShortHash, is_short),
            (Format::CrateUrlShortHash, is_short),
            (Format::UrlVeryShortHash, is_very_short),
            (Format::CrateUrlVeryShortHash, is_very_short),
            (Format::HashedUri, is_hashed_uri),
            // The URL Standard accepts every hashed URI as a URL.
            (Format::Url, !is_hashed_uri && Url::parse(text).is_ok()),
        ])
        .filter_map(|(format, is_possible)| is_possible.then_some(format))
        .collect()
}

fn is_crate_sxurl(text: &str, format: CrateFormat) -> bool {
    CrateSxurl::from_hex(text, format).is_ok()
}
