//! Rows to change, collected in an unnamed file first. SQLite leaves open what a running statement sees of rows that change
//! under it, and a list in memory would not be bounded.

use std::io;
use std::path::{Path, PathBuf};

use crate::file::error;
use crate::file::id::Id;
use crate::file::load::insert::{Deleter, Inserter};
use crate::file::open::View;
use crate::sort::{KeyedRow, RowRange, Run, RunReader, RunWriter, SortedRows};
use urlid::Error;
use urlid_io::files::directory_of;

/// The directory in which rows of an index are set aside.
pub(crate) struct SetAside {
    directory: PathBuf,
}

impl SetAside {
    /// Uses the directory of the index at `path`.
    pub(crate) fn beside(path: &Path) -> Self {
        Self { directory: directory_of(path).to_owned() }
    }

    pub(crate) fn failed(&self, source: io::Error) -> Error {
        error::SET_ASIDE.error().with_path(&self.directory).with_source(source)
    }

    pub(crate) fn create(&self) -> Result<RunWriter<KeyedRow>, Error> {
        RunWriter::create(&self.directory).map_err(|e| self.failed(e))
    }

    pub(crate) fn finish(&self, rows: RunWriter<KeyedRow>) -> Result<Vec<Run>, Error> {
        rows.finish().map_err(|e| self.failed(e))
    }

    /// Calls `each` with every row, in the order they were written.
    pub(crate) fn each(
        &self,
        rows: &[Run],
        each: &mut dyn FnMut(&Id, &str) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for run in rows {
            let reader = RunReader::<KeyedRow>::open(run, &RowRange::default(), 1 << 20);
            let mut reader = reader.map_err(|e| self.failed(e))?;
            while let Some((id, url)) = reader.row() {
                each(id, std::str::from_utf8(url).map_err(|_| error::DAMAGED_ROW.error())?)?;
                reader.advance().map_err(|e| self.failed(e))?;
            }
        }
        Ok(())
    }

    /// Deletes rows from the index and returns how many existed.
    pub(crate) fn delete(&self, view: &View<'_>, rows: &[Run]) -> Result<u64, Error> {
        let failed = |e| view.error(e);
        let mut deleter = Deleter::new(view.conn()).map_err(failed)?;
        self.each(rows, &mut |id, text| deleter.delete(id, text).map_err(failed))?;
        deleter.finish().map_err(failed)
    }

    /// Inserts the rows of sorted runs, in their order over all runs.
    pub(crate) fn insert(&self, view: &View<'_>, rows: Vec<Run>, memory: usize) -> Result<(), Error> {
        let failed = |e| view.error(e);
        let mut inserter = Inserter::new(view.conn()).map_err(failed)?;
        let mut rows =
            SortedRows::<KeyedRow>::read(rows, &self.directory, memory).map_err(|e| self.failed(e))?;
        while let Some((id, url)) = rows.next_row().map_err(|e| self.failed(e))? {
            let url = std::str::from_utf8(url).map_err(|_| error::DAMAGED_ROW.error())?;
            inserter.insert(id, url).map_err(failed)?;
        }
        inserter.finish().map_err(failed)?;
        Ok(())
    }
}
