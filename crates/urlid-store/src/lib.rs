//! Stored URLs, and questions about their parts.
//!
//! - [`question`]: questions, the keys of an index that hold their answers, and the comparison of each
//!   candidate with its own URL. Needs no feature, and links no build of SQLite.
//! - `sort` (feature `files`): sorts, counts and deduplicates more rows than fit in memory.
//! - `seen` (feature `files`): reports which URLs are new, from a folder that survives a kill.
//! - `file` (feature `sqlite`): an index in one SQLite file.
//! - `dataset` (feature `parquet`): a large index as a folder of sorted Parquet files.
//! - `Urls` (both features): an index file or a dataset, open for questions.
//!
//! Each module uses only those listed before it. The crate does not print. It reports progress by callbacks.

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
