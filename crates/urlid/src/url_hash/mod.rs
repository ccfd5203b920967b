//! url-hash: SHA-256 of a URL's WHATWG normal form, and its short forms.
//!
//! Only a [`Url`] can be hashed, so the hashed text is always in normal form. The published crate uses
//! SHA-384, and [`compat`](crate::compat) has its hashes.
//!
//! The specification's example, with the short forms:
//!
//! ```
//! use urlid::url_hash::UrlHash;
//! use urlid::web::Url;
//!
//! let url = Url::parse("https://doc.rust-lang.org/").unwrap();
//! let hash = UrlHash::from(url);
//!
//! let short = hash.short();
//! assert!(hash.starts_with(&short));
//!
//! let very_short = hash.very_short();
//! assert!(short.starts_with(&very_short));
//! assert!(hash.starts_with_just(&very_short));
//!
//! assert_eq!(very_short, hash.very_short());
//! ```
//!
//! The four words are the digest's bytes read in little-endian order:
//!
//! ```
//! # let hash = urlid::url_hash::UrlHash::encode("https://doc.rust-lang.org/").unwrap();
//! # let digest_bytes = || *hash.as_bytes();
//! let bytes: [u8; 32] = digest_bytes();
//!
//! let value_1 = u64::from_le_bytes(bytes[0..8].try_into().unwrap());
//! let value_2 = u64::from_le_bytes(bytes[8..16].try_into().unwrap());
//! let value_3 = u64::from_le_bytes(bytes[16..24].try_into().unwrap());
//! let value_4 = u64::from_le_bytes(bytes[24..32].try_into().unwrap());
//! # assert_eq!(hash.words(), [value_1, value_2, value_3, value_4]);
//! ```

mod short;
pub(crate) mod words;

use alloc::string::String;

use crate::error::Error;
use crate::id::hash_traits;
use crate::web::Url;
use crate::{digest, hex};

pub use short::{UrlShortHash, UrlVeryShortHash};

/// The SHA-256 digest of a URL's normal form: 32 bytes, or four little-endian words.
///
/// Displays as the four words in decimal, joined by `-`. [`to_hex`](Self::to_hex) returns the digits of the
/// digest, which differ from the digits of the words. Hashes are ordered by their bytes.
///
/// ```
/// use urlid::{Url, UrlHash};
///
/// let hash = UrlHash::encode("HTTPS://Example.com")?;
/// assert_eq!(hash, UrlHash::from(&Url::parse("https://example.com/")?));
/// assert_eq!(hash.to_string().parse(), Ok(hash));
/// assert_eq!(UrlHash::from_words(hash.words()), hash);
/// assert!(hash.starts_with(&hash.short()));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlHash([u8; 32]);

impl UrlHash {
    /// Returns the hash of a text that is already in normal form.
    pub(crate) fn of_normal_text(text: &str) -> Self {
        Self(digest::sha256(&[text.as_bytes()]))
    }

    /// Parses `text` as a URL and returns its hash.
    ///
    /// # Errors
    /// [`Error`] if the text is not an absolute URL.
    pub fn encode(text: &str) -> Result<Self, Error> {
        Ok(Self::from(&Url::parse(text)?))
    }

    /// Returns the hash with these digest bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the hash with these words.
    pub fn from_words(words: [u64; 4]) -> Self {
        Self(words::bytes_of(&words))
    }

    /// Reads 64 hexadecimal digits of either case.
    ///
    /// # Errors
    /// [`Error`] if the text has a different length or other characters.
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        words::parse_hex(text).map(Self)
    }

    /// Returns the digest bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the digest bytes.
    pub fn to_bytes(self) -> [u8; 32] {
        self.0
    }

    /// Returns the four words.
    pub fn words(&self) -> [u64; 4] {
        let mut words = words::words(&self.0);
        core::array::from_fn(|_| words.next().unwrap_or_default())
    }

    /// Returns the 64 lower-case hexadecimal digits of the digest.
    pub fn to_hex(&self) -> String {
        hex::encode(&self.0)
    }
}

impl From<&Url> for UrlHash {
    fn from(url: &Url) -> Self {
        Self::of_normal_text(url.as_str())
    }
}

hash_traits!(UrlHash, 32);
