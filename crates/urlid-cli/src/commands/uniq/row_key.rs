//! The keys of rows that are sorted by a digest.

use urlid_store::sort::{Digest, Key};

/// Where `kind` is in a key.
const KIND: usize = size_of::<Digest>();
const PLACE: usize = KIND + 1;

/// The key of a row, ordered by the digest, then by the kind, then by the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowKey {
    pub(super) digest: Digest,
    pub(super) kind: u8,
    /// The number of its line.
    pub(super) place: u64,
}

impl RowKey {
    /// Returns the key of a row that is sorted by its place alone.
    pub(super) fn of_place(place: u64) -> Self {
        RowKey { digest: 0, kind: 0, place }
    }

    pub(super) fn to_key(self) -> Key {
        let mut key = [0; 32];
        key[..KIND].copy_from_slice(&self.digest.to_le_bytes());
        key[KIND] = self.kind;
        key[PLACE..PLACE + 8].copy_from_slice(&self.place.to_be_bytes());
        key
    }

    pub(super) fn of(key: &Key) -> Self {
        RowKey {
            digest: key.first_chunk().map_or(0, |digest| Digest::from_le_bytes(*digest)),
            kind: key[KIND],
            place: key[PLACE..PLACE + 8].try_into().map_or(0, u64::from_be_bytes),
        }
    }
}
