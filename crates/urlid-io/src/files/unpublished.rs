//! The list of temporary files and folders of this process, for a program that a signal ends before destructors run.

use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes every file and folder that is not published yet. Threads that then create or publish another one block forever.
///
/// Call it directly before the process ends, in place of the destructors that will not run.
pub fn remove_unpublished() {
    let mut paths = paths();
    for path in paths.drain(..) {
        // Other threads still run. One that makes a file in the folder while that is emptied fails the removal; once the folder
        // is gone, none can.
        for _ in 0..100 {
            let is_folder = path.symlink_metadata().is_ok_and(|found| found.is_dir());
            let removed = if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            // What cannot be removed stays; it is too late to report it.
            match removed {
                Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
                _ => break,
            }
        }
    }
    // The guard is leaked, so the lock stays taken: a file made after this loop would be left behind.
    mem::forget(paths);
}

/// An entry of the list: a file or folder of this process that only has its temporary name. Dropping it removes the entry only.
#[derive(Debug)]
pub(crate) struct Unpublished(PathBuf);

impl Unpublished {
    /// Makes a file or folder by `create` and lists its path until the value is dropped.
    pub(crate) fn create<T>(
        create: impl FnOnce() -> io::Result<T>,
        path: impl FnOnce(&T) -> &Path,
    ) -> io::Result<(T, Self)> {
        // The lock is held until the path is in the list, so that none is forgotten.
        let mut paths = paths();
        let created = create()?;
        let path = path(&created).to_owned();
        paths.push(path.clone());
        Ok((created, Unpublished(path)))
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
