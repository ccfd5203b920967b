//! The temporary files of this process, for a program that is ended by a signal and runs no destructors.

use std::io;
use std::mem;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

static PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes every file that is not published yet, and makes the threads that would create another one wait for ever.
///
/// To be called directly before the process ends: it does what destructors would have done.
pub fn remove_unpublished() {
    let mut paths = paths();
    for path in paths.drain(..) {
        // A file that cannot be removed stays; it is too late to report it.
        let _ = std::fs::remove_file(path);
    }
    mem::forget(paths);
}

/// A file of this process that has no other name than its temporary one.
#[derive(Debug)]
pub(crate) struct Unpublished(PathBuf);

impl Unpublished {
    /// Makes a file by `create`, and remembers it until the value is dropped.
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
    PATHS.lock().unwrap_or_else(PoisonError::into_inner)
}
