//! url-hash: SHA-256 of a URL's WHATWG normal form, and its short forms (docs/spec/url-hash.md).
//!
//! Layer 4. The canonical text is a [`Url`](crate::web::Url) and nothing else, so nothing else can be hashed. Knows
//! nothing of the published crate's SHA-384 form, which is in `compat`.
//!
//! ```
//! use urlid::url_hash::UrlHash;
//! use urlid::web::Url;
//!
//! let url = Url::parse("https://doc.rust-lang.org/").unwrap();
//! let hash = UrlHash::from(url);
//! println!("{}", hash);
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

mod short;
mod value;
pub(crate) mod words;

pub use short::{UrlShortHash, UrlVeryShortHash};
pub use value::UrlHash;
pub use words::ParseHashError;
