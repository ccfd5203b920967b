//! AVX2: eight messages at a time, windows of two registers, 32 digits at a time.

use core::arch::x86_64::*;

use crate::arch::portable::Portable;
use crate::digest::{HEX_LINE, OfWords};
use crate::hash::{Function, Lanes, Sha1, Sha256, Word, hash_in_lanes};
use crate::message::MessageBlock;
use crate::path::Path;
use crate::window::{AsciiSet, Sealed, Simd, Task, Window};

/// Proof of AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Path for Avx2 {
    type Base = Portable;

    fn new() -> Option<Avx2> {
        (has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt")).then_some(Avx2(()))
    }

    #[inline(always)]
    fn base(self) -> Portable {
        Portable
    }

    #[inline(always)]
    fn sha256<P: OfWords<8>>(self, blocks: &[MessageBlock], each: usize, out: &mut [P]) {
        // SAFETY: `self` proves AVX2.
        unsafe { hash::<Sha256, P, 8>(blocks, each, out) }
    }

    #[inline(always)]
    fn sha1<P: OfWords<5>>(self, blocks: &[MessageBlock], each: usize, out: &mut [P]) {
        // SAFETY: `self` proves AVX2.
        unsafe { hash::<Sha1, P, 5>(blocks, each, out) }
    }

    #[inline(always)]
    fn hex_lines(self, values: &[[u8; 32]], lines: &mut [[u8; HEX_LINE]]) {
        // SAFETY: `self` proves AVX2.
        unsafe { write_lines(values, lines) }
    }

    #[inline(always)]
    fn run<T: Task>(self, task: &mut T) -> T::Output {
        // SAFETY: `self` proves every feature of the frame.
        unsafe { run(self, task) }
    }
}

/// The function into which a task is inlined to be compiled with AVX2 and its bit instructions.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run<T: Task>(proof: Avx2, task: &mut T) -> T::Output {
    task.run(proof)
}

/// Writes each 32 bytes as 64 lower-case digits and LF.
///
/// # Safety
/// The machine has AVX2.
#[target_feature(enable = "avx2")]
pub(super) fn write_lines(values: &[[u8; 32]], lines: &mut [[u8; HEX_LINE]]) {
    for (value, line) in values.iter().zip(lines) {
        write_line(value, line);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn write_line(bytes: &[u8; 32], line: &mut [u8; HEX_LINE]) {
    // SAFETY: the array is 32 readable bytes, an unaligned load.
    let bytes = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
    // Interleaving works within each half of the register, so each half first gets the bytes of its half of
    // the output.
    let spread = _mm256_permute4x64_epi64::<0b11_01_10_00>(bytes);
    let nibble = _mm256_set1_epi8(15);
    // There is no shift of single bytes. The shift of 16-bit lanes moves in bits of the neighbour, and the
    // mask removes them.
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(spread), nibble);
    let low = _mm256_and_si256(spread, nibble);
    // The arguments start with the highest byte: `0` is byte 0, which a nibble of 0 selects.
    let alphabet = _mm256_broadcastsi128_si256(_mm_set_epi8(
        b'f' as i8, b'e' as i8, b'd' as i8, b'c' as i8, b'b' as i8, b'a' as i8, b'9' as i8, b'8' as i8,
        b'7' as i8, b'6' as i8, b'5' as i8, b'4' as i8, b'3' as i8, b'2' as i8, b'1' as i8, b'0' as i8,
    ));
    // Interleaved as `high low high low …`, because the digit of the high nibble is written first.
    let first = _mm256_shuffle_epi8(alphabet, _mm256_unpacklo_epi8(high, low));
    let second = _mm256_shuffle_epi8(alphabet, _mm256_unpackhi_epi8(high, low));
    // SAFETY: the array is 65 writable bytes, two unaligned stores of 32.
    unsafe {
        _mm256_storeu_si256(line.as_mut_ptr().cast(), first);
        _mm256_storeu_si256(line[32..].as_mut_ptr().cast(), second);
    }
    line[HEX_LINE - 1] = b'\n';
}

/// Eight words. Values exist only inside [`hash`], and therefore only on a machine with AVX2.
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

    // These are the forms of the portable path, here and in `majority`: AVX2 selects bytes, but not single
    // bits.
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

    // AVX2 has no rotation. AVX-512 is the first extension with one.
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
    fn transpose(blocks: [&MessageBlock; 8]) -> [Eight; 16] {
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
fn hash<F, P, const N: usize>(blocks: &[MessageBlock], each: usize, out: &mut [P])
where
    F: Function<N>,
    P: OfWords<N>,
{
    hash_in_lanes::<F, Eight, P, N, 8>(blocks, each, out);
}

/// Reads eight blocks as sixteen message words.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose(blocks: [&MessageBlock; 8]) -> [Eight; 16] {
    let left = transpose_half(blocks.map(|block| half(block, 0)));
    let right = transpose_half(blocks.map(|block| half(block, 1)));
    core::array::from_fn(|index| Eight(if index < 8 { left[index] } else { right[index - 8] }))
}

/// Loads a half of a block as eight big-endian numbers.
#[inline]
#[target_feature(enable = "avx2")]
fn half(block: &MessageBlock, number: usize) -> __m256i {
    // The shuffle works within each half of the register, so both halves have the same indices. It reverses
    // each four bytes.
    let big_endian =
        _mm256_broadcastsi128_si256(_mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));
    // SAFETY: both halves of the 64 bytes are 32 readable bytes, and the load needs no alignment.
    let bytes = unsafe { _mm256_loadu_si256(block.0[32 * number..].as_ptr().cast()) };
    _mm256_shuffle_epi8(bytes, big_endian)
}

