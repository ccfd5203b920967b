//! A filter over the first bits of digests, which finds most digests that are not in a set by one memory
//! access.

use std::sync::Arc;

use urlid::internal::prefetch;

/// A bit for each value of the first bits of a digest, which is set if a digest of the set starts with it. An
/// empty filter lets every digest through.
#[derive(Clone, Default)]
pub(super) struct PrefixFilter {
    bits: u32,
    words: Arc<[u64]>,
}

impl PrefixFilter {
    /// Makes the filter of digests, given by their first 64 bits, over their first `bits` bits, which are at
    /// least 6.
    pub(super) fn over(bits: u32, digests: impl Iterator<Item = u64>) -> Self {
        let mut words = vec![0_u64; 1 << (bits - u64::BITS.ilog2())];
        for first in digests {
            let bit = first >> (u64::BITS - bits);
            words[(bit / 64) as usize] |= 1 << (bit % 64);
        }
        Self { bits, words: words.into() }
    }

    /// Returns the word with the bit of a digest that has these first bits, and the index of this bit in it.
    #[inline]
    fn bit(&self, first: u64) -> Option<(&u64, u64)> {
        // An empty filter shifts by 64, which gives `None`. Then every digest may be in the set.
        let bit = first.checked_shr(u64::BITS - self.bits)?;
        Some((self.words.get((bit / 64) as usize)?, bit % 64))
    }

    /// Prefetches the word that [`may_have`](Self::may_have) reads.
    #[inline]
    pub(super) fn prefetch(&self, first: u64) {
        if let Some((word, _)) = self.bit(first) {
            prefetch(word);
        }
    }

    /// Returns whether a digest with these first bits may be in the set. Returns `false` for most digests
    /// that are not.
    #[inline]
    pub(super) fn may_have(&self, first: u64) -> bool {
        self.bit(first).is_none_or(|(word, bit)| word >> bit & 1 == 1)
    }
}
