//! Stored URLs, and questions about their parts.
//!
//! - [`question`]: questions, the keys of an index that hold their answers, and the comparison of each
//!   candidate with its own URL. Needs no feature, and links no build of SQLite.
//! - `sort` (feature `files`): more rows than fit in memory in order, counted, or each once.
//! - `seen` (feature `files`): which URLs are new, in a folder that survives a kill.
//! - `file` (feature `sqlite`): an index in one SQLite file.
//! - `dataset` (feature `parquet`): a large index as a folder of sorted Parquet files.
//! - `Urls` (both features): either of the last two, open for questions.
//!
//! Each module uses those before it only. Nothing here prints; progress is reported by callbacks.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(feature = "parquet")]
pub mod dataset;
#[cfg(feature = "files")]
mod description;
#[cfg(feature = "sqlite")]
pub mod file;
pub mod question;
#[cfg(feature = "files")]
pub mod seen;
#[cfg(feature = "files")]
pub mod sort;
#[cfg(all(feature = "parquet", feature = "sqlite"))]
mod urls;

#[cfg(feature = "files")]
pub use description::{Description, StoredKind};
#[cfg(all(feature = "parquet", feature = "sqlite"))]
pub use urls::Urls;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
