//! Digests of one length as they are, one after the other, ascending and distinct, with an index over their
//! first bits.
//!
//! The index takes about two bytes for each digest. A filter over the first bits finds most digests that are
//! not in a set by one memory access. Where the digests come from is in `value` and `reader`.

use core::cmp::Ordering;
use core::ops::Range;
use std::sync::Arc;
use std::vec;

use urlid::internal::prefetch;

use crate::bits::first_bits;

/// A bit for each value of the first bits of a digest: whether a digest of the set begins with it. Without
/// bits it lets every digest through.
#[derive(Clone, Default)]
pub(super) struct PrefixFilter {
    bits: u32,
    words: Arc<[u64]>,
}

impl PrefixFilter {
    /// Makes the filter of digests, of which the first 64 bits are given, over their first `bits` bits, of
    /// which there are 6 or more.
    pub(super) fn over(bits: u32, digests: impl Iterator<Item = u64>) -> Self {
        let mut words = vec![0_u64; 1 << (bits - u64::BITS.ilog2())];
        for first in digests {
            let bit = first >> (u64::BITS - bits);
            words[(bit / 64) as usize] |= 1 << (bit % 64);
        }
        Self { bits, words: words.into() }
    }

    /// Returns the word that has the bit of a digest with these first bits, and which of its bits that is.
    #[inline]
    fn bit(&self, first: u64) -> Option<(&u64, u64)> {
        // Without bits the shift is by 64, which gives `None`: then every digest may be there.
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

    /// Returns whether a digest with these first bits may be in the set: `false` for most that are not.
    #[inline]
    pub(super) fn may_have(&self, first: u64) -> bool {
        self.bit(first).is_none_or(|(word, bit)| word >> bit & 1 == 1)
    }
}

/// How many digests share a place in the index, on average.
const PER_BUCKET: usize = 8;
/// A larger bucket does not occur by chance; it is searched by halves instead of in sequence.
const WALKED: usize = 64;

/// A sorted set of digests.
#[derive(Clone)]
pub(super) struct Plain {
    /// The digests, possibly with those of other sets around them.
    bytes: Arc<Vec<u8>>,
    range: Range<usize>,
    width: usize,
    index: BucketIndex,
}

/// Where a digest is, if it is there.
#[derive(Clone, Debug, Default)]
pub(super) struct PlainPlace {
    bucket: Range<usize>,
    at: usize,
}

/// Where the digests begin that have the same first bits, and which first bits there are; nothing if there
/// are too few or too many digests.
#[derive(Clone, Default)]
struct BucketIndex {
    bits: u32,
    starts: Arc<[u32]>,
    filter: PrefixFilter,
}

/// The bits by which the filter is finer than the index. One in eight to sixteen of its bits is set, so most
/// digests that are not in the set are found missing by one memory access.
const FILTERED: u32 = 7;

impl Plain {
    /// Sorts digests that lie one after the other, and drops repeats.
    pub(super) fn sort(mut bytes: Vec<u8>, width: usize) -> Self {
        // The lengths of the known algorithms and the usual cuts are sorted in place as arrays. Other widths
        // are sorted as slices, which take 16 bytes more for each digest.
        match width {
            4 => sort_records::<4>(&mut bytes),
            10 => sort_records::<10>(&mut bytes),
            16 => sort_records::<16>(&mut bytes),
            20 => sort_records::<20>(&mut bytes),
            32 => sort_records::<32>(&mut bytes),
            48 => sort_records::<48>(&mut bytes),
            64 => sort_records::<64>(&mut bytes),
            _ => bytes = sort_slices(&bytes, width),
        }
        bytes.shrink_to_fit();
        let range = 0..bytes.len();
        Self::with_index(Arc::new(bytes), range, width)
    }

    /// Takes digests that are sorted; `None` if they are not ascending and distinct.
    pub(super) fn from_sorted(bytes: Arc<Vec<u8>>, range: Range<usize>, width: usize) -> Option<Self> {
        let records = bytes[range.clone()].chunks_exact(width);
        match records.is_sorted_by(|a, b| a < b) {
            true => Some(Self::with_index(bytes, range, width)),
            false => None,
        }
    }

