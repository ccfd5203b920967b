//! The digest that a text is known by.

use crate::sort::Digest;
use urlid::Error;
use urlid_canonical::{Canonicalizer, Form};

use crate::seen::error::EMPTY_FORM;
use crate::seen::key::Key;

/// Returns the first half of the BLAKE3 digest of a text. That two of a billion texts share it has a chance of 1 to 10²⁰, and nobody
/// can make two that do.
#[must_use]
pub fn digest(text: &str) -> Digest {
    let digest = blake3::hash(text.as_bytes());
    digest.as_bytes().first_chunk().map_or(0, |half| Digest::from_le_bytes(*half))
}

/// Makes the digests of the canonical forms of texts.
#[derive(Debug)]
pub struct Digester<'f> {
    canonicalizer: Canonicalizer<'f>,
    /// The form that is being made; used again.
    canonical: String,
}

impl<'f> Digester<'f> {
    /// Begins to make digests of a form.
    #[must_use]
    pub fn new(form: &'f Form) -> Self {
        Self { canonicalizer: form.canonicalizer(), canonical: String::new() }
    }

    /// Returns the digest of the canonical form of a text.
    ///
    /// # Errors
    /// If the text has no canonical form, or an empty one.
    pub fn digest(&mut self, text: &str) -> Result<Digest, Error> {
        self.canonical.clear();
        self.canonicalizer.canonicalize_into(text, &mut self.canonical)?;
        match self.canonical.is_empty() {
            true => Err(EMPTY_FORM.error()),
            false => Ok(digest(&self.canonical)),
        }
    }

    /// Returns the key of a text in a set of digests.
    ///
    /// # Errors
    /// As [`digest`](Self::digest).
    pub fn key(&mut self, text: &str) -> Result<Key, Error> {
        self.digest(text).map(Key::from)
    }
}

impl From<Digest> for Key {
    fn from(digest: Digest) -> Self {
        // `digest` reads the bytes in the same order, so a key has them as BLAKE3 gives them, on every machine.
        Self::padded(&digest.to_le_bytes())
    }
}
