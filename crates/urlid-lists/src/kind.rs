//! The kinds of compiled lists: how digests are stored, which determines the certainty of a hit.

use core::fmt;

use crate::error;
use crate::rules::named;
use urlid::Error;

/// How a compiled list stores digests.
///
/// Displays as `exact` or `prefix`. [`FromStr`](core::str::FromStr) accepts these names.
///
/// ```
/// use urlid_lists::ListKind;
///
/// assert_eq!("prefix".parse(), Ok(ListKind::Prefix));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ListKind {
    /// Digests, whole or cut to a number of bits that makes a false hit practically impossible.
    #[default]
    Exact,
    /// The first 32 bits of digests. After a hit, the whole digests have to be fetched.
    Prefix,
}

named!(ListKind, "exact or prefix", Exact = "exact", Prefix = "prefix");

/// A kind of list and how many bits it keeps of each digest.
///
/// ```
/// use urlid_lists::{ListKind, Store};
///
/// assert_eq!(Store::usual(ListKind::Exact).to_string(), "exact, 80 bits");
/// assert!(Store::new(ListKind::Prefix, Some(40)).is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Store {
    kind: ListKind,
    /// `None` if digests are whole.
    bits: Option<u16>,
}

impl Store {
    /// Whole digests.
    pub const WHOLE: Self = Self { kind: ListKind::Exact, bits: None };

    /// Chooses a kind and the number of bits. [`ListKind::Exact`] accepts `None` for whole digests, or a
    /// multiple of 8 from 40 to 512, and shorter digests stay whole. [`ListKind::Prefix`] accepts 32.
    ///
    /// # Errors
    /// [`Error`] for any other number.
    pub fn new(kind: ListKind, bits: Option<u16>) -> Result<Self, Error> {
        let is_allowed = match (kind, bits) {
            (ListKind::Exact, None) | (ListKind::Prefix, Some(32)) => true,
            // At least 40, because a hit on 32 bits only leads to a question for whole digests. The longest
            // digest has 512.
            (ListKind::Exact, Some(bits)) => (40..=512).contains(&bits) && bits % 8 == 0,
            _ => false,
        };
        let expected = match kind {
            ListKind::Exact => "whole, or a multiple of 8 from 40 to 512",
            ListKind::Prefix => "32",
        };
        match is_allowed {
            true => Ok(Self { kind, bits }),
            false => Err(error::setting(&bits_text(bits), expected)),
        }
    }

    /// Returns the usual number of bits of a kind: 80 and 32.
    pub fn usual(kind: ListKind) -> Self {
        let bits = match kind {
            ListKind::Exact => 80,
            ListKind::Prefix => 32,
        };
        Self { kind, bits: Some(bits) }
    }

    /// Returns how digests are stored, without the number of bits.
    pub fn kind(self) -> ListKind {
        self.kind
    }

    /// Returns the number of bits that are kept of each digest, or `None` if digests are whole.
    pub fn bits(self) -> Option<u16> {
        self.bits
    }

    /// Returns the bytes that are kept of digests of a length.
    pub(super) fn width(self, length: usize) -> usize {
        self.bits.map_or(length, |bits| length.min(usize::from(bits) / 8))
    }

    /// Returns the value of `digest-bits`.
    pub(super) fn bits_text(self) -> String {
        bits_text(self.bits)
    }

    /// Reads the value of `digest-bits`.
    pub(super) fn parse(kind: ListKind, text: &str) -> Result<Self, Error> {
        let bits = match text {
            "whole" => None,
            // A kind never keeps 0 bits, so `new` rejects a text that is not a number with the message for
            // the kind.
            _ => text.parse().ok().filter(|bits: &u16| bits.to_string() == text).or(Some(0)),
        };
        Self::new(kind, bits).map_err(|error| error.with_found(text))
    }
}

impl fmt::Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bits {
            Some(bits) => write!(f, "{}, {bits} bits", self.kind),
            None => write!(f, "{}, whole digests", self.kind),
        }
    }
}

fn bits_text(bits: Option<u16>) -> String {
    bits.map_or_else(|| "whole".to_owned(), |bits| bits.to_string())
}

/// The certainty of a hit of a list.
///
/// ```
/// use urlid_lists::Certainty;
///
/// assert_eq!(Certainty::OneIn(65536.0).to_string(), "1 in 65536 by chance");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Certainty {
    /// The digest is listed whole.
    Certain,
    /// One in this many of the digests that are not listed is found.
    OneIn(f64),
}

impl Certainty {
    /// Returns the certainty for a chance between 0 and 1.
    pub(super) fn of_chance(chance: f64) -> Self {
        if chance <= 0.0 { Self::Certain } else { Self::OneIn(1.0 / chance.min(1.0)) }
    }

    /// Returns the chance that a digest that is not listed is found.
    pub fn chance(self) -> f64 {
        match self {
            Self::Certain => 0.0,
            Self::OneIn(number) => 1.0 / number,
        }
    }
}

impl fmt::Display for Certainty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Certain => f.write_str("certain"),
            Self::OneIn(number) if number < 1e7 => write!(f, "1 in {number:.0} by chance"),
            Self::OneIn(number) => write!(f, "1 in {number:.1e} by chance"),
        }
    }
}
