//! Encodes many URLs at once. The identifiers are the same as for single URLs, in a fraction of the time.
//!
//! The encodings themselves are defined in [`sxurl`](crate::sxurl), [`url_hash`](crate::url_hash) and
//! [`hashed_uri`](crate::hashed_uri). An [`Encoder`] passes lines through phases. Each phase is a loop over a
//! few hundred lines:
//!
//! ```text
//! lines ─▶ boundaries ─┬─ SXURL: message blocks, hosts ────────────────┬─▶ hashes ─▶ identifiers
//!                      ├─ url-hash, hashed URI: forms, message blocks ─┘
//!                      └─ not recognised ─▶ Sxurl::encode_with, UrlHash::encode, canonicalize
//! ```
//!
//! A line is recognised if a few comparisons show that encoding it by itself would use the same bytes for
//! each part. All other lines are encoded one at a time, so batches and single URLs agree on every input. The
//! caller reads the lines and writes the identifiers, and may choose the [`Kernels`] and the key of the host
//! cache.
//!
//! ```
//! use urlid::Sxurl;
//! use urlid::batch::Encoder;
//!
//! let mut encoder = Encoder::<Sxurl>::new();
//! assert_eq!(encoder.encode("https://docs.rs/")?, Sxurl::encode("https://docs.rs/")?);
//!
//! let mut hex = Vec::new();
//! encoder.encode_lines(b"https://docs.rs/\n\nmailto:a@b\n", |batch| batch.write_hex_lines(&mut hex));
//! assert_eq!(hex, b"1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356\n\n\n");
//! # Ok::<(), urlid::Error>(())
//! ```

mod encoder;
#[cfg(feature = "hashed-uri")]
mod hashed_uri;
mod host_cache;
mod hosts;
mod message_blocks;
mod sxurl;
mod text;
mod url_hash;

pub use encoder::{Batch, Encoder, Identifier, Outcome};
#[cfg(feature = "hashed-uri")]
pub use hashed_uri::Sha1AndKept;
pub use host_cache::HostCacheKey;
pub use urlid_simd::{Cpu, Kernels};
