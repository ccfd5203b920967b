//! Returns batches as one sorted sequence of rows. A single batch is read from memory, and several through a
//! file.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use crate::sort::{KeyedRow, RowBatch, RunWriter, SortedRows, put, take};
use urlid::Error;
use urlid_io::files::directory_of;

use crate::file::error;
use crate::file::row::Id;

/// The bytes of sorted rows in one message from the sorting to the inserting thread.
const BLOCK_LEN: usize = 1 << 18;
/// The number of blocks that may wait between the two threads.
const BLOCKS: usize = 4;

/// Called with each row.
pub(crate) type EachSortedRow<'e> = dyn FnMut(&Id, &str) -> Result<(), Error> + 'e;

/// The sorted batches before the current one.
#[derive(Debug)]
pub(crate) struct SortedBatches {
    runs: Option<RunWriter<KeyedRow>>,
    directory: PathBuf,
    /// The bytes of all buffers for reading the file.
    memory: usize,
}

impl SortedBatches {
    /// Makes an empty sequence. Its file will be in the directory of the index.
    pub(crate) fn beside(index: &Path, memory: usize) -> Self {
        Self { runs: None, directory: directory_of(index).to_owned(), memory }
    }

    /// Returns the number of rows, including rows that are repeated in different batches.
    pub(crate) fn rows(&self) -> u64 {
        self.runs.as_ref().map_or(0, RunWriter::rows)
    }

    /// Writes a sorted batch to the file.
    pub(crate) fn push(&mut self, batch: &RowBatch) -> Result<(), Error> {
        let rows = batch.iter().map(|(id, url)| (id, url.as_bytes()));
        let written = match &mut self.runs {
            Some(runs) => runs.push_run(rows),
            None => RunWriter::create(&self.directory).and_then(|runs| self.runs.insert(runs).push_run(rows)),
        };
        written.map_err(|source| self.failed(source))
    }

    /// Calls `each` with the rows of all batches and of a last one, in order, each once. Afterwards there are
    /// no batches.
    pub(crate) fn drain(&mut self, last: &mut RowBatch, each: &mut EachSortedRow<'_>) -> Result<(), Error> {
        if self.runs.is_some() {
            self.push(last)?;
            // Frees the memory of the batch for the buffers of the merge.
            *last = RowBatch::default();
        }
        match self.runs.take() {
            None => last.iter().try_for_each(|(id, url)| each(id, url)),
            Some(runs) => self.merge(runs, each),
        }
    }

    /// Merges the rows on a separate thread while this one inserts them.
    fn merge(&self, runs: RunWriter<KeyedRow>, each: &mut EachSortedRow<'_>) -> Result<(), Error> {
        let (send_full, full) = mpsc::sync_channel::<Vec<u8>>(BLOCKS);
        // The channel is unbounded. Returning a buffer must not wait for a thread that waits for its block to
        // be received.
        let (send_empty, empty) = mpsc::channel::<Vec<u8>>();
        thread::scope(|scope| {
            let sorter = thread::Builder::new().spawn_scoped(scope, move || -> io::Result<()> {
                let mut rows = SortedRows::<KeyedRow>::read(runs.finish()?, &self.directory, self.memory)?;
                // A block ends with the row that fills it, so it is longer than `BLOCK_LEN` by a part of that
                // row.
                let mut block = Vec::with_capacity(2 * BLOCK_LEN);
                while let Some(row) = rows.next_row()? {
                    put::<KeyedRow>(&mut block, row);
                    if block.len() >= BLOCK_LEN {
                        let next = empty.try_recv().unwrap_or_else(|_| Vec::with_capacity(2 * BLOCK_LEN));
                        if send_full.send(std::mem::replace(&mut block, next)).is_err() {
                            return Ok(());
                        }
                        block.clear();
                    }
                }
                // If the receiver is gone, it reports the error.
                let _ = send_full.send(block);
                Ok(())
            });
            let sorter = sorter.map_err(|source| self.failed(source))?;
            let done = self.each_block(full, &send_empty, each);
            let sorted = sorter.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            // An error of the sort is returned first. It ends the blocks early, and then the insertion of too
            // few rows succeeds.
            sorted.map_err(|source| self.failed(source))?;
            done
        })
    }

    /// Calls `each` with the rows of blocks, and returns the blocks as buffers.
    fn each_block(
        &self,
        full: mpsc::Receiver<Vec<u8>>,
        send_empty: &mpsc::Sender<Vec<u8>>,
        each: &mut EachSortedRow<'_>,
    ) -> Result<(), Error> {
        for block in full {
            let mut rest = block.as_slice();
            while let Some(((id, url), next)) = take::<KeyedRow>(rest) {
                let url = std::str::from_utf8(url).map_err(|error| self.failed(io::Error::other(error)))?;
                each(id, url)?;
                rest = next;
            }
            // If the sorting thread is done, it needs no more buffers.
            let _ = send_empty.send(block);
        }
        Ok(())
    }

    fn failed(&self, source: io::Error) -> Error {
        error::SORT.error().with_path(&self.directory).with_source(source)
    }
}
