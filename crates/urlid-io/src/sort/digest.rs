//! The digest that a text is known by.

use std::hash::Hasher;

/// The digest that a text is known by: two texts with the same digest are one. It is that of a cryptographic hash, also because
/// tables take it for their hash.
pub type Digest = u128;

/// A digest is its own hash.
#[derive(Default)]
pub(crate) struct OfDigest(u64);

impl Hasher for OfDigest {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.first_chunk().map_or(0, |head| u64::from_ne_bytes(*head));
    }

    fn write_u128(&mut self, digest: u128) {
        self.0 = digest as u64;
    }
}
