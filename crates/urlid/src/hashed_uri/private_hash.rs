//! Hash functions for private use (draft, section 4.2, `x-`) that a user of this library implements.

use super::digest::Digest;

/// A hash function for private use that this library does not define.
///
/// [`Hasher::private`](super::Hasher::private) makes a hasher of it, which [`Options`](super::Options) take:
///
/// ```
/// use urlid::hashed_uri::{Digest, HashedUri, Hasher, Options, PrivateHash};
///
/// /// Adds up the bytes: not a hash to use.
/// struct Sum;
///
/// impl PrivateHash for Sum {
///     fn name(&self) -> &str {
///         "x-sum"
///     }
///
///     fn digest(&self, text: &[u8]) -> Digest {
///         let sum: u32 = text.iter().map(|&byte| u32::from(byte)).sum();
///         Digest::new(&sum.to_be_bytes()).expect("4 bytes are a digest")
///     }
/// }
///
/// let hasher = Hasher::private(Sum)?;
/// let options = Options { algorithm: hasher.algorithm(), private: Some(&hasher), ..Options::default() };
/// let hashed = HashedUri::encode_with("http://example.com/", &options)?;
/// assert_eq!(hashed.to_string(), "hashed:x-sum=000006e0");
/// assert!(hashed.matches_with("HTTP://Example.com/#top", &options)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PrivateHash: Send + Sync {
    /// Returns the identifier of the algorithm, which begins with `x-`.
    fn name(&self) -> &str;

    /// Returns the digest of the bytes of a canonical text. All digests should have one length.
    ///
    /// The bytes are the text alone, not padded. An algorithm that needs a multiple of some block size and specifies no padding of its
    /// own pads them here with zero bytes, as section 4.3, step 3, requires (H-18).
    fn digest(&self, text: &[u8]) -> Digest;
}
