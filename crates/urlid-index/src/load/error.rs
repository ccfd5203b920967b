//! The error of a load.

use std::fmt;
use std::io;
use std::path::PathBuf;

use urlid::{Coded, ErrorCode};

use crate::file::error::IndexError;
use crate::file::store::StoreError;

/// Error of a load.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use urlid::suffix::SuffixList;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls.db");
/// # let mut load = urlid_index::Load::begin(&path, SuffixList::compiled(), urlid_index::LoadOptions::default())?;
/// # load.push("https://docs.rs/serde?all#top")?;
/// # load.push("http://192.0.2.1/")?;
/// # load.finish()?;
/// use urlid_canonical::Form;
/// use urlid::{Coded, ErrorCode};
/// use urlid_index::{Load, LoadOptions};
///
/// let options = LoadOptions { form: Some("web".parse::<Form>()?), ..LoadOptions::default() };
/// let error = Load::begin(&path, SuffixList::compiled(), options).unwrap_err();
/// assert_eq!(error.code(), ErrorCode::CanonMixed);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
#[derive(Debug)]
pub enum LoadError {
    /// The index cannot be opened, created, written or published.
    Index(IndexError),
    /// The file of the external sort cannot be written or read.
    Sort {
        /// The directory of the file, that of the index.
        directory: PathBuf,
        /// What the operating system reported.
        source: io::Error,
    },
    /// The caller stopped the load.
    Stopped {
        /// The number of lines, from the first on, whose URLs are kept; `None` for a new index, of which nothing is kept.
        kept: Option<u64>,
    },
    /// The load failed in an earlier call.
    Over,
}

impl Coded for LoadError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Index(error) => error.code(),
            Self::Sort { .. } | Self::Stopped { .. } | Self::Over => ErrorCode::Io,
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(error) => error.fmt(f),
            Self::Sort { directory, .. } => {
                write!(f, "rows cannot be sorted: files in {}", directory.display())
            }
            Self::Stopped { kept: None } => f.write_str("load was stopped: nothing is kept of a new index"),
            Self::Stopped { kept: Some(lines) } => {
                write!(f, "load was stopped: the first {lines} lines are kept")
            }
            Self::Over => f.write_str("load is over: it failed before"),
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Index(error) => error.source(),
            Self::Sort { source, .. } => Some(source),
            Self::Stopped { .. } | Self::Over => None,
        }
    }
}

impl From<IndexError> for LoadError {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}

impl From<StoreError> for LoadError {
    fn from(error: StoreError) -> Self {
        Self::Index(error.into())
    }
}
