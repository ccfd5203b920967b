//! Digests of canonical texts (draft, section 4.3, step 3).
//!
//! Takes [`Canonical`] texts alone, so nothing else is hashed. A keyed digest needs a [`Key`].

use alloc::vec::Vec;
use core::fmt;

use super::algorithm::Algorithm;
use super::canonical::Canonical;
use super::digests::{self, HmacKey};
use crate::digest;
use crate::error_code::{Coded, ErrorCode};
use crate::excerpt::Excerpt;
use crate::hex;

/// The longest digest in bytes.
const LONGEST: usize = 64;

/// The digest of a canonical text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest {
    bytes: [u8; LONGEST],
    length: u8,
}

impl Digest {
    /// Keeps a digest of an algorithm that has one of at most 64 bytes, as all have.
    fn of(digest: &[u8]) -> Self {
        let mut bytes = [0; LONGEST];
        bytes[..digest.len()].copy_from_slice(digest);
        Self { bytes, length: digest.len() as u8 }
    }

    /// Returns the bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({})", hex::encode(self.as_bytes()))
    }
}

/// An algorithm that can be computed: a known one, with its key if it needs one.
#[derive(Clone)]
pub struct Hasher(Kind);

#[derive(Clone)]
enum Kind {
    Md5,
    Sha1,
    XSha256,
    XSha384,
    XSha512,
    XBlake3,
    XHmacSha256(HmacKey),
}

impl Hasher {
    /// Returns the hasher of `algorithm`; the key counts for keyed algorithms only.
    ///
    /// # Errors
    /// [`HasherError`] if the algorithm is not known, or needs a key and none is given.
    pub fn new(algorithm: &Algorithm, key: Option<&Key>) -> Result<Self, HasherError> {
        Ok(Self(match algorithm {
            Algorithm::Md5 => Kind::Md5,
            Algorithm::Sha1 => Kind::Sha1,
            Algorithm::XSha256 => Kind::XSha256,
            Algorithm::XSha384 => Kind::XSha384,
            Algorithm::XSha512 => Kind::XSha512,
            Algorithm::XBlake3 => Kind::XBlake3,
            Algorithm::XHmacSha256 => Kind::XHmacSha256(key.ok_or(HasherError::KeyMissing)?.0.clone()),
            Algorithm::Private(_) => {
                return Err(HasherError::NotKnown { algorithm: Excerpt::of(algorithm.name()) });
            }
        }))
    }

    /// Returns the algorithm.
    pub fn algorithm(&self) -> Algorithm {
        match self.0 {
            Kind::Md5 => Algorithm::Md5,
            Kind::Sha1 => Algorithm::Sha1,
            Kind::XSha256 => Algorithm::XSha256,
            Kind::XSha384 => Algorithm::XSha384,
            Kind::XSha512 => Algorithm::XSha512,
            Kind::XBlake3 => Algorithm::XBlake3,
            Kind::XHmacSha256(_) => Algorithm::XHmacSha256,
        }
    }

    /// Returns the digest of a canonical text.
    pub fn digest(&self, canonical: &Canonical) -> Digest {
        self.with_digest(canonical, Digest::of)
    }

    /// Appends the digest of a canonical text.
    pub(crate) fn push_digest(&self, canonical: &Canonical, out: &mut Vec<u8>) {
        self.with_digest(canonical, |digest| out.extend_from_slice(digest));
    }

    #[inline]
    fn with_digest<R>(&self, canonical: &Canonical, take: impl FnOnce(&[u8]) -> R) -> R {
        let bytes = canonical.as_str().as_bytes();
        match &self.0 {
            Kind::Md5 => take(&digests::md5(bytes)),
            Kind::Sha1 => take(&digests::sha1(bytes)),
            Kind::XSha256 => take(&digest::sha256(&[bytes])),
            Kind::XSha384 => take(&digest::sha384(bytes)),
            Kind::XSha512 => take(&digest::sha512(bytes)),
            Kind::XBlake3 => take(&digests::blake3(bytes)),
            Kind::XHmacSha256(key) => take(&key.hmac(bytes)),
        }
    }
}

impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hasher({})", self.algorithm())
    }
}

/// A secret of 32 bytes or more, shared by the maker and the readers of a keyed list.
#[derive(Clone)]
pub struct Key(HmacKey);

impl Key {
    /// The fewest bytes that a key may have.
    pub const SHORTEST: usize = 32;

    /// Takes the bytes of a key, all of them as they are.
    ///
    /// # Errors
    /// [`KeyTooShort`] if there are fewer than 32.
    pub fn new(bytes: &[u8]) -> Result<Self, KeyTooShort> {
        match bytes.len() < Self::SHORTEST {
            true => Err(KeyTooShort { length: bytes.len() }),
            false => Ok(Self(HmacKey::new(bytes))),
        }
    }

    /// Returns the name of the key, which identifies it without revealing it.
    ///
    /// The first 8 bytes of the key's HMAC-SHA-256 of `urlid-list key-id`. No canonical text has a space, so no
    /// entry has this digest.
    pub fn id(&self) -> KeyId {
        let mac = self.0.hmac(b"urlid-list key-id");
        KeyId(core::array::from_fn(|index| mac[index]))
    }
}

impl fmt::Debug for Key {
    /// Shows the name of the key, never the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({})", self.id())
    }
}

/// The name of a key: 8 bytes, shown as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyId([u8; 8]);

impl KeyId {
    /// Reads 16 hexadecimal digits of either case.
    pub fn parse(text: &str) -> Option<Self> {
        hex::decode(text).ok().map(Self)
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex::write(&self.0, f)
    }
}

/// A key has too few bytes to be a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyTooShort {
    /// The number of bytes.
    pub length: usize,
}

impl Coded for KeyTooShort {
    fn code(&self) -> ErrorCode {
        ErrorCode::Key
    }
}

impl fmt::Display for KeyTooShort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "key is too short: found {} bytes, expected {} or more", self.length, Key::SHORTEST)
    }
}

impl core::error::Error for KeyTooShort {}

/// Why an algorithm cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HasherError {
    /// An algorithm for private use that this library does not define.
    NotKnown {
        /// Its identifier.
        algorithm: Excerpt,
    },
    /// A keyed algorithm, and no key.
    KeyMissing,
}

impl Coded for HasherError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::NotKnown { .. } => ErrorCode::Algorithm,
            Self::KeyMissing => ErrorCode::Key,
        }
    }
}

impl fmt::Display for HasherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotKnown { algorithm } => {
                write!(f, "hash algorithm cannot be computed: found {algorithm}, which is for private use")
            }
            Self::KeyMissing => f.write_str("hash algorithm needs a key: found none for x-hmac-sha256"),
        }
    }
}

impl core::error::Error for HasherError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keyed_digests_are_those_of_rfc_4231() {
        let key = Key::new(&[0xaa; 131]).unwrap();
        let mac = key.0.hmac(b"Test Using Larger Than Block-Size Key - Hash Key First");
        assert_eq!(hex::encode(&mac), "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    }

    #[test]
    fn a_key_is_shown_by_its_name_alone() {
        let key = Key::new(&[7; 32]).unwrap();
        assert_eq!(format!("{key:?}"), format!("Key({})", key.id()));
        assert_eq!(KeyId::parse(&key.id().to_string()), Some(key.id()));
        assert_ne!(key.id(), Key::new(&[8; 32]).unwrap().id());
    }
}
