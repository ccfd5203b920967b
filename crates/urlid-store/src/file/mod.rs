//! An index of URLs by SXURL identifier in one SQLite file.
//!
//! A [`Load`] adds URLs, each once. An [`Index`] answers questions about their parts. Absolute URLs that lack
//! an SXURL are stored in a second table. The file is described in docs/index-format.md, and any SQLite can
//! read it. The module does not print. It reports progress by callbacks.
//!
//! ```
//! use std::ops::ControlFlow;
//! use urlid::suffix::SuffixList;
//! use urlid_store::file::{Index, Load, LoadOptions};
//! use urlid_store::question::{Condition, Question};
//!
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("urls.urlid");
//! let mut load = Load::begin(&path, SuffixList::compiled(), LoadOptions::default())?;
//! load.push("https://docs.rs/serde?all#top")?;
//! load.push("https://docs.rs/")?;
//! let loaded = load.finish()?;
//! assert_eq!(loaded.new, 2);
//!
//! let index = Index::open(&path)?;
//! let question = Question::new([(Condition::Domain, "docs"), (Condition::Query, "all")])?;
//! let found = index.find(&question, &mut |row| {
//!     assert_eq!(row.url, "https://docs.rs/serde?all#top");
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!(found.rows, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The submodules are verbs: `load` adds URLs, `query` answers questions, `maintain` seals, compacts,
//! deletes, migrates, merges and verifies, and `export` writes a copy for other programs. The other modules
//! are the index file itself. All functions fail with a [`urlid::Error`], and the kinds of errors are in
//! [`error`].

pub(crate) mod create;
pub(crate) mod database;
pub mod error;
mod export;
pub(crate) mod header;
mod load;
mod loading;
mod maintain;
pub(crate) mod meta;
#[cfg(test)]
mod model;
pub(crate) mod open;
mod query;
mod row;

pub use crate::question::schema::{APPLICATION_ID, FORMAT_VERSION};
pub use export::{export_sqlite, export_sqlite_with};
pub use load::parse::{EncoderOptions, LineOutcome};
pub use load::{Load, LoadOptions, Loaded, Progress};
pub use maintain::finding::{Finding, RowNumber};
pub use maintain::merge::{merge, merge_with};
pub use maintain::migrate::{Migrated, Moved, migrate, migrate_with};
pub use maintain::set_aside::delete;
pub use maintain::verify::Verified;
pub use maintain::{add_slice_indexes, compact, drop_slice_indexes, seal};
pub use query::Index;