/// Transposes eight rows of eight words.
///
/// Unpacking works within each half of the registers. The first step interleaves the words of two
/// neighbouring rows. The second interleaves pairs of words of four rows. The last step joins equal halves of
/// the upper and the lower four rows.
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

impl Sealed for Avx2 {}

impl Simd for Avx2 {
    type Window = Avx2Window;

    #[inline(always)]
    fn window(self, bytes: &[u8; 64]) -> Avx2Window {
        // SAFETY: `self` proves AVX2; both halves of the array are 32 readable bytes, and the loads need no
        // alignment.
        unsafe {
            Avx2Window([
                _mm256_loadu_si256(bytes.as_ptr().cast()),
                _mm256_loadu_si256(bytes[32..].as_ptr().cast()),
            ])
        }
    }
}

/// The two halves of a window. Only an [`Avx2`] can make one, so a value proves AVX2.
#[derive(Clone, Copy)]
pub(crate) struct Avx2Window([__m256i; 2]);

// These functions avoid closures over registers, as in `map`. Closures cannot be marked for inlining, and a
// closure that is not inlined lacks the path's instructions, so each instruction would become a call.
impl Avx2Window {
    /// Collects the sign bits of all bytes.
    #[inline(always)]
    fn signs(self) -> u64 {
        let [low, high] = self.0;
        // SAFETY: the value proves AVX2.
        let (low, high) = unsafe { (_mm256_movemask_epi8(low) as u32, _mm256_movemask_epi8(high) as u32) };
        u64::from(high) << 32 | u64::from(low)
    }
}

impl Window for Avx2Window {
    #[inline(always)]
    fn equal(self, byte: u8) -> u64 {
        let [low, high] = self.0;
        // SAFETY: the value proves AVX2.
        let equal = unsafe {
            let bytes = _mm256_set1_epi8(byte as i8);
            [_mm256_cmpeq_epi8(low, bytes), _mm256_cmpeq_epi8(high, bytes)]
        };
        Avx2Window(equal).signs()
    }

    #[inline(always)]
    fn within(self, set: &AsciiSet) -> u64 {
        let [low, high] = self.0;
        // SAFETY: the value proves AVX2.
        let without = unsafe { [without(low, set), without(high, set)] };
        // A comparison for inequality is also missing, so the mask is inverted.
        !Avx2Window(without).signs()
    }

    #[inline(always)]
    fn non_ascii(self) -> u64 {
        self.signs()
    }
}

/// Returns a mask of the bytes that are not members of a set.
///
/// # Safety
/// The machine must have AVX2.
#[inline(always)]
unsafe fn without(half: __m256i, set: &AsciiSet) -> __m256i {
    // SAFETY: the caller has AVX2; the set's rows are 16 readable bytes, and the load needs no alignment.
    unsafe {
        let rows = _mm256_broadcastsi128_si256(_mm_loadu_si128(set.rows.as_ptr().cast()));
        // Byte `n` is `1 << (n % 8)`. High nibbles from 8 on also get a bit, but their rows are empty.
        let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        // The shuffle uses the low nibble as index, and returns zero for bytes with the sign set, that is,
        // bytes that are not ASCII.
        let row = _mm256_shuffle_epi8(rows, half);
        // There is no shift of single bytes. The shift of 16-bit lanes moves in bits of the neighbour, and
        // the mask removes them.
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(half), _mm256_set1_epi8(15));
        let bit = _mm256_shuffle_epi8(bits, high);
        _mm256_cmpeq_epi8(_mm256_and_si256(row, bit), _mm256_setzero_si256())
    }
}
