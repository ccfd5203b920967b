//! Rows to change, collected in an unnamed file first. SQLite leaves open what a running statement sees of rows that change
//! under it, and a list in memory would not be bounded.

use std::io;
use std::path::{Path, PathBuf};

use super::error::ChangeError;
use crate::file::open::View;
use crate::id::Id;
use crate::load::insert::{Deleter, Inserter};
use urlid_io::files::directory_of;
use urlid_io::sort::{RunReader, RunWriter, Runs, SortedRows};

/// The directory in which rows of an index are set aside.
pub(crate) struct SetAside {
    directory: PathBuf,
}

impl SetAside {
    /// Uses the directory of the index at `path`.
    pub(crate) fn beside(path: &Path) -> Self {
        Self { directory: directory_of(path).to_owned() }
    }

    pub(crate) fn failed(&self, source: io::Error) -> ChangeError {
        ChangeError::SetAside { directory: self.directory.clone(), source }
    }

    pub(crate) fn create(&self) -> Result<RunWriter, ChangeError> {
        RunWriter::create(&self.directory).map_err(|e| self.failed(e))
    }

    pub(crate) fn finish(&self, rows: RunWriter) -> Result<Runs, ChangeError> {
        rows.finish().map_err(|e| self.failed(e))
    }

    /// Calls `each` with every row, in the order they were written.
    pub(crate) fn each(
        &self,
        rows: &Runs,
        each: &mut dyn FnMut(&Id, &str) -> Result<(), ChangeError>,
    ) -> Result<(), ChangeError> {
        for run in &rows.places {
            let mut reader = RunReader::open(&rows.file, *run, 1 << 20).map_err(|e| self.failed(e))?;
            while let Some((id, url)) = reader.row() {
                each(id, std::str::from_utf8(url).map_err(|_| ChangeError::Damaged)?)?;
                reader.advance().map_err(|e| self.failed(e))?;
            }
        }
        Ok(())
    }

    /// Deletes rows from the index and returns how many existed.
    pub(crate) fn delete(&self, view: &View<'_>, rows: &Runs) -> Result<u64, ChangeError> {
        let failed = |e| ChangeError::from(view.error(e));
        let mut deleter = Deleter::new(view.conn(), view.description.has_other()).map_err(failed)?;
        self.each(rows, &mut |id, text| deleter.delete(id, text).map_err(failed))?;
        deleter.finish().map_err(failed)
    }

    /// Inserts the rows of sorted runs, in their order over all runs.
    pub(crate) fn insert(&self, view: &View<'_>, rows: Runs, memory: usize) -> Result<(), ChangeError> {
        let failed = |e| ChangeError::from(view.error(e));
        let mut inserter = Inserter::new(view.conn()).map_err(failed)?;
        let mut rows = SortedRows::read(rows, &self.directory, memory).map_err(|e| self.failed(e))?;
        while let Some((id, url)) = rows.row() {
            let url = std::str::from_utf8(url).map_err(|_| ChangeError::Damaged)?;
            inserter.insert(id, url).map_err(failed)?;
            rows.advance().map_err(|e| self.failed(e))?;
        }
        inserter.finish().map_err(failed)?;
        Ok(())
    }
}
