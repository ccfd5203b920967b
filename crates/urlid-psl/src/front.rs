//! The front of the suffix table: it answers for most hosts without a walk through the tree.
//!
//! Nine hosts in ten end in a top-level name and a label before it that no rule speaks of together. To know that, and where
//! the two begin, takes the last sixteen bytes of the host and one look into the front. Where the front cannot be sure it
//! says so, and the walk decides.

use crate::label::{DOTS, Label, all_dots, bytes_below, label_start, low_bytes, nearest_dot, shift_right};

/// What the front knows about a list, whichever sections count.
#[derive(Clone, Copy)]
pub(crate) struct Front<'a> {
    /// Two bits of one word for each name of two labels; its length is a power of two.
    pub(crate) pairs: &'a [u64],
    /// 1 for each top-level name of which a wildcard speaks.
    pub(crate) wildcards: &'a [u8; WILDCARDS],
}

pub(crate) const WILDCARDS: usize = 1 << WILDCARD_BITS;
const WILDCARD_BITS: u32 = 12;
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Front<'_> {
    /// Returns whether the last label of a host is its public suffix for sure.
    #[inline(always)]
    pub(crate) fn is_sure(&self, tail: &Tail) -> bool {
        let (word, [one, other]) = tail.pair_bits();
        let word = self.pairs[word & (self.pairs.len() - 1)];
        let pair = ((word >> one) & (word >> other)) as u8;
        (self.wildcards[tail.wildcard_index()] | pair) & 1 == 0
    }
}

/// The last two labels of a host.
#[derive(Clone, Copy)]
pub(crate) struct Tail {
    /// Byte offset of the last label.
    pub(crate) tld: usize,
    /// Byte offset of the label before it.
    pub(crate) domain: usize,
    /// The last label with the dot before it.
    top: u64,
    /// What there is of the two labels, with the dot before them, in the last eight bytes of the host and the eight before.
    pair: (u64, u64),
}

impl Tail {
    /// Returns nothing for the few hosts of less than eight bytes or with a last label of more than seven.
    #[inline(always)]
    pub(crate) fn of(host: &[u8]) -> Option<Tail> {
        let last = u64::from_be_bytes(*host.last_chunk()?);
        let before = word_before_last(host)?;
        let last_dots = all_dots(last);
        if last_dots == 0 {
            return None;
        }
        let dots_left = last_dots & (last_dots - 1);
        // All ones if the second label begins before the last word. Masks, as a branch on it would often be guessed wrong.
        let far = if dots_left == 0 { u64::MAX } else { 0 };
        let before_dot = nearest_dot(before) & far;
        let domain = match dots_left | before_dot {
            0 => label_start(host, host.len() - 16),
            nearest => host.len() - bytes_below(nearest) - (far & 8) as usize,
        };
        Some(Tail {
            tld: host.len() - bytes_below(last_dots),
            domain,
            top: last & up_to(last_dots),
            pair: (last & up_to(dots_left), before & up_to(before_dot) & far),
        })
    }

    /// Returns the place of the last label in `Front::wildcards`.
    #[inline(always)]
    pub(crate) fn wildcard_index(&self) -> usize {
        (self.top.wrapping_mul(FACTOR) >> (64 - WILDCARD_BITS)) as usize
    }

    /// Returns the place of the two labels in `Front::pairs`: a word, of which the highest bits do not count, and two bits.
    #[inline(always)]
    pub(crate) fn pair_bits(&self) -> (usize, [u32; 2]) {
        let (last, before) = self.pair;
        let hash = (last ^ before.rotate_left(29)).wrapping_mul(FACTOR);
        ((hash >> 44) as usize, [(hash >> 32 & 63) as u32, (hash >> 38 & 63) as u32])
    }

    /// Returns the last label.
    #[inline(always)]
    pub(crate) fn top(&self, host: &[u8]) -> Label {
        let len = host.len() - self.tld;
        Label { start: self.tld, len, last: self.top & low_bytes(len), before_last: 0 }
    }
}

/// Returns the eight bytes before the last eight of a host, with dots for what would lie before it.
#[inline(always)]
fn word_before_last(host: &[u8]) -> Option<u64> {
    const PADDING: [u64; 17] = {
        let mut padding = [0; 17];
        let mut there = 8;
        while there < 16 {
            padding[there] = DOTS << (8 * (there - 8));
            there += 1;
        }
        padding
    };
    let there = host.len().min(16);
    let bytes = host.get(host.len() - there..)?.first_chunk()?;
    Some(shift_right(u64::from_be_bytes(*bytes), 16 - there) | PADDING[there])
}

/// Returns a mask of the lowest bit of a word and those below it: all if it has none.
#[inline(always)]
fn up_to(bits: u64) -> u64 {
    bits ^ bits.wrapping_sub(1)
}
