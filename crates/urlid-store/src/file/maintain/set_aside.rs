//! Deletes rows. Rows to change are first collected in an unnamed file. SQLite does not define whether a
//! running statement sees changes to its rows, and a list in memory would not be bounded.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use urlid::Error;
use urlid_io::files::directory_of;

use crate::file::database::Access;
use crate::file::error;
use crate::file::load::writer::RowChanger;
use crate::file::open::{IndexFile, View};
use crate::file::query::find::search;
use crate::file::row::{Id, stored_row};
use crate::question::{Candidates, Question};
use crate::sort::{KeyedRow, RowRange, RunReader, RunWriter, SortedRows, SortedRun};

/// The directory for rows of an index that are set aside.
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

    pub(crate) fn finish(&self, rows: RunWriter<KeyedRow>) -> Result<Vec<SortedRun>, Error> {
        rows.finish().map_err(|e| self.failed(e))
    }

    /// Calls `each` with every row, in the order they were written.
    pub(crate) fn each(
        &self,
        rows: &[SortedRun],
        each: &mut dyn FnMut(&Id, &str) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for run in rows {
            let reader = RunReader::<KeyedRow>::open(run, &RowRange::default(), 1 << 20);
            let mut reader = reader.map_err(|e| self.failed(e))?;
            while let Some((id, url)) = reader.current().map_err(|e| self.failed(e))? {
                each(id, std::str::from_utf8(url).map_err(|_| error::DAMAGED_ROW.error())?)?;
                reader.advance().map_err(|e| self.failed(e))?;
            }
        }
        Ok(())
    }

    /// Deletes rows from the index and returns how many existed.
    pub(crate) fn delete(&self, view: &View<'_>, rows: &[SortedRun]) -> Result<u64, Error> {
        let failed = |e| view.error(e);
        let mut deleter = RowChanger::deleter(view.conn()).map_err(failed)?;
        self.each(rows, &mut |id, text| deleter.change(id, text).map_err(failed))?;
        deleter.finish().map_err(failed)
    }

    /// Inserts the rows of sorted runs, in their order over all runs.
    pub(crate) fn insert(&self, view: &View<'_>, rows: Vec<SortedRun>, memory: usize) -> Result<(), Error> {
        let failed = |e| view.error(e);
        let mut inserter = RowChanger::inserter(view.conn()).map_err(failed)?;
        let mut rows =
            SortedRows::<KeyedRow>::read(rows, &self.directory, memory).map_err(|e| self.failed(e))?;
        while let Some((id, url)) = rows.next_row().map_err(|e| self.failed(e))? {
            let url = std::str::from_utf8(url).map_err(|_| error::DAMAGED_ROW.error())?;
            inserter.change(id, url).map_err(failed)?;
        }
        inserter.finish().map_err(failed)?;
        Ok(())
    }
}

/// Deletes every row that answers a question, in one transaction. On failure the index is unchanged.
///
/// # Errors
/// If the rows cannot be read or deleted. [`DAMAGED_ROW`](crate::file::error::DAMAGED_ROW) if one of them is
/// stored under a wrong key.
pub fn delete(path: &Path, question: &Question) -> Result<Candidates, Error> {
    let file = IndexFile::open(path, Access::Write)?;
    file.use_log()?;
    let aside = SetAside::beside(path);
    let found = file.change(|view| {
        let mut doomed = aside.create()?;
        let mut kept = Ok(());
        let found = search(view, question, &mut |_, url| {
            let (id, text) = stored_row(url);
            kept = doomed.push((&id, text.as_bytes()));
            if kept.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        kept.map_err(|e| aside.failed(e))?;
        let count = aside.delete(view, &aside.finish(doomed)?)?;
        // A row under a wrong key is found by its URL, but not deleted by the key that is computed from it.
        // The error rolls back.
        if count == found.rows { Ok(found) } else { Err(error::DAMAGED_ROW.error()) }
    })?;
    file.committed()?;
    Ok(found)
}
