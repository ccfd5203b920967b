//! Why an index cannot be opened, read or written.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use urlid::snapshot::Snapshot;
use urlid::{Coded, ErrorCode};
use urlid_plan::schema::{APPLICATION_ID, FORMAT_VERSION};

use super::store::StoreError;

/// Why a file cannot be used as an index.
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
        /// The file.
        path: PathBuf,
        /// What it reported.
        source: io::Error,
    },
    /// Another load is making the index.
    Making {
        /// The file.
        path: PathBuf,
    },
    /// There is something else than a regular file.
    Special {
        /// Its name.
        path: PathBuf,
        /// What it is: `a directory`, `a FIFO`, `a socket`, `a device`.
        found: &'static str,
    },
    /// The file holds no byte.
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The file is no SQLite database.
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
        /// What is wrong with it.
        source: MetaError,
    },
    /// The file holds rows that no loader wrote. All others were read.
    Damaged {
        /// The file.
        path: PathBuf,
        /// How many.
        rows: u64,
    },
    /// The identifiers in the file were made under another snapshot than the one to be written with.
    Snapshot {
        /// The file.
        path: PathBuf,
        /// The snapshot of the file.
        index: Box<Snapshot>,
        /// The snapshot to be written with.
        ours: Box<Snapshot>,
    },
    /// The file is of an earlier format, which can be read and not added to.
    Older {
        /// The file.
        path: PathBuf,
        /// Its format version.
        version: u32,
    },
    /// The URLs in the file are in another canonical form than the one to be written with.
    Form {
        /// The file.
        path: PathBuf,
        /// The name of the form of the file; nothing if its URLs are in none.
        index: Option<String>,
        /// The name of the form to be written with.
        ours: String,
    },
    /// The name of the canonical form of the file is unknown: a later version of the library wrote it.
    FormName {
        /// The file.
        path: PathBuf,
        /// Why it is none.
        source: urlid::Error,
    },
    /// A canonical form gives keys, and an index holds URLs.
    KeyForm {
        /// Its name.
        form: String,
    },
    /// The file was removed or replaced after it was opened.
    Replaced {
        /// Its name.
        path: PathBuf,
    },
    /// The file has more than one name (hard links), so each name would have a log of its own. It can be read.
    Linked {
        /// The name it was opened by.
        path: PathBuf,
        /// How many names it has.
        names: u64,
    },
    /// A log or journal is beside the name of a new index and would be replayed into it.
    LogInTheWay {
        /// The log or journal.
        path: PathBuf,
    },
    /// The file needs a log beside it, and none can be made there: it has to be sealed first.
    Unsealed {
        /// The file.
        path: PathBuf,
        /// What SQLite reported.
        source: StoreError,
    },
    /// SQLite failed.
    Store(StoreError),
}

/// What is wrong with the description of an index.
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
