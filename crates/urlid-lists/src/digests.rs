//! A set of digests of one algorithm, in a block of `elias_fano` that is searched in the form in which it is
//! stored.
//!
//! In memory a mark for every 32 values of the first bits is added, and for digests of eight bytes or more a
//! filter. Together they need less than 1.3 bytes for each digest, or a quarter of a byte for shorter
//! digests.

use core::cmp::Ordering;
use core::hash::{Hash, Hasher};
use core::ops::Range;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::bits::{first_bits, load, mask, read_bits, tail};
use super::elias_fano::{Highs, Shape, after_zeros, is_framed};
use crate::elias_fano::encode_records;
use crate::prefix_filter::PrefixFilter;
use urlid::hashed_uri::Digest;
use urlid::internal::prefetch;

/// The number of values of the first bits between two marks.
const MARKED: usize = 32;
/// The most bits between two marks without start offsets. There are some hundred bits between two marks,
/// unless an attacker chose the digests. Above this limit each value gets a mark.
const LONG: usize = 4096;
/// The most digests with the same first bits that are compared one by one. More do not occur by chance, and
/// they are searched by bisection.
const WALKED: usize = 8;
/// The bits by which the filter is finer than the first bits of the block, which gives at least four bits of
/// the filter for each digest.
const FILTERED: u32 = 2;

/// A sorted set of digests, all cut to one length.
#[derive(Clone)]
pub(super) struct Digests {
    bytes: Arc<Vec<u8>>,
    range: Range<usize>,
    shape: Shape,
    width: usize,
    /// The start of each 32nd value of the first bits in the upper part, and the end of the upper part.
    marks: Arc<[u32]>,
    /// The start of each value after a mark that is far from the next one.
    long: Arc<BTreeMap<usize, Vec<u32>>>,
    filter: PrefixFilter,
}

impl Digests {
    /// Reads a block of `count` digests of `width` bytes at `range` in `bytes`. Returns `None` if the block
    /// is malformed.
    pub(super) fn new(bytes: Arc<Vec<u8>>, range: Range<usize>, count: u64, width: usize) -> Option<Self> {
        let shape = Shape::new(count, width as u32 * 8)?;
        let block = bytes.get(range.clone())?;
        if !is_framed(block, shape) {
            return None;
        }
        let digests = Self::index(bytes, range, shape, width);
        digests.is_ascending().then_some(digests)
    }

    /// Makes the set of concatenated digests, which are ascending, distinct and possibly empty. The caller
    /// has already rejected more digests than fit in a block.
    pub(super) fn encode(records: &[u8], width: usize) -> Self {
        let count = (records.len() / width) as u64;
        let empty = Shape { count: 0, bits: width as u32 * 8, high: 0 };
        let shape = Shape::new(count, empty.bits).unwrap_or(empty);
        let bytes = Arc::new(encode_records(records, width));
        let range = 0..bytes.len();
        Self::index(bytes, range, shape, width)
    }

    /// Adds marks and the filter to a block that is valid.
    fn index(bytes: Arc<Vec<u8>>, range: Range<usize>, shape: Shape, width: usize) -> Self {
        let (marks, long) = marks_of(&bytes[range.clone()], shape);
        let filter = PrefixFilter::default();
        let mut digests =
            Self { bytes, range, shape, width, marks: marks.into(), long: Arc::new(long), filter };
        // Shorter digests do not get a filter. It needs four to eight bits for each digest, which is half the
        // size of a packed prefix of 32 bits. A filter of fewer than 64 bits would not fill a word.
        let filtered = shape.high + FILTERED;
        if width >= 8 && filtered >= u64::BITS.ilog2() {
            let mut cursor = digests.cursor();
            let firsts = core::iter::from_fn(|| cursor.next().map(first_bits));
            digests.filter = PrefixFilter::over(filtered, firsts);
        }
        digests
    }

    fn is_ascending(&self) -> bool {
        let mut last = [0; MOST_WIDTH];
        let mut cursor = self.cursor();
        let mut is_first = true;
        while let Some(digest) = cursor.next() {
            if !is_first && digest <= &last[..self.width] {
                return false;
            }
            is_first = false;
            last[..self.width].copy_from_slice(digest);
        }
        true
    }

    /// Returns the number of digests.
    pub(super) fn len(&self) -> u64 {
        self.shape.count as u64
    }