    fn with_index(bytes: Arc<Vec<u8>>, range: Range<usize>, width: usize) -> Self {
        let index = BucketIndex::over(&bytes[range.clone()], width);
        Self { bytes, range, width, index }
    }

    /// Returns the number of digests.
    pub(super) fn len(&self) -> usize {
        self.range.len() / self.width
    }

    /// Returns the digests one after the other.
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[self.range.clone()]
    }

    /// Returns the length of the digests, in bytes.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    fn get(&self, index: usize) -> &[u8] {
        &self.as_bytes()[index * self.width..][..self.width]
    }

    pub(super) fn filter(&self) -> &PrefixFilter {
        &self.index.filter
    }

    /// Returns the estimated place of a digest, and prefetches what is there: the bits after those of the
    /// index are interpolated.
    #[inline]
    pub(super) fn place(&self, digest: &[u8]) -> PlainPlace {
        let first = first_bits(digest);
        let head = (first >> 32) as u32;
        let bucket = self.index.bucket(head).unwrap_or(0..self.len());
        // The bits after those of the index, as a fraction of 2^32: digests are evenly spread, so the
        // fraction of the bucket that is before this one is about as large. It is less than 1, so the
        // estimate is in the bucket.
        let fraction = head << self.index.bits;
        let at = bucket.start + ((bucket.len() as u64 * u64::from(fraction)) >> 32) as usize;
        if let Some(byte) = self.as_bytes().get(at * self.width) {
            prefetch(byte);
        }
        PlainPlace { bucket, at }
    }

    /// Returns whether a digest, of which the first bytes count, is at its place.
    #[inline]
    pub(super) fn is_at(&self, place: &PlainPlace, digest: &[u8]) -> bool {
        digest.get(..self.width).is_some_and(|digest| self.find_at(place, digest).is_some())
    }

    /// Returns the index of a digest at its place, if it is in the set.
    #[inline]
    fn find_at(&self, place: &PlainPlace, digest: &[u8]) -> Option<usize> {
        let PlainPlace { ref bucket, at } = *place;
        let first = first_bits(digest);
        if bucket.is_empty() {
            return None;
        }
        // Without an index the bucket is the whole set.
        if bucket.len() > WALKED {
            return self.halve(bucket.clone(), digest);
        }
        let digests = self.as_bytes();
        let first_at = |index: usize| {
            digests.get(index * self.width..).map_or(0, |rest| first_bits(&rest[..self.width]))
        };
        // From the estimate towards the digest, until the first bits are reached or passed.
        let near = match first_at(at).cmp(&first) {
            Ordering::Equal => Some(at),
            Ordering::Less => (at + 1..bucket.end).find(|&index| first_at(index) >= first),
            Ordering::Greater => (bucket.start..at).rev().find(|&index| first_at(index) <= first),
        };
        match near.filter(|&index| first_at(index) == first).map(|index| self.get(index)) {
            Some(found) if found == digest => near,
            // Different digests may begin alike.
            Some(_) => self.halve(bucket.clone(), digest),
            None => None,
        }
    }

    /// Searches any range by halves: chosen digests may all be in one bucket.
    fn halve(&self, mut range: Range<usize>, digest: &[u8]) -> Option<usize> {
        while !range.is_empty() {
            let middle = range.start + range.len() / 2;
            match self.get(middle).cmp(digest) {
                Ordering::Equal => return Some(middle),
                Ordering::Less => range.start = middle + 1,
                Ordering::Greater => range.end = middle,
            }
        }
        None
    }
}

impl BucketIndex {
    fn over(digests: &[u8], width: usize) -> Self {
        let count = digests.len() / width;
        let buckets = count / PER_BUCKET;
        // Starts are 32 bits wide. A larger set is searched by halves, without an index.
        let Ok(last) = u32::try_from(count) else { return Self::default() };
        if buckets < 2 {
            return Self::default();
        }
        let bits = buckets.ilog2();
        let mut starts = Vec::with_capacity((1 << bits) + 1);
        for (start, digest) in (0..last).zip(digests.chunks_exact(width)) {
            let bucket = (first_bits(digest) >> (64 - bits)) as usize;
            // An empty bucket begins where the next one does.
            while starts.len() <= bucket {
                starts.push(start);
            }
        }
        // One more start than buckets, so that the last one has an end.
        starts.resize((1 << bits) + 1, last);
        let firsts = digests.chunks_exact(width).map(first_bits);
        // A candidate is looked up by bits of its whole digest, so the filter may have no more of them than a
        // digest here.
        let filtered = (bits + FILTERED).min(8 * width as u32);
        Self { bits, starts: starts.into(), filter: PrefixFilter::over(filtered, firsts) }
    }

