//! The digest that a text is known by where many texts are compared.

/// Returns the first half of the BLAKE3 digest of a text. That two of a billion texts share it has a chance of 1 to 10²⁰, and nobody
/// can make two that do.
pub(crate) fn digest(text: &str) -> u128 {
    let digest = blake3::hash(text.as_bytes());
    digest.as_bytes().first_chunk().map_or(0, |half| u128::from_le_bytes(*half))
}
