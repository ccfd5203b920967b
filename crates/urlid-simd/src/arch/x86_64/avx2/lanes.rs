//! Eight messages at a time, a message in each lane of a register.

use core::arch::x86_64::*;

use crate::digest::OfWords;
use crate::hash::{Function, Lanes, Word, hash_in_lanes};
use crate::message::Block;

/// Eight words. Values exist only inside [`hash`], hence only on a machine with AVX2.
#[derive(Clone, Copy)]
struct Eight(__m256i);

// SAFETY of every block in this impl: the instructions are AVX2's, and an `Eight` exists only where AVX2
// does.
#[expect(
    clippy::undocumented_unsafe_blocks,
    reason = "one reason holds for the whole impl and stands above it"
)]
impl Word for Eight {
    #[inline(always)]
    fn splat(value: u32) -> Eight {
        Eight(unsafe { _mm256_set1_epi32(value as i32) })
    }

    #[inline(always)]
    fn add(self, other: Eight) -> Eight {
        Eight(unsafe { _mm256_add_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Eight) -> Eight {
        Eight(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn xor3(self, second: Eight, third: Eight) -> Eight {
        Eight(unsafe { _mm256_xor_si256(_mm256_xor_si256(self.0, second.0), third.0) })
    }

    // The forms of the portable path, here and in `majority`: AVX2 selects bytes, but not single bits.
    #[inline(always)]
    fn choose(self, then: Eight, otherwise: Eight) -> Eight {
        Eight(unsafe {
            _mm256_xor_si256(otherwise.0, _mm256_and_si256(self.0, _mm256_xor_si256(then.0, otherwise.0)))
        })
    }

    #[inline(always)]
    fn majority(self, second: Eight, third: Eight) -> Eight {
        Eight(unsafe {
            let any = _mm256_or_si256(self.0, second.0);
            _mm256_or_si256(_mm256_and_si256(self.0, second.0), _mm256_and_si256(third.0, any))
        })
    }

    // AVX2 has no rotation; AVX-512 is the first that has one.
    #[inline(always)]
    fn rotate<const RIGHT: i32, const LEFT: i32>(self) -> Eight {
        Eight(unsafe {
            _mm256_or_si256(_mm256_srli_epi32::<RIGHT>(self.0), _mm256_slli_epi32::<LEFT>(self.0))
        })
    }

    #[inline(always)]
    fn shift<const RIGHT: i32>(self) -> Eight {
        Eight(unsafe { _mm256_srli_epi32::<RIGHT>(self.0) })
    }
}

impl Lanes<8> for Eight {
    #[inline(always)]
    fn transpose(blocks: [&Block; 8]) -> [Eight; 16] {
        // SAFETY: this is called inside `hash` alone, which has AVX2.
        unsafe { transpose(blocks) }
    }

    #[inline(always)]
    fn to_array(self) -> [u32; 8] {
        let mut lanes = [0; 8];
        // SAFETY: an `Eight` exists only where AVX2 does; the array has the size of the register, and the
        // store needs no alignment.
        unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), self.0) };
        lanes
    }
}

/// Hashes messages of `each` blocks, eight together.
///
/// # Safety
/// The machine has AVX2.
#[target_feature(enable = "avx2")]
pub(super) fn hash<F, P, const N: usize>(blocks: &[Block], each: usize, out: &mut [P])
where
    F: Function<N>,
    P: OfWords<N>,
{
    hash_in_lanes::<F, Eight, P, N, 8>(blocks, each, out);
}

/// Reads eight blocks as sixteen message words.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose(blocks: [&Block; 8]) -> [Eight; 16] {
    let left = transpose_half(blocks.map(|block| half(block, 0)));
    let right = transpose_half(blocks.map(|block| half(block, 1)));
    core::array::from_fn(|index| Eight(if index < 8 { left[index] } else { right[index - 8] }))
}

/// Loads a half of a block as eight numbers that were written big-endian.
#[inline]
#[target_feature(enable = "avx2")]
fn half(block: &Block, number: usize) -> __m256i {
    // The shuffle works within each half of the register, so both halves get the same indices: each four
    // bytes reversed.
    let big_endian =
        _mm256_broadcastsi128_si256(_mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));
    // SAFETY: both halves of the 64 bytes are 32 readable bytes, and the load needs no alignment.
    let bytes = unsafe { _mm256_loadu_si256(block.0[32 * number..].as_ptr().cast()) };
    _mm256_shuffle_epi8(bytes, big_endian)
}

/// Transposes eight rows of eight words.
///
/// Unpacking works within each half of the registers. First words of two neighbouring rows are brought
/// together, then pairs of words of four rows; last, equal halves of the upper and the lower four rows.
///
/// ```text
/// rows    r0 = 00 01 02 03 04 05 06 07    r1 = 10 11 12 …    word `c` of row `r` is `rc`
/// pairs   00 10 01 11 04 14 05 15         02 12 03 13 06 16 07 17         …
/// fours   00 10 20 30 04 14 24 34         01 11 21 31 05 15 25 35         …
/// result  00 10 20 30 40 50 60 70         01 11 21 31 41 51 61 71         …
/// ```
#[inline]
#[target_feature(enable = "avx2")]
fn transpose_half(rows: [__m256i; 8]) -> [__m256i; 8] {
    let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
    let pairs = [
        _mm256_unpacklo_epi32(r0, r1),
        _mm256_unpackhi_epi32(r0, r1),
        _mm256_unpacklo_epi32(r2, r3),
        _mm256_unpackhi_epi32(r2, r3),
        _mm256_unpacklo_epi32(r4, r5),
        _mm256_unpackhi_epi32(r4, r5),
        _mm256_unpacklo_epi32(r6, r7),
        _mm256_unpackhi_epi32(r6, r7),
    ];
    let fours = [
        _mm256_unpacklo_epi64(pairs[0], pairs[2]),
        _mm256_unpackhi_epi64(pairs[0], pairs[2]),
        _mm256_unpacklo_epi64(pairs[1], pairs[3]),
        _mm256_unpackhi_epi64(pairs[1], pairs[3]),
        _mm256_unpacklo_epi64(pairs[4], pairs[6]),
        _mm256_unpackhi_epi64(pairs[4], pairs[6]),
        _mm256_unpacklo_epi64(pairs[5], pairs[7]),
        _mm256_unpackhi_epi64(pairs[5], pairs[7]),
    ];
    [
        _mm256_permute2x128_si256::<0x20>(fours[0], fours[4]),
        _mm256_permute2x128_si256::<0x20>(fours[1], fours[5]),
        _mm256_permute2x128_si256::<0x20>(fours[2], fours[6]),
        _mm256_permute2x128_si256::<0x20>(fours[3], fours[7]),
        _mm256_permute2x128_si256::<0x31>(fours[0], fours[4]),
        _mm256_permute2x128_si256::<0x31>(fours[1], fours[5]),
        _mm256_permute2x128_si256::<0x31>(fours[2], fours[6]),
        _mm256_permute2x128_si256::<0x31>(fours[3], fours[7]),
    ]
}
