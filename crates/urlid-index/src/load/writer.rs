//! Writing sorted batches: into the external sort for a new file, or into an index that exists.
//!
//! Works on the background thread of a load. Does not depend on parsing.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use rusqlite::{Transaction, TransactionBehavior};
use urlid_files::directory_of;
use urlid_sort::{RowBatch, RunWriter, SortedRows, put, take};

use super::error::LoadError;
use super::insert::Inserter;
use crate::file::create::NewFile;
use crate::file::meta::Basis;
use crate::file::open::IndexFile;
use crate::file::store::Store;
use crate::id::Id;

/// Rows between two looks at whether the load is to stop.
const ROWS_BETWEEN_LOOKS: u64 = 100_000;
/// Bytes of sorted rows that go from the sorting to the inserting thread at once.
const BLOCK_LEN: usize = 1 << 18;
/// Blocks on their way between the two.
const BLOCKS: usize = 4;

/// Is called with the rows written and those to write, and returns whether to go on.
pub(crate) type Tick<'t> = dyn FnMut(u64, u64) -> ControlFlow<()> + 't;

/// What a load writes to.
#[derive(Debug)]
pub(crate) enum Writer {
    /// A new file: batches are sorted in a file, and written in one go at the end.
    New(Box<NewIndex>),
    /// An index that exists: each batch is a transaction.
    Present(Box<PresentIndex>),
}

/// A new file and the rows that will fill it.
#[derive(Debug)]
pub(crate) struct NewIndex {
    file: NewFile,
    runs: Option<RunWriter>,
    directory: PathBuf,
    memory: usize,
}

/// An index that exists and the basis that its rows are made on.
#[derive(Debug)]
pub(crate) struct PresentIndex {
    file: IndexFile,
    basis: Basis,
}

impl Writer {
    pub(crate) fn new(file: NewFile, target: &Path, memory: usize) -> Self {
        Self::New(Box::new(NewIndex { file, runs: None, directory: directory_of(target).to_owned(), memory }))
    }

    pub(crate) fn present(file: IndexFile, basis: &Basis) -> Self {
        Self::Present(Box::new(PresentIndex { file, basis: basis.clone() }))
    }

    /// Takes one batch, which is sorted here; returns the rows that were new if they are in the index by now.
    pub(crate) fn take(&mut self, batch: &mut RowBatch) -> Result<Option<u64>, LoadError> {
        batch.sort();
        match self {
            Self::New(new) => new.sort(batch).map(|()| None),
            Self::Present(present) => present.insert(batch).map(Some),
        }
    }

    /// Takes the last batch and brings the index into its final state; returns the rows that were new in this step.
    pub(crate) fn finish(self, mut batch: RowBatch, tick: &mut Tick<'_>) -> Result<u64, LoadError> {
        batch.sort();
        match self {
            Self::New(mut new) => {
                if new.runs.is_some() {
                    new.sort(&batch)?;
                    batch = RowBatch::default();
                }
                new.finish(&batch, tick)
            }
            Self::Present(present) => {
                let new = present.insert(&batch)?;
                present.file.checkpoint()?;
                Ok(new)
            }
        }
    }
}

impl PresentIndex {
    /// Inserts sorted rows that are not there in one transaction and returns how many they were.
    fn insert(&self, batch: &RowBatch) -> Result<u64, LoadError> {
        if batch.is_empty() {
            return Ok(0);
        }
        self.file.add(&self.basis, |view| {
            let insert = || -> rusqlite::Result<u64> {
                let mut inserter = Inserter::new(view.conn())?;
                for (id, url) in batch.iter() {
                    inserter.insert(id, url)?;
                }
                inserter.finish()
            };
            insert().map_err(|e| view.error(e).into())
        })
    }
}

impl NewIndex {
    fn failed(&self, source: io::Error) -> LoadError {
        LoadError::Sort { directory: self.directory.clone(), source }
    }

    /// Adds a sorted batch to the external sort.
    fn sort(&mut self, batch: &RowBatch) -> Result<(), LoadError> {
        let written = match &mut self.runs {
            Some(runs) => runs.push_run(batch.iter()),
            None => RunWriter::create(&self.directory)
                .and_then(|runs| self.runs.insert(runs).push_run(batch.iter())),
        };
        written.map_err(|e| self.failed(e))
    }

