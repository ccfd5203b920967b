//! Parses a URL once and makes stable identifiers from it: the same bytes in every build, on every machine.
//!
//! ```
//! use urlid::suffix::SuffixList;
//! use urlid::{Url, UrlShortHash};
//!
//! let url = Url::parse("HTTPS://WWW.Example.co.uk:443/a/../b c?q#f")?;
//! assert_eq!(url.as_str(), "https://www.example.co.uk/b%20c?q#f");
//! assert_eq!(url.registered_domain(SuffixList::compiled()), Some("example.co.uk"));
//!
//! let key: [u8; 16] = UrlShortHash::from(&url).to_bytes();
//! assert_eq!(urlid::hex::encode(&key), "b1fc5309052f24066baf571cdec7e87c");
//! # Ok::<(), urlid::Error>(())
//! ```
//!
//! [`SuffixList::registered_domain`](suffix::SuffixList::registered_domain) also reads a host, with or
//! without a port or a path, and an e-mail address. An [`Sxurl`] has a slice for each part of the URL:
//!
//! ```
//! use urlid::Sxurl;
//! use urlid::sxurl::Slice;
//!
//! let id = Sxurl::encode("https://docs.rs/")?;
//! assert_eq!(id.to_string(), "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356");
//! assert!(id.matches(Slice::Tld, "rs") && id.matches(Slice::Domain, "docs"));
//! # Ok::<(), urlid::Error>(())
//! ```
//!
//! | module | contents |
//! | --- | --- |
//! | [`web`] | WHATWG URLs: parsing, joining, the normal form and its parts |
//! | [`url_hash`] | url-hash: the SHA-256 digest of the normal form, and its short forms |
//! | [`sxurl`] | SXURL: 256 bits with a separate slice for each part of the URL |
//! | `hashed_uri` (feature `hashed-uri`) | The Hashed URI: a digest that identifies a URI and hides it |
//! | [`mod@reference`] | the Theory of URLs: token sequences, ord, upto, goto |
//! | `redact` (feature `hashed-uri`) | replaces user information and the values of secret parameters |
//! | [`text`] | the URLs in a line of text, with the escapes of JSON, HTML and logs decoded |
//! | [`generic`] | resolution and normalisation by RFC 3986 and RFC 2396 |
//! | [`suffix`] | the Public Suffix List, compiled in or parsed from text, and splits of hosts by it |
//! | `batch` (feature `batch`) | identifiers of many URLs at once |
//! | [`snapshot`] | the data versions that an identifier depends on in addition to its specification |
//! | `compat` (feature `compat`) | the formats of the published crates `url-hash` and `sxurl` |
//!
//! Functions that fail return an [`Error`] with a [`code`](Error::code) that never changes. The library does
//! not panic on any input.
//!
//! ```text
//! text ─parse─▶ Reference ─goto base─▶ Reference ─┬─ web: force, normalise ─▶ Url ────────▶ UrlHash
//!   (raw, zero-copy, relative allowed)            ├─ hashed_uri: N or P ────▶ Canonical ──▶ HashedUri
//!                                                 └─ sxurl: raw components ─▶ Components ─▶ Sxurl
//! ```
//!
//! Do not pass the normal form of one system to a different system. A dotted quad is decimal in a hashed URI
//! and octal in a WHATWG URL, and SXURL keeps `:80` and the raw path.
//!
//! The Theory of URLs resolves relative references by goto:
//!
//! ```
//! use urlid::reference::{Context, Reference};
//!
//! let base = Reference::parse("http://example.com/a/b?q", Context::Rfc3986)?;
//! let reference = Reference::parse("c#f", Context::Rfc3986)?;
//! assert_eq!(base.goto(&reference)?.as_str(), "http://example.com/a/c#f");
//! # Ok::<(), urlid::Error>(())
//! ```
//!
//! A hashed URI can be matched against a URL although the URL cannot be read from it:
//!
//! ```
//! # #[cfg(feature = "hashed-uri")] {
//! let hashed: urlid::HashedUri = "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481".parse()?;
//! assert!(hashed.matches("HTTP://www.Thus.net#end", urlid::hashed_uri::Variant::N)?);
//! # }
//! # Ok::<(), urlid::Error>(())
//! ```
//!
//! Equal identifiers do not prove that two URLs are equal: the slices of an SXURL are short enough to
//! collide, by chance or on purpose. An identifier does not hide a URL that can be guessed.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![cfg_attr(
    not(all(feature = "batch", feature = "hashed-uri")),
    allow(dead_code, unused_imports, reason = "some items are for the optional modules alone")
)]
#![forbid(unsafe_code)]

extern crate alloc;

#[cfg(feature = "batch")]
pub mod batch;
#[cfg(feature = "compat")]
pub mod compat;
mod digest;
mod error;
mod escape;
pub mod generic;
#[cfg(feature = "hashed-uri")]
pub mod hashed_uri;
pub mod hex;
pub mod host;
mod host_split;
mod id;
pub mod interop;
mod plain;
#[cfg(feature = "hashed-uri")]
pub mod redact;
pub mod reference;
pub mod snapshot;
pub mod suffix;
pub mod sxurl;
pub mod text;
pub mod url_hash;
pub mod web;

pub use error::{Coded, Error, ErrorCode, ErrorKind, Place};
#[cfg(feature = "hashed-uri")]
pub use hashed_uri::HashedUri;
pub use host_split::HostSplit;
pub use reference::Reference;
pub use sxurl::Sxurl;
pub use url_hash::{UrlHash, UrlShortHash};
pub use web::Url;

#[doc(hidden)]
pub mod internal {
    //! Items that the library shares with the other crates of this repository: encoding sets, digests, the
    //! recogniser of plain URLs. They are not part of the public API, and any release may change them.

    pub use crate::error::Excerpt;
    #[cfg(feature = "hashed-uri")]
    pub use crate::hashed_uri::internal::*;
    pub use crate::host::error::FORBIDDEN_BYTE;
    pub use crate::host::ipv4::ends_in_number;
    pub use crate::host::ipv6::push as push_ipv6_address;
    pub use crate::reference::authority::default_port;
    pub use urlid_simd::prefetch;

    pub mod digest {
        pub use crate::digest::{Sha256Stream, sha256};
    }
    pub mod escape {
        pub use crate::escape::*;
    }
    pub mod plain {
        pub use crate::plain::*;
    }

    /// Reads `2 * N` hexadecimal digits.
    pub fn decode_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
        crate::hex::decode(text).ok()
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