    /// Returns whether a digest is in the set. Only its first bytes, up to the width of the set, are
    /// compared.
    pub(super) fn has(&self, digest: &[u8]) -> bool {
        self.may_have(digest) && self.is_at(&self.place(digest), digest)
    }

    /// Prefetches the word that [`may_have`](Self::may_have) reads.
    #[inline]
    pub(super) fn prefetch(&self, digest: &[u8]) {
        self.filter.prefetch(first_bits(digest));
    }

    /// Returns whether a digest may be in the set. Returns `false` for most digests that are not.
    #[inline]
    pub(super) fn may_have(&self, digest: &[u8]) -> bool {
        self.filter.may_have(first_bits(digest))
    }

    /// Returns the digests one after the other.
    pub(super) fn cursor(&self) -> DigestCursor<'_> {
        DigestCursor { digests: self, highs: Highs::new(self.shape), digest: [0; MOST_WIDTH] }
    }

    /// Returns the concatenated digests, each cut to a length, or `None` if they are shorter.
    pub(super) fn cut(&self, width: usize) -> Option<Vec<u8>> {
        if self.width < width {
            return None;
        }
        let mut records = Vec::with_capacity(self.shape.count * width);
        let mut cursor = self.cursor();
        while let Some(digest) = cursor.next() {
            let start = records.len().saturating_sub(width);
            // Digests with equal prefixes are neighbours.
            if records[start..] != digest[..width] {
                records.extend_from_slice(&digest[..width]);
            }
        }
        Some(records)
    }

    /// Returns the length of the digests, in bytes.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Returns the bytes of the set, as the compiled form has them.
    pub(super) fn block(&self) -> &[u8] {
        &self.bytes[self.range.clone()]
    }

    /// Returns the indices of the digests with the same first bits, and prefetches the first of them.
    ///
    /// The first `high` bits of a digest are a value. In the upper part, each value has a one for each of its
    /// digests, followed by a zero. The start of a value is found from the mark before it, by counting one
    /// zero for each value in between. The ones before the start belong to the smaller digests, and the zeros
    /// before it to the smaller values. The position of the start minus the value is therefore the number of
    /// smaller digests, which is the index of the first digest of the value. The three values 0, 0 and 2, for
    /// example, have this upper part:
    ///
    /// ```text
    /// position   0 1 2 3 4 5 6
    /// bit        1 1 0 0 1 0 0
    /// value      0 . . 1 2 . 3    at its start: value 2 starts at 4, so its digest has index 4 - 2 = 2
    /// ```
    #[inline]
    pub(super) fn place(&self, digest: &[u8]) -> Range<usize> {
        let high = self.shape.high_of(first_bits(digest)) as usize;
        let (mark, rest) = (high / MARKED, high % MARKED);
        let start = self.marks[mark] as usize;
        // A value has its ones from its start on, followed by a zero. The ones are counted unless the start
        // of the next value is known.
        let (start, end) = match self.marks[mark + 1] as usize - start > LONG {
            false => {
                let start = after_zeros(self.block(), start, rest as u32);
                (start, start + self.ones(start))
            }
            true => {
                let starts = &self.long[&mark];
                let end = starts.get(rest + 1).unwrap_or(&self.marks[mark + 1]);
                (starts[rest] as usize, *end as usize - 1)
            }
        };
        // The zeros before a value are as many as the smaller values.
        let range = start - high..end - high;
        if let Some(byte) = self.bytes.get((self.low_position(range.start) / 8) as usize) {
            prefetch(byte);
        }
        range
    }

    /// Returns whether a digest is at its place. Only its first bytes, up to the width of the set, are
    /// compared.
    #[inline]
    pub(super) fn is_at(&self, place: &Range<usize>, digest: &[u8]) -> bool {
        let Some(digest) = digest.get(..self.width) else { return false };
        let mut place = place.clone();
        while place.len() > WALKED {
            let middle = place.start + place.len() / 2;
            match self.compare(middle, digest) {
                Ordering::Equal => return true,
                Ordering::Less => place.start = middle + 1,
                Ordering::Greater => place.end = middle,
            }
        }
        // All digests in the range have the first bits of the wanted one, so the lower bits decide. Up to 64
        // are compared as a number.
        let low = self.shape.low();
        if low > u64::BITS {
            return place.into_iter().any(|index| self.compare(index, digest) == Ordering::Equal);
        }
        // The lower bits are the last ones of the number and are independent of byte boundaries.
        let wanted = tail(digest) & mask(low);
        place.into_iter().any(|index| self.low_at(index) == wanted)
    }

    /// Compares the digest at this index with a digest that has the same first bits.
    fn compare(&self, index: usize, digest: &[u8]) -> Ordering {
        let mut decoded = [0; MOST_WIDTH];
        let high = self.shape.high_of(first_bits(digest));
        self.decode(high, index, &mut decoded);
        decoded[..self.width].cmp(digest)
    }

    /// Returns the number of ones from a position to the next zero.
    #[inline]
    fn ones(&self, start: usize) -> usize {
        let mut position = start;
        loop {
            // 57 bits or more are read, so the lowest 56 are the text's.
            // The zero that ends the value is in the block, or its last bit.
            let zeros = !load(self.block(), position) & mask(56);
            if zeros != 0 {
                return position + zeros.trailing_zeros() as usize - start;
            }
            position += 56;
        }
    }

    /// Returns the bit of the block at which the lower bits of a digest start.
    #[inline]
    fn low_position(&self, index: usize) -> u64 {
        let start = (self.range.start + self.shape.upper_bytes()) as u64;
        start * 8 + index as u64 * u64::from(self.shape.low())
    }

    #[inline]
    fn low_at(&self, index: usize) -> u64 {
        read_bits(&self.bytes, self.low_position(index), self.shape.low())
    }

    /// Puts the digest with this index together.
    fn decode(&self, high: u64, index: usize, digest: &mut [u8; MOST_WIDTH]) {
        let (mut position, mut left) = (self.low_position(index), self.shape.low());
        let mut end = self.width;
        // The digest is filled from the last byte to the first: whole words of lower bits, then the remaining
        // lower bits below the upper bits. At most 64 and 30 bits remain, which fit in 128.
        while left > u64::BITS {
            let bits = read_bits(&self.bytes, position, u64::BITS);
            digest[end - 8..end].copy_from_slice(&bits.to_be_bytes());
            (position, left, end) = (position + 64, left - 64, end - 8);
        }
        let bits = read_bits(&self.bytes, position, left);
        let rest = (u128::from(high) << left | u128::from(bits)).to_be_bytes();
        digest[..end].copy_from_slice(&rest[rest.len() - end..]);
    }
}

