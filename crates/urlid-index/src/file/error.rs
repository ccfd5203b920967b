//! Errors of opening, reading and writing an index.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use urlid::snapshot::Snapshot;
use urlid::{Coded, ErrorCode};
use urlid_plan::schema::{APPLICATION_ID, FORMAT_VERSION};

use super::store::StoreError;

/// Error of opening, reading or writing an index.
///
/// ```
/// use urlid::{Coded, ErrorCode};
/// use urlid_index::Index;
///
/// let error = Index::open("Cargo.toml".as_ref()).unwrap_err();
/// assert_eq!(error.code(), ErrorCode::IndexFormat);
/// ```
#[non_exhaustive]
#[derive(Debug)]
pub enum IndexError {
    /// The operating system reported an error.
    Io {
        /// The file, or the directory it is in.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Another load is making the index.
    Making {
        /// The index to be made.
        path: PathBuf,
    },
    /// The path names something other than a regular file.
    Special {
        /// The path.
        path: PathBuf,
        /// One of `a directory`, `a FIFO`, `a socket`, `a device`.
        found: &'static str,
    },
    /// The file has length 0.
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The file is not a SQLite database.
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file is a SQLite database of another program.
    Other {
        /// The file.
        path: PathBuf,
        /// Its `application_id`.
        application_id: u32,
    },
    /// The file has the `application_id` of an index and no version.
    Unversioned {
        /// The file.
        path: PathBuf,
    },
    /// The file is an index of a later format.
    Newer {
        /// The file.
        path: PathBuf,
        /// Its `user_version`.
        version: u32,
    },
    /// The schema is not that of the format.
    Schema {
        /// The file.
        path: PathBuf,
        /// The first object that is missing, altered or not of the format.
        object: String,
    },
    /// The description in `meta` cannot be used.
    Meta {
        /// The file.
        path: PathBuf,
        /// The value that is missing or wrong.
        source: MetaError,
    },
    /// The file holds rows that no loader wrote. All others were read.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of such rows.
        rows: u64,
    },
    /// The identifiers in the file were made under another snapshot than those to be written.
    Snapshot {
        /// The file.
        path: PathBuf,
        /// The snapshot of the file.
        index: Box<Snapshot>,
        /// The snapshot of the rows to be written.
        ours: Box<Snapshot>,
    },
    /// The file has an earlier format, which can be read but not added to.
    Older {
        /// The file.
        path: PathBuf,
        /// Its format version.
        version: u32,
    },
    /// The URLs in the file are in another canonical form than those to be written.
    Form {
        /// The file.
        path: PathBuf,
        /// The name of the form of the file; `None` if its URLs are stored as they came.
        index: Option<String>,
        /// The name of the form of the rows to be written, or `none`.
        ours: String,
    },
    /// The name of the canonical form of the file is unknown: a later version of the library wrote it.
    FormName {
        /// The file.
        path: PathBuf,
        /// The error of parsing the name.
        source: urlid::Error,
    },
    /// The canonical form gives keys, but an index holds URLs.
    KeyForm {
        /// The name of the form.
        form: String,
    },
    /// The file was removed or replaced after it was opened.
    Replaced {
        /// The name it was opened by.
        path: PathBuf,
    },
    /// The file has several names (hard links), each of which would have a log of its own. It can be read, but not written.
    Linked {
        /// The name it was opened by.
        path: PathBuf,
        /// The number of hard links, more than 1.
        names: u64,
    },
    /// A log or journal is beside the name of a new index and would be replayed into it.
    LogInTheWay {
        /// The log or journal.
        path: PathBuf,
    },
    /// The file needs a log beside it, which cannot be created there. Sealing the index first avoids that.
    Unsealed {
        /// The file.
        path: PathBuf,
        /// What SQLite reported.
        source: StoreError,
    },
    /// SQLite failed.
    Store(StoreError),
}

/// A fault in the description that an index stores of itself.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MetaError {
    /// A key is missing, or its value is of another type or too long.
    Value {
        /// The key.
        key: &'static str,
    },
    /// The stored list is not the one that the snapshot names.
    List,
}

impl IndexError {
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }
}

