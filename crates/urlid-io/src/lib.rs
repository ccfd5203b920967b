//! Input and output: files that appear when they are complete, lines and tables.
//!
//! - [`files`]: writing files safely, their identity, reading at offsets.
//! - [`threads`]: work on several threads with results in order.
//! - `lines` (feature): lines from files, pipes, gzip, zstd and archives.
//! - `tables` (feature, with `lines`): columns of CSV, TSV, ndjson and Parquet files, and the same rows with
//!   more columns.
//!
//! Each module uses only the modules listed before it. `lines` and `tables` fail with a [`urlid::Error`],
//! whose kinds are in `error`.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(feature = "lines")]
pub mod error;
pub mod files;
#[cfg(feature = "lines")]
pub mod lines;
#[cfg(feature = "tables")]
pub mod tables;
pub mod threads;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
