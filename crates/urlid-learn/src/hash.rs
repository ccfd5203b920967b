//! 64-bit hashes of values that are compared within one registered domain: parts of URLs and digests.
//!
//! An attacker does not profit from a collision, because it joins pages of the attacker's own domain. By
//! chance, a million URLs contain a collision with a probability of a millionth.

use std::hash::{DefaultHasher, Hasher};

/// Returns the hash of bytes.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    // There is no random key, so that the same captures give the same file.
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// Returns the hash of a sequence that ends in `next`. `before` is the hash of all earlier elements.
pub(crate) fn then(before: u64, next: u64) -> u64 {
    // This is a folded multiplication: the high half depends on all bits of both factors. The constants are
    // digits of pi.
    let product = u128::from(before ^ 0x243f_6a88_85a3_08d3) * u128::from(next ^ 0x1319_8a2e_0370_7344);
    (product as u64) ^ ((product >> 64) as u64).rotate_left(23)
}
