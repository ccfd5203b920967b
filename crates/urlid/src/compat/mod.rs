//! The formats that the published crates `sxurl` and `url-hash` emit, which differ from their specifications.
//!
//! For programs with stored identifiers of these crates: the formats can be made, read and detected here. All
//! are made from the WHATWG normal form of this library, which differs from that of `url` 2.5.8 where the
//! latter deviates from the standard. The formats of the specifications are in [`sxurl`](crate::sxurl) and
//! [`url_hash`](crate::url_hash).

mod detect;
mod sxurl_crate;
mod url_hash_crate;

pub use detect::{Format, detect};
pub use sxurl_crate::{CrateFormat, CrateSxurl};
pub use url_hash_crate::{CrateUrlHash, CrateUrlShortHash, CrateUrlVeryShortHash};

/// The types of crate `url-hash` 0.1.0 under its names.
///
/// A program that uses the crate compiles with this line in place of `use url_hash::UrlHash`, and computes
/// the same hashes:
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
