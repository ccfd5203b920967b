//! NEON: four messages at a time, windows of four registers.

use core::arch::aarch64::*;

use crate::arch::portable::Portable;
use crate::digest::OfWords;
use crate::hash::{Function, Lanes, Sha1, Sha256, Word, hash_in_lanes};
use crate::message::MessageBlock;
use crate::path::Path;
use crate::window::{AsciiSet, Sealed, Simd, Task, Window};

/// Proof of NEON. A build without NEON does not have this module.
///
/// Digits use the base path: the compiler vectorises that loop with 27 instructions per line, while manual
/// code has 17.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon(());

impl Path for Neon {
    type Base = Portable;

    fn new() -> Option<Neon> {
        Some(Neon(()))
    }

    #[inline(always)]
    fn base(self) -> Portable {
        Portable
    }

    #[inline(always)]
    fn sha256<P: OfWords<8>>(self, blocks: &[MessageBlock], each: usize, out: &mut [P]) {
        // SAFETY: `self` proves NEON.
        unsafe { hash::<Sha256, P, 8>(blocks, each, out) }
    }

    #[inline(always)]
    fn sha1<P: OfWords<5>>(self, blocks: &[MessageBlock], each: usize, out: &mut [P]) {
        // SAFETY: `self` proves NEON.
        unsafe { hash::<Sha1, P, 5>(blocks, each, out) }
    }

    #[inline(always)]
    fn run<T: Task>(self, task: &mut T) -> T::Output {
        // SAFETY: `self` proves NEON.
        unsafe { run(self, task) }
    }
}

/// The function into which a task is inlined to be compiled with NEON.
#[target_feature(enable = "neon")]
fn run<T: Task>(proof: Neon, task: &mut T) -> T::Output {
    task.run(proof)
}

/// Four words. Values exist only inside [`hash`], and therefore only on a machine with NEON.
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

    // If the first two bits differ, the third decides.
    #[inline(always)]
    fn majority(self, second: Four, third: Four) -> Four {
        self.xor(second).choose(third, self)
    }

    // NEON has no rotation. The second instruction shifts right and inserts its bits below the bits that the
    // first has shifted left.
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
    fn transpose(blocks: [&MessageBlock; 4]) -> [Four; 16] {
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
fn hash<F, P, const N: usize>(blocks: &[MessageBlock], each: usize, out: &mut [P])
where
    F: Function<N>,
    P: OfWords<N>,
{
    hash_in_lanes::<F, Four, P, N, 4>(blocks, each, out);
}

/// Reads four blocks as sixteen message words.
#[inline]
#[target_feature(enable = "neon")]
fn transpose(blocks: [&MessageBlock; 4]) -> [Four; 16] {
    let mut words = [Four(vdupq_n_u32(0)); 16];
    for (number, words) in words.as_chunks_mut().0.iter_mut().enumerate() {
        *words = transpose_quarter(blocks.map(|block| quarter(block, number)));
    }
    words
}

/// Loads a quarter of a block as four big-endian numbers.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn quarter(block: &MessageBlock, number: usize) -> uint32x4_t {
    // SAFETY: each quarter of the 64 bytes is 16 readable bytes, and the load needs no alignment.
    let bytes = unsafe { vld1q_u8(block.0[16 * number..].as_ptr()) };
    // Only little-endian ARM has this module, so the four bytes of each word are reversed.
    vreinterpretq_u32_u8(vrev32q_u8(bytes))
}

/// Transposes four rows of four words.
#[inline]
#[target_feature(enable = "neon")]
fn transpose_quarter([r0, r1, r2, r3]: [uint32x4_t; 4]) -> [Four; 4] {
    // The words of row `r` are `r0 r1 r2 r3`. The first two results are `00 10 01 11` and `02 12 03 13`.
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

impl Sealed for Neon {}

impl Simd for Neon {
    type Window = NeonWindow;

    #[inline(always)]
    fn window(self, bytes: &[u8; 64]) -> NeonWindow {
        // SAFETY: `self` proves NEON; each quarter of the array is 16 readable bytes, and the load needs no
        // alignment.
        NeonWindow([0, 16, 32, 48].map(|start| unsafe { vld1q_u8(bytes[start..].as_ptr()) }))
    }
}

/// The four quarters of a window. Only a [`Neon`] can make one, so a value proves NEON.
#[derive(Clone, Copy)]
pub(crate) struct NeonWindow([uint8x16_t; 4]);

impl NeonWindow {
    /// Returns the mask of the bytes that are 0xff. All other bytes are zero.
    ///
    /// NEON has no instruction that collects a bit of each byte. First, byte `i` keeps only bit `i % 8`. Then
    /// neighbours are added three times, which halves the number of bytes each time. Sums of different bits
    /// have no carries, so every eight bytes become one.
    ///
    /// ```text
    /// bytes   ff 00 ff ff 00 00 00 ff …
    /// bits    01 00 04 08 00 00 00 80 …
    /// sums    01    0c    00    80    …
    /// sums    0d          80          …
    /// sums    8d                      …
    /// ```
    #[inline(always)]
    fn mask(self) -> u64 {
        // SAFETY: the value proves NEON.
        unsafe {
            let bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040_2010_0804_0201));
            let [first, second, third, fourth] = self.0.map(|quarter| vandq_u8(quarter, bits));
            let halves = vpaddq_u8(vpaddq_u8(first, second), vpaddq_u8(third, fourth));
            vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(halves, halves)))
        }
    }
}

impl Window for NeonWindow {
    #[inline(always)]
    fn equal(self, byte: u8) -> u64 {
        // SAFETY: the value proves NEON.
        NeonWindow(self.0.map(|quarter| unsafe { vceqq_u8(quarter, vdupq_n_u8(byte)) })).mask()
    }

    #[inline(always)]
    fn within(self, set: &AsciiSet) -> u64 {
        // SAFETY: the value proves NEON; the set's rows are 16 readable bytes.
        let members = self.0.map(|quarter| unsafe {
            let rows = vld1q_u8(set.rows.as_ptr());
            // The bit of each high nibble. Bytes that are not ASCII have no bit.
            let bits = vcombine_u8(vcreate_u8(0x8040_2010_0804_0201), vcreate_u8(0));
            // Unlike the shuffle of x86-64, this lookup returns zero for every index past 15, so the high
            // nibble is cleared first.
            let row = vqtbl1q_u8(rows, vandq_u8(quarter, vdupq_n_u8(15)));
            let bit = vqtbl1q_u8(bits, vshrq_n_u8::<4>(quarter));
            vtstq_u8(row, bit)
        });
        NeonWindow(members).mask()
    }

    #[inline(always)]
    fn non_ascii(self) -> u64 {
        // SAFETY: the value proves NEON.
        NeonWindow(self.0.map(|quarter| unsafe { vcltzq_s8(vreinterpretq_s8_u8(quarter)) })).mask()
    }
}
