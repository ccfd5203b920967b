//! A set of digests as a binary fuse filter: it says of a few digests that are not in the set that they are.
//!
//! `xorf` makes the filter. It is read here, since fingerprints in a file are not aligned. A key is the first
//! 64 bits of a digest. A block is the seed (8 bytes), the length of a segment (4), the length of all
//! segments but two (4), and the fingerprints of all segments; numbers are little-endian.

use core::ops::Range;
use std::sync::Arc;

use super::bits::first_bits;
use urlid::internal::prefetch;
use xorf::{BinaryFuse8, BinaryFuse16};

/// The bytes before the fingerprints.
const HEAD: usize = 16;

/// How many bits a fingerprint has: one digest in 2^bits that is not in the set is found in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fingerprint {
    Bits8,
    Bits16,
}

impl Fingerprint {
    pub(super) fn of_bits(bits: u32) -> Option<Self> {
        match bits {
            8 => Some(Self::Bits8),
            16 => Some(Self::Bits16),
            _ => None,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Self::Bits8 => 1,
            Self::Bits16 => 2,
        }
    }
}

/// A binary fuse filter, in the file that it was read from.
#[derive(Clone)]
pub(super) struct Fuse {
    bytes: Arc<Vec<u8>>,
    range: Range<usize>,
    keys: u64,
    seed: u64,
    segment: u32,
    segments: u32,
    fingerprint: Fingerprint,
}

/// The fingerprints of a digest: that which it has, and the places whose fingerprints make it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Probes {
    expected: u16,
    offsets: [usize; 3],
}

/// Makes the block of a filter of keys, ascending and distinct; nothing if that fails, which does not happen
/// by chance.
pub(super) fn encode_fuse(keys: &[u64], fingerprint: Fingerprint) -> Option<Vec<u8>> {
    // `xorf` tries seeds in a fixed order, so equal keys make equal blocks.
    let (descriptor, fingerprints) = match fingerprint {
        Fingerprint::Bits8 => {
            let filter = BinaryFuse8::try_from(keys).ok()?;
            (filter.descriptor, filter.fingerprints.into_vec())
        }
        Fingerprint::Bits16 => {
            let filter = BinaryFuse16::try_from(keys).ok()?;
            let fingerprints = filter.fingerprints.iter().flat_map(|fingerprint| fingerprint.to_le_bytes());
            (filter.descriptor, fingerprints.collect())
        }
    };
    let mut block = descriptor.seed.to_le_bytes().to_vec();
    block.extend(descriptor.segment_length.to_le_bytes());
    block.extend(descriptor.segment_count_length.to_le_bytes());
    block.extend(fingerprints);
    Some(block)
}

impl Fuse {
    /// Takes the block of a filter that begins at a place in `bytes`; `None` if the bytes there are not one.
    pub(super) fn new(
        bytes: Arc<Vec<u8>>,
        start: usize,
        keys: u64,
        fingerprint: Fingerprint,
    ) -> Option<Self> {
        let head: &[u8; HEAD] = bytes.get(start..)?.first_chunk()?;
        let (numbers, _) = head[8..].as_chunks::<4>();
        let [segment, segments] = [0, 1].map(|index| u32::from_le_bytes(numbers[index]));
        let seed = head.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        // So that every probe is in its place: segments are powers of two, and there are whole ones.
        if !segment.is_power_of_two() || segments == 0 || !segments.is_multiple_of(segment) {
            return None;
        }
        let fingerprints = u64::from(segments) + 2 * u64::from(segment);
        let length =
            usize::try_from(fingerprints).ok()?.checked_mul(fingerprint.bytes())?.checked_add(HEAD)?;
        let range = start..start.checked_add(length)?;
        bytes.get(range.clone())?;
        // No filter can be built with fewer fingerprints than keys, so such a count is wrong.
        if keys == 0 || keys > fingerprints {
            return None;
        }
        Some(Self { bytes, range, keys, seed, segment, segments, fingerprint })
    }

    /// Returns how many keys the filter was made of.
    pub(super) fn len(&self) -> u64 {
        self.keys
    }

    /// Returns the bytes of the filter, as the compiled form has them.
    pub(super) fn block(&self) -> &[u8] {
        &self.bytes[self.range.clone()]
    }

    /// Returns the places at which a digest is looked up, and prefetches what is there.
    #[inline]
    pub(super) fn place(&self, digest: &[u8]) -> Probes {
        // The same steps as in `xorf`; docs/lists.md has them as the format.
        let hash = mix(first_bits(digest).wrapping_add(self.seed));
        // The upper half of the product is below `segments`, evenly spread, without a division.
        let first = ((u128::from(hash) * u128::from(self.segments)) >> 64) as u32;
        // A place in each of three neighbouring segments; the sums are less than all fingerprints, checked
        // when read.
        let (second, third) =
            (u64::from(first) + u64::from(self.segment), u64::from(first) + 2 * u64::from(self.segment));
        // Segments are powers of two and begin at multiples of their length, so an exclusive or with fewer
        // bits stays in the segment.
        let mask = u64::from(self.segment - 1);
        let places = [u64::from(first), second ^ (hash >> 18 & mask), third ^ (hash & mask)];
        let start = self.range.start + HEAD;
        let offsets = places.map(|place| start + place as usize * self.fingerprint.bytes());
        for offset in offsets {
            if let Some(byte) = self.bytes.get(offset) {
                prefetch(byte);
            }
        }
        Probes { expected: (hash ^ hash >> 32) as u16, offsets }
    }

    /// Returns whether the filter has a digest that was placed.
    #[inline]
    pub(super) fn is_at(&self, probes: &Probes) -> bool {
        let byte = |offset: usize| u16::from(self.bytes.get(offset).copied().unwrap_or(0));
        let sum = probes.offsets.iter().fold(probes.expected, |sum, &offset| match self.fingerprint {
            Fingerprint::Bits8 => sum ^ byte(offset),
            Fingerprint::Bits16 => sum ^ byte(offset) ^ byte(offset + 1) << 8,
        });
        match self.fingerprint {
            Fingerprint::Bits8 => sum & 0xff == 0,
            Fingerprint::Bits16 => sum == 0,
        }
    }
}

/// The finalisation of MurmurHash3.
fn mix(mut number: u64) -> u64 {
    number = (number ^ number >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    number = (number ^ number >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    number ^ number >> 33
}