const MOST_WIDTH: usize = urlid::hashed_uri::Digest::LONGEST;

/// Returns the places of [`Digests::marks`], and those between two that are far from each other.
fn marks_of(block: &[u8], shape: Shape) -> (Vec<u32>, BTreeMap<usize, Vec<u32>>) {
    let (mut marks, mut long) = (vec![0], BTreeMap::new());
    let (mut position, values) = (0, 1_usize << shape.high);
    for mark in 0..values.div_ceil(MARKED) {
        let start = position;
        let some = MARKED.min(values - mark * MARKED) as u32;
        position = after_zeros(block, start, some);
        marks.push(position as u32);
        if position - start > LONG {
            let mut starts = vec![start as u32];
            for _ in 1..some {
                let last = starts.last().map_or(start, |&last| last as usize);
                starts.push(after_zeros(block, last, 1) as u32);
            }
            // Only digests that an attacker chose get here. Without start offsets a look-up would count zeros
            // over the whole block.
            long.insert(mark, starts);
        }
    }
    (marks, long)
}

/// The digests of a set, one after the other.
#[derive(Clone)]
pub(super) struct DigestCursor<'d> {
    digests: &'d Digests,
    highs: Highs,
    digest: [u8; MOST_WIDTH],
}

impl DigestCursor<'_> {
    /// Returns the next digest.
    pub(super) fn next(&mut self) -> Option<&[u8]> {
        let (high, index) = self.highs.next(self.digests.block())?;
        self.digests.decode(high, index, &mut self.digest);
        Some(&self.digest[..self.digests.width])
    }

    /// Returns the next digest, to keep.
    pub(super) fn advance<'l>(&mut self) -> Option<DigestBytes<'l>> {
        self.next().map(DigestBytes::copied)
    }
}

/// The bytes of a digest, either borrowed from a list or decoded.
#[derive(Clone, Copy, Debug)]
pub(super) enum DigestBytes<'d> {
    Listed(&'d [u8]),
    Copied(Digest),
}

impl DigestBytes<'_> {
    /// Copies the bytes of a digest, at least 1 and at most 64.
    pub(super) fn copied(digest: &[u8]) -> Self {
        Digest::new(digest).map_or(DigestBytes::Listed(&[]), DigestBytes::Copied)
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Listed(bytes) => bytes,
            Self::Copied(digest) => digest.as_bytes(),
        }
    }
}

