//! The labels of a host, read from the right, eight bytes at a time.
//!
//! In every word, the last byte of the text is the lowest byte, so the nearest dot from the right is the
//! lowest dot. Any bytes are accepted. The code does not depend on rules.
//!
//! ```text
//!  host   …  w  w  w  .  a  .  c  o  m
//!  byte          7  6  5  4  3  2  1  0    of the word before the end of the host
//! ```

const EACH_LOW: u64 = u64::from_ne_bytes([0x01; 8]);
const EACH_HIGH: u64 = EACH_LOW << 7;
const DOTS: u64 = EACH_LOW * b'.' as u64;

#[derive(Clone, Copy)]
pub(crate) struct HostLabel {
    /// Byte offset of its first byte.
    pub(crate) start: usize,
    /// Its length in bytes.
    pub(crate) len: usize,
    /// Its last eight bytes. The higher bytes are zero for a shorter label.
    pub(crate) last: u64,
    /// The eight bytes before `last`, in the same form.
    before_last: u64,
}

impl HostLabel {
    /// Reads the label between two offsets.
    #[inline(always)]
    pub(crate) fn within(host: &[u8], start: usize, end: usize) -> HostLabel {
        let len = end - start;
        let last = word_before(host, end) & low_bytes(len);
        let before_last = if len > 8 { word_before(host, end - 8) & low_bytes(len - 8) } else { 0 };
        HostLabel { start, len, last, before_last }
    }

    /// Returns the hash of the name that consists of this label and the following labels. `after` is the hash
    /// of the latter.
    ///
    /// The hash covers sixteen bytes of a label, so a lookup must compare the label as well.
    #[inline(always)]
    pub(crate) fn hash(&self, after: u64) -> u64 {
        // `before_last` is zero for a short label, and the constants prevent the product from being zero.
        // Both halves are used, because the low half does not depend on the high bits of the factors.
        let product = u128::from(self.last ^ after ^ 0x9e37_79b9_7f4a_7c15)
            * u128::from(self.before_last ^ 0xd6e8_feb8_6659_fd93);
        (product as u64) ^ ((product >> 64) as u64)
    }
}

/// Returns the start of the label that ends at byte `end`.
#[inline(never)]
pub(crate) fn label_start(host: &[u8], mut end: usize) -> usize {
    loop {
        let dot = nearest_dot(word_before(host, end));
        if dot != 0 {
            return end - bytes_below(dot);
        }
        if end <= 8 {
            return 0;
        }
        end -= 8;
    }
}

/// Returns the eight bytes before `end`. Bytes before the host are zeros.
#[inline(always)]
fn word_before(host: &[u8], end: usize) -> u64 {
    // Near the start of the host, the code loads the first eight bytes and shifts out the bytes from `end`
    // on. This avoids a loop over bytes.
    let there = end.min(8);
    match host.get(end - there..).and_then(<[u8]>::first_chunk) {
        Some(bytes) => shift_right(u64::from_be_bytes(*bytes), 8 - there),
        None => word_of(&host[..end]),
    }
}

#[cold]
fn word_of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Returns a word without its lowest bytes, of which zero to eight are removed.
#[inline(always)]
fn shift_right(word: u64, bytes: usize) -> u64 {
    // The shift has two steps, because a shift by 64 bits would overflow.
    word >> (4 * bytes) >> (4 * bytes)
}

/// Returns a mask of the lowest bytes of a word. Counts above eight mean all bytes.
#[inline(always)]
fn low_bytes(count: usize) -> u64 {
    let half = 4 * count.min(8);
    // For eight bytes the shifted bit is lost, and 0 - 1 wraps to all ones.
    (1_u64 << half << half).wrapping_sub(1)
}

/// Returns a word whose lowest set bit is the highest bit of the lowest dot in `word`, or zero if there is no
/// dot. All other bits are unspecified.
#[inline(always)]
pub(crate) fn nearest_dot(word: u64) -> u64 {
    // This is the usual test for a zero byte. Subtracting 1 from each byte only borrows from bytes above a
    // zero byte, so the result is exact up to the first zero byte, that is, the first dot.
    let differs = word ^ DOTS;
    differs.wrapping_sub(EACH_LOW) & !differs & EACH_HIGH
}

/// Returns the highest bit of each dot in `word`.
#[inline(always)]
pub(crate) fn all_dots(word: u64) -> u64 {
    let differs = word ^ DOTS;
    // Adding 0x7f to the low seven bits sets the high bit unless they are zero, and never carries into the
    // next byte. The result is exact for all bytes, but needs more operations than `nearest_dot`.
    !(((differs & !EACH_HIGH) + !EACH_HIGH) | differs) & EACH_HIGH
}

/// Returns the number of bytes below the byte that has the lowest set bit, or eight for zero.
#[inline(always)]
pub(crate) fn bytes_below(bits: u64) -> usize {
    bits.trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(host: &[u8], end: usize) {
        let label = HostLabel::within(host, label_start(host, end), end);
        let start = host[..end].iter().rposition(|&byte| byte == b'.').map_or(0, |dot| dot + 1);
        assert_eq!((label.start, label.len), (start, end - start), "{host:?} before {end}");
        let mut last = [0; 16];
        for (place, &byte) in last.iter_mut().rev().zip(host[start..end].iter().rev()) {
            *place = byte;
        }
        assert_eq!(label.before_last.to_be_bytes(), last[..8], "{host:?} before {end}");
        assert_eq!(label.last.to_be_bytes(), last[8..], "{host:?} before {end}");
    }

    #[test]
    fn a_label_is_the_text_after_the_last_dot() {
        for left in 0..40 {
            for right in 0..20 {
                let host = [&"abcdefgh".repeat(5)[..left], &"z/-\u{0}\u{7f}".repeat(4)[..right]].join(".");
                for end in 0..=host.len() {
                    check(host.as_bytes(), end);
                }
            }
        }
        for byte in 0..=255 {
            check(&[byte, b'.', byte, byte], 4);
            check(&[b'.', byte, b'.', byte, b'a', byte, byte, byte, byte, b'.'], 9);
        }
    }
}
