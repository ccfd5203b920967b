//! A durable set of keys of a fixed width in a folder, which reports which URLs are new (docs/seen-sets.md).
//!
//! A [`SeenSet`] is the only writer of a folder. New keys are kept in memory and in a log, which is synced
//! before they are answered. When there are many, they become a sorted file, and sorted files of similar size
//! are merged. A [`SeenFile`] reads a folder, even while a writer writes to it. The module does not print.
//!
//! ```
//! use urlid_store::seen::{Digester, Keys, SeenSet};
//!
//! let directory = tempfile::tempdir()?;
//! let path = directory.path().join("seen");
//! let form = "web+drop-fragment".parse()?;
//! let mut set = SeenSet::open(&path, &Keys::of_form(&form))?;
//! let mut digester = Digester::new(&form);
//! let keys = [digester.key("https://docs.rs/#a")?, digester.key("HTTPS://DOCS.rs/#b")?];
//! let mut new = Vec::new();
//! set.add(&keys, |_| "", &mut |_, is_new| new.push(is_new))?;
//! assert_eq!(new, [true, false]);
//! set.close()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `manifest` is the description of the folder, `log` the log, `run` a sorted file with its `filter`, `merge`
//! the merging of several, and `delivery` the lines that are not acknowledged.

mod delivery;
pub mod error;
mod fault;
mod file;
mod filter;
mod key;
mod known_keys;
mod log;
mod manifest;
mod merge;
mod run;
mod set;
#[cfg(test)]
mod tests;

pub use file::{SeenFault, SeenFile, VerifiedSet, is_seen_set};
pub use key::{Digester, Keys, SeenKey, digest};
pub use set::{SeenLookup, SeenSet};
