//! `url-hash-0.1`: what crate `url-hash` 0.1.0 emits, which is SHA-384 cut to 32, 16 and 8 bytes.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use crate::digest;
use crate::hex;
use crate::id::id_traits;
use crate::url_hash::{ParseHashError, words};
use crate::web::{ParseError, Url};

/// The first 32 bytes of the SHA-384 digest of a URL's normal form.
///
/// `From<url::Url>` (feature `url`) hashes the text of that value as it stands, as the crate does, so that its stored hashes
/// are found again. [`encode`](Self::encode) and `From<Url>` hash the normal form of this library, which differs where the
/// `url` crate leaves the standard.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrateUrlHash([u8; 32]);

/// The first two words of a [`CrateUrlHash`]: 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrateUrlShortHash([u8; 16]);

/// The first word of a [`CrateUrlHash`]: 8 bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrateUrlVeryShortHash([u8; 8]);

impl CrateUrlHash {
    /// Returns the hash of a text as it stands.
    pub(crate) fn of_text(text: &str) -> Self {
        let digest = digest::sha384(text.as_bytes());
        Self(core::array::from_fn(|index| digest[index]))
    }

    /// Returns the first two words.
    pub fn short(&self) -> CrateUrlShortHash {
        CrateUrlShortHash(core::array::from_fn(|index| self.0[index]))
    }

    /// Returns the first word.
    pub fn very_short(&self) -> CrateUrlVeryShortHash {
        self.short().very_short()
    }

    /// Returns whether the first two words are those of `short_hash`.
    pub fn starts_with(&self, short_hash: &CrateUrlShortHash) -> bool {
        self.0.starts_with(&short_hash.0)
    }

    /// Returns whether the first word is that of `very_short_hash`.
    pub fn starts_with_just(&self, very_short_hash: &CrateUrlVeryShortHash) -> bool {
        self.0.starts_with(&very_short_hash.0)
    }
}

impl CrateUrlShortHash {
    /// Returns the first word.
    pub fn very_short(&self) -> CrateUrlVeryShortHash {
        CrateUrlVeryShortHash(core::array::from_fn(|index| self.0[index]))
    }

    /// Returns whether the first word is that of `very_short_hash`.
    pub fn starts_with(&self, very_short_hash: &CrateUrlVeryShortHash) -> bool {
        self.0.starts_with(&very_short_hash.0)
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

/// Implements what the three forms have in common, for a tuple struct of one array of bytes.
macro_rules! forms {
    ($($hash:ident, $length:literal;)*) => {$(
        impl $hash {
            /// Returns the hash of the URL that `text` is.
            ///
            /// # Errors
            /// [`ParseError`] if the text is no absolute URL.
            pub fn encode(text: &str) -> Result<Self, ParseError> {
                Ok(Self::from(&Url::parse(text)?))
            }

            /// Returns the hash with these bytes.
            pub fn from_bytes(bytes: [u8; $length]) -> Self {
                Self(bytes)
            }

            /// Reads two hexadecimal digits of either case for each byte.
            ///
            /// # Errors
            /// [`ParseHashError`] if the text is anything else.
            pub fn from_hex(text: &str) -> Result<Self, ParseHashError> {
                words::parse_hex(text).map(Self)
            }

            /// Returns the bytes.
            pub fn as_bytes(&self) -> &[u8; $length] {
                &self.0
            }

            /// Returns the lower-case hexadecimal digits.
            pub fn to_hex(&self) -> String {
                hex::encode(&self.0)
            }
        }

        id_traits!($hash, $length);

        impl From<Url> for $hash {
            fn from(url: Url) -> Self {
                Self::from(&url)
            }
        }

        impl fmt::Display for $hash {
            /// Writes the words in decimal, joined by `-`, as the crate does.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                words::write_words(&self.0, f)
            }
        }

        impl fmt::Debug for $hash {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($hash), self.to_hex())
            }
        }

        impl FromStr for $hash {
            type Err = ParseHashError;

            /// Reads decimal words joined by `-`, the form that `Display` writes.
            fn from_str(text: &str) -> Result<Self, ParseHashError> {
                words::parse(text).map(Self)
            }
        }
    )*};
}

forms! {
    CrateUrlHash, 32;
    CrateUrlShortHash, 16;
    CrateUrlVeryShortHash, 8;
}
