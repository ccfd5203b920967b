//! url-hash: SHA-256 of a URL's WHATWG normal form, and its short forms.
//!
//! Only a [`Url`](crate::web::Url) can be hashed, so the hashed text is always in normal form. The SHA-384
//! form of the published crate is in [`compat`](crate::compat).
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
mod value;
pub(crate) mod words;

pub use short::{UrlShortHash, UrlVeryShortHash};
pub use value::UrlHash;
