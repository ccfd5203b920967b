//! One SQLite connection with the settings of an index, and what can go wrong in SQLite (docs/index-format.md, section 4).
//!
//! The lowest layer of this crate and its only door to opening connections. Knows nothing about URLs or the schema.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use urlid::{Coded, ErrorCode};

use rusqlite::ErrorCode as SqliteCode;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

/// How long a statement waits for another process's lock.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// What kind of failure SQLite reported.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreErrorKind {
    /// Another process holds the lock for longer than the waiting time.
    Busy,
    /// No space is left for the file or its log.
    Full,
    /// The file or its directory cannot be written.
    ReadOnly,
    /// The file is not a whole database.
    Damaged,
    /// The file system failed.
    Io,
    /// Anything else that SQLite says.
    Other,
}

/// A failure of SQLite on an index file.
#[derive(Debug)]
pub struct StoreError {
    kind: StoreErrorKind,
    path: PathBuf,
    source: rusqlite::Error,
}

impl StoreError {
    pub(crate) fn new(path: &Path, source: rusqlite::Error) -> Self {
        let kind = match &source {
            rusqlite::Error::SqliteFailure(error, _) => match error.code {
                SqliteCode::DatabaseBusy | SqliteCode::DatabaseLocked => StoreErrorKind::Busy,
                SqliteCode::DiskFull => StoreErrorKind::Full,
                SqliteCode::ReadOnly => StoreErrorKind::ReadOnly,
                SqliteCode::DatabaseCorrupt | SqliteCode::NotADatabase => StoreErrorKind::Damaged,
                SqliteCode::SystemIoFailure | SqliteCode::CannotOpen | SqliteCode::PermissionDenied => {
                    StoreErrorKind::Io
                }
                _ => StoreErrorKind::Other,
            },
            // A column of a type that the schema forbids, or text that is not UTF-8.
            rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::Utf8Error(..)
            | rusqlite::Error::IntegralValueOutOfRange(..) => StoreErrorKind::Damaged,
            _ => StoreErrorKind::Other,
        };
        Self { kind, path: path.to_owned(), source }
    }

    /// Returns the kind of the failure.
    #[must_use]
    pub fn kind(&self) -> StoreErrorKind {
        self.kind
    }
}

