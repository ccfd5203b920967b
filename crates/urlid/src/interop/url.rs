//! Conversions from and to `url::Url`, whose normal form deviates from the standard in places.

use core::fmt;

use crate::compat::{CrateUrlHash, CrateUrlShortHash, CrateUrlVeryShortHash};
use crate::error_code::{Coded, ErrorCode};
use crate::excerpt::Excerpt;
use crate::url_hash::{UrlHash, UrlShortHash, UrlVeryShortHash};
use crate::web::{ParseError, Url};

/// The two libraries write one URL differently, so a conversion would change it.
///
/// ```
/// use urlid::interop::NormalFormDiffers;
/// use urlid::web::Url;
///
/// let theirs = url::Url::parse("https://docs.rs/")?;
/// let ours: Result<Url, NormalFormDiffers> = (&theirs).try_into();
/// assert_eq!(ours?.as_str(), "https://docs.rs/");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalFormDiffers {
    here: Excerpt,
    there: Excerpt,
}

impl Coded for NormalFormDiffers {
    fn code(&self) -> ErrorCode {
        ErrorCode::UrlParse
    }
}

impl fmt::Display for NormalFormDiffers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "normal forms differ: the standard's is {}, that of the `url` crate is {}",
            self.here, self.there
        )
    }
}

impl core::error::Error for NormalFormDiffers {}

impl TryFrom<&url::Url> for Url {
    type Error = NormalFormDiffers;

    fn try_from(there: &url::Url) -> Result<Self, NormalFormDiffers> {
        let differs =
            |here: &str| NormalFormDiffers { here: Excerpt::of(here), there: Excerpt::of(there.as_str()) };
        match Url::parse(there.as_str()) {
            Ok(here) if here.as_str() == there.as_str() => Ok(here),
            Ok(here) => Err(differs(here.as_str())),
            Err(error) => Err(differs(&error.to_string())),
        }
    }
}

impl TryFrom<&Url> for url::Url {
    type Error = NormalFormDiffers;

    fn try_from(here: &Url) -> Result<Self, NormalFormDiffers> {
        let differs =
            |there: &str| NormalFormDiffers { here: Excerpt::of(here.as_str()), there: Excerpt::of(there) };
        match url::Url::parse(here.as_str()) {
            Ok(there) if there.as_str() == here.as_str() => Ok(there),
            Ok(there) => Err(differs(there.as_str())),
            Err(error) => Err(differs(&error.to_string())),
        }
    }
}

/// The hash of the standard's normal form of the URL, so that it does not change with the version of the `url` crate.
impl TryFrom<&url::Url> for UrlHash {
    type Error = ParseError;

    fn try_from(url: &url::Url) -> Result<Self, ParseError> {
        UrlHash::encode(url.as_str())
    }
}

impl TryFrom<url::Url> for UrlHash {
    type Error = ParseError;

    fn try_from(url: url::Url) -> Result<Self, ParseError> {
        UrlHash::encode(url.as_str())
    }
}

impl TryFrom<&url::Url> for UrlShortHash {
    type Error = ParseError;

    fn try_from(url: &url::Url) -> Result<Self, ParseError> {
        UrlShortHash::encode(url.as_str())
    }
}

impl TryFrom<&url::Url> for UrlVeryShortHash {
    type Error = ParseError;

    fn try_from(url: &url::Url) -> Result<Self, ParseError> {
        UrlVeryShortHash::encode(url.as_str())
    }
}

/// The hash of the text of the URL as it stands, which is what crate `url-hash` 0.1.0 hashes.
impl From<&url::Url> for CrateUrlHash {
    fn from(url: &url::Url) -> Self {
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
