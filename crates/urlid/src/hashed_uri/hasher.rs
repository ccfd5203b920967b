//! Digests of canonical texts (draft, section 4.3, step 3) and their options.
//!
//! A [`Hasher`] only accepts [`Canonical`] texts, so all hashed texts are canonical. A keyed digest needs a
//! [`Key`].

use alloc::vec::Vec;
use core::fmt;

use super::algorithm::Algorithm;
use super::canonical::Canonical;
use super::digests;
use super::digests::HmacKey;
use super::keep::{Keep, Variant};
use crate::error::{Error, ErrorCode, ErrorKind};
use crate::{digest, hex};

/// An algorithm that can be computed: a known algorithm, with its key if it needs one.
///
/// ```
/// use urlid::hashed_uri::{Algorithm, HashedUri, Hasher, Keep, Variant, canonicalize};
///
/// let hasher = Hasher::new(&Algorithm::Sha1, None)?;
/// let canonical = canonicalize("http://www.thus.net", None, Keep::NONE, Variant::N)?;
/// assert_eq!(HashedUri::from_canonical(&canonical, &hasher).digest(), hasher.digest(&canonical).as_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Hasher(HashFunction);

#[derive(Clone)]
enum HashFunction {
    Md5,
    Sha1,
    XSha256,
    XSha384,
    XSha512,
    XBlake3,
    XHmacSha256(HmacKey),
}

impl Hasher {
    /// Returns the hasher of `algorithm`. Only keyed algorithms use the key.
    ///
    /// # Errors
    /// [`Error`] if the algorithm is unknown, or needs a key that is missing.
    pub fn new(algorithm: &Algorithm, key: Option<&Key>) -> Result<Self, Error> {
        Ok(Self(match algorithm {
            Algorithm::Md5 => HashFunction::Md5,
            Algorithm::Sha1 => HashFunction::Sha1,
            Algorithm::XSha256 => HashFunction::XSha256,
            Algorithm::XSha384 => HashFunction::XSha384,
            Algorithm::XSha512 => HashFunction::XSha512,
            Algorithm::XBlake3 => HashFunction::XBlake3,
            Algorithm::XHmacSha256 => {
                HashFunction::XHmacSha256(key.ok_or_else(|| KEY_MISSING.error())?.0.clone())
            }
            Algorithm::Private(_) => {
                return Err(NOT_KNOWN.found(algorithm.name()));
            }
        }))
    }

    /// Returns the algorithm that names the results.
    pub fn algorithm(&self) -> Algorithm {
        match &self.0 {
            HashFunction::Md5 => Algorithm::Md5,
            HashFunction::Sha1 => Algorithm::Sha1,
            HashFunction::XSha256 => Algorithm::XSha256,
            HashFunction::XSha384 => Algorithm::XSha384,
            HashFunction::XSha512 => Algorithm::XSha512,
            HashFunction::XBlake3 => Algorithm::XBlake3,
            HashFunction::XHmacSha256(_) => Algorithm::XHmacSha256,
        }
    }

    /// Returns the digest of a canonical text.
    pub fn digest(&self, canonical: &Canonical) -> Digest {
        self.with_digest(canonical, |digest| {
            Digest::new(digest).expect("no algorithm has longer or empty digests")
        })
    }

    /// Appends the digest of a canonical text.
    #[doc(hidden)]
    pub fn push_digest(&self, canonical: &Canonical, out: &mut Vec<u8>) {
        self.with_digest(canonical, |digest| out.extend_from_slice(digest));
    }

    #[inline]
    fn with_digest<R>(&self, canonical: &Canonical, take: impl FnOnce(&[u8]) -> R) -> R {
        let bytes = canonical.as_str().as_bytes();
        match &self.0 {
            HashFunction::Md5 => take(&digests::md5(bytes)),
            HashFunction::Sha1 => take(&digests::sha1(bytes)),
            HashFunction::XSha256 => take(&digest::sha256(&[bytes])),
            HashFunction::XSha384 => take(&digest::sha384(bytes)),
            HashFunction::XSha512 => take(&digest::sha512(bytes)),
            HashFunction::XBlake3 => take(&digests::blake3(bytes)),
            HashFunction::XHmacSha256(key) => take(&key.hmac(bytes)),
        }
    }
}

impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Only the algorithm is shown, because debug output ends up in logs and a hasher may have a key.
        write!(f, "Hasher({})", self.algorithm())
    }
}

/// A secret of 32 bytes or more, shared by the maker and the readers of a keyed list.
///
/// ```
/// use urlid::hashed_uri::{Algorithm, HashedUri, Key, Options};
///
/// let key = Key::new(b"a secret of 32 bytes, at the least")?;
/// let options = Options { algorithm: Algorithm::XHmacSha256, key: Some(&key), ..Options::default() };
/// assert!(HashedUri::encode_with("http://h/", &options)?.matches_with("HTTP://H/", &options)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Key(HmacKey);