impl PartialEq for DigestBytes<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for DigestBytes<'_> {}

impl PartialOrd for DigestBytes<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for DigestBytes<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl Hash for DigestBytes<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlid::internal::sha1;

    fn pack(records: &[Vec<u8>], width: usize) -> Option<Digests> {
        let block = encode_records(&records.concat(), width);
        // Bytes around a block do not matter.
        let bytes = [&[0xff; 3][..], &block, &[0xff; 3]].concat();
        Digests::new(Arc::new(bytes), 3..3 + block.len(), records.len() as u64, width)
    }

    /// Returns whether a digest is found, and checks that the filter lets it through then.
    fn has(packed: &Digests, digest: &[u8]) -> bool {
        let found = packed.is_at(&packed.place(digest), digest);
        assert!(!found || packed.may_have(digest));
        found
    }

    fn check(mut records: Vec<Vec<u8>>, width: usize) {
        records.sort_unstable();
        records.dedup();
        let packed = pack(&records, width).expect("they are ascending");
        assert_eq!(packed.block().len() as u64, packed.shape.bytes());
        let mut cursor = packed.cursor();
        for record in &records {
            assert_eq!(cursor.next(), Some(&record[..]));
            assert!(has(&packed, record));
            // What follows the bytes that are kept does not count.
            assert!(has(&packed, &[&record[..], &[1; 64]].concat()));
            for (offset, change) in [(0, 0x80), (1, 1), (width / 2, 1), (width - 1, 1), (width - 1, 0x80)] {
                let mut near = record.clone();
                near[offset] ^= change;
                assert_eq!(has(&packed, &near), records.binary_search(&near).is_ok());
            }
        }
        assert_eq!(cursor.next(), None);
        for other in [vec![0; width], vec![0xff; width]] {
            assert_eq!(has(&packed, &other), records.binary_search(&other).is_ok());
        }
        assert!(!has(&packed, &records[0][..width - 1]));
    }

    fn digest(number: u32, width: usize) -> Vec<u8> {
        let mut digest: Vec<u8> =
            (0..4_u32).flat_map(|part| sha1(&[number, part].map(u32::to_be_bytes).concat())).collect();
        digest.truncate(width);
        digest
    }

    #[test]
    fn every_digest_is_found_and_no_other() {
        for width in [4, 5, 8, 9, 10, 16, 20, 32, 48, 64] {
            for count in [1, 2, 3, 4, 15, 16, 17, 31, 33, 1000, 5000] {
                check((0..count).map(|number| digest(number, width)).collect(), width);
            }
        }
    }

    #[test]
    fn chosen_digests_are_also_found() {
        for width in [4, 10, 20, 64] {
            let chosen = (0..6000_u16).map(|number| {
                let mut digest = vec![0xab; width];
                digest[width - 2..].copy_from_slice(&number.to_be_bytes());
                digest
            });
            check(chosen.clone().collect(), width);
            check(chosen.chain([vec![0; width], vec![0xff; width]]).collect(), width);
            check([vec![0; width], vec![0xff; width]].to_vec(), width);
        }
    }

    #[test]
    fn a_block_that_is_not_in_canonical_form_is_rejected() {
        let records: Vec<Vec<u8>> = (0..100).map(|number| digest(number, 10)).collect();
        let mut sorted = records.clone();
        sorted.sort_unstable();
        let block = encode_records(&sorted.concat(), 10);
        let taken = |block: &[u8]| Digests::new(Arc::new(block.to_vec()), 0..block.len(), 100, 10);
        assert!(taken(&block).is_some());
        // A flipped bit of the upper part changes the number of ones.
        for bit in 0..Shape::new(100, 80).expect("it is a shape").upper_bytes() * 8 {
            let mut changed = block.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(taken(&changed).is_none(), "bit {bit}");
        }
        assert!(taken(&block[1..]).is_none());
        assert!(taken(&[&block[..], &[0]].concat()).is_none());
        // Repeats, and the wrong order of digests with the same first bits.
        let same = |ends: [u8; 2]| pack(&ends.map(|end| vec![0, 0, 0, 0, end]), 5);
        assert!(same([1, 2]).is_some());
        assert!(same([2, 1]).is_none());
        assert!(same([1, 1]).is_none());
    }
}
