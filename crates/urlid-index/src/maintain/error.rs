//! The error of deletions and migrations.

use std::fmt;
use std::io;
use std::path::PathBuf;

use urlid::{Coded, ErrorCode};

use crate::file::error::IndexError;

/// Error of a deletion or a migration. Except for `Unlisted`, the index is unchanged.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use urlid::suffix::SuffixList;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls.db");
/// use urlid::{Coded, ErrorCode};
/// use urlid_index::{Question, delete};
///
/// let error = delete(&path, &Question::default()).unwrap_err();
/// assert_eq!(error.code(), ErrorCode::Io);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
#[derive(Debug)]
pub enum ChangeError {
    /// The index cannot be opened, read or written.
    Index(IndexError),
    /// The rows to change cannot be written to a temporary file.
    SetAside {
        /// The directory of that file.
        directory: PathBuf,
        /// What the operating system reported.
        source: io::Error,
    },
    /// The index is changed, but the changed rows cannot be listed.
    Unlisted {
        /// The directory of the temporary file.
        directory: PathBuf,
        /// What the operating system reported.
        source: io::Error,
    },
    /// A row is damaged; `verify` names all of them.
    Damaged,
    /// The caller's callback returned `Break`.
    Stopped,
}

impl Coded for ChangeError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Index(error) => error.code(),
            Self::Damaged => ErrorCode::IndexDamaged,
            Self::SetAside { .. } | Self::Unlisted { .. } | Self::Stopped => ErrorCode::Io,
        }
    }
}

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(error) => error.fmt(f),
            Self::SetAside { directory, .. } => {
                write!(f, "rows cannot be set aside: files in {}", directory.display())
            }
            Self::Unlisted { directory, .. } => {
                write!(f, "index is changed, but the rows cannot be listed: files in {}", directory.display())
            }
            Self::Damaged => f.write_str("index is damaged: found a row that no loader wrote"),
            Self::Stopped => f.write_str("change was stopped: nothing is changed"),
        }
    }
}

impl std::error::Error for ChangeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Index(error) => error.source(),
            Self::SetAside { source, .. } | Self::Unlisted { source, .. } => Some(source),
            Self::Damaged | Self::Stopped => None,
        }
    }
}

impl From<IndexError> for ChangeError {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}
