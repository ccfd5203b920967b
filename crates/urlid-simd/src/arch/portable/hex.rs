//! Hexadecimal digits, one after the other.

use crate::digest::HEX_LINE;

/// Writes each 32 bytes as 64 lower-case digits and LF.
pub(super) fn write_lines(values: &[[u8; 32]], lines: &mut [[u8; HEX_LINE]]) {
    for (value, line) in values.iter().zip(lines) {
        for (byte, pair) in value.iter().zip(line.as_chunks_mut().0) {
            *pair = [digit(byte >> 4), digit(byte & 15)];
        }
        line[HEX_LINE - 1] = b'\n';
    }
}

#[inline(always)]
fn digit(nibble: u8) -> u8 {
    nibble + if nibble < 10 { b'0' } else { b'a' - 10 }
}
