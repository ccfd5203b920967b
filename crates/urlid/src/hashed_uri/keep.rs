//! The two settings of a hashed URI's canonical form, the kept parts and the rules, and the pieces of an
//! absolute URI that are kept.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use crate::error::{Error, ErrorCode, ErrorKind};
use crate::reference::Reference;

/// Selects whether the query and the fragment are kept (draft, section 4.3, step 1).
///
/// ```
/// use urlid::hashed_uri::Keep;
///
/// assert_eq!(Keep::QUERY.union(Keep::FRAGMENT), Keep::ALL);
/// assert_eq!(Keep::ALL.flags(), "+frag+query");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Keep {
    /// Whether the query is kept.
    pub query: bool,
    /// Whether the fragment is kept.
    pub fragment: bool,
}

impl Keep {
    /// Drops both.
    pub const NONE: Self = Self { query: false, fragment: false };
    /// Keeps only the query.
    pub const QUERY: Self = Self { query: true, fragment: false };
    /// Keeps only the fragment.
    pub const FRAGMENT: Self = Self { query: false, fragment: true };
    /// Keeps both.
    pub const ALL: Self = Self { query: true, fragment: true };
    /// The four settings, in the order of their [flags](Self::flags).
    pub const EACH: [Self; 4] = [Self::NONE, Self::FRAGMENT, Self::ALL, Self::QUERY];

    /// Returns the flags of a hashed URI for these parts, in the grammar's order (H-4).
    pub fn flags(self) -> &'static str {
        match (self.fragment, self.query) {
            (false, false) => "",
            (true, false) => "+frag",
            (true, true) => "+frag+query",
            (false, true) => "+query",
        }
    }

    /// Returns the setting that keeps every part that one of the two settings keeps.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { query: self.query || other.query, fragment: self.fragment || other.fragment }
    }

    /// Returns whether this setting keeps all parts that `other` keeps.
    pub fn includes(self, other: Self) -> bool {
        (self.query || !other.query) && (self.fragment || !other.fragment)
    }
}

impl PartialOrd for Keep {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Keep {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        // The order of the flags' texts gives hashed URIs the order of their texts.
        self.flags().cmp(other.flags())
    }
}

/// The rules that make a URI canonical. A hashed URI does not name its variant, so maker and reader must
/// agree on one (H-1).
///
/// Displays as `none`, `n` or `p`. [`FromStr`] accepts any case.
///
/// ```
/// use urlid::hashed_uri::Variant;
///
/// assert_eq!("P".parse(), Ok(Variant::P));
/// assert_eq!(Variant::default().to_string(), "n");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variant {
    /// Only section 4.3: the scheme in lower case, relative URIs made absolute.
    None,
    /// Appendix A, tending towards false negatives.
    #[default]
    N,
    /// Appendix A, tending towards false positives.
    P,
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::None => "none",
            Self::N => "n",
            Self::P => "p",
        })
    }
}

impl FromStr for Variant {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let is = |name: &str| text.eq_ignore_ascii_case(name);
        match () {
            () if is("none") => Ok(Self::None),
            () if is("n") => Ok(Self::N),
            () if is("p") => Ok(Self::P),
            () => Err(VARIANT.found(text)),
        }
    }
}

const VARIANT: ErrorKind =
    ErrorKind::new(ErrorCode::Argument, "variant is unknown: found {found}, expected none, n or p");

/// The pieces of an absolute URI that go into its canonical text.
pub(super) struct Pieces<'a> {
    pub(super) scheme: &'a str,
    pub(super) authority: Option<&'a str>,
    pub(super) path: &'a str,
    pub(super) query: Option<&'a str>,
    pub(super) fragment: Option<&'a str>,
}

/// 4.3 (1): removes query and fragment unless they are kept. This comes after (2), because a base may have
/// its own query.
pub(super) fn remove_unkept<'a>(uri: &Reference<'a>, keep: Keep) -> (Pieces<'a>, Keep) {
    let pieces = Pieces {
        scheme: uri.scheme().unwrap_or_default(),
        authority: uri.authority_text(),
        path: uri.path(),
        query: uri.query().filter(|_| keep.query),
        fragment: uri.fragment().filter(|_| keep.fragment),
    };
    let kept = Keep { query: pieces.query.is_some(), fragment: pieces.fragment.is_some() };
    (pieces, kept)
}

/// 4.3 (2): appends the scheme in lower case.
pub(super) fn push_scheme(scheme: &str, out: &mut String) {
    let start = out.len();
    out.push_str(scheme);
    out[start..].make_ascii_lowercase();
    out.push(':');
}