impl Coded for IndexError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Io { .. }
            | Self::Making { .. }
            | Self::Replaced { .. }
            | Self::LogInTheWay { .. }
            | Self::Linked { .. }
            | Self::Unsealed { .. } => ErrorCode::Io,
            Self::Special { .. }
            | Self::Empty { .. }
            | Self::Foreign { .. }
            | Self::Other { .. }
            | Self::Unversioned { .. }
            | Self::Newer { .. }
            | Self::Older { .. }
            | Self::Schema { .. } => ErrorCode::IndexFormat,
            Self::Form { .. } => ErrorCode::CanonMixed,
            Self::FormName { .. } | Self::KeyForm { .. } => ErrorCode::CanonName,
            Self::Meta { .. } | Self::Damaged { .. } => ErrorCode::IndexDamaged,
            Self::Snapshot { .. } => ErrorCode::Snapshot,
            Self::Store(error) => error.code(),
        }
    }
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, .. } => write!(f, "index cannot be opened: {}", path.display()),
            Self::Making { path } => write!(f, "another load is making the index: {}", path.display()),
            Self::Special { path, found } => {
                write!(f, "not an index: found {found} at {}, expected a regular file", path.display())
            }
            Self::Empty { path } => write!(f, "not an index: found an empty file at {}", path.display()),
            Self::Foreign { path } => {
                write!(f, "not an index: found no SQLite database in {}", path.display())
            }
            Self::Other { path, application_id } => write!(
                f,
                "not an index: found application_id {application_id:#010x} in {}, expected {APPLICATION_ID:#010x}",
                path.display()
            ),
            Self::Unversioned { path } => write!(
                f,
                "not an index: found user_version 0 in {}, expected 1 to {FORMAT_VERSION}",
                path.display()
            ),
            Self::Newer { path, version } => write!(
                f,
                "index is of a newer format: found version {version} in {}, expected {FORMAT_VERSION}",
                path.display()
            ),
            Self::Older { path, version } => write!(
                f,
                "index is of an older format: found version {version} in {}, expected {FORMAT_VERSION}; migrate it before adding to it",
                path.display()
            ),
            Self::Form { path, index, ours } => write!(
                f,
                "canonical forms differ: found {} in {}, expected {ours}",
                index.as_deref().unwrap_or("none"),
                path.display()
            ),
            Self::FormName { path, .. } => write!(f, "canonical form of {} is unknown", path.display()),
            Self::KeyForm { form } => {
                write!(f, "{form} gives keys: expected a canonical form that gives URLs")
            }
            Self::Schema { path, object } => write!(
                f,
                "not an index: found `{object}` missing, altered or not of the format in {}",
                path.display()
            ),
            Self::Meta { path, .. } => write!(f, "index is damaged: {}", path.display()),
            Self::Damaged { path, rows: 1 } => {
                write!(
                    f,
                    "index is damaged: 1 row that no loader wrote was passed over in {}",
                    path.display()
                )
            }
            Self::Damaged { path, rows } => {
                write!(
                    f,
                    "index is damaged: {rows} rows that no loader wrote were passed over in {}",
                    path.display()
                )
            }
            Self::Snapshot { path, index, ours } => {
                write!(f, "snapshots differ: found {index} in {}, expected {ours}", path.display())
            }
            Self::Replaced { path } => {
                write!(f, "index was removed or replaced while it was open: {}", path.display())
            }
            Self::Linked { path, names } => write!(
                f,
                "index has more than one name: found {names} hard links at {}, expected 1 for writing",
                path.display()
            ),
            Self::LogInTheWay { path } => write!(
                f,
                "a log without its index is in the way: found {}; put the index it belongs to back, or remove it",
                path.display()
            ),
            Self::Unsealed { path, .. } => write!(
                f,
                "index is not sealed: no log can be made beside {}; seal it where it can be written",
                path.display()
            ),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for IndexError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Meta { source, .. } => Some(source),
            Self::FormName { source, .. } => Some(source),
            Self::Unsealed { source, .. } => source.source(),
            Self::Store(error) => error.source(),
            _ => None,
        }
    }
}

impl From<StoreError> for IndexError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl fmt::Display for MetaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { key } => write!(f, "found no usable `{key}` in meta"),
            Self::List => f.write_str("found a suffix list in meta that its snapshot does not name"),
        }
    }
}

impl std::error::Error for MetaError {}
