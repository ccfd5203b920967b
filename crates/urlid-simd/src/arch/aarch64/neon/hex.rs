//! Hexadecimal digits: sixteen nibbles are looked up at once.

use core::arch::aarch64::*;

use crate::digest::HEX_LINE;

/// Writes each 32 bytes as 64 lower-case digits and LF.
#[target_feature(enable = "neon")]
pub(super) fn write_lines(values: &[[u8; 32]], lines: &mut [[u8; HEX_LINE]]) {
    // SAFETY: the alphabet is 16 readable bytes.
    let alphabet = unsafe { vld1q_u8(b"0123456789abcdef".as_ptr()) };
    for (value, line) in values.iter().zip(lines) {
        for half in [0, 1] {
            // SAFETY: both halves of the value are 16 readable bytes.
            let bytes = unsafe { vld1q_u8(value[16 * half..].as_ptr()) };
            let high = vqtbl1q_u8(alphabet, vshrq_n_u8::<4>(bytes));
            let low = vqtbl1q_u8(alphabet, vandq_u8(bytes, vdupq_n_u8(15)));
            // SAFETY: both halves of the line are 32 writable bytes before the LF. The store takes a byte of each register in turn.
            unsafe { vst2q_u8(line[32 * half..].as_mut_ptr(), uint8x16x2_t(high, low)) };
        }
        line[HEX_LINE - 1] = b'\n';
    }
}
