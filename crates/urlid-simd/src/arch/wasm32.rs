//! The 128-bit registers of WebAssembly: four messages at a time, windows of four registers.

use core::arch::wasm32::*;

use super::portable::Portable;
use crate::digest::OfWords;
use crate::hash::{Lanes, Sha1, Sha256, Word, hash_in_lanes};
use crate::message::MessageBlock;
use crate::path::Path;
use crate::window::{AsciiSet, Sealed, Simd, Task, Window};

/// Proof of the registers. A module is compiled with them or without them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128;

impl Path for Simd128 {
    type Base = Portable;

    fn new() -> Option<Simd128> {
        Some(Simd128)
    }

    #[inline(always)]
    fn base(self) -> Portable {
        Portable
    }

    #[inline(always)]
    fn sha256<P: OfWords<8>>(self, blocks: &[MessageBlock], each: usize, out: &mut [P]) {
        hash_in_lanes::<Sha256, Four, P, 8, 4>(blocks, each, out);
    }

    #[inline(always)]
    fn sha1<P: OfWords<5>>(self, blocks: &[MessageBlock], each: usize, out: &mut [P]) {
        hash_in_lanes::<Sha1, Four, P, 5, 4>(blocks, each, out);
    }

    #[inline(always)]
    fn run<T: Task>(self, task: &mut T) -> T::Output {
        task.run(self)
    }
}

impl Sealed for Simd128 {}

impl Simd for Simd128 {
    type Window = Simd128Window;

    #[inline(always)]
    fn window(self, bytes: &[u8; 64]) -> Simd128Window {
        // SAFETY: each quarter of the array is 16 readable bytes, and the load needs no alignment.
        Simd128Window([0, 16, 32, 48].map(|start| unsafe { v128_load(bytes[start..].as_ptr().cast()) }))
    }
}

/// The four quarters of a window.
#[derive(Clone, Copy)]
pub(crate) struct Simd128Window([v128; 4]);

impl Simd128Window {
    /// Collects the sign bits of all bytes.
    #[inline(always)]
    fn signs(self) -> u64 {
        let [first, second, third, fourth] = self.0.map(|quarter| u64::from(u8x16_bitmask(quarter)));
        first | second << 16 | third << 32 | fourth << 48
    }
}

impl Window for Simd128Window {
    #[inline(always)]
    fn equal(self, byte: u8) -> u64 {
        Simd128Window(self.0.map(|quarter| u8x16_eq(quarter, u8x16_splat(byte)))).signs()
    }

    #[inline(always)]
    fn within(self, set: &AsciiSet) -> u64 {
        // SAFETY: the set's rows are 16 readable bytes, and the load needs no alignment.
        let rows = unsafe { v128_load(set.rows.as_ptr().cast()) };
        // The bit of each high nibble. Bytes that are not ASCII have no bit.
        let bits = u8x16(1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0);
        let members = self.0.map(|quarter| {
            // Unlike the shuffle of x86-64, this lookup returns zero for every index past 15, so the high
            // nibble is cleared first.
            let row = u8x16_swizzle(rows, v128_and(quarter, u8x16_splat(15)));
            let bit = u8x16_swizzle(bits, u8x16_shr(quarter, 4));
            u8x16_ne(v128_and(row, bit), u8x16_splat(0))
        });
        Simd128Window(members).signs()
    }

    #[inline(always)]
    fn non_ascii(self) -> u64 {
        self.signs()
    }
}

/// Four words.
#[derive(Clone, Copy)]
struct Four(v128);

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

    // If the first two bits differ, the third decides.
    #[inline(always)]
    fn majority(self, second: Four, third: Four) -> Four {
        Four(v128_bitselect(third.0, self.0, v128_xor(self.0, second.0)))
    }

    // WebAssembly has no instruction that rotates lanes.
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
    fn transpose(blocks: [&MessageBlock; 4]) -> [Four; 16] {
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

/// Loads a quarter of a block as four big-endian numbers.
#[inline(always)]
fn quarter(block: &MessageBlock, number: usize) -> v128 {
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
