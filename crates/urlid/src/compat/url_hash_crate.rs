//! `url-hash-0.1`: what crate `url-hash` 0.1.0 emits, which is SHA-384 cut to 32 bytes (docs/spec/url-hash.md, U-2).

use std::fmt;
use std::str::FromStr;

use crate::digest;
use crate::hex;
use crate::id::id_traits;
use crate::url_hash::{ParseHashError, words};
use crate::web::{ParseError, Url};

/// The first 32 bytes of the SHA-384 digest of a URL's normal form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrateUrlHash([u8; 32]);

impl CrateUrlHash {
    /// Returns the hash of the URL that `text` is.
    ///
    /// # Errors
    /// [`ParseError`] if the text is no absolute URL.
    pub fn encode(text: &str) -> Result<Self, ParseError> {
        Ok(Self::from(&Url::parse(text)?))
    }

    /// Reads 64 hexadecimal digits of either case.
    ///
    /// # Errors
    /// [`ParseHashError`] if the text is anything else.
    pub fn from_hex(text: &str) -> Result<Self, ParseHashError> {
        words::parse_hex(text).map(Self)
    }

    /// Returns the bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the 64 lower-case hexadecimal digits.
    pub fn to_hex(&self) -> String {
        hex::encode(&self.0)
    }
}

id_traits!(CrateUrlHash, 32);

impl From<&Url> for CrateUrlHash {
    fn from(url: &Url) -> Self {
        let digest = digest::sha384(url.as_str().as_bytes());
        Self(core::array::from_fn(|index| digest[index]))
    }
}

impl fmt::Display for CrateUrlHash {
    /// Writes the four words in decimal, joined by `-`, as the crate does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        words::write_words(&self.0, f)
    }
}

impl fmt::Debug for CrateUrlHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CrateUrlHash({})", self.to_hex())
    }
}

impl FromStr for CrateUrlHash {
    type Err = ParseHashError;

    /// Reads four decimal words, the form that `Display` writes.
    fn from_str(text: &str) -> Result<Self, ParseHashError> {
        words::parse(text).map(Self)
    }
}
