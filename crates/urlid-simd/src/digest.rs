//! The needed part of a digest, and the length of its line of digits.

/// The length of a line: the hexadecimal digits of 32 bytes, and LF.
pub const HEX_LINE: usize = 65;

/// A result that is made from a hash value of `N` words.
pub(crate) trait OfWords<const N: usize>: Copy {
    /// Converts the words, which are not yet big-endian.
    fn of(words: [u32; N]) -> Self;
}

impl OfWords<8> for [u8; 32] {
    #[inline(always)]
    fn of(words: [u32; 8]) -> Self {
        big_endian(words)
    }
}

impl OfWords<8> for u64 {
    #[inline(always)]
    fn of([.., high, low]: [u32; 8]) -> Self {
        u64::from(high) << 32 | u64::from(low)
    }
}

impl OfWords<5> for [u8; 20] {
    #[inline(always)]
    fn of(words: [u32; 5]) -> Self {
        big_endian(words)
    }
}

#[inline(always)]
fn big_endian<const N: usize, const BYTES: usize>(words: [u32; N]) -> [u8; BYTES] {
    let mut digest = [0; BYTES];
    for (bytes, word) in digest.chunks_exact_mut(4).zip(words) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    digest
}
