//! The header of an identifier: version, scheme, and flags for the optional parts of the URL.
//!
//! ```text
//! Bits:  11..8    7..5     4     3       2     1     0
//!       version  scheme   sub  params  frag  port    0
//! ```

use core::fmt;
use core::ops::{BitAnd, BitOr};

use super::layout::{Field, Slice};
use crate::error::Error;
use crate::sxurl::error;

/// The bit that is always 0.
const RESERVED: u16 = 1;

/// The presence of subdomain, query, fragment and port in a URL.
///
/// ```
/// use urlid::sxurl::Flags;
///
/// let flags = Flags::SUB | Flags::PORT;
/// assert!(flags.contains(Flags::PORT) && !flags.contains(Flags::FRAG));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flags(u16);

impl Flags {
    /// The empty set: all optional parts are absent.
    pub const NONE: Self = Self(0);
    /// The URL has a subdomain.
    pub const SUB: Self = Self(1 << 4);
    /// The URL has a query.
    pub const PARAMS: Self = Self(1 << 3);
    /// The URL has a fragment.
    pub const FRAG: Self = Self(1 << 2);
    /// The URL has a port.
    pub const PORT: Self = Self(1 << 1);
    /// All four flags.
    pub const ALL: Self = Self(0b11110);

    /// Returns whether every flag of `other` is set.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the flags if `holds`, and otherwise the empty set.
    #[inline]
    pub const fn when(self, holds: bool) -> Self {
        Self(self.0 * holds as u16)
    }

    /// Returns the bits as in the header.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Returns the flags among the bits of a header and ignores the other bits.
    #[inline]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Returns the flag of a field that may be absent.
    pub const fn new(field: Field) -> Option<Self> {
        match field {
            Field::Sub => Some(Self::SUB),
            Field::Params => Some(Self::PARAMS),
            Field::Frag => Some(Self::FRAG),
            Field::Port => Some(Self::PORT),
            Field::Header | Field::Tld | Field::Domain | Field::Path => None,
        }
    }
}

impl BitOr for Flags {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Flags {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names =
            [("SUB", Self::SUB), ("PARAMS", Self::PARAMS), ("FRAG", Self::FRAG), ("PORT", Self::PORT)];
        f.write_str("Flags(")?;
        let mut separator = "";
        for (name, _) in names.into_iter().filter(|(_, flag)| self.contains(*flag)) {
            write!(f, "{separator}{name}")?;
            separator = " | ";
        }
        f.write_str(")")
    }
}

/// The header of an identifier: its scheme and its flags. The version is 1.
///
/// Headers have the same order as identifiers.
///
/// ```
/// use urlid::sxurl::{Flags, Header, Scheme, Sxurl};
///
/// let header = Header { scheme: Scheme::Https, flags: Flags::NONE };
/// assert_eq!(header.bits(), 0x100);
/// assert_eq!(Sxurl::encode("https://docs.rs/")?.header(), header);
/// assert_eq!(Header::all().len(), 48);
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Header {
    /// The scheme. The header stores its code.
    pub scheme: Scheme,
    /// The optional parts that are present.
    pub flags: Flags,
}

impl Header {
    /// The version of every header, in its top four bits.
    pub const VERSION: u8 = 1;

    /// Returns the 48 headers that identifiers can have, ascending.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
        // Three schemes times sixteen sets of flags. Bit 0 is reserved, so a set of flags is an even number.
        (0..48_u16).map(|number| Self {
            scheme: Scheme::ALL[usize::from(number / 16)],
            flags: Flags(number % 16 * 2),
        })
    }

    /// Returns the 12 bits.
    #[inline]
    pub const fn bits(self) -> u16 {
        (Self::VERSION as u16) << 8 | (self.scheme.code() as u16) << 5 | self.flags.0
    }

    /// Reads 12 bits.
    ///
    /// # Errors
    /// [`Error`] for the first check that fails: version, scheme, reserved bit.
    pub fn from_bits(bits: u16) -> Result<Self, Error> {
        // S-12: version, scheme, reserved bit, in this order. In a different version, the other bits may have
        // a different meaning.
        let version = (bits >> 8) as u8;
        let code = (bits >> 5) as u8 & 7;
        if version != Self::VERSION {
            return Err(error::VERSION.error().with_shown(version));
        }
        let scheme = Scheme::from_code(code).ok_or_else(|| error::SCHEME_CODE.error().with_shown(code))?;
        match bits & RESERVED {
            0 => Ok(Self { scheme, flags: Flags::from_bits(bits) }),
            _ => Err(error::RESERVED.error()),
        }
    }

    /// Returns whether a URL with this header can have the slice's part. A part without a flag is always
    /// present.
    pub fn has(self, slice: Slice) -> bool {
        // A field without a flag is present in every SXURL.
        Flags::new(slice.field()).is_none_or(|flag| self.flags.contains(flag))
    }
}

/// A scheme that an SXURL can have.
///
/// ```
/// use urlid::sxurl::Scheme;
///
/// assert_eq!(Scheme::from_name("HTTP").map(Scheme::name), Some("http"));
/// assert_eq!(Scheme::from_name("ws"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scheme {
    /// Code 0.
    Https,
    /// Code 1.
    Http,
    /// Code 2.
    Ftp,
}

impl Scheme {
    /// The schemes in the order of their codes.
    pub const ALL: [Self; 3] = [Self::Https, Self::Http, Self::Ftp];

    /// Returns the 3-bit code.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Returns the scheme with this code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// Returns the name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Https => "https",
            Self::Http => "http",
            Self::Ftp => "ftp",
        }
    }

    /// Returns the scheme with this name, in any case of letters.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_48_headers_ascend_and_are_all_that_bits_can_be() {
        let all: Vec<u16> = Header::all().map(Header::bits).collect();
        assert!(all.is_sorted() && Header::all().is_sorted());
        let valid: Vec<u16> = (0..1 << 12).filter(|&bits| Header::from_bits(bits).is_ok()).collect();
        assert_eq!(all, valid);
        assert!(Header::all().all(|header| Header::from_bits(header.bits()) == Ok(header)));
    }

    #[test]
    fn flags_are_shown_by_name() {
        assert_eq!(format!("{:?}", Flags::SUB | Flags::PORT), "Flags(SUB | PORT)");
        assert_eq!(Flags::from_bits(u16::MAX), Flags::ALL);
    }
}
