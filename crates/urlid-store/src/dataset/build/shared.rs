//! The state that adders and the builder share: settings, the folder, and the rows that adders hand over.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use urlid::Error;
use urlid_canonical::Form;
use urlid_io::files::NewFolder;

use super::encode::Format;
use super::rows::{Rows, RunMemory};
use crate::dataset::error::unwritten;

/// The state that adders and the builder share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) folder: NewFolder,
    pub(super) form: Option<Form>,
    pub(super) format: Format,
    pub(super) batch_memory: usize,
    pub(super) run_memory: RunMemory,
    pub(super) target: PathBuf,
    pub(super) added: Mutex<AllAdded>,
}

/// The rows of dropped adders, and their first error.
#[derive(Debug, Default)]
pub(super) struct AllAdded {
    /// The next adders go on with these rows, so that there are as few runs as memory allows.
    pub(super) idle: Vec<Rows>,
    pub(super) failed: Option<Error>,
}

impl Shared {
    pub(super) fn take(&self, rows: Rows) {
        lock(&self.added).idle.push(rows);
    }

    /// Records that rows could not be written, and returns the error.
    pub(super) fn fail(&self, error: io::Error) -> Error {
        lock(&self.added).failed.get_or_insert_with(|| self.unwritten(error)).clone()
    }

    pub(super) fn unwritten(&self, error: io::Error) -> Error {
        unwritten(&self.target, error)
    }
}

/// Locks and ignores poisoning: under the lock only whole values are pushed, so a panic leaves nothing half
/// done.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
