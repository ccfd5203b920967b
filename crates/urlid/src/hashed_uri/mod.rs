//! The Hashed URI: `hashed:sha1=…`, a digest that identifies a URI without revealing it.
//!
//! The specification is the Internet-Draft draft-feather-hashed-uri-03, called the draft here. Where it is
//! silent or ambiguous, urlid has a numbered decision, H-1 to H-20.
//!
//! The rules of a [`Variant`] convert a URI to a [`Canonical`] text, and the text is hashed. A [`HashedUri`]
//! holds the digest, its algorithm, and whether query and fragment were kept. It does not hold the variant,
//! which has to be transmitted separately, for example in the header of a hidden list.
//!
//! The examples of the draft, section 4.4:
//!
//! ```
//! use urlid::hashed_uri::{Algorithm, HashedUri, Keep, Options, Variant};
//!
//! let hash = |uri: &str, algorithm: Algorithm, keep: Keep| -> Result<String, urlid::Error> {
//!     let options = Options { algorithm, keep, ..Options::default() };
//!     Ok(HashedUri::encode_with(uri, &options)?.to_string())
//! };
//! use Algorithm::{Md5, Sha1};
//!
//! assert_eq!(
//!     hash("mailto:clive@demon.net", Md5, Keep::NONE)?,
//!     "hashed:md5=cd933f3b87ee60e58917448c9678ee32",
//! );
//!
//! assert_eq!(hash("http://www.thus.net", Md5, Keep::NONE)?, "hashed:md5=be96302a0468481aca954431cf293e05");
//! assert_eq!(
//!     hash("http://www.thus.net", Sha1, Keep::NONE)?,
//!     "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481",
//! );
//!
//! assert_eq!(
//!     hash("http://www.thus.net#end", Sha1, Keep::NONE)?,
//!     "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481",
//! );
//! assert_eq!(
//!     hash("http://www.thus.net#end", Sha1, Keep::FRAGMENT)?,
//!     "hashed:sha1=31a79a96e0404778a3b95cb426b04b6114a604a5+frag",
//! );
//!
//! assert_eq!(hash("HTTP://www.Thus.net", Md5, Keep::NONE)?, "hashed:md5=be96302a0468481aca954431cf293e05");
//!
//! assert_eq!(
//!     hash("http://10.20.30.40/a%62c", Md5, Keep::NONE)?,
//!     "hashed:md5=754a2c63a13aa2e8153d027066e31f8f",
//! );
//!
//! let hashed: HashedUri = "HASHED:SHA1=87ED28009F511ED7EF630180A229BA257180A481".parse()?;
//! assert!(hashed.matches("http://www.thus.net?any#thing", Variant::N)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod algorithm;
mod appendix_a;
mod canonical;
pub(crate) mod digests;
mod grammar;
mod hasher;
mod keep;
mod plain;
mod syntax;
mod value;

pub use algorithm::{Algorithm, PrivateName};
pub use canonical::{Canonical, canonicalize};
pub(crate) use digests::sha1;
pub(crate) use grammar::start as start_of_hashed_uri;
pub use hasher::{Digest, Hasher, Key, KeyId, Options};
pub use keep::{Keep, Variant};
pub(crate) use plain::canonical_prefix_of_line;
pub use value::{HashedUri, HashedUriWriter};

/// Items that hidden lists and canonical forms share with this module.
pub(crate) mod internal {
    pub use super::canonical::absolute;
    pub use super::digests::sha1;
    pub use super::grammar::write as write_hashed_uri;
    pub use super::syntax::escape_forbidden;
}
