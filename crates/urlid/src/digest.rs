//! The only doors to the hash crates.
//!
//! Layer 0. Gives digests of byte strings; what is hashed, and which bits are kept, is told by those who call.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// Returns the SHA-256 digest of the pieces, one after the other.
pub(crate) fn sha256(pieces: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    pieces.iter().for_each(|piece| hasher.update(piece));
    hasher.finalize().into()
}

/// Returns the SHA-384 digest.
pub(crate) fn sha384(bytes: &[u8]) -> [u8; 48] {
    sha2::Sha384::digest(bytes).into()
}

/// Returns the SHA-512 digest.
pub(crate) fn sha512(bytes: &[u8]) -> [u8; 64] {
    sha2::Sha512::digest(bytes).into()
}

/// Returns the SHA-1 digest.
pub(crate) fn sha1(bytes: &[u8]) -> [u8; 20] {
    sha1::Sha1::digest(bytes).into()
}

/// Returns the MD5 digest.
pub(crate) fn md5(bytes: &[u8]) -> [u8; 16] {
    md5::Md5::digest(bytes).into()
}

/// Returns the BLAKE3 digest.
pub(crate) fn blake3(bytes: &[u8]) -> [u8; 32] {
    *blake3::hash(bytes).as_bytes()
}

/// A key that is ready for HMAC-SHA-256 (RFC 2104).
#[derive(Clone)]
pub(crate) struct HmacKey(Hmac<Sha256>);

impl HmacKey {
    /// Takes a key of any length.
    pub(crate) fn new(key: &[u8]) -> Self {
        Self(Hmac::new_from_slice(key).expect("HMAC takes keys of any length"))
    }

    /// Returns the HMAC-SHA-256 of `bytes`.
    pub(crate) fn hmac(&self, bytes: &[u8]) -> [u8; 32] {
        let mut mac = self.0.clone();
        mac.update(bytes);
        mac.finalize().into_bytes().into()
    }
}
