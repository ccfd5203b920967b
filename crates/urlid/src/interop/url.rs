//! Conversions from and to `url::Url`, whose normal form deviates from the standard in places.

use crate::compat::{CrateUrlHash, CrateUrlShortHash, CrateUrlVeryShortHash};
use crate::error::{Error, ErrorCode, ErrorKind, Excerpt};
use crate::url_hash::{UrlHash, UrlShortHash, UrlVeryShortHash};
use crate::web::Url;

const NORMAL_FORM_DIFFERS: ErrorKind = ErrorKind::new(
    ErrorCode::UrlParse,
    "normal forms differ: the URL Standard gives {found}, the `url` crate gives {expected}",
);

fn normal_form_differs(here: &str, there: &str) -> Error {
    NORMAL_FORM_DIFFERS.found(here).with_expected(Excerpt(there).to_string())
}

impl TryFrom<&url::Url> for Url {
    type Error = Error;

    fn try_from(there: &url::Url) -> Result<Self, Error> {
        let differs = |here: &str| normal_form_differs(here, there.as_str());
        // Parsing is not enough, the result is compared as well: releases of the crate differ from the
        // standard, and their hashes would differ.
        match Url::parse(there.as_str()) {
            Ok(here) if here.as_str() == there.as_str() => Ok(here),
            Ok(here) => Err(differs(here.as_str())),
            Err(error) => Err(differs(&error.to_string())),
        }
    }
}

impl TryFrom<&Url> for url::Url {
    type Error = Error;

    fn try_from(here: &Url) -> Result<Self, Error> {
        let differs = |there: &str| normal_form_differs(here.as_str(), there);
        match url::Url::parse(here.as_str()) {
            Ok(there) if there.as_str() == here.as_str() => Ok(there),
            Ok(there) => Err(differs(there.as_str())),
            Err(error) => Err(differs(&error.to_string())),
        }
    }
}

/// Hashes the standard's normal form of the URL, so the hash does not change with the version of the `url`
/// crate.
impl TryFrom<&url::Url> for UrlHash {
    type Error = Error;

    fn try_from(url: &url::Url) -> Result<Self, Error> {
        UrlHash::encode(url.as_str())
    }
}

impl TryFrom<url::Url> for UrlHash {
    type Error = Error;

    fn try_from(url: url::Url) -> Result<Self, Error> {
        UrlHash::encode(url.as_str())
    }
}

impl TryFrom<&url::Url> for UrlShortHash {
    type Error = Error;

    fn try_from(url: &url::Url) -> Result<Self, Error> {
        UrlShortHash::encode(url.as_str())
    }
}

impl TryFrom<&url::Url> for UrlVeryShortHash {
    type Error = Error;

    fn try_from(url: &url::Url) -> Result<Self, Error> {
        UrlVeryShortHash::encode(url.as_str())
    }
}

/// Hashes the text of the URL unchanged, like crate `url-hash` 0.1.0.
impl From<&url::Url> for CrateUrlHash {
    fn from(url: &url::Url) -> Self {
        // The published crate hashes the text that the `url` crate returns, so the text is not parsed again.
        CrateUrlHash::of_text(url.as_str())
    }
}

impl From<url::Url> for CrateUrlHash {
    fn from(url: url::Url) -> Self {
        Self::from(&url)
    }
}

impl From<url::Url> for CrateUrlShortHash {
    fn from(url: url::Url) -> Self {
        CrateUrlHash::from(&url).short()
    }
}

impl From<url::Url> for CrateUrlVeryShortHash {
    fn from(url: url::Url) -> Self {
        CrateUrlHash::from(&url).very_short()
    }
}
