//! Where rows get their identifiers and questions their slices: the only use of the SXURL codec.
//!
//! Tests use identifiers with slices of four bits in the same place, so that nearly everything collides.

use rusqlite::types::ValueRef;
use urlid::sxurl::{Components, Slice};
pub(crate) use urlid_plan::Id;
use urlid_plan::SliceHash;

/// Reads an identifier of the right length.
pub(crate) fn id_of(value: ValueRef<'_>) -> Option<&Id> {
    value.as_blob().ok()?.try_into().ok()
}

/// How identifiers are made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Ids {
    /// As the specification says.
    #[default]
    Sxurl,
    /// As the specification says, but only the low four bits of each hash are kept.
    #[cfg(test)]
    Weak,
}

impl Ids {
    /// Tells whether identifiers may be made by the batch encoder, which makes only those of the specification.
    pub(crate) fn are_of_the_specification(self) -> bool {
        match self {
            Self::Sxurl => true,
            #[cfg(test)]
            Self::Weak => false,
        }
    }

    /// Returns the identifier of a parsed URL.
    pub(crate) fn of(self, components: &Components<'_>) -> Id {
        let id = components.encode().to_bytes();
        match self {
            Self::Sxurl => id,
            #[cfg(test)]
            Self::Weak => weak::weaken(id),
        }
    }

    /// Returns what gives the value of a slice for a value of its part.
    pub(crate) fn slice_hash(self) -> SliceHash {
        match self {
            Self::Sxurl => Slice::hash,
            #[cfg(test)]
            Self::Weak => |slice, value| slice.hash(value) & 0xf,
        }
    }
}

#[cfg(test)]
mod weak {
    use super::{Id, Slice};

    pub(super) fn weaken(mut id: Id) -> Id {
        for slice in [Slice::Tld, Slice::Domain, Slice::Sub, Slice::Path, Slice::Params, Slice::Frag] {
            let digits = slice.hex_range();
            for digit in digits.start..digits.end - 1 {
                id[digit / 2] &= if digit.is_multiple_of(2) { 0x0f } else { 0xf0 };
            }
        }
        id
    }
}
