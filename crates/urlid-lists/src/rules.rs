//! The agreement of the maker of a list and its readers: how entries and candidates become canonical, and
//! which parents of a candidate are looked up.

use core::fmt;
use core::str::FromStr;

use crate::error;
use urlid::Error;
use urlid::hashed_uri::{Keep, Variant};

/// Implements the conversions of a setting to its name and back; the error of another name lists the names.
macro_rules! named {
    ($setting:ident, $names:literal, $($value:ident = $name:literal),+) => {
        impl core::fmt::Display for $setting {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(match self {
                    $(Self::$value => $name),+
                })
            }
        }

        impl core::str::FromStr for $setting {
            type Err = urlid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($name => Ok(Self::$value),)+
                    _ => Err($crate::error::setting(text, $names)),
                }
            }
        }
    };
}
pub(super) use named;

/// The rules of a list. They apply to its entries and to the candidates that are checked against it.
///
/// ```
/// use urlid::hashed_uri::Variant;
/// use urlid_lists::{UserInfo, Intake, ListRules};
///
/// let rules = ListRules { variant: Variant::P, ..ListRules::default() };
/// assert_eq!(rules.intake, Intake::Web(UserInfo::Drop));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ListRules {
    /// The variant of the canonical form.
    pub variant: Variant,
    /// The step before a text becomes canonical.
    pub intake: Intake,
    /// The parts that entries may keep; the flags of an entry are those that its URI has.
    pub keep: Keep,
    /// What an entry covers.
    pub covers: Covers,
}

impl ListRules {
    /// Returns the rules of a variant with its usual intake: [`Intake::Rfc3986`] for [`Variant::None`], which
    /// works on URIs as they are written, [`Intake::Web`] for the others.
    pub fn of_variant(variant: Variant) -> Self {
        let intake = match variant {
            Variant::None => Intake::Rfc3986,
            Variant::N | Variant::P => Intake::default(),
        };
        Self { variant, intake, ..Self::default() }
    }

    /// Returns whether intake and variant go together: variant `none` hashes a URI as it is written, so no
    /// other system may rewrite it first.
    pub(super) fn are_compatible(self) -> bool {
        self.intake == Intake::Rfc3986 || self.variant != Variant::None
    }
}

/// The kind of texts that entries and candidates are, and so which of them are rejected.
///
/// Displays as `rfc3986` or `web`; [`FromStr`] takes these, `web` with [`UserInfo::Drop`].
///
/// ```
/// use urlid_lists::Intake;
///
/// assert_eq!("rfc3986".parse(), Ok(Intake::Rfc3986));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Intake {
    /// URIs by the generic syntax. A text with a character that no URI has is rejected.
    Rfc3986,
    /// URLs as a browser takes them: each text is brought into the WHATWG normal form first, and what that
    /// leaves of characters that no URI has is percent-encoded. A text is rejected only where the URL Standard
    /// returns failure.
    Web(UserInfo),
}

impl Intake {
    /// Returns whether user information is part of a URL. In URIs by the generic syntax it always is.
    pub fn user_info(self) -> UserInfo {
        match self {
            Self::Rfc3986 => UserInfo::Keep,
            Self::Web(user_info) => user_info,
        }
    }

    /// Returns the intake with this treatment of user information.
    ///
    /// # Errors
    /// [`Error`] for [`UserInfo::Drop`] with [`Intake::Rfc3986`]: the draft hashes hosts as they are
    /// written.
    ///
    /// ```
    /// use urlid_lists::{UserInfo, Intake};
    ///
    /// assert_eq!(Intake::default().with_user_info(UserInfo::Keep), Ok(Intake::Web(UserInfo::Keep)));
    /// assert!(Intake::Rfc3986.with_user_info(UserInfo::Drop).is_err());
    /// ```
    pub fn with_user_info(self, user_info: UserInfo) -> Result<Self, Error> {
        match (self, user_info) {
            (Self::Rfc3986, UserInfo::Keep) => Ok(Self::Rfc3986),
            (Self::Rfc3986, UserInfo::Drop) => Err(error::setting("drop", "keep, for the intake is rfc3986")),
            (Self::Web(_), user_info) => Ok(Self::Web(user_info)),
        }
    }
}

/// URLs as a browser takes them, without user information.
impl Default for Intake {
    fn default() -> Self {
        Self::Web(UserInfo::default())
    }
}

impl fmt::Display for Intake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Rfc3986 => "rfc3986",
            Self::Web(_) => "web",
        })
    }
}

impl FromStr for Intake {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "rfc3986" => Ok(Self::Rfc3986),
            "web" => Ok(Self::default()),
            _ => Err(error::setting(text, "rfc3986 or web")),
        }
    }
}

/// Whether user information, and one dot at the end of the host, are part of a URL.
///
/// Displays as `drop` or `keep`; [`FromStr`] takes these.
///
/// ```
/// use urlid_lists::UserInfo;
///
/// assert_eq!("keep".parse(), Ok(UserInfo::Keep));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UserInfo {
    /// They are dropped: `http://x@h.example./` is `http://h.example/`, because both open one page. A host
    /// that is only a dot stays.
    #[default]
    Drop,
    /// They are kept: an entry with a user name matches only URLs with that name.
    Keep,
}

named!(UserInfo, "drop or keep", Drop = "drop", Keep = "keep");

/// What an entry covers, and so which parents of a candidate are looked up.
///
/// Displays as `url`, `directory` or `subdomains`; [`FromStr`] takes these.
///
/// ```
/// use urlid_lists::Covers;
///
/// assert_eq!("subdomains".parse(), Ok(Covers::Subdomains));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Covers {
    /// Its own URL: an entry matches its own URI.
    #[default]
    Url,
    /// Its directory: an entry that ends with `/` also matches what is below it.
    Directory,
    /// Its directory, on its host and on the hosts below that: the last five, four, three and two labels of a
    /// candidate's host are looked up.
    Subdomains,
}

named!(
    Covers,
    "url, directory or subdomains",
    Url = "url",
    Directory = "directory",
    Subdomains = "subdomains"
);
