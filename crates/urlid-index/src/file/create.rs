//! A new index that nobody sees before it is whole (docs/index-format.md, section 4).
//!
//! The file is made beside its target under the name `NAME.loading`, locked while its maker lives, filled without a journal, synced and
//! renamed without replacing anything. A maker that is killed leaves that file; the next one recognises and removes it.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::IndexError;
use super::header::{HeldFile, Kind, beside, special};
use super::loading::{Leftover, LoadingFile};
use super::meta::{self, Basis};
use super::store::{Access, BUSY_TIMEOUT, Store, StoreError};
use tempfile::TempPath;
use urlid_files::{directory_of, sync_directory};
use urlid_plan::schema::{APPLICATION_ID, FORMAT_VERSION, HEX_VIEW, META_TABLE, OTHER_TABLE, URL_TABLE};

/// An index under its first name.
#[derive(Debug)]
pub(crate) struct NewFile {
    pub(crate) store: Store,
    // Removes the file when the load does not end well.
    temporary: TempPath,
    loading: LoadingFile,
    target: PathBuf,
}

/// Fails if a log or journal of another file has the name that the log of `target` would have: SQLite would replay it.
///
/// It may hold the last rows of an index that was moved away without it, so it is not removed here.
fn check_no_log(target: &Path) -> Result<(), IndexError> {
    for ending in ["-wal", "-journal"] {
        let path = beside(target, ending);
        match std::fs::symlink_metadata(&path) {
            Ok(_) => return Err(IndexError::LogInTheWay { path }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(IndexError::io(&path, error)),
        }
    }
    Ok(())
}

/// How long to wait before the next look at whether another load still makes the index.
const LOOK: Duration = Duration::from_millis(20);

fn exists(target: &Path) -> Result<bool, IndexError> {
    match std::fs::symlink_metadata(target) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(IndexError::io(target, error)),
    }
}

impl NewFile {
    /// Makes an empty index for rows made on a basis, to be published as `target`; nothing if something has that name, which another load
    /// may have given it meanwhile: it is waited for as another writer is.
    pub(crate) fn unless_there(target: &Path, basis: &Basis) -> Result<Option<Self>, IndexError> {
        for _ in 0..BUSY_TIMEOUT.as_millis() / LOOK.as_millis() {
            if exists(target)? {
                return Ok(None);
            }
            match Self::create(target, basis) {
                Ok(Some(new)) => return Ok(Some(new)),
                Ok(None) => std::thread::sleep(LOOK),
                // The log in the way may be that of an index which has been made in between.
                Err(error) => match exists(target)? {
                    true => return Ok(None),
                    false => return Err(error),
                },
            }
        }
        Err(IndexError::Making { path: target.to_owned() })
    }

    /// Makes an empty index; nothing if another load makes or has made it.
    fn create(target: &Path, basis: &Basis) -> Result<Option<Self>, IndexError> {
        let path = beside(target, ".loading");
        let failed = |error| IndexError::io(&path, error);
        check_no_log(target)?;
        if is_being_made(&path)? {
            return Ok(None);
        }
        let Some(loading) = LoadingFile::create(&path).map_err(failed)? else { return Ok(None) };
        let temporary = TempPath::try_from_path(&path).map_err(failed)?;
        // Only who holds the file gives it its name, so from here on no other load does.
        if exists(target)? {
            return Ok(None);
        }
        let store = Store::open(&path, Access::Fill)?;
        store.limit_steps(None);
        let new = Self { store, temporary, loading, target: target.to_owned() };
        new.prepare(basis)?;
        Ok(Some(new))
    }

    fn prepare(&self, basis: &Basis) -> Result<(), StoreError> {
        let store = &self.store;
        store.pragma("page_size", 4096)?;
        store.pragma("encoding", "UTF-8")?;
        store.pragma("locking_mode", "exclusive")?;
        store.journal_mode("off")?;
        store.synchronous(0)?;
        // Committed at once, so that a file left behind says whose it is.
        let write = || -> rusqlite::Result<()> {
            store.conn.execute_batch("BEGIN")?;
            store.conn.pragma_update(None, "application_id", APPLICATION_ID)?;
            store.conn.pragma_update(None, "user_version", FORMAT_VERSION)?;
            for statement in [URL_TABLE, META_TABLE, HEX_VIEW, OTHER_TABLE] {
                store.conn.execute_batch(statement)?;
            }
            meta::write(&store.conn, basis)?;
            store.conn.execute_batch("COMMIT")
        };
        write().map_err(|e| store.error(e))
    }

    /// Gives the finished file its name, unless something else has it by now.
    ///
    /// From then on it is used with a log, so that its first reader and its first writer do not wait for each other.
    pub(crate) fn publish(self) -> Result<(), IndexError> {
        let Self { store, temporary, loading, target } = self;
        // A cached statement would keep the connection from closing.
        store.conn.flush_prepared_statement_cache();
        store.journal_mode("wal")?;
        store.checkpoint()?;
        store.close()?;
        check_no_log(&target)?;
        let failed = |error| IndexError::io(&target, error);
        loading.publish(|| temporary.persist_noclobber(&target).map_err(|e| e.error)).map_err(failed)?;
        sync_directory(directory_of(&target)).map_err(failed)
    }
}

/// Returns whether another load holds the file. Removes one that a killed load left, and fails if anything else is in the way.
fn is_being_made(path: &Path) -> Result<bool, IndexError> {
    let failed = |error| IndexError::io(path, error);
    let metadata = match std::fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(failed(error)),
    };
    if metadata.is_symlink() {
        return Err(failed(io::Error::other("a symbolic link is in the way of the load")));
    }
    if special(&metadata).is_some() {
        return Err(failed(io::Error::other("a special file is in the way of the load")));
    }
    let Some(_leftover) = Leftover::take(path).map_err(failed)? else { return Ok(true) };
    match HeldFile::open(path).map_err(failed)?.1 {
        Kind::Empty | Kind::Index { .. } => std::fs::remove_file(path).map(|()| false).map_err(failed),
        _ => Err(failed(io::Error::other("a file that no load made is in the way of the load"))),
    }
}
