//! Creation of an index that is invisible until it is complete (docs/index-format.md, section 4).
//!
//! The file is made in the folder of its target as `NAME.loading`, and stays locked while its maker lives. It
//! is filled without a journal, synced, and renamed without replacing an existing file. A killed maker leaves
//! the file, and the next maker recognises and removes it.
//!
//! Without a journal and syncs a load is 1.4 times as fast. This would destroy a file in use: of 12 such
//! loads that were killed, 7 left an unreadable database.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::database::{Access, BUSY_TIMEOUT, Database};
use super::header::{FileKind, HeldFile, beside, special};
use super::loading::{Leftover, LoadingFile};
use super::meta::{self, Basis};
use crate::file::error;
use crate::question::schema::{APPLICATION_ID, FORMAT_VERSION, HEX_VIEW, META_TABLE, OTHER_TABLE, URL_TABLE};
use tempfile::TempPath;
use urlid::Error;
use urlid_io::files::{directory_of, sync_directory};

/// An index that is being made, under the name `NAME.loading`.
#[derive(Debug)]
pub(crate) struct NewFile {
    // The fields are dropped in this order: SQLite's connection, the file, then the lock. No load can take
    // the file for a leftover before that.
    pub(crate) store: Database,
    // Removes the file if the load fails.
    temporary: TempPath,
    loading: LoadingFile,
    target: PathBuf,
}

/// Fails if a file has the name of the log or journal of `target`, because SQLite would replay it into the
/// index.
///
/// It may hold the last rows of an index that was moved away without it, so it is not removed.
fn check_no_log(target: &Path) -> Result<(), Error> {
    for ending in ["-wal", "-journal"] {
        let path = beside(target, ending);
        match std::fs::symlink_metadata(&path) {
            Ok(_) => return Err(error::LOG_IN_THE_WAY.error().with_path(&path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error::io(&path, error)),
        }
    }
    Ok(())
}

/// The time between two checks whether a different load is still making the index.
const LOOK: Duration = Duration::from_millis(20);

fn exists(target: &Path) -> Result<bool, Error> {
    match std::fs::symlink_metadata(target) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error::io(target, error)),
    }
}

impl NewFile {
    /// Makes an empty index for rows of a basis, to be published as `target`. Returns `None` if that name
    /// exists.
    ///
    /// If a different load is making the index, waits for it like for a second writer, at most
    /// [`BUSY_TIMEOUT`].
    pub(crate) fn unless_there(target: &Path, basis: &Basis) -> Result<Option<Self>, Error> {
        for _ in 0..BUSY_TIMEOUT.as_millis() / LOOK.as_millis() {
            if exists(target)? {
                return Ok(None);
            }
            match Self::create(target, basis) {
                Ok(Some(new)) => return Ok(Some(new)),
                Ok(None) => std::thread::sleep(LOOK),
                // The log may belong to an index that was published in between.
                Err(error) => return if exists(target)? { Ok(None) } else { Err(error) },
            }
        }
        Err(error::MAKING.error().with_path(target))
    }

    /// Makes an empty index. Returns `None` if a different load is making it or has made it.
    fn create(target: &Path, basis: &Basis) -> Result<Option<Self>, Error> {
        let path = beside(target, ".loading");
        let failed = |error| error::io(&path, error);
        // This is checked before the work, to fail early, and again in `publish`, because a log may appear
        // meanwhile.
        check_no_log(target)?;
        if is_being_made(&path)? {
            return Ok(None);
        }
        let Some(loading) = LoadingFile::create(&path).map_err(failed)? else { return Ok(None) };
        let temporary = TempPath::try_from_path(&path).map_err(failed)?;
        // This is checked under the lock. Only the holder of `NAME.loading` publishes `target`, so no other
        // load can do it from here on. If the index appeared before, dropping `temporary` removes the file
        // again.
        if exists(target)? {
            return Ok(None);
        }
        let store = Database::open(&path, Access::Fill)?;
        store.limit_steps(None);
        let new = Self { store, temporary, loading, target: target.to_owned() };
        new.prepare(basis)?;
        Ok(Some(new))
    }

    fn prepare(&self, basis: &Basis) -> Result<(), Error> {
        let store = &self.store;
        // SQLite fixes both with the first page that it writes, and other builds of it may have other
        // defaults.
        store.pragma("page_size", 4096)?;
        store.pragma("encoding", "UTF-8")?;
        // This saves a lock for each transaction, and the shared memory.
        store.pragma("locking_mode", "exclusive")?;
        store.journal_mode("off")?;
        store.synchronous(0)?;
        // This is committed before the rows, so that a leftover has our `application_id` and is recognised.
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

    /// Gives the finished file its name, unless the name exists by now.
    ///
    /// From then on it is in WAL mode, so that its first reader does not block its first writer.
    pub(crate) fn publish(self) -> Result<(), Error> {
        let Self { store, temporary, loading, target } = self;
        // SQLite does not close a connection that has statements.
        store.conn.flush_prepared_statement_cache();
        // The mode is stored in the header of the file, so it is set before the file gets its name. Closing
        // the connection removes the log.
        store.journal_mode("wal")?;
        store.checkpoint()?;
        store.close()?;
        check_no_log(&target)?;
        let failed = |error| error::io(&target, error);
        // The file is synced before the rename, and its name after it. After a power cut the index is either
        // missing or complete.
        loading.publish(|| temporary.persist_noclobber(&target).map_err(|e| e.error)).map_err(failed)?;
        sync_directory(directory_of(&target)).map_err(failed)
    }
}

/// Returns whether a different load holds the file. Removes the leftover of a killed load. Fails if any other
/// file has the name.
fn is_being_made(path: &Path) -> Result<bool, Error> {
    let failed = |error| error::io(path, error);
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
    // The file is held until it is removed, so that no other load removes it as well, or removes the next
    // file with the same name.
    match HeldFile::open(path).map_err(failed)?.1 {
        // A maker that was killed before its first commit leaves an empty file.
        FileKind::Empty | FileKind::Index { .. } => {
            std::fs::remove_file(path).map(|()| false).map_err(failed)
        }
        _ => Err(failed(io::Error::other("a file that no load made is in the way of the load"))),
    }
}
