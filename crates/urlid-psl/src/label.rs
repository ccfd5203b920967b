//! The labels of a host, read from the right, eight bytes at a time.
//!
//! In every word here the last byte of the text is the lowest, so that the nearest dot is the lowest one too. Works on any
//! bytes and does not depend on rules.

const EACH_LOW: u64 = u64::from_ne_bytes([0x01; 8]);
const EACH_HIGH: u64 = EACH_LOW << 7;
const DOTS: u64 = EACH_LOW * b'.' as u64;

/// One label of a host.
#[derive(Clone, Copy)]
pub(crate) struct Label {
    /// Byte offset of its first byte.
    pub(crate) start: usize,
    /// Its length in bytes.
    pub(crate) len: usize,
    /// Its last eight bytes, zeros above a shorter label.
    pub(crate) last: u64,
    /// The eight bytes before those, likewise.
    before_last: u64,
}

impl Label {
    /// Reads the label between two offsets.
    #[inline(always)]
    pub(crate) fn within(host: &[u8], start: usize, end: usize) -> Label {
        let len = end - start;
        let last = word_before(host, end) & low_bytes(len);
        let before_last = if len > 8 { word_before(host, end - 8) & low_bytes(len - 8) } else { 0 };
        Label { start, len, last, before_last }
    }

    /// Returns the hash of the name made of this label and the labels after it, which have the hash `after`.
    ///
    /// The hash covers sixteen bytes of a label, so a lookup must compare the label as well.
    #[inline(always)]
    pub(crate) fn hash(&self, after: u64) -> u64 {
        let product = u128::from(self.last ^ after ^ 0x9e37_79b9_7f4a_7c15)
            * u128::from(self.before_last ^ 0xd6e8_feb8_6659_fd93);
        (product as u64) ^ ((product >> 64) as u64)
    }
}

/// Returns where the label begins that ends before byte `end`.
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

/// Returns the eight bytes before `end`, with zeros for what would lie before the host.
#[inline(always)]
fn word_before(host: &[u8], end: usize) -> u64 {
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

/// Returns a word without its lowest bytes, zero to eight of them.
#[inline(always)]
fn shift_right(word: u64, bytes: usize) -> u64 {
    // One shift takes at most 63 bits.
    word >> (4 * bytes) >> (4 * bytes)
}

/// Returns a mask of the lowest bytes of a word, all of them from eight on.
#[inline(always)]
fn low_bytes(count: usize) -> u64 {
    let half = 4 * count.min(8);
    (1_u64 << half << half).wrapping_sub(1)
}

/// Returns a word whose lowest bit is the highest one of the lowest dot in `word`, or zero if there is no dot. Its other bits
/// are no dots for sure.
#[inline(always)]
pub(crate) fn nearest_dot(word: u64) -> u64 {
    let differs = word ^ DOTS;
    differs.wrapping_sub(EACH_LOW) & !differs & EACH_HIGH
}

/// Returns the highest bit of each dot in `word`.
#[inline(always)]
pub(crate) fn all_dots(word: u64) -> u64 {
    let differs = word ^ DOTS;
    !(((differs & !EACH_HIGH) + !EACH_HIGH) | differs) & EACH_HIGH
}

/// Returns how many bytes are below the one with the lowest bit: eight if there is no bit.
#[inline(always)]
pub(crate) fn bytes_below(bits: u64) -> usize {
    bits.trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(host: &[u8], end: usize) {
        let label = Label::within(host, label_start(host, end), end);
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
    fn a_label_is_what_stands_after_the_last_dot() {
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
