//! The list of temporary files of this process, for a program that a signal ends before destructors run.

use std::io;
use std::mem;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

static PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes every file that is not published yet. Threads that then create or publish another file block forever.
///
/// Call it directly before the process ends, in place of the destructors that will not run.
pub fn remove_unpublished() {
    let mut paths = paths();
    for path in paths.drain(..) {
        // A file that cannot be removed stays; it is too late to report it.
        let _ = std::fs::remove_file(path);
    }
    // The guard is leaked, so the lock stays taken: a file made after this loop would be left behind.
    mem::forget(paths);
}

/// An entry of the list: a file of this process that only has its temporary name. Dropping it removes the entry, not the file.
#[derive(Debug)]
pub(crate) struct Unpublished(PathBuf);

impl Unpublished {
    /// Makes a file by `create` and lists it until the value is dropped.
    pub(crate) fn create(
        create: impl FnOnce() -> io::Result<NamedTempFile>,
    ) -> io::Result<(NamedTempFile, Self)> {
        // The lock is held until the path is in the list, so that no file is forgotten.
        let mut paths = paths();
        let file = create()?;
        paths.push(file.path().to_owned());
        let unpublished = Unpublished(file.path().to_owned());
        Ok((file, unpublished))
    }
}

impl Drop for Unpublished {
    fn drop(&mut self) {
        paths().retain(|path| *path != self.0);
    }
}

fn paths() -> MutexGuard<'static, Vec<PathBuf>> {
    // A panic elsewhere does not invalidate a list of paths, and clean-up must still work after it.
    PATHS.lock().unwrap_or_else(PoisonError::into_inner)
}