impl Coded for StoreError {
    fn code(&self) -> ErrorCode {
        match self.kind {
            StoreErrorKind::Damaged => ErrorCode::IndexDamaged,
            _ => ErrorCode::Io,
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match self.kind {
            StoreErrorKind::Busy => {
                write!(
                    f,
                    "index is locked: another process is writing {path}, waited {} s",
                    BUSY_TIMEOUT.as_secs()
                )
            }
            StoreErrorKind::Full => write!(f, "no space is left: {path} or its log could not grow"),
            StoreErrorKind::ReadOnly => {
                write!(f, "index cannot be written: {path} or its directory is read-only")
            }
            StoreErrorKind::Damaged => write!(f, "index is damaged: found `{}` in {path}", self.source),
            StoreErrorKind::Io => {
                write!(f, "index cannot be read or written: found `{}` in {path}", self.source)
            }
            StoreErrorKind::Other => write!(f, "index cannot be used: found `{}` in {path}", self.source),
        }
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// Whether a connection may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Asks questions only.
    Read,
    /// Writes to a file that others may have open too.
    Write,
    /// Fills a file that nobody else has seen. SQLite's defensive mode would keep the journal on.
    Fill,
}

/// A connection to one file, with the settings that every index is used under.
#[derive(Debug)]
pub(crate) struct Store {
    pub(crate) conn: Connection,
    pub(crate) path: PathBuf,
}

impl Store {
    /// Opens an existing file.
    pub(crate) fn open(path: &Path, access: Access) -> Result<Self, StoreError> {
        // For questions too: only a connection that could write recovers what a killed one left, and tidies up
        // its log when it closes. SQLite itself falls back to reading where writing is not allowed.
        let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_READ_WRITE;
        // A name such as `file:x` or `:memory:` means something to SQLite; one with a directory does not.
        let named = if path.is_absolute() { path.to_owned() } else { Path::new(".").join(path) };
        let conn = Connection::open_with_flags(named, flags).map_err(|e| StoreError::new(path, e))?;
        let store = Self { conn, path: path.to_owned() };
        store.configure(access)?;
        Ok(store)
    }

    fn configure(&self, access: Access) -> Result<(), StoreError> {
        let set = |option, value| self.conn.set_db_config(option, value).map_err(|e| self.error(e));
        set(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, access != Access::Fill)?;
        set(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        set(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
        set(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
        set(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
        self.conn.busy_timeout(BUSY_TIMEOUT).map_err(|e| self.error(e))?;
        self.pragma("cache_size", -65_536)?;
        self.pragma("cell_size_check", true)?;
        self.pragma("mmap_size", 0)?;
        if access == Access::Read {
            self.pragma("query_only", true)?;
        }
        Ok(())
    }

    /// Sets a pragma whose effect need not be read back.
    pub(crate) fn pragma(&self, name: &str, value: impl rusqlite::ToSql) -> Result<(), StoreError> {
        self.conn.pragma_update(None, name, value).map_err(|e| self.error(e))
    }

    /// Sets `journal_mode` and fails unless SQLite says that it took.
    pub(crate) fn journal_mode(&self, mode: &str) -> Result<(), StoreError> {
        let took: String = self
            .conn
            .pragma_update_and_check(None, "journal_mode", mode, |row| row.get(0))
            .map_err(|e| self.error(e))?;
        if took == mode { Ok(()) } else { Err(self.refused_pragma("journal_mode", &took)) }
    }

    /// Sets `synchronous` (0 off, 2 full) and fails unless SQLite says that it took.
    pub(crate) fn synchronous(&self, level: i64) -> Result<(), StoreError> {
        self.pragma("synchronous", level)?;
        let took: i64 =
            self.conn.pragma_query_value(None, "synchronous", |row| row.get(0)).map_err(|e| self.error(e))?;
        if took == level { Ok(()) } else { Err(self.refused_pragma("synchronous", &took.to_string())) }
    }

    fn refused_pragma(&self, name: &str, took: &str) -> StoreError {
        let message = format!("{name} stayed {took}");
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_IOERR);
        self.error(rusqlite::Error::SqliteFailure(code, Some(message)))
    }

    pub(crate) fn error(&self, source: rusqlite::Error) -> StoreError {
        StoreError::new(&self.path, source)
    }

    /// Closes the connection and reports what closing it found; merely dropping it would not.
    pub(crate) fn close(self) -> Result<(), StoreError> {
        let path = self.path;
        self.conn.close().map_err(|(_, e)| StoreError::new(&path, e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(code: i32) -> StoreError {
        let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), Some("cause".to_owned()));
        StoreError::new(Path::new("a.urlid"), error)
    }

    #[test]
    fn each_kind_says_what_and_where() {
        let table = [
            (5, ErrorCode::Io, "index is locked: another process is writing a.urlid, waited 10 s"),
            (13, ErrorCode::Io, "no space is left: a.urlid or its log could not grow"),
            (8, ErrorCode::Io, "index cannot be written: a.urlid or its directory is read-only"),
            (11, ErrorCode::IndexDamaged, "index is damaged: found `cause` in a.urlid"),
            (26, ErrorCode::IndexDamaged, "index is damaged: found `cause` in a.urlid"),
            (10, ErrorCode::Io, "index cannot be read or written: found `cause` in a.urlid"),
            (1, ErrorCode::Io, "index cannot be used: found `cause` in a.urlid"),
        ];
        for (sqlite, code, text) in table {
            let error = failure(sqlite);
            assert_eq!((error.code(), error.to_string().as_str()), (code, text));
        }
    }

    #[test]
    fn names_that_mean_something_to_sqlite_are_files() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file:x?mode=memory");
        std::fs::write(&path, b"").expect("an empty file");
        let store = Store::open(&path, Access::Write).expect("opens");
        store.conn.execute_batch("CREATE TABLE t(x)").expect("writes");
        store.close().expect("closes");
        assert!(std::fs::metadata(&path).expect("is there").len() > 0);
    }

    #[test]
    fn settings_are_those_of_the_format() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("x");
        std::fs::write(&path, b"").expect("an empty file");
        let store = Store::open(&path, Access::Read).expect("opens");
        store.conn.execute_batch("CREATE TABLE t(x)").expect_err("only asks");
        let read =
            |name: &str| -> i64 { store.conn.pragma_query_value(None, name, |r| r.get(0)).expect(name) };
        assert_eq!(read("trusted_schema"), 0);
        assert_eq!(read("cell_size_check"), 1);
        assert_eq!(read("cache_size"), -65_536);
        assert_eq!(read("query_only"), 1);
        assert_eq!(read("busy_timeout"), 10_000);
        let mmap = store.conn.pragma_query_value(None, "mmap_size", |r| r.get::<_, i64>(0));
        assert!(matches!(mmap, Ok(0) | Err(rusqlite::Error::QueryReturnedNoRows)));
    }
}
