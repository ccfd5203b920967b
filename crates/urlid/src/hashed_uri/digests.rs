//! The hash functions that only hashed URIs use: MD5, SHA-1, BLAKE3 and HMAC.

use hmac::{Hmac, KeyInit, Mac};
use md5::Digest;
use sha2::Sha256;

/// Returns the SHA-1 digest.
///
/// The function does its own padding (FIPS 180-1, section 4). For texts as short as URLs, the crate's buffer
/// costs as much as a block.
pub fn sha1(bytes: &[u8]) -> [u8; 20] {
    const LENGTH: usize = size_of::<u64>();
    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    let (blocks, rest) = bytes.as_chunks::<64>();
    sha1::block_api::compress(&mut state, blocks);
    let mut last = [[0; 64]; 2];
    // The rest of the text, the marker 0x80 and the length in bits fit into one block, or else into two.
    let count = if rest.len() < 64 - LENGTH { 1 } else { 2 };
    last[0][..rest.len()].copy_from_slice(rest);
    last[0][rest.len()] = 0x80;
    last[count - 1][64 - LENGTH..].copy_from_slice(&(bytes.len() as u64 * 8).to_be_bytes());
    sha1::block_api::compress(&mut state, &last[..count]);
    let mut digest = [0; 20];
    for (bytes, word) in digest.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

pub(crate) fn md5(bytes: &[u8]) -> [u8; 16] {
    md5::Md5::digest(bytes).into()
}

pub(crate) fn blake3(bytes: &[u8]) -> [u8; 32] {
    *blake3::hash(bytes).as_bytes()
}

/// A key that is ready for HMAC-SHA-256 (RFC 2104).
#[derive(Clone)]
pub(crate) struct HmacKey(Hmac<Sha256>);

impl HmacKey {
    /// Accepts a key of any length.
    pub(crate) fn new(key: &[u8]) -> Self {
        Self(Hmac::new_from_slice(key).expect("HMAC takes keys of any length"))
    }

    pub(crate) fn hmac(&self, bytes: &[u8]) -> [u8; 32] {
        let mut mac = self.0.clone();
        mac.update(bytes);
        mac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha1_pads_like_the_crate_at_every_length() {
        let bytes: Vec<u8> = (0..300).map(|n| n as u8).collect();
        for length in 0..bytes.len() {
            let expected: [u8; 20] = sha1::Sha1::digest(&bytes[..length]).into();
            assert_eq!(sha1(&bytes[..length]), expected, "{length}");
        }
    }
}
