//! The errors of canonicalization, and of the names of forms.

use core::fmt;
use std::sync::Arc;

use crate::error_code::{Coded, ErrorCode};
use crate::excerpt::Excerpt;
use crate::generic::NormaliseError;
use crate::hashed_uri::CanonicalError;
use crate::sxurl::EncodeError;
use crate::web;

/// Why a text has no canonical form in a profile. A profile that reproduces an implementation rejects what that rejects.
///
/// ```
/// use urlid::canonical::{Form, ProfileError};
/// use urlid::{Coded, ErrorCode};
///
/// let form: Form = "web".parse()?;
/// let error = form.canonicalize("no scheme").unwrap_err();
/// assert!(matches!(error, ProfileError::Web(_)));
/// assert_eq!(error.code(), ErrorCode::UrlParse);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProfileError {
    /// The port is not a number that the profile allows.
    Port {
        /// What was found.
        found: Excerpt,
        /// What the profile expects.
        expected: &'static str,
    },
    /// The authority or the host is one that the profile rejects.
    Host {
        /// What was found.
        found: Excerpt,
        /// What the profile expects.
        expected: &'static str,
    },
    /// The text is one that the profile rejects.
    Text {
        /// What was found.
        found: Excerpt,
        /// What the profile expects.
        expected: &'static str,
    },
    /// A rule leaves bytes that are not UTF-8.
    NotUtf8,
    /// The text is not a URL by the URL Standard.
    Web(web::ParseError),
    /// The text has no normal form by RFC 3986.
    Generic(NormaliseError),
    /// The text has no canonical form by The Hashed URI.
    Hashed(CanonicalError),
    /// The text has no SXURL.
    Sxurl(EncodeError),
}

impl From<web::ParseError> for ProfileError {
    fn from(error: web::ParseError) -> Self {
        Self::Web(error)
    }
}

impl From<NormaliseError> for ProfileError {
    fn from(error: NormaliseError) -> Self {
        Self::Generic(error)
    }
}

impl From<CanonicalError> for ProfileError {
    fn from(error: CanonicalError) -> Self {
        Self::Hashed(error)
    }
}

impl From<EncodeError> for ProfileError {
    fn from(error: EncodeError) -> Self {
        Self::Sxurl(error)
    }
}

impl ProfileError {
    pub(super) fn port(found: &[u8], expected: &'static str) -> Self {
        Self::Port { found: excerpt(found), expected }
    }

    pub(super) fn host(found: &[u8], expected: &'static str) -> Self {
        Self::Host { found: excerpt(found), expected }
    }

    pub(super) fn text(found: &[u8], expected: &'static str) -> Self {
        Self::Text { found: excerpt(found), expected }
    }
}

fn excerpt(bytes: &[u8]) -> Excerpt {
    Excerpt::of(&String::from_utf8_lossy(bytes))
}

impl Coded for ProfileError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Port { .. } => ErrorCode::Port,
            Self::Host { .. } | Self::Text { .. } | Self::NotUtf8 => ErrorCode::Canon,
            Self::Web(error) => error.code(),
            Self::Generic(error) => error.code(),
            Self::Hashed(error) => error.code(),
            Self::Sxurl(error) => error.code(),
        }
    }
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Port { found, expected } => {
                write!(f, "port is not valid: found {found}, expected {expected}")
            }
            Self::Host { found, expected } => {
                write!(f, "host is not valid: found {found}, expected {expected}")
            }
            Self::Text { found, expected } => {
                write!(f, "text has no form: found {found}, expected {expected}")
            }
            Self::NotUtf8 => f.write_str("the form of the text is not UTF-8"),
            Self::Web(error) => error.fmt(f),
            Self::Generic(error) => error.fmt(f),
            Self::Hashed(error) => error.fmt(f),
            Self::Sxurl(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ProfileError {}

/// Why a name is not that of a canonical form.
///
/// ```
/// use urlid::canonical::{Form, NameError};
///
/// let error = "surt-0.3.1+https".parse::<Form>().unwrap_err();
/// assert_eq!(error, NameError::Key { profile: "surt-0.3.1" });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameError {
    /// No profile has the name.
    Profile {
        /// The name.
        found: Excerpt,
    },
    /// No step has the name.
    Step {
        /// The name.
        found: Excerpt,
    },
    /// The list of tracking parameters that a step names is neither part of this library nor given.
    TrackingList {
        /// The name.
        found: Excerpt,
        /// The names of the lists that are there.
        expected: Vec<Arc<str>>,
    },
    /// The steps are not in their order, or one of them is there twice.
    Order,
    /// A step follows a profile whose forms are keys.
    Key {
        /// The name of the profile.
        profile: &'static str,
    },
}

impl Coded for NameError {
    fn code(&self) -> ErrorCode {
        ErrorCode::CanonName
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Profile { found } => {
                write!(f, "canonical form is unknown: found {found}, expected a name such as surt-0.3.1")
            }
            Self::Step { found } => {
                write!(f, "step of the canonical form is unknown: found {found}, expected one such as drop-fragment")
            }
            Self::TrackingList { found, expected } => {
                write!(
                    f,
                    "list of tracking parameters is not given: found {found}, expected {}",
                    expected.join(" or ")
                )
            }
            Self::Order => f.write_str(
                "steps of the canonical form are out of order: expected drop-fragment, sort-query, drop-query, \
                 drop-tracking, strip-www, trailing-slash, https",
            ),
            Self::Key { profile } => {
                write!(f, "{profile} gives keys, which no step can follow: expected a profile that gives URLs")
            }
        }
    }
}

impl core::error::Error for NameError {}
