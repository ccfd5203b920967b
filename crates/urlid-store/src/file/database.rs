//! One SQLite connection with the settings of an index, and the errors of SQLite (docs/index-format.md,
//! section 4).
//!
//! This is the lowest layer: every connection to an index is opened here. The module does not depend on URLs
//! or the schema.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode as SqliteCode, OpenFlags};
use urlid::{Error, ErrorKind};

use crate::file::error;

/// How long a statement waits for the lock of a different process.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// Steps of SQLite's virtual machine between two calls of the progress handler, which counts them.
const STEPS_BETWEEN_LOOKS: u32 = 100_000;
/// The steps that an operation may use for a file of any size, and the additional steps for each page.
///
/// Reading every row and checking all indexes uses less than a tenth of this. In a damaged file, pages can
/// refer to each other in so many ways that a walk through them would not end.
const STEPS: u64 = 10_000_000;
const STEPS_PER_PAGE: u64 = 100_000;

/// Returns the error of a failure of SQLite on a file.
fn failure(path: &Path, source: rusqlite::Error) -> Error {
    let source = match source {
        // In this crate, only the limit of steps interrupts statements.
        rusqlite::Error::SqliteFailure(error, _) if error.code == SqliteCode::OperationInterrupted => {
            let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
            rusqlite::Error::SqliteFailure(code, Some("its pages lead to each other without end".to_owned()))
        }
        source => source,
    };
    let error = kind_of(&source).error().with_path(path).with_shown(BUSY_TIMEOUT.as_secs());
    error.with_source(source)
}

fn kind_of(source: &rusqlite::Error) -> ErrorKind {
    match source {
        rusqlite::Error::SqliteFailure(error, _) => match error.code {
            SqliteCode::DatabaseBusy | SqliteCode::DatabaseLocked => error::BUSY,
            SqliteCode::DiskFull => error::FULL,
            SqliteCode::ReadOnly => error::READ_ONLY,
            SqliteCode::DatabaseCorrupt | SqliteCode::NotADatabase => error::DAMAGED,
            SqliteCode::SystemIoFailure | SqliteCode::CannotOpen | SqliteCode::PermissionDenied => {
                error::FILE_SYSTEM
            }
            _ => error::UNUSABLE,
        },
        // A column of a type that the schema forbids, or text that is not UTF-8.
        rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::Utf8Error(..)
        | rusqlite::Error::IntegralValueOutOfRange(..) => error::DAMAGED,
        _ => error::UNUSABLE,
    }
}

/// Turns `BUSY` into `IN_USE`, for operations that need exclusive access to the file.
pub(crate) fn in_use(error: Error) -> Error {
    if error.is(error::BUSY) { error.with_kind(error::IN_USE) } else { error }
}

/// Returns whether SQLite could not make the files that accompany an index in use.
pub(crate) fn is_about_a_log(error: &Error) -> bool {
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref());
    let sqlite = source.and_then(rusqlite::Error::sqlite_error);
    error.is(error::READ_ONLY) || sqlite.is_some_and(|error| error.code == SqliteCode::CannotOpen)
}

/// Whether a connection may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Reads only.
    Read,
    /// Writes to a file that other processes may have open.
    Write,
    /// Fills a file that only this process opens. SQLite's defensive mode is off, because it forbids
    /// `journal_mode=off`.
    Fill,
}

/// Ends the statement of a connection from a different thread.
#[derive(Debug)]
pub(crate) struct Brake(Arc<AtomicU64>);

impl Brake {
    /// Ends the statement that is running, as if its steps were used up.
    pub(crate) fn pull(&self) {
        // Relaxed is enough, because the number is the whole message and no other data is read because of it.
        self.0.store(0, Ordering::Relaxed);
    }
}

/// A connection to one file, with the settings that every index needs.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) conn: Connection,
    pub(crate) path: PathBuf,
    /// The remaining steps of the virtual machine, shared with the progress handler, which SQLite owns.
    steps: Arc<AtomicU64>,
}

impl Database {
    /// Opens an existing file.
    pub(crate) fn open(path: &Path, access: Access) -> Result<Self, Error> {
        // Readers also open the file for writing. Only a connection that may write can recover the log of a
        // killed process, and removes the log when it closes. SQLite itself falls back to reading if writing
        // is not permitted. A mutex is not needed, because threads do not share a connection.
        let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_READ_WRITE;
        // Names such as `file:x` and `:memory:` are special to SQLite, but not after `./`.
        let named = if path.is_absolute() { path.to_owned() } else { Path::new(".").join(path) };
        let conn = Connection::open_with_flags(named, flags).map_err(|e| failure(path, e))?;
        let mut store = Self { conn, path: path.to_owned(), steps: Arc::default() };
        store.count_steps()?;
        // The limit comes first, because the settings below read the schema, which may be hostile.
        store.limit_steps(Some(0));
        store.configure(access)?;
        Ok(store)
    }

