//! The filter before the suffix table: it spares most hosts the walk through the tree.
//!
//! Nine hosts in ten end in a top-level name and a label before it that no rule names together. A Bloom filter of the names of
//! two labels shows that, from the last sixteen bytes of the host and one load. Where it does not, the walk decides.

use core::hint::select_unpredictable;

use crate::label::{all_dots, bytes_below, label_start};

/// Which hosts need the walk, whichever sections count.
#[derive(Clone, Copy)]
pub(crate) struct SuffixFilter<'a> {
    /// A Bloom filter: two bits of one word for each name of two labels. Its length is a power of two.
    pub(crate) pairs: &'a [u64],
    /// 1 for each top-level name that has a wildcard.
    pub(crate) wildcards: &'a [u8; WILDCARDS],
}

/// The number of values of the low 13 bits of a host's last two bytes.
pub(crate) const WILDCARDS: usize = 1 << 13;

impl SuffixFilter<'_> {
    /// Returns whether the last label of a host is certainly its public suffix.
    #[inline(always)]
    pub(crate) fn last_label_is_suffix(&self, labels: &LastLabels) -> bool {
        let (word, [one, other]) = labels.pair_bits();
        let word = self.pairs[word & (self.pairs.len() - 1)];
        let pair = ((word >> one) & (word >> other)) as u8;
        (self.wildcards[labels.wildcard_index()] | pair) & 1 == 0
    }
}

/// The last two labels of a host.
#[derive(Clone, Copy)]
pub(crate) struct LastLabels {
    /// Byte offset of the last label.
    pub(crate) tld: usize,
    /// Byte offset of the label before it.
    pub(crate) domain: usize,
    /// The length of the two, with the dot between them.
    len: usize,
    /// The last eight bytes of the host.
    last: u64,
    /// Of these, what belongs to the two labels or is the dot before them.
    pair: u64,
}

impl LastLabels {
    /// Returns nothing for the few hosts of less than eight bytes or with a last label of more than seven.
    ///
    /// One host has its second label in the last eight bytes, the next has not. Two words are read in either case, and the
    /// choice between them is no branch, as that would be guessed wrong every other time.
    #[inline(always)]
    pub(crate) fn of(host: &[u8]) -> Option<LastLabels> {
        let last = u64::from_be_bytes(*host.last_chunk()?);
        let dots = all_dots(last);
        if dots == 0 {
            return None;
        }
        let dots_left = dots & (dots - 1);
        let there = host.len().min(16);
        let start = host.len() - there;
        let before = u64::from_be_bytes(*host.get(start..)?.first_chunk()?);
        let dots_before = all_dots(before) & BEFORE_LAST[there];
        let nearest = select_unpredictable(dots_left == 0, dots_before, dots_left);
        let end = select_unpredictable(dots_left == 0, start + 8, host.len());
        let begins_before = nearest | u64::from(start == 0) == 0;
        let domain = if begins_before { label_start(host, start) } else { end - bytes_below(nearest) };
        Some(LastLabels {
            tld: host.len() - bytes_below(dots),
            domain,
            len: host.len() - domain,
            last,
            pair: last & up_to(dots_left),
        })
    }

    /// Returns the place of the last label in `SuffixFilter::wildcards`.
    #[inline(always)]
    pub(crate) fn wildcard_index(&self) -> usize {
        self.last as usize % WILDCARDS
    }

    /// Returns the place of the two labels in `SuffixFilter::pairs`: a word, of which the highest bits do not count, and two bits.
    #[inline(always)]
    pub(crate) fn pair_bits(&self) -> (usize, [u32; 2]) {
        let hash = (self.pair ^ (self.len as u64) << 44).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((hash >> 44) as usize, [(hash >> 32 & 63) as u32, (hash >> 38 & 63) as u32])
    }
}

/// Where the first of the last sixteen bytes of a host, or of as many as it has, are not among the last eight.
const BEFORE_LAST: [u64; 17] = {
    let mut masks = [0; 17];
    let mut there = 9;
    while there <= 16 {
        masks[there] = u64::MAX << (8 * (16 - there));
        there += 1;
    }
    masks
};

/// Returns a mask of the lowest bit of a word and those below it: all if it has none.
#[inline(always)]
fn up_to(bits: u64) -> u64 {
    bits ^ bits.wrapping_sub(1)
}