impl Key {
    /// The minimum number of bytes of a key.
    pub const SHORTEST: usize = 32;

    /// Makes a key from these bytes without changing them.
    ///
    /// # Errors
    /// [`Error`] if there are fewer than 32 bytes.
    pub fn new(bytes: &[u8]) -> Result<Self, Error> {
        // RFC 2104, section 3: a key shorter than the digest makes the function weaker.
        if bytes.len() < Self::SHORTEST {
            Err(KEY_TOO_SHORT.error().with_shown(bytes.len()))
        } else {
            Ok(Self(HmacKey::new(bytes)))
        }
    }

    /// Returns the HMAC-SHA-256 of bytes under the key.
    pub(crate) fn hmac(&self, bytes: &[u8]) -> [u8; 32] {
        self.0.hmac(bytes)
    }

    /// Returns the name of the key, which identifies it without revealing it.
    ///
    /// The name is the first 8 bytes of the key's HMAC-SHA-256 of `urlid-list key-id`. This text has a space,
    /// which a canonical text cannot have, so no entry has this digest.
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
///
/// ```
/// use urlid::hashed_uri::{Key, KeyId};
///
/// let id = Key::new(&[7; 32])?.id();
/// assert_eq!(KeyId::parse(&id.to_string()), Some(id));
/// # Ok::<(), urlid::Error>(())
/// ```
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

const KEY_TOO_SHORT: ErrorKind =
    ErrorKind::new(ErrorCode::Key, "key is too short: found {found} bytes, expected 32 or more");
/// The algorithm is for private use and this library does not define it.
const NOT_KNOWN: ErrorKind = ErrorKind::new(
    ErrorCode::Algorithm,
    "hash algorithm cannot be computed: found {found}, which is for private use",
);
const KEY_MISSING: ErrorKind = ErrorKind::new(
    ErrorCode::Key,
    "hash algorithm needs a key: found x-hmac-sha256, expected a key of 32 bytes or more",
);

/// The digest of a canonical text, in the order of its bytes.
///
/// ```
/// use urlid::hashed_uri::Digest;
///
/// assert_eq!(Digest::new(&[0x29, 0xb1]).expect("it is short").as_bytes(), [0x29, 0xb1]);
/// assert_eq!(Digest::new(&[0; 65]), None);
/// ```
// The bytes past the length are zeros, so the derived order is the order of the slices.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest {
    bytes: [u8; Self::LONGEST],
    length: u8,
}

impl Digest {
    /// The maximum number of bytes of a digest.
    pub const LONGEST: usize = 64;

    /// Makes a digest of 1 to [`LONGEST`](Self::LONGEST) bytes.
    pub fn new(digest: &[u8]) -> Option<Self> {
        let length = u8::try_from(digest.len()).ok().filter(|&length| length > 0)?;
        let mut bytes = [0; Self::LONGEST];
        bytes.get_mut(..digest.len())?.copy_from_slice(digest);
        Some(Self { bytes, length })
    }

    /// Borrows the 1 to [`LONGEST`](Self::LONGEST) bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({})", hex::encode(self.as_bytes()))
    }
}

/// The settings for hashing a URI.
///
/// The defaults are SHA-1, which every reader must accept, variant N, no base, and neither query nor
/// fragment.
///
/// ```
/// use urlid::hashed_uri::{Algorithm, HashedUri, Keep, Options};
///
/// let options = Options { algorithm: Algorithm::XSha256, keep: Keep::QUERY, ..Options::default() };
/// let hashed = HashedUri::encode_with("http://example.com/?q", &options)?;
/// assert!(hashed.to_string().starts_with("hashed:x-sha256="));
/// assert!(hashed.to_string().ends_with("+query"));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The base of a relative URI.
    pub base: Option<&'a str>,
    /// The hash algorithm.
    pub algorithm: Algorithm,
    /// Selects whether query and fragment are hashed.
    pub keep: Keep,
    /// The rules that make the URI canonical.
    pub variant: Variant,
    /// The key of a keyed algorithm.
    pub key: Option<&'a Key>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { base: None, algorithm: Algorithm::Sha1, keep: Keep::NONE, variant: Variant::N, key: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keyed_digests_match_rfc_4231() {
        let key = Key::new(&[0xaa; 131]).unwrap();
        let mac = key.0.hmac(b"Test Using Larger Than Block-Size Key - Hash Key First");
        assert_eq!(hex::encode(&mac), "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    }

    #[test]
    fn a_key_is_only_shown_by_its_name() {
        let key = Key::new(&[7; 32]).unwrap();
        assert_eq!(format!("{key:?}"), format!("Key({})", key.id()));
        assert_eq!(KeyId::parse(&key.id().to_string()), Some(key.id()));
        assert_ne!(key.id(), Key::new(&[8; 32]).unwrap().id());
    }
}
