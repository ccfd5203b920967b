//! The formats that the published crates really emit, which are not those of their own specifications
//! (docs/spec/url-hash.md and docs/spec/sxurl.md, "Published crates").
//!
//! Layer 5. For those who have such ids stored: they can be made, read and told apart here, under names that say what
//! they are. Nothing else in the library uses them. All are made from the WHATWG normal form of this library, which
//! differs from that of `url` 2.5.8 where the latter leaves the standard.

mod detect;
mod sxurl_crate;
mod url_hash_crate;

pub use detect::{Format, detect};
pub use sxurl_crate::{CrateFormat, CrateSxurl, CrateSxurlError};
pub use url_hash_crate::{CrateUrlHash, CrateUrlShortHash, CrateUrlVeryShortHash};

/// The types of crate `url-hash` 0.1.0 under its names (docs/migrate-url-hash.md).
///
/// A program that uses the crate compiles with this line in place of `use url_hash::UrlHash`, and computes the same hashes:
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
