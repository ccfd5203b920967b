//! `url-hash-0.1`: the hashes of crate `url-hash` 0.1.0, which are SHA-384 truncated to 32, 16 and 8 bytes.

use alloc::string::String;

use crate::digest;
use crate::error::Error;
use crate::hex;
use crate::id::hash_traits;
use crate::url_hash::words;
use crate::web::Url;

/// The first 32 bytes of the SHA-384 digest of a URL's normal form.
///
/// `From<url::Url>` (feature `url`) hashes that value's text unchanged, like the crate, and so finds the
/// crate's stored hashes again. [`encode`](Self::encode) and `From<Url>` hash the normal form of this
/// library, which differs where the `url` crate deviates from the standard.
///
/// ```
/// use urlid::compat::CrateUrlHash;
///
/// let hash = CrateUrlHash::encode("https://doc.rust-lang.org/")?;
/// assert_eq!(hash.to_string().parse(), Ok(hash));
/// assert_ne!(hash.to_hex(), urlid::UrlHash::encode("https://doc.rust-lang.org/")?.to_hex());
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrateUrlHash([u8; 32]);

/// The first two words of a [`CrateUrlHash`]: 16 bytes.
///
/// ```
/// use urlid::compat::{CrateUrlHash, CrateUrlShortHash};
///
/// let hash = CrateUrlHash::encode("https://doc.rust-lang.org/")?;
/// assert!(hash.starts_with(&CrateUrlShortHash::encode("https://doc.rust-lang.org/")?));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrateUrlShortHash([u8; 16]);

/// The first word of a [`CrateUrlHash`]: 8 bytes.
///
/// ```
/// use urlid::compat::{CrateUrlHash, CrateUrlVeryShortHash};
///
/// let hash = CrateUrlHash::encode("https://doc.rust-lang.org/")?;
/// assert!(hash.starts_with_just(&CrateUrlVeryShortHash::encode("https://doc.rust-lang.org/")?));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrateUrlVeryShortHash([u8; 8]);

impl CrateUrlHash {
    /// Returns the hash of the unchanged text.
    pub(crate) fn of_text(text: &str) -> Self {
        // The published crate truncates a SHA-384 digest, although its specification uses SHA-256.
        let digest = digest::sha384(text.as_bytes());
        Self(core::array::from_fn(|index| digest[index]))
    }

    /// Parses `text` as a URL and returns its hash.
    ///
    /// # Errors
    /// [`Error`] if the text is not an absolute URL.
    pub fn encode(text: &str) -> Result<Self, Error> {
        Ok(Self::from(&Url::parse(text)?))
    }

    /// Returns the hash with these bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Reads 64 hexadecimal digits of either case.
    ///
    /// # Errors
    /// [`Error`] if the text has a different length or other characters.
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        words::parse_hex(text).map(Self)
    }

    /// Borrows the bytes in the order of their hex digits.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the 64 lower-case hexadecimal digits.
    pub fn to_hex(&self) -> String {
        hex::encode(&self.0)
    }

    /// Returns the first two words.
    pub fn short(&self) -> CrateUrlShortHash {
        CrateUrlShortHash(core::array::from_fn(|index| self.0[index]))
    }

    /// Returns the first word.
    pub fn very_short(&self) -> CrateUrlVeryShortHash {
        self.short().very_short()
    }

    /// Returns whether `short_hash` is the first two words.
    pub fn starts_with(&self, short_hash: &CrateUrlShortHash) -> bool {
        self.0.starts_with(&short_hash.0)
    }

    /// Returns whether `very_short_hash` is the first word.
    pub fn starts_with_just(&self, very_short_hash: &CrateUrlVeryShortHash) -> bool {
        self.0.starts_with(&very_short_hash.0)
    }
}

impl CrateUrlShortHash {
    /// Parses `text` as a URL and returns its short hash.
    ///
    /// # Errors
    /// [`Error`] if the text is not an absolute URL.
    pub fn encode(text: &str) -> Result<Self, Error> {
        Ok(Self::from(&Url::parse(text)?))
    }

    /// Returns the hash with these bytes.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Reads 32 hexadecimal digits of either case.
    ///
    /// # Errors
    /// [`Error`] if the text has a different length or other characters.
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        words::parse_hex(text).map(Self)
    }

    /// Borrows the bytes in the order of their hex digits.
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// Returns the 32 lower-case hexadecimal digits.
    pub fn to_hex(&self) -> String {
        hex::encode(&self.0)
    }

    /// Returns the first word.
    pub fn very_short(&self) -> CrateUrlVeryShortHash {
        CrateUrlVeryShortHash(core::array::from_fn(|index| self.0[index]))
    }

    /// Returns whether `very_short_hash` is the first word.
    pub fn starts_with(&self, very_short_hash: &CrateUrlVeryShortHash) -> bool {
        self.0.starts_with(&very_short_hash.0)
    }
}

impl CrateUrlVeryShortHash {
    /// Parses `text` as a URL and returns its very short hash.
    ///
    /// # Errors
    /// [`Error`] if the text is not an absolute URL.
    pub fn encode(text: &str) -> Result<Self, Error> {
        Ok(Self::from(&Url::parse(text)?))
    }

    /// Returns the hash with these bytes.
    pub fn from_bytes(bytes: [u8; 8]) -> Self {
        Self(bytes)
    }

    /// Reads 16 hexadecimal digits of either case.
    ///
    /// # Errors
    /// [`Error`] if the text has a different length or other characters.
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        words::parse_hex(text).map(Self)
    }

    /// Borrows the bytes in the order of their hex digits.
    pub fn as_bytes(&self) -> &[u8; 8] {
        &self.0
    }

    /// Returns the 16 lower-case hexadecimal digits.
    pub fn to_hex(&self) -> String {
        hex::encode(&self.0)
    }
}

impl From<&Url> for CrateUrlHash {
    fn from(url: &Url) -> Self {
        Self::of_text(url.as_str())
    }
}

impl From<&Url> for CrateUrlShortHash {
    fn from(url: &Url) -> Self {
        CrateUrlHash::from(url).short()
    }
}

impl From<&Url> for CrateUrlVeryShortHash {
    fn from(url: &Url) -> Self {
        CrateUrlHash::from(url).very_short()
    }
}

hash_traits!(CrateUrlHash, 32);
hash_traits!(CrateUrlShortHash, 16);
hash_traits!(CrateUrlVeryShortHash, 8);
