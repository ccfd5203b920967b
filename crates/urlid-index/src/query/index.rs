//! An index that questions are asked of.
//!
//! Holds a checked connection that only reads; the questions themselves are in `find`, `get`, `stats` and `group`.

use std::path::Path;

use urlid::snapshot::Snapshot;
use urlid::suffix::SuffixList;

use crate::file::meta;
use crate::file::open::{self, OpenError, Opened};
use crate::file::schema::SliceIndex;
use crate::file::store::{Access, StoreError};

/// An index opened for questions; it writes nothing and another process may write meanwhile.
#[derive(Debug)]
pub struct Index {
    pub(crate) opened: Opened,
}

impl Index {
    /// Opens an existing index.
    ///
    /// # Errors
    /// Whatever is not an index of this format is refused by name, and never written to.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        open::open(path, Access::Read).map(|opened| Self { opened })
    }

    /// Returns what the identifiers in the index depend on.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        &self.opened.meta.snapshot
    }

    /// Returns the suffix list that the identifiers were made with, as stored in the index.
    #[must_use]
    pub fn list(&self) -> &SuffixList {
        &self.opened.meta.list
    }

    /// Returns the program that made the index, as in `urlid 0.1.0`.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.opened.meta.tool
    }

    /// Returns the optional indexes that the file has.
    #[must_use]
    pub fn slice_indexes(&self) -> &[SliceIndex] {
        &self.opened.indexes
    }

    /// Returns the number of rows as the last writer recorded it; `verify` counts them.
    ///
    /// # Errors
    /// Fails when SQLite does, or when the number is not there.
    pub fn rows(&self) -> Result<u64, OpenError> {
        meta::rows(&self.opened.store.conn).map_err(|e| open::meta_error(&self.opened.store, e))
    }

    pub(crate) fn error(&self, error: rusqlite::Error) -> StoreError {
        self.opened.store.error(error)
    }
}
