//! The differences between versions of crate `sxurl`: labels, layout, and which end of the digest they take.

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::ops::Range;

use crate::digest;

/// Which versions of the crate.
///
/// ```
/// use urlid::compat::CrateFormat;
///
/// assert_eq!(CrateFormat::of_version("1.1.0"), Some(CrateFormat::V1_1));
/// assert_eq!(CrateFormat::V1_1.to_string(), "sxurl-crate-1.1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CrateFormat {
    /// 0.1.0 and 0.2.0: the specification's layout.
    V0,
    /// 1.0.0: a layout of its own.
    V1_0,
    /// 1.1.0: the layout of 1.0.0 under other labels.
    V1_1,
}

/// The parts that are hashed, in the order of both layouts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HashedPart {
    Tld,
    Domain,
    Sub,
    Path,
    Query,
    Fragment,
}

impl HashedPart {
    pub(super) const ALL: [Self; 6] =
        [Self::Tld, Self::Domain, Self::Sub, Self::Path, Self::Query, Self::Fragment];
}

impl CrateFormat {
    /// The formats, oldest first.
    pub const ALL: [Self; 3] = [Self::V0, Self::V1_0, Self::V1_1];

    /// Returns the name of the format.
    pub fn name(self) -> &'static str {
        match self {
            Self::V0 => "sxurl-crate-0",
            Self::V1_0 => "sxurl-crate-1.0",
            Self::V1_1 => "sxurl-crate-1.1",
        }
    }

    /// Returns the format of a version of the crate.
    pub fn of_version(version: &str) -> Option<Self> {
        match version {
            "0.1.0" | "0.2.0" => Some(Self::V0),
            "1.0.0" => Some(Self::V1_0),
            "1.1.0" => Some(Self::V1_1),
            _ => None,
        }
    }

    fn label(self, part: HashedPart) -> &'static str {
        match (part, self) {
            (HashedPart::Tld, _) => "tld",
            (HashedPart::Domain, _) => "domain",
            (HashedPart::Sub, Self::V1_1) => "subdomain",
            (HashedPart::Sub, _) => "sub",
            (HashedPart::Path, _) => "path",
            (HashedPart::Query, Self::V1_1) => "query",
            (HashedPart::Query, _) => "params",
            (HashedPart::Fragment, Self::V1_1) => "fragment",
            (HashedPart::Fragment, _) => "frag",
        }
    }

    pub(super) fn hex_range(self, part: HashedPart) -> Range<usize> {
        match (self, part) {
            (Self::V0, HashedPart::Tld) => 3..7,
            (Self::V0, HashedPart::Domain) => 7..22,
            (Self::V0, HashedPart::Sub) => 22..30,
            (Self::V0, HashedPart::Path) => 34..49,
            (Self::V0, HashedPart::Query) => 49..58,
            (Self::V0, HashedPart::Fragment) => 58..64,
            (_, HashedPart::Tld) => 2..9,
            (_, HashedPart::Domain) => 9..24,
            (_, HashedPart::Sub) => 24..32,
            (_, HashedPart::Path) => 38..51,
            (_, HashedPart::Query) => 51..59,
            (_, HashedPart::Fragment) => 59..64,
        }
    }

    /// Returns the hash of a part as its digits.
    pub(super) fn hash(self, part: HashedPart, value: &str) -> String {
        let digest = digest::sha256(&[self.label(part).as_bytes(), &[0], value.as_bytes()]);
        // No slice has more than 60 bits, so the crate reads eight bytes: from 1.0 on in the wrong order.
        let tail: [u8; 8] = core::array::from_fn(|index| digest[24 + index]);
        let value = if self == Self::V0 { u64::from_be_bytes(tail) } else { u64::from_le_bytes(tail) };
        let digits = self.hex_range(part).len();
        format!("{:0digits$x}", value & (u64::MAX >> (64 - 4 * digits)))
    }
}

impl fmt::Display for CrateFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
