//! The formats that the published crates `sxurl` and `url-hash` emit, which differ from their specifications.
//!
//! Programs that store identifiers of these crates can make, read and detect the formats here. All
//! identifiers are made from the WHATWG normal form of this library, which differs from `url` 2.5.8 where
//! that crate deviates from the standard. The formats of the specifications are in [`sxurl`](crate::sxurl)
//! and [`url_hash`](crate::url_hash).

mod sxurl_crate;
mod url_hash_crate;

use alloc::vec::Vec;

use crate::hashed_uri::HashedUri;
use crate::sxurl::Sxurl;
use crate::url_hash::{UrlHash, UrlShortHash, UrlVeryShortHash};
use crate::web::Url;

pub use sxurl_crate::{CrateFormat, CrateSxurl};
pub use url_hash_crate::{CrateUrlHash, CrateUrlShortHash, CrateUrlVeryShortHash};

/// The types of crate `url-hash` 0.1.0 under its names.
///
/// A program that uses the crate compiles if this line replaces `use url_hash::UrlHash`, and computes the
/// same hashes:
///
#[cfg_attr(feature = "url", doc = "```")]
#[cfg_attr(not(feature = "url"), doc = "```ignore")]
/// use url::Url;
/// use urlid::compat::url_hash_0_1::UrlHash;
///
/// let url = Url::parse("https://doc.rust-lang.org/").unwrap();
/// let hash =  UrlHash::from(url);
///
/// let short = hash.short();
/// assert!(hash.starts_with(&short));
///
/// let very_short = hash.very_short();
/// assert!(short.starts_with(&very_short));
/// assert!(hash.starts_with_just(&very_short));
/// assert_eq!(very_short, hash.very_short());
/// ```
pub mod url_hash_0_1 {
    pub use super::{
        CrateUrlHash as UrlHash, CrateUrlShortHash as UrlShortHash, CrateUrlVeryShortHash as UrlVeryShortHash,
    };
}

/// The format of a text.
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
    /// An SXURL: 64 digits that pass every check.
    Sxurl,
    /// An identifier of a version of crate `sxurl`.
    CrateSxurl(CrateFormat),
    /// A url-hash: four decimal words, or 64 digits.
    UrlHash,
    /// The hash of crate `url-hash` 0.1.0, with the same syntax.
    CrateUrlHash,
    /// The first two words of a url-hash, or 32 digits.
    UrlShortHash,
    /// The first two words of the crate's hash, or 32 digits.
    CrateUrlShortHash,
    /// The first word of a url-hash, or 16 digits.
    UrlVeryShortHash,
    /// The first word of the crate's hash, or 16 digits.
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

/// Returns the formats that `text` can have, the most specific first. The result is empty for an unknown
/// format.
///
/// ```
/// use urlid::compat::{CrateFormat, Format, detect};
///
/// let formats = detect("004817c7e16ca8efb818406f000000000001bb35884d71189f90000000000000");
/// assert!(formats.contains(&Format::CrateSxurl(CrateFormat::V1_0)));
/// assert!(!formats.contains(&Format::Sxurl));
/// ```
pub fn detect(text: &str) -> Vec<Format> {
    let crate_formats = CrateFormat::ALL
        .map(|format| (Format::CrateSxurl(format), CrateSxurl::from_hex(text, format).is_ok()));
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
