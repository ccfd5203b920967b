//! Rows in order with bounded memory: a batch in memory, and sorted runs in a file once it is full.

use std::io;
use std::path::PathBuf;

use crate::sort::batch::RowBatch;
use crate::sort::merged::SortedRows;
use crate::sort::runs::{Key, KeyedRow, RunWriter};

/// The most bytes of a batch. Texts are addressed with 32 bits, and the longest line still has to fit.
const MOST_BATCH: usize = 2 << 30;

/// Sorts rows by key, then by text, and drops repeated ones. Sorted runs that do not fit in memory go to an
/// unnamed file.
#[derive(Debug)]
pub struct RowSorter {
    batch: RowBatch,
    runs: Option<RunWriter<KeyedRow>>,
    directory: PathBuf,
    memory: usize,
}

impl RowSorter {
    /// Begins to sort with `memory` bytes, in addition to the longest text, and files in `directory`.
    pub fn new(directory: PathBuf, memory: usize) -> Self {
        RowSorter { batch: RowBatch::default(), runs: None, directory, memory }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn push(&mut self, key: &Key, text: &str) -> io::Result<()> {
        self.batch.push(*key, text);
        // Half of the memory: `Vec` and `String` grow by doubling, so the buffers may be twice as large as
        // their content.
        let is_full = self.batch.bytes() >= (self.memory / 2).min(MOST_BATCH);
        if is_full { self.write_run() } else { Ok(()) }
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.batch.sort();
        let runs = match &mut self.runs {
            Some(runs) => runs,
            None => self.runs.insert(RunWriter::create(&self.directory)?),
        };
        runs.push_run(self.batch.iter().map(|(key, text)| (key, text.as_bytes())))?;
        self.batch.clear();
        Ok(())
    }

    /// Sorts the remaining rows and returns all rows in order.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> io::Result<RowsInOrder> {
        if self.runs.is_some() {
            self.write_run()?;
        }
        let RowSorter { mut batch, runs, directory, memory } = self;
        Ok(RowsInOrder(match runs {
            None => {
                batch.sort();
                Place::Batch { batch, next: 0 }
            }
            Some(runs) => {
                // Frees its memory before the merge allocates as much for its buffers.
                drop(batch);
                Place::Merged(SortedRows::read(runs.finish()?, &directory, memory)?)
            }
        }))
    }
}

/// Rows in order, each once.
#[derive(Debug)]
pub struct RowsInOrder(Place);

#[derive(Debug)]
enum Place {
    Batch { batch: RowBatch, next: u32 },
    Merged(SortedRows<KeyedRow>),
}

impl RowsInOrder {
    /// Returns the next row, or `None` after the last.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next_row(&mut self) -> io::Result<Option<(&Key, &str)>> {
        match &mut self.0 {
            Place::Batch { batch, next } => {
                let row = *next;
                if row as usize >= batch.len() {
                    return Ok(None);
                }
                *next += 1;
                Ok(Some(batch.get(row)))
            }
            Place::Merged(rows) => {
                let Some((key, text)) = rows.next_row()? else { return Ok(None) };
                Ok(Some((key, str::from_utf8(text).map_err(io::Error::other)?)))
            }
        }
    }
}
