//! The formats that the published crates really emit, which are not those of their own specifications
//! (docs/spec/url-hash.md and docs/spec/sxurl.md, "Published crates").
//!
//! Layer 5. For those who have such ids stored: they can be made, read and told apart here, under names that say what
//! they are. Nothing else in the library uses them. All are made from the WHATWG normal form of this library, which
//! differs from that of `url` 2.5.8 where the latter leaves the standard.

mod detect;
mod sxurl_crate;
mod url_hash_crate;

pub use detect::{Format, detect};
pub use sxurl_crate::{CrateFormat, CrateSxurl, CrateSxurlError};
pub use url_hash_crate::CrateUrlHash;
