//! Locks beside files that are read, changed and replaced.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};

use crate::input::bounded::open_file;
use crate::report::exit::Failure;

/// A lock that one process at a time has, until it is dropped.
///
/// It is that of a file beside the one that is replaced, with `.lock` after its name, which stays: a lock on
/// a file that is renamed over, or removed, would keep out no process that opens its name later.
pub(super) struct FileLock {
    // Closed, and so unlocked, when it is dropped.
    _file: File,
}

impl FileLock {
    /// Waits for the lock beside a file.
    pub(super) fn beside(path: &Path) -> Result<Self, Failure> {
        // Two links to one file have one lock.
        let mut name = OsString::from(path.canonicalize().unwrap_or_else(|_| path.to_owned()));
        name.push(".lock");
        let path = PathBuf::from(name);
        let locked = File::options().append(true).create_new(true).open(&path).or_else(|_| open_file(&path));
        let locked = locked.and_then(|file| file.lock().map(|()| file));
        locked.map(|_file| Self { _file }).map_err(|error| Failure::write(&path, &error))
    }
}
