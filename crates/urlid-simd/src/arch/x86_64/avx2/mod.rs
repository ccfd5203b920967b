//! AVX2: eight messages at a time, windows of two registers, 32 digits at a time.

mod lanes;
mod window;

use core::arch::x86_64::*;

use crate::arch::portable::Portable;
use crate::digest::{HEX_LINE, OfWords};
use crate::hash::{Sha1, Sha256};
use crate::message::Block;
use crate::path::Path;
use crate::window::Task;

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
    fn sha256<P: OfWords<8>>(self, blocks: &[Block], each: usize, out: &mut [P]) {
        // SAFETY: `self` proves AVX2.
        unsafe { lanes::hash::<Sha256, P, 8>(blocks, each, out) }
    }

    #[inline(always)]
    fn sha1<P: OfWords<5>>(self, blocks: &[Block], each: usize, out: &mut [P]) {
        // SAFETY: `self` proves AVX2.
        unsafe { lanes::hash::<Sha1, P, 5>(blocks, each, out) }
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

/// The frame into which a task is inlined to be compiled with AVX2 and its bit instructions.
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
    // Interleaving works within each half of the register, so every half gets the bytes of half its output.
    let spread = _mm256_permute4x64_epi64::<0b11_01_10_00>(bytes);
    let nibble = _mm256_set1_epi8(15);
    // There is no shift of bytes. That of pairs moves bits of the neighbour in, which the mask drops.
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(spread), nibble);
    let low = _mm256_and_si256(spread, nibble);
    // The highest byte comes first in the list: `0` is byte 0, where a nibble of 0 looks it up.
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
