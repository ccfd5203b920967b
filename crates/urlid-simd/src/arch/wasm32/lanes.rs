//! Four messages at a time, a message in each lane of a register.

use core::arch::wasm32::*;

use crate::hash::{Lanes, Word};
use crate::message::Block;

/// Four words.
#[derive(Clone, Copy)]
pub(super) struct Four(v128);

impl Word for Four {
    #[inline(always)]
    fn splat(value: u32) -> Four {
        Four(u32x4_splat(value))
    }

    #[inline(always)]
    fn add(self, other: Four) -> Four {
        Four(u32x4_add(self.0, other.0))
    }

    #[inline(always)]
    fn xor(self, other: Four) -> Four {
        Four(v128_xor(self.0, other.0))
    }

    #[inline(always)]
    fn xor3(self, second: Four, third: Four) -> Four {
        self.xor(second).xor(third)
    }

    #[inline(always)]
    fn choose(self, then: Four, otherwise: Four) -> Four {
        Four(v128_bitselect(then.0, otherwise.0, self.0))
    }

    // Where the first two differ, the third decides.
    #[inline(always)]
    fn majority(self, second: Four, third: Four) -> Four {
        Four(v128_bitselect(third.0, self.0, v128_xor(self.0, second.0)))
    }

    // No instruction rotates lanes.
    #[inline(always)]
    fn rotate<const RIGHT: i32, const LEFT: i32>(self) -> Four {
        Four(v128_or(u32x4_shr(self.0, RIGHT as u32), u32x4_shl(self.0, LEFT as u32)))
    }

    #[inline(always)]
    fn shift<const RIGHT: i32>(self) -> Four {
        Four(u32x4_shr(self.0, RIGHT as u32))
    }
}

impl Lanes<4> for Four {
    #[inline(always)]
    fn transpose(blocks: [&Block; 4]) -> [Four; 16] {
        let quarters: [[Four; 4]; 4] =
            core::array::from_fn(|number| transpose_quarter(blocks.map(|block| quarter(block, number))));
        core::array::from_fn(|index| quarters[index / 4][index % 4])
    }

    #[inline(always)]
    fn to_array(self) -> [u32; 4] {
        [
            u32x4_extract_lane::<0>(self.0),
            u32x4_extract_lane::<1>(self.0),
            u32x4_extract_lane::<2>(self.0),
            u32x4_extract_lane::<3>(self.0),
        ]
    }
}

/// Loads a quarter of a block as four numbers that were written big-endian.
#[inline(always)]
fn quarter(block: &Block, number: usize) -> v128 {
    // SAFETY: each quarter of the 64 bytes is 16 readable bytes, and the load needs no alignment.
    let bytes = unsafe { v128_load(block.0[16 * number..].as_ptr().cast()) };
    u8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(bytes, bytes)
}

/// Transposes four rows of four words.
#[inline(always)]
fn transpose_quarter([r0, r1, r2, r3]: [v128; 4]) -> [Four; 4] {
    let (low_01, high_01) = (u32x4_shuffle::<0, 4, 1, 5>(r0, r1), u32x4_shuffle::<2, 6, 3, 7>(r0, r1));
    let (low_23, high_23) = (u32x4_shuffle::<0, 4, 1, 5>(r2, r3), u32x4_shuffle::<2, 6, 3, 7>(r2, r3));
    [
        Four(u64x2_shuffle::<0, 2>(low_01, low_23)),
        Four(u64x2_shuffle::<1, 3>(low_01, low_23)),
        Four(u64x2_shuffle::<0, 2>(high_01, high_23)),
        Four(u64x2_shuffle::<1, 3>(high_01, high_23)),
    ]
}
