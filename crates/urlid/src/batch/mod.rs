//! Many URLs at once: the same identifiers as one by one, in a fraction of the time.
//!
//! Layer 5, above `sxurl` and `url_hash`, which say what is right. An [`Encoder`] takes lines through phases, each a
//! loop over a few hundred of them:
//!
//! ```text
//! lines ─▶ cut ─▶ message blocks and sites (SXURL), or check and message blocks (url-hash) ─▶ SHA-256 ─▶ identifiers
//!                     │
//!                     └─ whatever is not plainly in fast form ─▶ Sxurl::encode_with, UrlHash::encode
//! ```
//!
//! A line is in fast form if a few comparisons show that the plain path would take the very same bytes for each part; all
//! others take the plain path. So batch and one-by-one agree on every input. Where lines come from, and what becomes of
//! identifiers, is the caller's business; so is the choice of [`Kernels`] and of the key of the memo.
//!
//! ```
//! use urlid::batch::{Encoder, Kernels, MemoKey};
//! use urlid::{Sxurl, suffix::SuffixList};
//!
//! let mut encoder = Encoder::<Sxurl>::new(<&SuffixList>::default(), MemoKey([1, 2]), Kernels::detect());
//! assert_eq!(encoder.encode("https://docs.rs/")?, Sxurl::encode("https://docs.rs/")?);
//!
//! let mut hex = Vec::new();
//! encoder.encode_lines(b"https://docs.rs/\n\nmailto:a@b\n", |batch| batch.write_hex_lines(&mut hex));
//! assert_eq!(hex, b"1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356\n\n\n");
//! # Ok::<(), urlid::sxurl::EncodeError>(())
//! ```

mod cut;
mod encoder;
mod memo;
mod messages;
mod output;
mod plain;
mod sites;
mod sxurl;
mod text;
mod url_hash;

pub use encoder::{Encoder, Identifier};
pub use memo::MemoKey;
pub use output::{Batch, Outcome};
pub use urlid_simd::{Cpu, Kernels};
