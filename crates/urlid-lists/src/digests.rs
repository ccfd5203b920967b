//! Digests of one length, ascending and distinct, with an index over their first bits.
//!
//! The index takes about two bytes for each digest. Where the digests come from is in `value` and `reader`.

use core::cmp::Ordering;
use core::ops::Range;
use std::sync::Arc;
use std::vec;

/// How many digests share a place in the index, on average.
const PER_BUCKET: usize = 8;
/// A larger bucket does not occur by chance; it is searched by halves instead of in sequence.
const WALKED: usize = 64;

/// A sorted set of digests.
#[derive(Clone)]
pub(super) struct Digests {
    /// The digests, possibly with those of other sets around them.
    bytes: Arc<Vec<u8>>,
    range: Range<usize>,
    width: usize,
    index: Index,
}

/// Where a digest is, if it is there.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    bucket: Range<usize>,
    at: usize,
}

/// Where the digests begin that have the same first bits, and which first bits there are; nothing if there are too few or
/// too many digests.
#[derive(Clone, Default)]
struct Index {
    bits: u32,
    starts: Arc<[u32]>,
    /// A bit for each value of the first [`FILTERED`] bits more: whether a digest begins with it.
    filter: Arc<[u64]>,
}

/// The bits by which the filter is finer than the index. One in eight to sixteen of its bits is set, so most digests that
/// are not in the set are found missing by one memory access.
const FILTERED: u32 = 7;

impl Digests {
    /// Sorts digests that lie one after the other, and drops repeats.
    pub(super) fn sort(mut bytes: Vec<u8>, width: usize) -> Self {
        match width {
            16 => sort_records::<16>(&mut bytes),
            20 => sort_records::<20>(&mut bytes),
            32 => sort_records::<32>(&mut bytes),
            48 => sort_records::<48>(&mut bytes),
            64 => sort_records::<64>(&mut bytes),
            _ => unreachable!("the known algorithms have digests of these lengths"),
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
        let index = Index::over(&bytes[range.clone()], width);
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

    /// Returns the digest with this index.
    pub(super) fn get(&self, index: usize) -> &[u8] {
        &self.as_bytes()[index * self.width..][..self.width]
    }

    /// Returns the index of a digest, if it is there. A digest of another length never is.
    pub(super) fn find(&self, digest: &[u8]) -> Option<usize> {
        self.may_have(digest).then(|| self.find_at(&self.place(digest), digest))?
    }

    /// Prefetches what [`may_have`](Self::may_have) reads.
    #[inline]
    pub(super) fn prefetch(&self, digest: &[u8]) {
        if let Some((word, _)) = self.index.filter_bit(first_bits(digest)) {
            urlid_simd::prefetch(word);
        }
    }

    /// Returns whether a digest may be in the set: `false` for most that are not.
    #[inline]
    pub(super) fn may_have(&self, digest: &[u8]) -> bool {
        self.index.filter_bit(first_bits(digest)).is_none_or(|(word, bit)| word >> bit & 1 == 1)
    }

    /// Returns the estimated place of a digest, and prefetches what is there: the bits after those of the index are
    /// interpolated.
    #[inline]
    pub(super) fn place(&self, digest: &[u8]) -> Place {
        let first = first_bits(digest);
        let head = (first >> 32) as u32;
        let bucket = self.index.bucket(head).unwrap_or(0..self.len());
        let fraction = head << self.index.bits;
        let at = bucket.start + ((bucket.len() as u64 * u64::from(fraction)) >> 32) as usize;
        if let Some(byte) = self.as_bytes().get(at * self.width) {
            urlid_simd::prefetch(byte);
        }
        Place { bucket, at }
    }

    /// Returns the index of a digest at its place, if it is in the set.
    #[inline]
    pub(super) fn find_at(&self, place: &Place, digest: &[u8]) -> Option<usize> {
        let Place { ref bucket, at } = *place;
        let first = first_bits(digest);
        if bucket.is_empty() || digest.len() != self.width {
            return None;
        }
        if bucket.len() > WALKED {
            return self.halve(bucket.clone(), digest);
        }
        let digests = self.as_bytes();
        let first_at = |index: usize| digests.get(index * self.width..).map_or(0, first_bits);
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

impl Index {
    fn over(digests: &[u8], width: usize) -> Self {
        let count = digests.len() / width;
        let buckets = count / PER_BUCKET;
        let Ok(last) = u32::try_from(count) else { return Self::default() };
        if buckets < 2 {
            return Self::default();
        }
        let bits = buckets.ilog2();
        let mut starts = Vec::with_capacity((1 << bits) + 1);
        let mut filter = vec![0_u64; 1 << (bits + FILTERED - u64::BITS.ilog2())];
        for (start, digest) in (0..last).zip(digests.chunks_exact(width)) {
            let first = first_bits(digest);
            let bit = first >> (64 - bits - FILTERED);
            filter[(bit / 64) as usize] |= 1 << (bit % 64);
            let bucket = (first >> (64 - bits)) as usize;
            while starts.len() <= bucket {
                starts.push(start);
            }
        }
        starts.resize((1 << bits) + 1, last);
        Self { bits, starts: starts.into(), filter: filter.into() }
    }

    /// Returns the word of the filter that has the bit of a digest with these first bits, and which of its bits that is.
    #[inline]
    fn filter_bit(&self, first: u64) -> Option<(&u64, u64)> {
        let bit = first >> (64 - self.bits - FILTERED);
        Some((self.filter.get((bit / 64) as usize)?, bit % 64))
    }

    /// Returns the indices of the digests that have the first bits of `head`.
    #[inline]
    fn bucket(&self, head: u32) -> Option<Range<usize>> {
        let bucket = head.checked_shr(32 - self.bits)? as usize;
        Some(*self.starts.get(bucket)? as usize..*self.starts.get(bucket + 1)? as usize)
    }
}

/// Returns the first 64 bits; no known algorithm has fewer.
#[inline]
fn first_bits(digest: &[u8]) -> u64 {
    digest.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes))
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

#[cfg(test)]
mod tests {
    use super::*;
    use urlid::internal::sha1;

    fn check(digests: &[[u8; 20]]) {
        let set = Digests::sort(digests.concat(), 20);
        let mut expected = digests.to_vec();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(set.as_bytes(), expected.concat());
        for (index, digest) in expected.iter().enumerate() {
            assert_eq!(set.find(digest), Some(index));
            for change in [1, 0x80] {
                for offset in [0, 2, 19] {
                    let mut near = *digest;
                    near[offset] ^= change;
                    assert_eq!(set.find(&near), expected.binary_search(&near).ok());
                }
            }
        }
        assert_eq!(set.find(&[0; 16]), None);
        assert_eq!(set.find(&[0; 20]), expected.binary_search(&[0; 20]).ok());
        assert_eq!(set.find(&[255; 20]), expected.binary_search(&[255; 20]).ok());
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
        let digests = |bytes: [u8; 32]| Digests::from_sorted(Arc::new(bytes.to_vec()), 0..32, 16);
        let mut bytes = [0; 32];
        assert!(digests(bytes).is_none());
        bytes[31] = 1;
        assert!(digests(bytes).is_some());
        bytes[0] = 1;
        assert!(digests(bytes).is_none());
    }
}
