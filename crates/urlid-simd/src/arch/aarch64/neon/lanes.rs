//! Four messages at a time, a message in each lane of a register.

use core::arch::aarch64::*;

use crate::digest::OfWords;
use crate::hash::{Function, Lanes, Word, hash_in_lanes};
use crate::message::Block;

/// Four words. Values exist only inside [`hash`], hence only on a machine with NEON.
#[derive(Clone, Copy)]
struct Four(uint32x4_t);

// SAFETY of every block in this impl: the instructions are NEON's, and a `Four` exists only where NEON does.
#[expect(
    clippy::undocumented_unsafe_blocks,
    reason = "one reason holds for the whole impl and stands above it"
)]
impl Word for Four {
    #[inline(always)]
    fn splat(value: u32) -> Four {
        Four(unsafe { vdupq_n_u32(value) })
    }

    #[inline(always)]
    fn add(self, other: Four) -> Four {
        Four(unsafe { vaddq_u32(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Four) -> Four {
        Four(unsafe { veorq_u32(self.0, other.0) })
    }

    #[inline(always)]
    fn xor3(self, second: Four, third: Four) -> Four {
        self.xor(second).xor(third)
    }

    #[inline(always)]
    fn choose(self, then: Four, otherwise: Four) -> Four {
        Four(unsafe { vbslq_u32(self.0, then.0, otherwise.0) })
    }

    // Where the first two differ, the third decides.
    #[inline(always)]
    fn majority(self, second: Four, third: Four) -> Four {
        self.xor(second).choose(third, self)
    }

    // There is no rotation: the second instruction shifts right and inserts below what the first has shifted
    // left.
    #[inline(always)]
    fn rotate<const RIGHT: i32, const LEFT: i32>(self) -> Four {
        Four(unsafe { vsriq_n_u32::<RIGHT>(vshlq_n_u32::<LEFT>(self.0), self.0) })
    }

    #[inline(always)]
    fn shift<const RIGHT: i32>(self) -> Four {
        Four(unsafe { vshrq_n_u32::<RIGHT>(self.0) })
    }
}

impl Lanes<4> for Four {
    #[inline(always)]
    fn transpose(blocks: [&Block; 4]) -> [Four; 16] {
        // SAFETY: this is called inside `hash` alone, which has NEON.
        unsafe { transpose(blocks) }
    }

    #[inline(always)]
    fn to_array(self) -> [u32; 4] {
        let mut lanes = [0; 4];
        // SAFETY: a `Four` exists only where NEON does, and the array has the size of the register.
        unsafe { vst1q_u32(lanes.as_mut_ptr(), self.0) };
        lanes
    }
}

/// Hashes messages of `each` blocks, four together.
///
/// # Safety
/// The machine has NEON.
#[target_feature(enable = "neon")]
pub(super) fn hash<F, P, const N: usize>(blocks: &[Block], each: usize, out: &mut [P])
where
    F: Function<N>,
    P: OfWords<N>,
{
    hash_in_lanes::<F, Four, P, N, 4>(blocks, each, out);
}

/// Reads four blocks as sixteen message words.
#[inline]
#[target_feature(enable = "neon")]
fn transpose(blocks: [&Block; 4]) -> [Four; 16] {
    let mut words = [Four(vdupq_n_u32(0)); 16];
    for (number, words) in words.as_chunks_mut().0.iter_mut().enumerate() {
        *words = transpose_quarter(blocks.map(|block| quarter(block, number)));
    }
    words
}

/// Loads a quarter of a block as four numbers that were written big-endian.
#[inline]
#[target_feature(enable = "neon")]
pub(in crate::arch::aarch64) fn quarter(block: &Block, number: usize) -> uint32x4_t {
    // SAFETY: each quarter of the 64 bytes is 16 readable bytes, and the load needs no alignment.
    let bytes = unsafe { vld1q_u8(block.0[16 * number..].as_ptr()) };
    // Only little-endian ARM has this module, so the four bytes of each word are reversed.
    vreinterpretq_u32_u8(vrev32q_u8(bytes))
}

/// Transposes four rows of four words.
#[inline]
#[target_feature(enable = "neon")]
fn transpose_quarter([r0, r1, r2, r3]: [uint32x4_t; 4]) -> [Four; 4] {
    // With the words of row `r` as `r0 r1 r2 r3`, the first two are `00 10 01 11` and `02 12 03 13`.
    let wide = |low, high| (vreinterpretq_u64_u32(low), vreinterpretq_u64_u32(high));
    let (low_01, high_01) = wide(vzip1q_u32(r0, r1), vzip2q_u32(r0, r1));
    let (low_23, high_23) = wide(vzip1q_u32(r2, r3), vzip2q_u32(r2, r3));
    [
        vzip1q_u64(low_01, low_23),
        vzip2q_u64(low_01, low_23),
        vzip1q_u64(high_01, high_23),
        vzip2q_u64(high_01, high_23),
    ]
    .map(|words| Four(vreinterpretq_u32_u64(words)))
}
