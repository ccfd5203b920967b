//! Where the `parquet` crate puts the encoded pages of one column.

use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use parquet::column::page::{CompressedPage, PageWriteSpec, PageWriter};
use parquet::errors::ParquetError;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};

/// The pages of a column in memory. A clone shares them, because the column's writer owns its sink and does not return it.
#[derive(Clone)]
pub(super) struct PagesInMemory(Arc<Mutex<TrackedWrite<Vec<u8>>>>);

impl Default for PagesInMemory {
    fn default() -> Self {
        PagesInMemory(Arc::new(Mutex::new(TrackedWrite::new(Vec::new()))))
    }
}

impl PagesInMemory {
    fn lock(&self) -> MutexGuard<'_, TrackedWrite<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the bytes of the pages.
    ///
    /// # Errors
    /// Fails when the writer of the crate does.
    pub(super) fn take(self) -> Result<Vec<u8>, ParquetError> {
        std::mem::replace(&mut *self.lock(), TrackedWrite::new(Vec::new())).into_inner()
    }
}

impl PageWriter for PagesInMemory {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec, ParquetError> {
        SerializedPageWriter::new(&mut self.lock()).write_page(page)
    }

    fn close(&mut self) -> Result<(), ParquetError> {
        Ok(self.lock().flush()?)
    }
}

impl fmt::Debug for PagesInMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PagesInMemory").finish_non_exhaustive()
    }
}
