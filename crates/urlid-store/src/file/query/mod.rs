//! An index that is open for questions. The questions themselves and their plans are in `question`.

pub(crate) mod find;
pub(crate) mod get;

use std::path::Path;

use urlid::Error;
use urlid_canonical::Rules;

use crate::description::Description;
use crate::file::database::Access;
use crate::file::open::IndexFile;
use crate::question::{About, SliceIndex};

/// An index that is open for questions. It does not write to the file, and other processes may write
/// meanwhile.
///
/// Each call reads one state of the file, with its suffix list. The next call after a migration sees the new
/// state. If the file was removed or replaced, it returns [`REPLACED`](crate::file::error::REPLACED).
///
/// ```
/// use std::path::Path;
/// use urlid_store::file::{Index, error};
///
/// assert!(Index::open(Path::new("no-such-file")).unwrap_err().is(error::IO));
/// ```
#[derive(Debug)]
pub struct Index {
    pub(crate) file: IndexFile,
}

impl Index {
    /// Opens an existing index.
    ///
    /// # Errors
    /// Each file that is not an index of this format has its own kind of error, and is never written to.
    pub fn open(path: &Path) -> Result<Self, Error> {
        IndexFile::open(path, Access::Read).map(|file| Self { file })
    }

    /// Returns the description of the index: its maker, snapshot and canonical form.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is no longer an index.
    pub fn describe(&self) -> Result<Description, Error> {
        self.file.read(|view| Ok(view.state.description.clone()))
    }

    /// Returns the optional indexes of the file.
    ///
    /// # Errors
    /// The same as [`describe`](Self::describe).
    pub fn slice_indexes(&self) -> Result<Vec<SliceIndex>, Error> {
        self.file.read(|view| Ok(view.state.slice_indexes.clone()))
    }

    /// Returns the rules of sites that the canonical form names, or `None` if it does not name any.
    ///
    /// # Errors
    /// If the file is damaged, or an alias leaves its registered domain by the suffix list of the file.
    pub fn site_rules(&self) -> Result<Option<Rules>, Error> {
        self.file.read(|view| view.rules())
    }

    /// Returns the number of rows of both tables as the last writer recorded it. `verify` counts them.
    ///
    /// # Errors
    /// Fails when SQLite does, or if the number is missing.
    pub fn rows(&self) -> Result<u64, Error> {
        self.file.read(|view| view.rows().map(|rows| rows.sxurl + rows.other))
    }

    /// Returns the properties that answers depend on.
    ///
    /// # Errors
    /// The same as [`describe`](Self::describe).
    pub fn about(&self) -> Result<About, Error> {
        self.file.read(|view| Ok(view.state.description.about(view.suffixes())))
    }
}