    /// Fills the file with the batch, or with what was sorted, and publishes it.
    fn finish(self, batch: &RowBatch, tick: &mut Tick<'_>) -> Result<u64, LoadError> {
        let Self { file, runs, directory, memory } = self;
        let count = match runs {
            None => fill(&file.store, batch.len() as u64, tick, |fill| {
                batch.iter().try_for_each(|(id, url)| fill.push(id, url))
            }),
            Some(runs) => {
                fill(&file.store, runs.rows(), tick, |fill| fill.sorted_rows(runs, &directory, memory))
            }
        }?;
        file.publish()?;
        Ok(count)
    }
}

/// Fills a new file in one transaction and returns the number of rows.
fn fill(
    store: &Store,
    total: u64,
    tick: &mut Tick<'_>,
    rows: impl FnOnce(&mut Fill<'_, '_>) -> Result<(), LoadError>,
) -> Result<u64, LoadError> {
    let failed = |error| LoadError::from(store.error(error));
    let begun = Transaction::new_unchecked(&store.conn, TransactionBehavior::Deferred);
    let transaction = begun.map_err(failed)?;
    let inserter = Inserter::new(&store.conn).map_err(failed)?;
    let mut fill = Fill { store, inserter, written: 0, total, tick };
    rows(&mut fill)?;
    let count = fill.inserter.finish().map_err(failed)?;
    transaction.commit().map_err(failed)?;
    Ok(count)
}

/// Fills a new file with rows that come in order and once each.
struct Fill<'c, 't> {
    store: &'c Store,
    inserter: Inserter<'c>,
    written: u64,
    total: u64,
    tick: &'c mut Tick<'t>,
}

impl Fill<'_, '_> {
    fn push(&mut self, id: &Id, url: &str) -> Result<(), LoadError> {
        self.inserter.insert(id, url).map_err(|e| self.store.error(e))?;
        self.written += 1;
        if self.written.is_multiple_of(ROWS_BETWEEN_LOOKS) && (self.tick)(self.written, self.total).is_break()
        {
            return Err(LoadError::Stopped { kept: None });
        }
        Ok(())
    }

    /// Reads the sorted rows on a thread of its own while this one inserts.
    fn sorted_rows(&mut self, runs: RunWriter, directory: &Path, memory: usize) -> Result<(), LoadError> {
        let (send_full, full) = mpsc::sync_channel::<Vec<u8>>(BLOCKS);
        let (send_empty, empty) = mpsc::channel::<Vec<u8>>();
        std::thread::scope(|scope| {
            let sorter = scope.spawn(move || -> io::Result<()> {
                let mut rows = SortedRows::read(runs.finish()?, directory, memory)?;
                let mut block = Vec::with_capacity(2 * BLOCK_LEN);
                while let Some((id, url)) = rows.row() {
                    put(&mut block, id, std::str::from_utf8(url).map_err(io::Error::other)?);
                    rows.advance()?;
                    if block.len() >= BLOCK_LEN {
                        let next = empty.try_recv().unwrap_or_else(|_| Vec::with_capacity(2 * BLOCK_LEN));
                        if send_full.send(std::mem::replace(&mut block, next)).is_err() {
                            return Ok(());
                        }
                        block.clear();
                    }
                }
                // A receiver that is gone has reported why.
                let _ = send_full.send(block);
                Ok(())
            });
            let inserted = self.blocks(full, &send_empty);
            let sorted = sorter.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            // An error of the sort comes first: without it the rows would be too few.
            sorted.map_err(|source| LoadError::Sort { directory: directory.to_owned(), source })?;
            inserted
        })
    }

    /// Inserts the rows of blocks, which are then given back as buffers.
    fn blocks(
        &mut self,
        full: mpsc::Receiver<Vec<u8>>,
        send_empty: &mpsc::Sender<Vec<u8>>,
    ) -> Result<(), LoadError> {
        for block in full {
            let mut rest = block.as_slice();
            while let Some((id, url, next)) = take(rest) {
                self.push(id, std::str::from_utf8(url).map_err(|e| self.store.error(e.into()))?)?;
                rest = next;
            }
            // A sorting thread that is done needs no more buffers.
            let _ = send_empty.send(block);
        }
        Ok(())
    }
}
