//! The agreement between the maker of a list and its readers: how entries and candidates become canonical,
//! and which parents of a candidate are looked up.

use core::fmt;
use core::str::FromStr;

use crate::error;
use urlid::Error;
use urlid::hashed_uri::{Keep, Variant};

/// Implements the conversions between a setting and its name. The error for any other name lists the names.
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
    /// The parts that entries may keep. The flags of an entry are the parts that its URI has.
    pub keep: Keep,
    /// The coverage of an entry.
    pub covers: Covers,
}

impl ListRules {
    /// Returns the rules of a variant with its usual intake: [`Intake::Rfc3986`] for [`Variant::None`], which
    /// works on URIs as written, and [`Intake::Web`] for the others.
    pub fn of_variant(variant: Variant) -> Self {
        let intake = match variant {
            Variant::None => Intake::Rfc3986,
            Variant::N | Variant::P => Intake::default(),
        };
        Self { variant, intake, ..Self::default() }
    }

    /// Returns whether intake and variant are compatible. Variant `none` hashes a URI as written, so a
    /// different system must not rewrite it first.
    pub(super) fn are_compatible(self) -> bool {
        self.intake == Intake::Rfc3986 || self.variant != Variant::None
    }
}

/// The kind of texts of entries and candidates, which determines the rejected ones.
///
/// Displays as `rfc3986` or `web`. [`FromStr`] accepts these names and reads `web` with [`UserInfo::Drop`].
///
/// ```
/// use urlid_lists::Intake;
///
/// assert_eq!("rfc3986".parse(), Ok(Intake::Rfc3986));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Intake {
    /// URIs by the generic syntax. A text with a character that is not allowed in URIs is rejected.
    Rfc3986,
    /// URLs as browsers read them. Each text is brought into the WHATWG normal form first, and remaining
    /// characters that are not allowed in URIs are percent-encoded. A text is rejected only if the URL
    /// Standard returns failure.
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
    /// [`Error`] for [`UserInfo::Drop`] with [`Intake::Rfc3986`], because the draft hashes hosts as written.
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

/// URLs as browsers read them, without user information.
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
/// Displays as `drop` or `keep`. [`FromStr`] accepts these names.
///
/// ```
/// use urlid_lists::UserInfo;
///
/// assert_eq!("keep".parse(), Ok(UserInfo::Keep));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UserInfo {
    /// They are dropped: `http://x@h.example./` is `http://h.example/`, because both open the same page. A
    /// host that is only a dot stays.
    #[default]
    Drop,
    /// They are kept. An entry with a user name matches only URLs with that name.
    Keep,
}

named!(UserInfo, "drop or keep", Drop = "drop", Keep = "keep");

/// The coverage of an entry, which determines the parents of a candidate that are looked up.
///
/// Displays as `url`, `directory` or `subdomains`. [`FromStr`] accepts these names.
///
/// ```
/// use urlid_lists::Covers;
///
/// assert_eq!("subdomains".parse(), Ok(Covers::Subdomains));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Covers {
    /// Its own URL. An entry matches only its own URI.
    #[default]
    Url,
    /// Its directory. An entry that ends with `/` also matches the URIs below it.
    Directory,
    /// Its directory, on its host and on the hosts below it. The last five, four, three and two labels of a
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
