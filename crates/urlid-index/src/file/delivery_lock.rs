//! The lock of a seen-set that delivers lines of an index (docs/index-format.md, section 10).
//!
//! A set that delivers at least once locks `NAME.delivery-N`, and `N` is in the keys of its lines. If nobody holds that lock,
//! the set is gone and its lines can be taken. The kernel drops the lock of a killed process. A process id in the file would be
//! meaningless in another container, and a time stamp would need a clock.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use urlid::Error;
use urlid_io::files::Identity;

use super::header::beside;
use crate::error::io;

/// The number of a delivery and the lock on its file. Dropping it removes the file and releases the lock, in that order.
#[derive(Debug)]
pub(crate) struct DeliveryLock {
    number: u32,
    path: PathBuf,
    // `flock` locks the open file, so the lock lasts as long as this.
    _file: File,
}

impl DeliveryLock {
    /// Takes the least number that nobody holds, so that files left by killed processes are used again and do not pile up.
    pub(crate) fn first_free(index: &Path) -> Result<Self, Error> {
        let mut number = 0;
        loop {
            if let Some(lock) = Self::take(index, number)? {
                return Ok(lock);
            }
            number += 1;
        }
    }

    /// Takes a number. Returns `None` if somebody else holds it.
    pub(crate) fn take(index: &Path, number: u32) -> Result<Option<Self>, Error> {
        let path = beside(index, &format!(".delivery-{number}"));
        loop {
            let failed = |error| io(&path, error);
            let Some(file) = open(&path).map_err(failed)? else { return Ok(None) };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
            // The previous holder removed the file before it released the lock, so this may be the lock of a file without a
            // name, beside which another process makes and locks a new one. If so, begin again.
            let locked = Identity::of_file(&file).map_err(failed)?;
            if Identity::of_path(&path).is_ok_and(|named| named == locked) {
                return Ok(Some(Self { number, path, _file: file }));
            }
        }
    }

    pub(crate) fn number(&self) -> u32 {
        self.number
    }
}

impl Drop for DeliveryLock {
    fn drop(&mut self) {
        // A file that cannot be removed is taken by the next set.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Opens or creates the file of a number. Returns `None` if it cannot be ours: not a regular file, or not readable by this
/// user.
fn open(path: &Path) -> io::Result<Option<File>> {
    loop {
        match OpenOptions::new().write(true).create_new(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(Some),
        }
        let opened = match std::fs::symlink_metadata(path) {
            // Opening a FIFO would block until its other end is opened.
            Ok(metadata) if !metadata.is_file() => return Ok(None),
            Ok(_) => File::open(path),
            Err(error) => Err(error),
        };
        match opened {
            // Removed by its holder in between: create it after all.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(None),
            opened => return opened.map(Some),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_held_by_one_and_its_file_goes_with_it() {
        let directory = tempfile::tempdir().expect("a directory");
        let index = directory.path().join("index");
        let files = || std::fs::read_dir(directory.path()).expect("lists").count();
        let first = DeliveryLock::first_free(&index).expect("is taken");
        let second = DeliveryLock::first_free(&index).expect("is taken");
        assert_eq!((first.number(), second.number(), files()), (0, 1, 2));
        assert!(DeliveryLock::take(&index, 0).expect("is tried").is_none());
        drop(first);
        assert_eq!(DeliveryLock::first_free(&index).expect("is taken").number(), 0);
        drop(second);
        assert_eq!(files(), 0);
    }

    #[test]
    fn a_file_that_a_killed_process_left_is_taken() {
        let directory = tempfile::tempdir().expect("a directory");
        let index = directory.path().join("index");
        std::fs::write(directory.path().join("index.delivery-0"), b"").expect("writes");
        std::fs::create_dir(directory.path().join("index.delivery-1")).expect("makes");
        let locks = [(); 2].map(|()| DeliveryLock::first_free(&index).expect("is taken"));
        assert_eq!(locks.each_ref().map(DeliveryLock::number), [0, 2]);
    }

    #[test]
    fn of_many_threads_each_holds_a_number_of_its_own() {
        let directory = tempfile::tempdir().expect("a directory");
        let index = directory.path().join("index");
        let held = std::sync::Mutex::new(std::collections::BTreeSet::new());
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let lock = DeliveryLock::first_free(&index).expect("is taken");
                        assert!(held.lock().expect("no panic").insert(lock.number()));
                        held.lock().expect("no panic").remove(&lock.number());
                    }
                });
            }
        });
        assert_eq!(std::fs::read_dir(directory.path()).expect("lists").count(), 0);
    }
}
