//! Opening an index that exists: first the file, then its header, its schema, its description (docs/index-format.md).
//!
//! Nothing here writes: what is not an index of this format is refused by name before SQLite touches it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use urlid::snapshot::Snapshot;
use urlid::suffix::SuffixList;
use urlid::{Coded, ErrorCode};

use crate::file::header::{self, Header, Probe};
use crate::file::meta::{self, Meta, MetaError};
use crate::file::schema::{self, APPLICATION_ID, FORMAT_VERSION, Object, SliceIndex};
use crate::file::store::{Access, Store, StoreError};

/// Why a file is not opened as an index.
#[non_exhaustive]
#[derive(Debug)]
pub enum OpenError {
    /// The file system refused.
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
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
        /// The first object that is missing, altered or not ours.
        object: String,
    },
    /// The description in `meta` cannot be used.
    Meta {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: MetaError,
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
    /// SQLite failed.
    Store(StoreError),
}

impl OpenError {
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }
}

impl Coded for OpenError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Io { .. } => ErrorCode::Io,
            Self::Special { .. }
            | Self::Empty { .. }
            | Self::Foreign { .. }
            | Self::Other { .. }
            | Self::Newer { .. }
            | Self::Schema { .. } => ErrorCode::IndexFormat,
            Self::Meta { .. } => ErrorCode::IndexDamaged,
            Self::Snapshot { .. } => ErrorCode::Snapshot,
            Self::Store(error) => error.code(),
        }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, source } => {
                write!(f, "index cannot be opened: found `{source}` at {}", path.display())
            }
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
            Self::Newer { path, version } => write!(
                f,
                "index is of a newer format: found version {version} in {}, expected {FORMAT_VERSION}",
                path.display()
            ),
            Self::Schema { path, object } => write!(
                f,
                "not an index: found `{object}` missing, altered or not of the format in {}",
                path.display()
            ),
            Self::Meta { path, source } => write!(f, "index is damaged: {source} of {}", path.display()),
            Self::Snapshot { path, index, ours } => {
                write!(f, "snapshots differ: found {index} in {}, expected {ours}", path.display())
            }
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Meta { source, .. } => Some(source),
            Self::Store(error) => Some(error),
            _ => None,
        }
    }
}

impl From<StoreError> for OpenError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A checked index: its connection and what it says about itself.
#[derive(Debug)]
pub(crate) struct Opened {
    // Declared first so that SQLite lets go of the file before the probe does.
    pub(crate) store: Store,
    pub(crate) meta: Meta,
    pub(crate) indexes: Vec<SliceIndex>,
    pub(crate) probe: Probe,
}

/// Opens and checks an existing file.
pub(crate) fn open(path: &Path, access: Access) -> Result<Opened, OpenError> {
    let metadata = std::fs::metadata(path).map_err(|e| OpenError::io(path, e))?;
    if let Some(found) = header::special(&metadata) {
        return Err(OpenError::Special { path: path.to_owned(), found });
    }
    let (probe, header) = Probe::of(path).map_err(|e| OpenError::io(path, e))?;
    let owned = || path.to_owned();
    match header {
        Header::Ours => {}
        Header::Empty => return Err(OpenError::Empty { path: owned() }),
        Header::Foreign => return Err(OpenError::Foreign { path: owned() }),
        Header::Other(application_id) => return Err(OpenError::Other { path: owned(), application_id }),
        Header::Newer(version) => return Err(OpenError::Newer { path: owned(), version }),
    }
    let store = Store::open(path, access)?;
    let indexes =
        schema::check(&objects(&store)?).map_err(|object| OpenError::Schema { path: owned(), object })?;
    check_length(&store)?;
    let meta = meta::read(&store.conn).map_err(|e| meta_error(&store, e))?;
    Ok(Opened { store, meta, indexes, probe })
}

/// Refuses a sealed file that ends within a page: SQLite would take the rest of that page for zeros.
///
/// A file with a log may end anywhere after a crash; the log has what is missing.
fn check_length(store: &Store) -> Result<(), OpenError> {
    let read = || -> rusqlite::Result<(String, u64)> {
        let mode = store.conn.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        let page_size: u32 = store.conn.pragma_query_value(None, "page_size", |row| row.get(0))?;
        Ok((mode, u64::from(page_size)))
    };
    let (mode, page_size) = read().map_err(|e| store.error(e))?;
    let length = std::fs::metadata(&store.path).map_err(|e| OpenError::io(&store.path, e))?.len();
    if mode == "wal" || length.is_multiple_of(page_size) {
        return Ok(());
    }
    let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
    let message = "the file ends within a page".to_owned();
    Err(store.error(rusqlite::Error::SqliteFailure(code, Some(message))).into())
}

/// Opens an existing file to add rows made with `list`, which must be the list of the file.
pub(crate) fn open_to_write(path: &Path, list: &SuffixList) -> Result<Opened, OpenError> {
    let opened = open(path, Access::Write)?;
    let ours = meta::snapshot_of(list);
    if opened.meta.snapshot == ours {
        return Ok(opened);
    }
    let index = Box::new(opened.meta.snapshot);
    Err(OpenError::Snapshot { path: path.to_owned(), index, ours: Box::new(ours) })
}

/// Tells SQLite's own failures from values that are not as the format says.
pub(crate) fn meta_error(store: &Store, error: MetaError) -> OpenError {
    match error {
        MetaError::Sqlite(error) => OpenError::Store(store.error(error)),
        source => OpenError::Meta { path: store.path.clone(), source },
    }
}

fn objects(store: &Store) -> Result<Vec<Object>, StoreError> {
    let read = || -> rusqlite::Result<Vec<Object>> {
        let mut statement = store.conn.prepare("SELECT type, name, sql FROM sqlite_schema")?;
        let rows = statement
            .query_map([], |row| Ok(Object { kind: row.get(0)?, name: row.get(1)?, sql: row.get(2)? }))?;
        rows.collect()
    };
    read().map_err(|e| store.error(e))
}
