//! The settings by which a hashed URI is made.

use super::algorithm::Algorithm;
use super::hasher::{Hasher, Key};
use super::keep::{Keep, Variant};
use crate::error::Error;

/// How a URI is hashed.
///
/// The default is SHA-1, which every reader must accept, variant N, no base, and neither query nor fragment.
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
    /// What a relative URI is relative to.
    pub base: Option<&'a str>,
    /// The hash algorithm.
    pub algorithm: Algorithm,
    /// Which of query and fragment count.
    pub keep: Keep,
    /// Which rules make the URI canonical.
    pub variant: Variant,
    /// The key of a keyed algorithm.
    pub key: Option<&'a Key>,
    /// The hasher of an algorithm for private use that this library does not define.
    pub private: Option<&'a Hasher>,
}

impl Options<'_> {
    /// Returns the hasher of an algorithm, by the key or the hasher that is given if the algorithm needs one.
    pub(super) fn hasher(&self, algorithm: &Algorithm) -> Result<Hasher, Error> {
        match self.private {
            Some(hasher) if hasher.algorithm() == *algorithm => Ok(hasher.clone()),
            _ => Hasher::new(algorithm, self.key),
        }
    }
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            base: None,
            algorithm: Algorithm::Sha1,
            keep: Keep::NONE,
            variant: Variant::N,
            key: None,
            private: None,
        }
    }
}
