//! The error of an export.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use urlid::{Coded, ErrorCode};

use crate::file::error::IndexError;

/// Error of an export. Files that were finished before stay.
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
/// use urlid::{Coded, ErrorCode};
/// use urlid_index::{Index, export_sqlite};
///
/// let error = export_sqlite(&Index::open(&path)?, &path).unwrap_err();
/// assert_eq!(error.code(), ErrorCode::Io);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
#[derive(Debug)]
pub enum ExportError {
    /// The index cannot be read.
    Index(IndexError),
    /// The index holds rows that no loader wrote.
    Damaged,
    /// A file cannot be created, or its name is taken.
    File {
        /// The file that the export would have created.
        path: PathBuf,
        /// What the operating system reported.
        source: io::Error,
    },
    /// A file cannot be written.
    Write {
        /// The file of the export.
        path: PathBuf,
        /// What the writer reported.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The caller's callback returned `Break`.
    Stopped,
}

impl Coded for ExportError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Index(error) => error.code(),
            Self::Damaged => ErrorCode::IndexDamaged,
            Self::File { .. } | Self::Write { .. } | Self::Stopped => ErrorCode::Io,
        }
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(error) => error.fmt(f),
            Self::Damaged => f.write_str("index is damaged: found a row that no loader wrote"),
            Self::File { path, .. } => write!(f, "file cannot be made: {}", path.display()),
            Self::Write { path, .. } => write!(f, "file cannot be written: {}", path.display()),
            Self::Stopped => f.write_str("export was stopped"),
        }
    }
}

impl std::error::Error for ExportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Index(error) => error.source(),
            Self::File { source, .. } => Some(source),
            Self::Write { source, .. } => Some(source.as_ref()),
            Self::Damaged | Self::Stopped => None,
        }
    }
}

impl ExportError {
    pub(crate) fn write(path: &Path, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Write { path: path.to_owned(), source: source.into() }
    }
}

impl From<IndexError> for ExportError {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}
