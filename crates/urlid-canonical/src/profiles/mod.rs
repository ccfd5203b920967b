//! The profiles, each in its own file.

mod cc_host;
mod crawlee;
mod existing;
mod ia_surt;
mod normalize_url;
mod normalize_url_10;
mod observables;
mod page;
mod safe_browsing;
mod scrapy;
pub(super) mod surt;
pub(super) mod url_normalize;
mod url_normalize_2_2;
pub(super) mod urlcanon;
pub(super) mod w3lib;

pub(super) use cc_host::CC_HOST;
pub(super) use existing::hashed_variant;
pub(super) use safe_browsing::{V4 as SAFE_BROWSING_V4, V5 as SAFE_BROWSING_V5};
pub use scrapy::{RequestFingerprinter, W3lib};

use super::error::UNKNOWN_PROFILE;
use super::profile::Profile;
use super::steps::FormStep;
use urlid::Error;

/// Every profile, in the order of the list.
static ALL: &[&Profile] = &[
    &existing::WEB,
    &existing::GENERIC,
    &existing::SXURL,
    &existing::HASHED_NONE,
    &existing::HASHED_N,
    &existing::HASHED_P,
    &existing::HASHED_TEXT,
    &page::PROFILE,
    &surt::PROFILE,
    &ia_surt::PROFILE,
    &ia_surt::KEEP_WWW,
    &cc_host::CC_HOST,
    &w3lib::W3LIB_2_5,
    &w3lib::W3LIB_2_4,
    &scrapy::SCRAPY_W3LIB_2_5,
    &scrapy::SCRAPY_W3LIB_2_4,
    &crawlee::CRAWLEE,
    &crawlee::KEEP_CASE,
    &normalize_url::PROFILE,
    &normalize_url_10::PROFILE,
    &url_normalize::PROFILE,
    &url_normalize_2_2::PROFILE,
    &urlcanon::PROFILE,
    &safe_browsing::V4,
    &safe_browsing::V5,
    &observables::STIX,
    &observables::VIRUSTOTAL,
];

impl Profile {
    /// Returns every profile, in the order of the list.
    pub fn all() -> &'static [&'static Self] {
        ALL
    }

    /// Returns the steps that are part of the profile, after its rules. Only `page-1` has such steps.
    pub fn steps(&self) -> &'static [FormStep] {
        if self.name == page::PROFILE.name { &*page::STEPS } else { &[] }
    }

    /// Returns the profile with a name.
    ///
    /// # Errors
    /// [`Error`] if the name is unknown.
    pub fn named(name: &str) -> Result<&'static Self, Error> {
        ALL.iter().copied().find(|profile| profile.name == name).ok_or_else(|| unknown(name))
    }
}

/// Reports an unknown name. The error suggests up to three names that start with it, or else are similar.
fn unknown(found: &str) -> Error {
    // Similarity above which a name with one wrong letter still finds the intended ones.
    const NEAR: f64 = 0.79;
    let names = || ALL.iter().map(|profile| profile.name);
    let mut near: Vec<&str> =
        names().filter(|name| !found.is_empty() && name.starts_with(found)).take(3).collect();
    if near.is_empty() {
        let likeness = |name: &str| strsim::jaro_winkler(found, name);
        near = names().filter(|name| likeness(name) >= NEAR).collect();
        near.sort_by(|one, other| likeness(other).total_cmp(&likeness(one)));
        near.truncate(3);
    }
    let expected = match near.as_slice() {
        [] => "a name such as surt-0.3.1".to_owned(),
        near => near.join(" or "),
    };
    UNKNOWN_PROFILE.found(found).with_expected(expected)
}
