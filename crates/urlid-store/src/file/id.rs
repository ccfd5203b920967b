//! Identifiers of rows and slices of questions: the only use of the SXURL codec.
//!
//! Tests use identifiers whose slices keep four bits, so that nearly all of them collide.

pub(crate) use crate::question::Id;
use crate::question::SliceHash;
use rusqlite::types::ValueRef;
use urlid::sxurl::{Components, Slice};

/// Returns a value as an identifier, if it is a blob of 32 bytes.
pub(crate) fn id_of(value: ValueRef<'_>) -> Option<&Id> {
    value.as_blob().ok()?.try_into().ok()
}

/// How identifiers are made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Ids {
    /// By the specification.
    #[default]
    Sxurl,
    /// By the specification, but with the low four bits of each hash only.
    #[cfg(test)]
    Weak,
}

impl Ids {
    /// Returns whether the batch encoder may be used, which makes identifiers of the specification only.
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

    /// Returns the function from a slice and the text of its part to the value of the slice.
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
                // An even digit is the high half of its byte. All but the last digit of a slice become 0.
                id[digit / 2] &= if digit.is_multiple_of(2) { 0x0f } else { 0xf0 };
            }
        }
        id
    }
}
