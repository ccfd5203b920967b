//! Hosts and ports that are their own normal form in every system.

use core::ops::Range;

use urlid_simd::AsciiSet;

use crate::reference::authority::default_port;

/// The bytes of a domain name that every system keeps: lower-case letters, digits, `-`, `.` and `_`.
pub const BYTES: AsciiSet = AsciiSet::EMPTY.with_range(b'a', b'z').with_range(b'0', b'9').with(b"-._");

static IS_BYTE: [bool; 256] = BYTES.to_table();

const EACH_LOW: u64 = u64::from_ne_bytes([0x01; 8]);
const EACH_HIGH: u64 = EACH_LOW << 7;

/// Returns the number of leading bytes that are in [`BYTES`].
#[inline]
pub fn plain_len(bytes: &[u8]) -> usize {
    let mut len = 0;
    while let Some(word) = bytes[len..].first_chunk() {
        match others(u64::from_le_bytes(*word)) {
            0 => len += 8,
            others => return len + others.trailing_zeros() as usize / 8,
        }
    }
    len + bytes[len..].iter().position(|&byte| !IS_BYTE[usize::from(byte)]).unwrap_or(bytes.len() - len)
}

/// Returns 0x80 for each byte outside [`BYTES`], and 0 for all others.
#[inline(always)]
fn others(word: u64) -> u64 {
    // Adding 0x80 - first to the low seven bits of a byte carries into its highest bit if they are at least
    // `first`. The carry never reaches the next byte.
    let low = word & !EACH_HIGH;
    let from = |first: u8| low + EACH_LOW * u64::from(0x80 - first);
    let within = |first, last| from(first) & !from(last + 1);
    !(within(b'a', b'z') | within(b'0', b'9') | within(b'-', b'.') | within(b'_', b'_')) & EACH_HIGH
        | word & EACH_HIGH
}

/// Returns whether the text ends in a host that is a name and not an address: its last label is not empty and
/// does not start with a digit. A host without a dot starts after a slash. A text of less than eight bytes is
/// not recognised.
#[inline(always)]
pub fn ends_in_name(text: &[u8]) -> bool {
    let Some(last) = text.last_chunk() else { return false };
    // A byte of `differs` is 0 only for `.` and `/`, which differ in the lowest bit. Adding 0x7f to the low
    // seven bits of a byte carries into its highest bit unless they are 0, and never into the next byte.
    // Therefore `stops` has 0x80 for a stop and 0 for other bytes. For a text that ends in `x.rs`, drawn with
    // the last byte on the left:
    //
    //   word    s  r  .  x ..
    //   stops   00 00 80 00 ..    16 leading zeros: a shift by 64 - 16 bits leaves `r` as the lowest byte
    //
    // If the text ends in a stop, the shift is by 64 bits, and there is no label.
    let word = u64::from_le_bytes(*last);
    let differs = (word | EACH_LOW) ^ (EACH_LOW * u64::from(b'/'));
    let stops = !(((differs & !EACH_HIGH) + !EACH_HIGH) | differs) & EACH_HIGH;
    let first = match stops {
        0 => first_of_long_label(text),
        _ => word.checked_shr(64 - stops.leading_zeros()).map(|label| label as u8),
    };
    first.is_some_and(|byte| !byte.is_ascii_digit())
}

/// Returns the first byte of a last label of eight bytes or more.
#[cold]
fn first_of_long_label(text: &[u8]) -> Option<u8> {
    text.rsplit(|byte| matches!(byte, b'.' | b'/')).next()?.first().copied()
}

/// Reads the port at the start of the bytes, and returns it with its length. The port is in normal form:
/// decimal, at most 65535, without leading zeros.
pub fn port(bytes: &[u8]) -> Option<(u16, usize)> {
    // Six digits are enough to decide: without a leading zero they are more than 65535, and their number fits
    // in 32 bits.
    let len = bytes.iter().take(6).take_while(|byte| byte.is_ascii_digit()).count();
    let number = bytes[..len].iter().fold(0, |number, digit| 10 * number + u32::from(digit - b'0'));
    let is_normal = len > 0 && (bytes[0] != b'0' || len == 1);
    Some((u16::try_from(number).ok().filter(|_| is_normal)?, len))
}

/// Returns the end of the host of an authority that is a name and a port. The port is in normal form and not
/// the default port.
#[cold]
pub fn end_before_port(bytes: &[u8], authority: Range<usize>, scheme: &str) -> Option<u32> {
    let end = authority.start + plain_len(&bytes[authority.clone()]);
    let port = bytes[end..authority.end].strip_prefix(b":")?;
    let (number, len) = self::port(port)?;
    let is_normal = len == port.len() && ends_in_name(&bytes[..end]) && Some(number) != default_port(scheme);
    is_normal.then_some(end as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_ends_a_host_or_not_wherever_it_is() {
        for byte in 0..=255 {
            for (len, index) in (1..40).flat_map(|len| (0..len).map(move |index| (len, index))) {
                let mut text = vec![b'a'; len];
                text[index] = byte;
                let expected = if BYTES.contains(byte) { len } else { index };
                assert_eq!(plain_len(&text), expected, "{byte:#x} at {index} of {len}");
            }
        }
    }

    #[test]
    fn the_last_label_of_a_name_does_not_start_with_a_digit() {
        for before in ["http://", "http://a.", "http://1.b.", "http://a-label-of-many-bytes."] {
            for (label, expected) in [
                ("", false),
                ("a", true),
                ("1", false),
                ("1a", false),
                ("a1", true),
                ("-", true),
                ("_", true),
                ("com", true),
                ("abcdefg", true),
                ("1bcdefg", false),
                ("abcdefgh", true),
                ("1bcdefgh", false),
                ("a2345678901", true),
            ] {
                assert_eq!(ends_in_name([before, label].concat().as_bytes()), expected, "{before}{label}");
            }
        }
    }

    #[test]
    fn ports_are_read_in_their_normal_form_only() {
        for (text, expected) in [("0", (0, 1)), ("80/", (80, 2)), ("65535", (65535, 5)), ("1:2", (1, 1))] {
            assert_eq!(port(text.as_bytes()), Some(expected), "{text}");
        }
        for text in ["", "00", "080", "65536", "100000", "99999999999", "+1", "x"] {
            assert_eq!(port(text.as_bytes()), None, "{text}");
        }
    }
}