    fn count_steps(&mut self) -> Result<(), Error> {
        let steps = Arc::clone(&self.steps);
        let take = |left: u64| Some(left.saturating_sub(u64::from(STEPS_BETWEEN_LOOKS)));
        // `fetch_update` returns the previous value, so the statement ends at the first call that finds no
        // steps left.
        let is_over = move || steps.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) == Ok(0);
        let failed = |e| failure(&self.path, e);
        self.conn.progress_handler(STEPS_BETWEEN_LOOKS as i32, Some(is_over)).map_err(failed)
    }

    /// Limits the steps from now on to the number needed for reading a file of `pages` pages. `None` removes
    /// the limit.
    pub(crate) fn limit_steps(&self, pages: Option<u64>) {
        let steps =
            // The arithmetic saturates, because a damaged file may claim any number of pages.
            pages.map_or(u64::MAX, |pages| STEPS.saturating_add(pages.saturating_mul(STEPS_PER_PAGE)));
        self.steps.store(steps, Ordering::Relaxed);
    }

    /// Returns a handle that ends the current statement from a different thread.
    pub(crate) fn brake(&self) -> Brake {
        Brake(Arc::clone(&self.steps))
    }

    fn configure(&self, access: Access) -> Result<(), Error> {
        let set = |option, value| self.conn.set_db_config(option, value).map_err(|e| self.error(e));
        // The schema of the file is untrusted until it is compared with ours. These settings forbid writes to
        // `sqlite_schema` or shadow tables, functions with side effects in views, triggers, and strings in
        // double quotes (`"text"`).
        set(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, access != Access::Fill)?;
        set(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        set(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
        set(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
        set(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
        self.conn.busy_timeout(BUSY_TIMEOUT).map_err(|e| self.error(e))?;
        // A negative number is in KiB. A larger cache does not help: 256 MiB loads and looks up equally fast,
        // because pages come from the system's cache.
        self.pragma("cache_size", -65_536)?;
        // This is off by default. It checks the cells of each page when the page is read, so that damage is
        // an error and not a wrong row.
        self.pragma("cell_size_check", true)?;
        // If a file under a memory map is truncated, the process ends with SIGBUS. A read returns
        // `SQLITE_CORRUPT`.
        self.pragma("mmap_size", 0)?;
        if access == Access::Read {
            self.pragma("query_only", true)?;
        }
        Ok(())
    }

    /// Sets a pragma with an effect that need not be read back.
    pub(crate) fn pragma(&self, name: &str, value: impl rusqlite::ToSql) -> Result<(), Error> {
        self.conn.pragma_update(None, name, value).map_err(|e| self.error(e))
    }

    /// Sets `journal_mode` and fails unless SQLite reports the new mode. After a failed fsync it silently
    /// kept the old one. A change needs exclusive access to the file.
    pub(crate) fn journal_mode(&self, mode: &str) -> Result<(), Error> {
        let took: String = self
            .conn
            .pragma_update_and_check(None, "journal_mode", mode, |row| row.get(0))
            .map_err(|e| in_use(self.error(e)))?;
        if took == mode { Ok(()) } else { Err(self.rejected_pragma("journal_mode", &took)) }
    }

    /// Sets `synchronous` (0 off, 2 full) and fails unless SQLite reports the new value.
    pub(crate) fn synchronous(&self, level: i64) -> Result<(), Error> {
        self.pragma("synchronous", level)?;
        let took: i64 =
            self.conn.pragma_query_value(None, "synchronous", |row| row.get(0)).map_err(|e| self.error(e))?;
        if took == level { Ok(()) } else { Err(self.rejected_pragma("synchronous", &took.to_string())) }
    }

    fn rejected_pragma(&self, name: &str, took: &str) -> Error {
        let message = format!("{name} stayed {took}");
        // It is an I/O error, because a failed sync is the case in which SQLite keeps the old value.
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_IOERR);
        self.error(rusqlite::Error::SqliteFailure(code, Some(message)))
    }

    /// Copies the log into the file and empties it, as far as this is possible without waiting for other
    /// processes.
    pub(crate) fn checkpoint(&self) -> Result<(), Error> {
        let failed = |e| self.error(e);
        self.conn.flush_prepared_statement_cache();
        self.conn.busy_timeout(Duration::ZERO).map_err(failed)?;
        let done = self.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        self.conn.busy_timeout(BUSY_TIMEOUT).map_err(failed)?;
        match done.map_err(failed) {
            // A different connection uses the log. A later checkpoint copies the rest.
            Err(error) if error.is(error::BUSY) => Ok(()),
            done => done,
        }
    }

    pub(crate) fn error(&self, source: rusqlite::Error) -> Error {
        failure(&self.path, source)
    }

    /// Closes the connection and returns its errors, which dropping it would ignore.
    pub(crate) fn close(self) -> Result<(), Error> {
        let path = self.path;
        self.conn.close().map_err(|(_, e)| failure(&path, e))
    }
}

#[cfg(test)]
mod tests {
    use urlid::ErrorCode;

    use super::*;

    fn of_code(code: i32) -> Error {
        let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), Some("cause".to_owned()));
        failure(Path::new("a.urlid"), error)
    }

    #[test]
    fn each_kind_says_what_and_where() {
        let table = [
            (5, ErrorCode::InUse, "index is locked: another process is writing a.urlid, waited 10 s"),
            (13, ErrorCode::Io, "no space is left: a.urlid or its log could not grow"),
            (8, ErrorCode::Io, "index cannot be written: a.urlid or its directory is read-only"),
            (11, ErrorCode::IndexDamaged, "index is damaged: a.urlid"),
            (26, ErrorCode::IndexDamaged, "index is damaged: a.urlid"),
            (10, ErrorCode::Io, "index cannot be read or written: a.urlid"),
            (1, ErrorCode::Io, "index cannot be used: a.urlid"),
        ];
        for (sqlite, code, text) in table {
            let error = of_code(sqlite);
            assert_eq!((error.code(), error.to_string().as_str()), (code, text));
        }
    }

    #[test]
    fn names_that_mean_something_to_sqlite_are_files() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file:x?mode=memory");
        std::fs::write(&path, b"").expect("an empty file");
        let store = Database::open(&path, Access::Write).expect("opens");
        store.conn.execute_batch("CREATE TABLE t(x)").expect("writes");
        store.close().expect("closes");
        assert!(std::fs::metadata(&path).expect("is there").len() > 0);
    }

    #[test]
    fn settings_match_the_format() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("x");
        std::fs::write(&path, b"").expect("an empty file");
        let store = Database::open(&path, Access::Read).expect("opens");
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
