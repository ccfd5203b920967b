//! SHA-2, the hash functions that every build has.
//!
//! The callers define which bytes are hashed and which bits are kept. Other hash functions are in
//! `hashed_uri::digests`.

use sha2::{Digest, Sha256, Sha384, Sha512};

/// Returns the SHA-256 digest of the concatenated pieces.
#[inline]
pub fn sha256(pieces: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    pieces.iter().for_each(|piece| hasher.update(piece));
    hasher.finalize().into()
}

/// A SHA-256 digest over pieces that arrive one after the other.
#[derive(Default)]
pub struct Sha256Stream(Sha256);

impl Sha256Stream {
    /// Appends a piece.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// Returns the digest of all pieces.
    pub fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

pub(crate) fn sha384(bytes: &[u8]) -> [u8; 48] {
    Sha384::digest(bytes).into()
}

pub(crate) fn sha512(bytes: &[u8]) -> [u8; 64] {
    Sha512::digest(bytes).into()
}
