//! Hexadecimal digits on any machine.

use super::HEX_LEN;

/// Writes each 32 bytes as 64 lower-case digits.
pub(crate) fn encode(values: &[[u8; 32]], digits: &mut [[u8; HEX_LEN]]) {
    for (value, digits) in values.iter().zip(digits) {
        for (byte, pair) in value.iter().zip(digits.as_chunks_mut().0) {
            *pair = [digit(byte >> 4), digit(byte & 15)];
        }
    }
}

#[inline(always)]
fn digit(nibble: u8) -> u8 {
    nibble + if nibble < 10 { b'0' } else { b'a' - 10 }
}
