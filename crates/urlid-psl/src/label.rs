//! One label of a host, read from the right as machine words.
//!
//! The table never looks at a label byte by byte: its last sixteen bytes in two words say where it starts, what it hashes to,
//! and, for most labels, all of what it is. Works on any bytes; knows nothing about rules.

const EACH: u64 = u64::from_ne_bytes([0x01; 8]);
const DOTS: u64 = EACH * b'.' as u64;
const LOW_BITS: u64 = EACH * 0x7f;

/// The label that ends at some byte of a host.
#[derive(Clone, Copy)]
pub(crate) struct Label {
    /// Byte offset of its first byte.
    pub(crate) start: usize,
    /// Its length in bytes.
    pub(crate) len: usize,
    /// Its last eight bytes, the last one in the highest place, zeros before a shorter label.
    pub(crate) last: u64,
    /// The eight bytes before those, likewise.
    before_last: u64,
}

impl Label {
    /// Reads the label that ends before byte `end`.
    #[inline(always)]
    pub(crate) fn ending_at(host: &[u8], end: usize) -> Label {
        let last = word_before(host, end);
        let before = word_before(host, end.saturating_sub(8));
        let in_last = bytes_after_dot(last);
        let in_before = if in_last == 8 { bytes_after_dot(before) } else { 0 };
        // Zeros stand for bytes before the host, which are no part of the label.
        let mut len = end.min(in_last + in_before);
        if len == 16 {
            len += host[..end - 16].iter().rev().take_while(|&&byte| byte != b'.').count();
        }
        Label {
            start: end - len,
            len,
            last: keep_high_bytes(last, in_last),
            before_last: keep_high_bytes(before, in_before),
        }
    }

    /// Returns the hash of the name made of this label and the labels after it, which have the hash `after`.
    ///
    /// It sees sixteen bytes of a label, so whoever finds by it compares the label as well.
    #[inline(always)]
    pub(crate) fn hash(&self, after: u64) -> u64 {
        let product = u128::from(self.last ^ after ^ 0x9e37_79b9_7f4a_7c15)
            * u128::from(self.before_last ^ 0xd6e8_feb8_6659_fd93);
        (product as u64) ^ ((product >> 64) as u64)
    }
}

/// Returns the eight bytes of `host` before `end`, the last one in the highest place, with zeros for what would lie before its start.
#[inline(always)]
pub(crate) fn word_before(host: &[u8], end: usize) -> u64 {
    let start = end.saturating_sub(8);
    let missing = 8 - (end - start) as u32;
    match host.get(start..).and_then(<[u8]>::first_chunk::<8>) {
        Some(bytes) => u64::from_le_bytes(*bytes).unbounded_shl(8 * missing),
        None => host[start..end]
            .iter()
            .rev()
            .enumerate()
            .fold(0, |word, (i, &byte)| word | u64::from(byte) << (56 - 8 * i)),
    }
}

/// Returns how many of the highest bytes of `word` come before the first dot, looking from the highest: 0 to 8.
#[inline(always)]
fn bytes_after_dot(word: u64) -> usize {
    let differs = word ^ DOTS;
    let dots = !(((differs & LOW_BITS) + LOW_BITS) | differs | LOW_BITS);
    (dots.leading_zeros() / 8) as usize
}

#[inline(always)]
fn keep_high_bytes(word: u64, count: usize) -> u64 {
    word & !u64::MAX.unbounded_shr(8 * count as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(host: &[u8], end: usize) {
        let label = Label::ending_at(host, end);
        let start = host[..end].iter().rposition(|&byte| byte == b'.').map_or(0, |dot| dot + 1);
        assert_eq!((label.start, label.len), (start, end - start), "{host:?} before {end}");
        let mut last = [0; 16];
        for (place, &byte) in last.iter_mut().rev().zip(host[start..end].iter().rev()) {
            *place = byte;
        }
        assert_eq!(label.before_last.to_le_bytes(), last[..8], "{host:?} before {end}");
        assert_eq!(label.last.to_le_bytes(), last[8..], "{host:?} before {end}");
    }

    #[test]
    fn a_label_is_what_stands_after_the_last_dot() {
        for left in 0..40 {
            for right in 0..20 {
                let host = format!(
                    "{}.{}",
                    "abcdefgh".repeat(5)[..left].to_owned(),
                    "z/-\u{0}\u{7f}".repeat(4)[..right].to_owned()
                );
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
