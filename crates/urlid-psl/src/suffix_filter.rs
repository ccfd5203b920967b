//! The filter that precedes the suffix table, so that most hosts need no walk through the tree.
//!
//! For nine hosts in ten, the last two labels are not a name in the rules, so the last label is the suffix. A
//! Bloom filter of the names of two labels proves this from the last sixteen bytes of the host and one load.
//! For all other hosts, the walk decides.

use core::hint::select_unpredictable;

use crate::label::{all_dots, bytes_below, label_start};

/// The filter. It covers both sections, so it is valid for each of them.
#[derive(Clone, Copy)]
pub(crate) struct SuffixFilter<'a> {
    /// A Bloom filter: two bits of one word for each name of two labels. Its length is a power of two.
    pub(crate) pairs: &'a [u64],
    /// 1 for each top-level name with a wildcard, and for other names with the same index.
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
        // The expression avoids `&&`, because that would put a branch between the two loads.
        (self.wildcards[labels.wildcard_index()] | pair) & 1 == 0
    }
}

#[derive(Clone, Copy)]
pub(crate) struct LastLabels {
    /// Byte offset of the last label.
    pub(crate) tld: usize,
    /// Byte offset of the label before the last label.
    pub(crate) domain: usize,
    /// The length of the two labels, with the dot between them.
    len: usize,
    /// The last eight bytes of the host.
    last: u64,
    /// The bytes of `last` that belong to the two labels or are the dot before them. The other bytes are
    /// zero.
    pair: u64,
}

impl LastLabels {
    /// Returns `None` for the few hosts of less than eight bytes, or with a last label of more than seven.
    ///
    /// In some hosts the second label starts within the last eight bytes, in others it does not, without a
    /// pattern. A branch on it would be mispredicted half of the time. Therefore two words are always read,
    /// and a conditional move chooses between them.
    #[inline(always)]
    pub(crate) fn of(host: &[u8]) -> Option<LastLabels> {
        let last = u64::from_be_bytes(*host.last_chunk()?);
        let dots = all_dots(last);
        if dots == 0 {
            return None;
        }
        let dots_left = dots & (dots - 1);
        // The 16 bytes before the end, or the whole of a shorter host. The two words may overlap, and
        // `BEFORE_LAST` masks the dots that are also in `last`.
        let there = host.len().min(16);
        let start = host.len() - there;
        let before = u64::from_be_bytes(*host.get(start..)?.first_chunk()?);
        let dots_before = all_dots(before) & BEFORE_LAST[there];
        let nearest = select_unpredictable(dots_left == 0, dots_before, dots_left);
        let end = select_unpredictable(dots_left == 0, start + 8, host.len());
        let begins_before = nearest | u64::from(start == 0) == 0;
        // If the 16 bytes lack a second dot and more bytes precede them, a loop searches the start of the
        // second label. This is rare. If there is no dot, `bytes_below` returns eight. In a host of at most
        // 16 bytes, `end` is then 8 and the label starts at 0.
        let domain = if begins_before { label_start(host, start) } else { end - bytes_below(nearest) };
        Some(LastLabels {
            tld: host.len() - bytes_below(dots),
            domain,
            len: host.len() - domain,
            last,
            pair: last & up_to(dots_left),
        })
    }

    /// Returns the index of the last label in `SuffixFilter::wildcards`.
    #[inline(always)]
    pub(crate) fn wildcard_index(&self) -> usize {
        // The index is the last byte and five bits of the preceding byte. All lower-case letters differ in
        // these bits.
        self.last as usize % WILDCARDS
    }

    /// Returns the position of the two labels in `SuffixFilter::pairs`: the index of a word, to be reduced
    /// modulo the number of words, and the numbers of two bits.
    #[inline(always)]
    pub(crate) fn pair_bits(&self) -> (usize, [u32; 2]) {
        // The length distinguishes labels with equal last eight bytes. The index uses the high bits of the
        // product, because they depend on all bits of the factor. A filter of only the last eight bytes was
        // 10 % slower.
        let hash = (self.pair ^ (self.len as u64) << 44).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // Word and bits are separate parts of the hash. The word needs no more than 20 bits, because there
        // are at most 2^20 names, about four per word.
        ((hash >> 44) as usize, [(hash >> 32 & 63) as u32, (hash >> 38 & 63) as u32])
    }
}

/// Masks of the bytes of the first word that are not in the last word. The index is the number of bytes that
/// the two words cover together.
const BEFORE_LAST: [u64; 17] = {
    let mut masks = [0; 17];
    let mut there = 9;
    while there <= 16 {
        masks[there] = u64::MAX << (8 * (16 - there));
        there += 1;
    }
    masks
};

/// Returns a mask of the lowest set bit of a word and all bits below it, or all ones for zero.
#[inline(always)]
fn up_to(bits: u64) -> u64 {
    bits ^ bits.wrapping_sub(1)
}
