//! The fields of an identifier that depend on the authority alone, packed as a value of the host cache.

use super::host_cache::Value;
use crate::sxurl::{Flags, HEADER_SHIFT};

/// The fields of an identifier that depend on the authority alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HostFields {
    /// The flags of subdomain and port, as they are in a header.
    pub(super) flags: Flags,
    /// The left half of the identifier, without its header.
    pub(super) left: u128,
    pub(super) port_low: u8,
}

impl HostFields {
    /// Packs the fields: the rest takes the place of the header.
    #[inline(always)]
    pub(super) fn pack(self) -> Value {
        let bit = |flag: Flags, bit: u128| if self.flags & flag == flag { bit } else { 0 };
        let rest = u128::from(self.port_low) << 4 | bit(Flags::SUB, 8) | bit(Flags::PORT, 4) | READY;
        Value(rest << HEADER_SHIFT | self.left)
    }

    #[inline(always)]
    pub(super) fn unpack(Value(value): Value) -> Self {
        let rest = (value >> HEADER_SHIFT) as u16;
        HostFields {
            flags: Flags::SUB.when(rest & 8 != 0) | Flags::PORT.when(rest & 4 != 0),
            left: value & (u128::MAX >> (128 - HEADER_SHIFT)),
            port_low: (rest >> 4) as u8,
        }
    }
}

// The left half of an identifier without its header has 12 free bits on the left, where a value has what else it needs:
//
//   127       120   119   118   117  116   115            0
//   | port & 0xff | SUB | PORT |  state  |  left half      |    READY
//   |      0      |  0  |  0   |  state  |  index          |    PENDING, ERROR
//
// The state 0 is that of an authority that is not recognised.
/// Packed [`HostFields`].
pub(super) const READY: u128 = 1;
/// The low bits are an index among the new hosts of the running batch.
pub(super) const PENDING: u128 = 2;
/// The authority has no identifier; the low bits are an index among the errors of authorities.
pub(super) const ERROR: u128 = 3;

impl Value {
    #[inline(always)]
    pub(super) fn of_index(state: u128, index: usize) -> Value {
        Value(state << HEADER_SHIFT | index as u128)
    }

    #[inline(always)]
    pub(super) fn state(self) -> u128 {
        self.0 >> HEADER_SHIFT & 3
    }

    #[inline(always)]
    pub(super) fn index(self) -> usize {
        // The state is above the bits that are kept, and the index fits in the lowest of them.
        self.0 as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sxurl::pack_left;

    #[test]
    fn fields_survive_packing() {
        for (flags, port) in
            [(Flags::NONE, 0), (Flags::SUB, 80), (Flags::PORT, 0xffff), (Flags::SUB | Flags::PORT, 0x201)]
        {
            let left = pack_left(u64::MAX, u64::MAX, u64::MAX, port);
            let fields = HostFields { flags, left, port_low: port as u8 };
            assert_eq!(fields.pack().state(), READY);
            assert_eq!(HostFields::unpack(fields.pack()), fields);
        }
        let value = Value::of_index(PENDING, 511);
        assert_eq!((value.state(), value.index()), (PENDING, 511));
    }
}
