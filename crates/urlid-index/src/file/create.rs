//! A new index that nobody sees before it is whole (docs/index-format.md, section 4).
//!
//! The file is made beside its target under the name `NAME.loading`, locked while its maker lives, filled without a journal, synced and
//! renamed without replacing anything. A maker that is killed leaves that file; the next one recognises and removes it.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::TempPath;
use urlid::suffix::SuffixList;

use crate::file::header::{Header, Probe, file_key, special};
use crate::file::meta;
use crate::file::open::OpenError;
use crate::file::schema::{APPLICATION_ID, FORMAT_VERSION, HEX_VIEW, META_TABLE, URL_TABLE};
use crate::file::store::{Access, Store, StoreError};

/// An index under its first name.
#[derive(Debug)]
pub(crate) struct NewFile {
    pub(crate) store: Store,
    // Removes the file when the load does not end well.
    temporary: TempPath,
    lock: File,
    mode: u32,
    target: PathBuf,
}

/// Returns the directory of a file.
pub(crate) fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn loading_name(target: &Path) -> PathBuf {
    let mut name = OsString::from(target.as_os_str());
    name.push(".loading");
    PathBuf::from(name)
}

impl NewFile {
    /// Makes an empty index for identifiers made with `list`, to be published as `target`.
    pub(crate) fn create(target: &Path, list: &SuffixList) -> Result<Self, OpenError> {
        let path = loading_name(target);
        let failed = |error| OpenError::io(&path, error);
        clear_the_way(&path)?;
        let lock = OpenOptions::new().write(true).create_new(true).mode(0o666).open(&path).map_err(failed)?;
        lock.try_lock().map_err(|e| failed(e.into()))?;
        // Between the making and the locking another load may have taken the file for a leftover.
        let metadata = lock.metadata().map_err(failed)?;
        if file_key(&std::fs::symlink_metadata(&path).map_err(failed)?) != file_key(&metadata) {
            return Err(failed(another_load()));
        }
        let temporary = TempPath::try_from_path(&path).map_err(failed)?;
        // What the umask leaves of the usual mode is what the finished file will have; until then it is its maker's alone.
        let mode = metadata.permissions().mode();
        lock.set_permissions(Permissions::from_mode(mode & 0o600)).map_err(failed)?;
        let store = Store::open(&path, Access::Fill)?;
        let new = Self { store, temporary, lock, mode, target: target.to_owned() };
        new.prepare(list)?;
        Ok(new)
    }

    fn prepare(&self, list: &SuffixList) -> Result<(), StoreError> {
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
            for statement in [URL_TABLE, META_TABLE, HEX_VIEW] {
                store.conn.execute_batch(statement)?;
            }
            meta::write(&store.conn, list)?;
            store.conn.execute_batch("COMMIT")
        };
        write().map_err(|e| store.error(e))
    }

    /// Gives the finished file its name, unless something else has it by now.
    pub(crate) fn publish(self) -> Result<(), OpenError> {
        let Self { store, temporary, lock, mode, target } = self;
        store.close()?;
        let failed = |error| OpenError::io(&target, error);
        lock.sync_all().map_err(failed)?;
        lock.set_permissions(Permissions::from_mode(mode)).map_err(failed)?;
        temporary.persist_noclobber(&target).map_err(|e| failed(e.error))?;
        let directory = File::open(directory_of(&target)).map_err(failed)?;
        directory.sync_all().map_err(failed)
    }
}

fn another_load() -> io::Error {
    io::Error::new(io::ErrorKind::ResourceBusy, "another load is making this index")
}

/// Removes a file that a killed load left, and refuses anything else that is in the way.
fn clear_the_way(path: &Path) -> Result<(), OpenError> {
    let failed = |error| OpenError::io(path, error);
    let metadata = match std::fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(error)),
    };
    if metadata.is_symlink() {
        return Err(failed(io::Error::other("a symbolic link is in the way of the load")));
    }
    if special(&metadata).is_some() {
        return Err(failed(io::Error::other("a special file is in the way of the load")));
    }
    let file = File::open(path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(failed(another_load()));
        }
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    if file_key(&file.metadata().map_err(failed)?) != file_key(&metadata) {
        return Err(failed(io::Error::other("the file in the way of the load was replaced")));
    }
    match Probe::of(path).map_err(failed)?.1 {
        Header::Empty | Header::Ours => std::fs::remove_file(path).map_err(failed),
        _ => Err(failed(io::Error::other("a file that no load made is in the way of the load"))),
    }
}
