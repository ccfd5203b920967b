//! A large index of URLs as a folder of Parquet files (docs/datasets.md).
//!
//! A [`Builder`] makes a dataset once, and the dataset never changes afterwards. Building sorts rows in
//! bounded memory on all cores. A [`Dataset`] answers the questions of `question` from the pages that can
//! hold answers. It checks every page that it reads against the checksum in the footer of the file. The
//! module does not print.
//!
//! ```
//! use urlid::suffix::SuffixList;
//! use urlid_store::dataset::{BuildOptions, Builder, Dataset};
//! use urlid_store::question::{Condition, Question};
//!
//! let directory = tempfile::tempdir()?;
//! let path = directory.path().join("urls");
//! let builder = Builder::begin(&path, SuffixList::compiled(), BuildOptions::default())?;
//! let mut rows = builder.adder();
//! rows.push("https://docs.rs/serde")?;
//! rows.push("https://docs.rs/")?;
//! drop(rows);
//! assert_eq!(builder.finish()?.rows, 2);
//!
//! let question = Question::new([(Condition::RegisteredDomain, "docs.rs")])?;
//! assert_eq!(Dataset::open(&path, &[])?.count(&question)?.rows, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `build` parses, sorts and encodes. `read` opens datasets, reads pages, answers questions and verifies.
//! Both share `layout`, which is the schema, `key`, the order of the rows, and `manifest`, the description of
//! the folder.

mod build;
pub mod error;
mod join;
mod key;
mod layout;
mod manifest;
mod pages;
mod read;

pub use build::adder::{Added, Adder};
pub use build::{BuildOptions, Builder, Built};
pub use join::{Joined, JoinedFile, join};
pub use key::sort_key;
pub use manifest::{DESCRIPTION_FILE, RULES_FILE, SUFFIX_LIST_FILE};
pub use read::verify::DatasetFault;
pub use read::{Dataset, is_dataset};
