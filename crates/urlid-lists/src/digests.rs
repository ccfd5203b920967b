//! A set of digests of one algorithm, in either form in which it is looked up: as they are, or packed.

use super::bits::first_bits;
use super::elias_fano::encode_records;
use super::packed::{Packed, PackedCursor};
use super::plain::{Plain, PlainPlace};
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};
use core::ops::Range;
use urlid::hashed_uri::Digest;

#[derive(Clone)]
pub(super) enum Digests {
    Plain(Plain),
    Packed(Packed),
}

/// Where a digest is, if it is there.
#[derive(Clone, Debug, Default)]
pub(super) enum DigestPlace {
    #[default]
    Nowhere,
    Plain(PlainPlace),
    Packed(Range<usize>),
}

impl Digests {
    /// Returns the number of digests.
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Plain(digests) => digests.len() as u64,
            Self::Packed(digests) => digests.len() as u64,
        }
    }

    /// Returns the length of the digests in bytes.
    pub(super) fn width(&self) -> usize {
        match self {
            Self::Plain(digests) => digests.width(),
            Self::Packed(digests) => digests.width(),
        }
    }

    /// Returns whether a digest, of which the first bytes count, is in the set.
    pub(super) fn has(&self, digest: &[u8]) -> bool {
        self.may_have(digest) && self.is_at(&self.place(digest), digest)
    }

    /// Prefetches the word that [`may_have`](Self::may_have) reads.
    #[inline]
    pub(super) fn prefetch(&self, digest: &[u8]) {
        match self {
            Self::Plain(digests) => digests.filter().prefetch(first_bits(digest)),
            Self::Packed(digests) => digests.filter().prefetch(first_bits(digest)),
        }
    }

    /// Returns whether a digest may be in the set: `false` for most that are not.
    #[inline]
    pub(super) fn may_have(&self, digest: &[u8]) -> bool {
        match self {
            Self::Plain(digests) => digests.filter().may_have(first_bits(digest)),
            Self::Packed(digests) => digests.filter().may_have(first_bits(digest)),
        }
    }

    /// Returns the place of a digest, and prefetches what is there.
    #[inline]
    pub(super) fn place(&self, digest: &[u8]) -> DigestPlace {
        match self {
            Self::Plain(digests) => DigestPlace::Plain(digests.place(digest)),
            Self::Packed(digests) => DigestPlace::Packed(digests.place(digest)),
        }
    }

    #[inline]
    pub(super) fn is_at(&self, place: &DigestPlace, digest: &[u8]) -> bool {
        match (self, place) {
            (Self::Plain(digests), DigestPlace::Plain(place)) => digests.is_at(place, digest),
            (Self::Packed(digests), DigestPlace::Packed(place)) => digests.is_at(place, digest),
            _ => false,
        }
    }

    /// Returns the digests one after the other.
    pub(super) fn cursor(&self) -> Cursor<'_> {
        match self {
            Self::Plain(digests) => Cursor::Plain(digests.as_bytes(), digests.width()),
            Self::Packed(digests) => Cursor::Packed(digests, Box::new(PackedCursor::new(digests))),
        }
    }

    /// Returns the digests cut to a length, one after the other; nothing if they are shorter.
    pub(super) fn cut(&self, width: usize) -> Option<Vec<u8>> {
        if self.width() < width {
            return None;
        }
        let mut records = Vec::with_capacity(self.len() as usize * width);
        let mut cursor = self.cursor();
        while let Some(digest) = cursor.next() {
            let start = records.len().saturating_sub(width);
            // Digests that begin alike are neighbours.
            if records[start..] != digest[..width] {
                records.extend_from_slice(&digest[..width]);
            }
        }
        Some(records)
    }

    /// Returns the block of the compiled form.
    pub(super) fn block(&self) -> std::borrow::Cow<'_, [u8]> {
        match self {
            Self::Plain(digests) => encode_records(digests.as_bytes(), digests.width()).into(),
            Self::Packed(digests) => digests.block().into(),
        }
    }
}

/// The digests of a set, one after the other.
#[derive(Clone)]
pub(super) enum Cursor<'d> {
    Plain(&'d [u8], usize),
    Packed(&'d Packed, Box<PackedCursor>),
}

/// The bytes of a digest: those in a list, or those that were put together.
#[derive(Clone, Copy, Debug)]
pub(super) enum DigestBytes<'d> {
    Listed(&'d [u8]),
    Copied(Digest),
}

impl DigestBytes<'_> {
    /// Copies the bytes of a digest, of which there are at least 1 and at most 64.
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

impl<'d> Cursor<'d> {
    /// Returns the next digest, to keep.
    pub(super) fn advance(&mut self) -> Option<DigestBytes<'d>> {
        match self {
            Self::Plain(rest, width) => {
                let (digest, after) = rest.split_at_checked(*width)?;
                *rest = after;
                Some(DigestBytes::Listed(digest))
            }
            Self::Packed(digests, cursor) => cursor.next(digests).map(DigestBytes::copied),
        }
    }

    /// Returns the next digest.
    pub(super) fn next(&mut self) -> Option<&[u8]> {
        match self {
            Self::Plain(rest, width) => {
                let (digest, after) = rest.split_at_checked(*width)?;
                *rest = after;
                Some(digest)
            }
            Self::Packed(digests, cursor) => cursor.next(digests),
        }
    }
}
