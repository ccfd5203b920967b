//! An index of URLs by SXURL identifier in one SQLite file.
//!
//! A [`Load`] puts URLs in, each once; an [`Index`] answers questions about their parts. The file is described in
//! docs/index-format.md, and any SQLite can read it. Nothing here prints; progress is told to whoever asks.
//!
//! ```
//! use std::ops::ControlFlow;
//! use urlid::suffix::SuffixList;
//! use urlid_index::{Ask, Index, Load, LoadOptions, Question};
//!
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("urls.urlid");
//! let mut load = Load::begin(&path, <&SuffixList>::default(), LoadOptions::default())?;
//! load.push("https://docs.rs/serde?all#top")?;
//! load.push("https://docs.rs/")?;
//! let loaded = load.finish(&mut |_| ControlFlow::Continue(()))?;
//! assert_eq!(loaded.new, 2);
//!
//! let index = Index::open(&path)?;
//! let question = Question::of(&Ask { domain: Some("docs"), query: Some("all"), ..Ask::default() }, index.list())?;
//! let found = index.find(&question, &mut |row| {
//!     assert_eq!(row.url, "https://docs.rs/serde?all#top");
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!(found.rows, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The folders are the verbs: `file` (what an index file is), `load` (putting URLs in), `query` (questions and answers), `maintain`
//! (sealing, compacting, deleting, migrating, merging, verifying) and `parquet` (exporting, and reading a column).

#![forbid(unsafe_code)]

mod file;
mod id;
mod load;
mod maintain;
#[cfg(test)]
mod model;
#[cfg(feature = "parquet")]
mod parquet;
mod query;

pub use file::meta::MetaError;
pub use file::open::OpenError;
pub use file::schema::{APPLICATION_ID, FORMAT_VERSION, SliceIndex};
pub use file::store::{StoreError, StoreErrorKind};
pub use load::parse::{EncoderOptions, Line};
pub use load::pipeline::{Load, LoadError, LoadOptions, Loaded, Progress};
pub use load::seen_set::{Seen, SeenSet};
pub use maintain::care::{add_slice_indexes, compact, drop_slice_indexes, seal};
pub use maintain::change::{ChangeError, Migrated, Moved, delete, migrate, needs_migration};
pub use maintain::merge::{MergeError, merge};
pub use maintain::verify::{Finding, Verified};
#[cfg(feature = "parquet")]
pub use parquet::columns::{ColumnError, ParquetColumn};
#[cfg(feature = "parquet")]
pub use parquet::export::{ExportError, Exported, ExportedFile, ParquetOptions, export_parquet};
pub use query::find::{Found, Row};
pub use query::get::{GetError, Lookup};
pub use query::group::{Group, Part};
pub use query::index::Index;
pub use query::plan::Plan;
pub use query::question::{Ask, Question, QuestionError};
pub use query::stats::Stats;