    /// Returns the indices of the digests that have the first bits of `head`.
    #[inline]
    fn bucket(&self, head: u32) -> Option<Range<usize>> {
        let bucket = head.checked_shr(32 - self.bits)? as usize;
        Some(*self.starts.get(bucket)? as usize..*self.starts.get(bucket + 1)? as usize)
    }
}

fn sort_records<const N: usize>(bytes: &mut Vec<u8>) {
    let (records, _) = bytes.as_chunks_mut::<N>();
    records.sort_unstable();
    let mut kept = 0;
    for index in 0..records.len() {
        if index == 0 || records[index] != records[kept - 1] {
            records[kept] = records[index];
            kept += 1;
        }
    }
    bytes.truncate(kept * N);
}

/// Sorts records of a length that is rare.
fn sort_slices(bytes: &[u8], width: usize) -> Vec<u8> {
    let mut records: Vec<&[u8]> = bytes.chunks_exact(width).collect();
    records.sort_unstable();
    records.dedup();
    records.concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlid::internal::sha1;

    fn find(set: &Plain, digest: &[u8]) -> Option<usize> {
        let found = set.find_at(&set.place(digest), digest);
        assert_eq!(set.is_at(&set.place(digest), digest), found.is_some());
        assert!(found.is_none() || set.filter().may_have(first_bits(digest)));
        found
    }

    fn check(digests: &[[u8; 20]]) {
        let set = Plain::sort(digests.concat(), 20);
        let mut expected = digests.to_vec();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(set.as_bytes(), expected.concat());
        for (index, digest) in expected.iter().enumerate() {
            assert_eq!(find(&set, digest), Some(index));
            for change in [1, 0x80] {
                for offset in [0, 2, 19] {
                    let mut near = *digest;
                    near[offset] ^= change;
                    assert_eq!(find(&set, &near), expected.binary_search(&near).ok());
                }
            }
        }
        assert!(!set.is_at(&set.place(&[0; 16]), &[0; 16]));
        assert_eq!(find(&set, &[0; 20]), expected.binary_search(&[0; 20]).ok());
        assert_eq!(find(&set, &[255; 20]), expected.binary_search(&[255; 20]).ok());
    }

    /// As 4 bytes of 2^29 digests would have, which no test can hold.
    #[test]
    fn a_filter_has_no_more_bits_than_a_digest() {
        let digests: Vec<_> = (0_u32..40_000).map(|n| sha1(&n.to_be_bytes())).collect();
        let set = Plain::sort(digests.iter().flat_map(|digest| &digest[..2]).copied().collect(), 2);
        assert!(set.index.bits + FILTERED > 16);
        for digest in &digests {
            assert!(set.filter().may_have(first_bits(digest)));
        }
    }

    #[test]
    fn every_digest_is_found_and_no_other() {
        for count in [0_u32, 1, 2, 15, 16, 17, 1000, 5000] {
            let digests: Vec<_> = (0..count).map(|n| sha1(&(n / 2).to_be_bytes())).collect();
            check(&digests);
        }
    }

    #[test]
    fn chosen_digests_are_found_too() {
        let mut digests: Vec<[u8; 20]> = Vec::new();
        for n in 0..2000_u16 {
            let mut digest = [0xab; 20];
            digest[18..].copy_from_slice(&n.to_be_bytes());
            digests.push(digest);
        }
        digests.extend([[0; 20], [255; 20]]);
        check(&digests);
    }

    #[test]
    fn unsorted_and_repeated_digests_are_noticed() {
        let digests = |bytes: [u8; 32]| Plain::from_sorted(Arc::new(bytes.to_vec()), 0..32, 16);
        let mut bytes = [0; 32];
        assert!(digests(bytes).is_none());
        bytes[31] = 1;
        assert!(digests(bytes).is_some());
        bytes[0] = 1;
        assert!(digests(bytes).is_none());
    }
}
