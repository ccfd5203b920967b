//! The profiles, one file each.

mod cc_host;
mod crawlee;
mod existing;
mod ia_surt;
mod normalize_url;
mod observables;
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

use super::profile::Profile;

/// Every profile, in the order of the list.
pub(super) static ALL: &[&Profile] = &[
    &existing::WEB,
    &existing::GENERIC,
    &existing::SXURL,
    &existing::HASHED_NONE,
    &existing::HASHED_N,
    &existing::HASHED_P,
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
    &url_normalize::PROFILE,
    &url_normalize_2_2::PROFILE,
    &urlcanon::PROFILE,
    &safe_browsing::V4,
    &safe_browsing::V5,
    &observables::STIX,
    &observables::VIRUSTOTAL,
];
