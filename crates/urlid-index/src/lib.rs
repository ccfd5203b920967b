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
//! From below to above: `store` (SQLite and its settings), `schema`, `probe` and `meta` (what a file is), `open` and `new_file` (how it
//! comes to be used), `rows`, `intake`, `spill`, `merge`, `sink`, `load`, `seen` and `combine` (putting in), `question`, `plan`, `find`, `get`, `group` and `stats` (asking), `verify`, `care` and `change` (keeping), `order` and `parquet` (giving
//! away), `column` (a column of somebody's Parquet file, beside all others).

#![forbid(unsafe_code)]

mod care;
mod change;
#[cfg(feature = "parquet")]
mod column;
mod combine;
mod find;
mod get;
mod group;
mod ids;
mod index;
mod intake;
mod load;
mod merge;
mod meta;
#[cfg(test)]
mod model;
mod new_file;
mod open;
#[cfg(feature = "parquet")]
mod order;
#[cfg(feature = "parquet")]
mod parquet;
mod plan;
mod probe;
mod question;
mod rows;
mod schema;
mod seen;
mod sink;
mod spill;
mod stats;
mod store;
mod verify;

pub use care::{add_slice_indexes, compact, drop_slice_indexes, seal};
pub use change::{ChangeError, Migrated, Moved, delete, migrate, needs_migration};
#[cfg(feature = "parquet")]
pub use column::{ColumnError, ParquetColumn};
pub use combine::{MergeError, merge};
pub use find::{Found, Row};
pub use get::{GetError, Lookup};
pub use group::{Group, Part};
pub use index::Index;
pub use intake::{EncoderOptions, Line};
pub use load::{Load, LoadError, LoadOptions, Loaded, Progress};
pub use meta::MetaError;
pub use open::OpenError;
#[cfg(feature = "parquet")]
pub use parquet::{ExportError, Exported, ExportedFile, ParquetOptions, export_parquet};
pub use plan::Plan;
pub use question::{Ask, Question, QuestionError};
pub use schema::{APPLICATION_ID, FORMAT_VERSION, SliceIndex};
pub use seen::{Seen, SeenSet};
pub use stats::Stats;
pub use store::{StoreError, StoreErrorKind};
pub use verify::{Finding, Verified};
