//! `UrlShortHash` and `UrlVeryShortHash`: the first 16 and the first 8 bytes (url-hash, "Short Forms").

use alloc::string::String;

use super::UrlHash;
use super::words;
use crate::error::Error;
use crate::hex;
use crate::id::hash_traits;
use crate::web::Url;

/// The first two words of a [`UrlHash`]: 16 bytes.
///
/// ```
/// use urlid::url_hash::{UrlHash, UrlShortHash};
///
/// let short = UrlShortHash::encode("https://example.com/")?;
/// assert!(UrlHash::encode("https://example.com/")?.starts_with(&short));
/// assert_eq!(UrlShortHash::from_hex(&short.to_hex()), Ok(short));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlShortHash([u8; 16]);

/// The first word of a [`UrlHash`]: 8 bytes.
///
/// ```
/// use urlid::url_hash::UrlVeryShortHash;
///
/// let hash = UrlVeryShortHash::encode("https://example.com/")?;
/// assert_eq!(hash.to_string(), hash.word().to_string());
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlVeryShortHash([u8; 8]);

impl UrlHash {
    /// Returns the first two words.
    pub fn short(&self) -> UrlShortHash {
        UrlShortHash(core::array::from_fn(|index| self.as_bytes()[index]))
    }

    /// Returns the first word.
    pub fn very_short(&self) -> UrlVeryShortHash {
        UrlVeryShortHash(core::array::from_fn(|index| self.as_bytes()[index]))
    }

    /// Returns whether `short` is the first two words.
    pub fn starts_with(&self, short: &UrlShortHash) -> bool {
        self.as_bytes().starts_with(&short.0)
    }

    /// Returns whether `very_short` is the first word.
    pub fn starts_with_just(&self, very_short: &UrlVeryShortHash) -> bool {
        self.as_bytes().starts_with(&very_short.0)
    }
}

impl UrlShortHash {
    /// Parses `text` as a URL and returns its short hash.
    ///
    /// # Errors
    /// [`Error`] if the text is not an absolute URL.
    pub fn encode(text: &str) -> Result<Self, Error> {
        Ok(UrlHash::encode(text)?.short())
    }

    /// Returns the short hash with these bytes.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Returns the short hash with these words.
    pub fn from_words(words: [u64; 2]) -> Self {
        Self(words::bytes_of(&words))
    }

    /// Reads 32 hexadecimal digits of either case.
    ///
    /// # Errors
    /// [`Error`] if the text has a different length or other characters.
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        words::parse_hex(text).map(Self)
    }

    /// Borrows the bytes in the order of the hash, which differs from the byte order in the printed words.
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// Returns the bytes in the order of the hash, which differs from the byte order in the printed words.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// Returns the two words.
    pub fn words(&self) -> [u64; 2] {
        let mut words = words::words(&self.0);
        core::array::from_fn(|_| words.next().unwrap_or_default())
    }

    /// Returns the 32 lower-case hexadecimal digits.
    pub fn to_hex(&self) -> String {
        hex::encode(&self.0)
    }

    /// Returns the first word.
    pub fn very_short(&self) -> UrlVeryShortHash {
        UrlVeryShortHash(core::array::from_fn(|index| self.0[index]))
    }

    /// Returns whether `very_short` is the first word.
    pub fn starts_with(&self, very_short: &UrlVeryShortHash) -> bool {
        self.0.starts_with(&very_short.0)
    }
}

impl UrlVeryShortHash {
    /// Returns the word as a signed number in two's complement, which databases have as a type.
    ///
    /// ```
    /// use urlid::url_hash::UrlVeryShortHash;
    ///
    /// let hash = UrlVeryShortHash::from_hex("ffffffffffffffff")?;
    /// assert_eq!(hash.to_i64(), -1);
    /// # Ok::<(), urlid::Error>(())
    /// ```
    pub fn to_i64(self) -> i64 {
        i64::from_le_bytes(self.0)
    }

    /// Parses `text` as a URL and returns its very short hash.
    ///
    /// # Errors
    /// [`Error`] if the text is not an absolute URL.
    pub fn encode(text: &str) -> Result<Self, Error> {
        Ok(UrlHash::encode(text)?.very_short())
    }

    /// Returns the very short hash with these bytes.
    pub fn from_bytes(bytes: [u8; 8]) -> Self {
        Self(bytes)
    }

    /// Returns the very short hash with this word, for example from an integer column.
    ///
    /// ```
    /// use urlid::url_hash::UrlVeryShortHash;
    ///
    /// let hash = UrlVeryShortHash::encode("https://docs.rs/")?;
    /// assert_eq!(UrlVeryShortHash::from_word(hash.word()), hash);
    /// # Ok::<(), urlid::Error>(())
    /// ```
    pub fn from_word(word: u64) -> Self {
        Self(word.to_le_bytes())
    }

    /// Reads 16 hexadecimal digits of either case.
    ///
    /// # Errors
    /// [`Error`] if the text has a different length or other characters.
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        words::parse_hex(text).map(Self)
    }

    /// Borrows the bytes in the order of the hash, which differs from the byte order in the printed word.
    pub fn as_bytes(&self) -> &[u8; 8] {
        &self.0
    }

    /// Returns the bytes in the order of the hash, which differs from the byte order in the printed word.
    pub fn to_bytes(self) -> [u8; 8] {
        self.0
    }

    /// Returns the word, that is, the 8 bytes read as little-endian.
    pub fn word(&self) -> u64 {
        u64::from_le_bytes(self.0)
    }

    /// Returns the 16 lower-case hexadecimal digits.
    pub fn to_hex(&self) -> String {
        hex::encode(&self.0)
    }
}

impl From<UrlHash> for UrlShortHash {
    fn from(hash: UrlHash) -> Self {
        hash.short()
    }
}

impl From<UrlHash> for UrlVeryShortHash {
    fn from(hash: UrlHash) -> Self {
        hash.very_short()
    }
}

impl From<UrlShortHash> for UrlVeryShortHash {
    fn from(hash: UrlShortHash) -> Self {
        hash.very_short()
    }
}

impl From<&Url> for UrlShortHash {
    fn from(url: &Url) -> Self {
        UrlHash::from(url).short()
    }
}

impl From<&Url> for UrlVeryShortHash {
    fn from(url: &Url) -> Self {
        UrlHash::from(url).very_short()
    }
}

hash_traits!(UrlShortHash, 16);
hash_traits!(UrlVeryShortHash, 8);
