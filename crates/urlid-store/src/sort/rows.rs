//! Sorts rows and lines in bounded memory: a batch in memory, and sorted runs in a file once it is full.
//! Lines are rows with their first bytes as keys.

use std::io;
use std::path::PathBuf;

use crate::sort::batch::RowBatch;
use crate::sort::merged::SortedRows;
use crate::sort::runs::{KeyedRow, RunWriter, SortKey};

/// The most bytes of a batch. Texts are addressed with 32 bits, and the longest line must still fit.
const MOST_BATCH: usize = 2 << 30;

/// Sorts rows by key, then by the bytes of their texts, and drops repeated ones. Sorted runs that do not fit
/// in memory go to an unnamed file.
#[derive(Debug)]
pub struct RowSorter {
    batch: RowBatch<[u8]>,
    runs: Option<RunWriter<KeyedRow>>,
    directory: PathBuf,
    memory: usize,
}

impl RowSorter {
    /// Makes a sorter that uses `memory` bytes, in addition to the longest text, and files in `directory`.
    pub fn new(directory: PathBuf, memory: usize) -> Self {
        RowSorter { batch: RowBatch::default(), runs: None, directory, memory }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn push(&mut self, key: &SortKey, text: &[u8]) -> io::Result<()> {
        self.batch.push(*key, text);
        // The limit is half of the memory. `Vec` and `String` grow by doubling, so the buffers may be twice
        // as large as their content.
        let is_full = self.batch.bytes() >= (self.memory / 2).min(MOST_BATCH);
        if is_full { self.write_run() } else { Ok(()) }
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.batch.sort();
        let runs = match &mut self.runs {
            Some(runs) => runs,
            None => self.runs.insert(RunWriter::create(&self.directory)?),
        };
        runs.push_run(self.batch.iter())?;
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
                OrderedRows::Batch { batch, next: 0 }
            }
            Some(runs) => {
                // Frees the batch before the merge allocates as much for its buffers.
                drop(batch);
                OrderedRows::Merged(SortedRows::read(runs.finish()?, &directory, memory)?)
            }
        }))
    }
}

/// Rows in order, each once.
#[derive(Debug)]
pub struct RowsInOrder(OrderedRows);

#[derive(Debug)]
enum OrderedRows {
    Batch { batch: RowBatch<[u8]>, next: u32 },
    Merged(SortedRows<KeyedRow>),
}

impl RowsInOrder {
    /// Returns the next row, or `None` after the last.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next_row(&mut self) -> io::Result<Option<(&SortKey, &[u8])>> {
        match &mut self.0 {
            OrderedRows::Batch { batch, next } => {
                let row = *next;
                if row as usize >= batch.len() {
                    return Ok(None);
                }
                *next += 1;
                Ok(Some(batch.get(row)))
            }
            OrderedRows::Merged(rows) => rows.next_row(),
        }
    }
}

/// Sorts lines. Sorted runs that do not fit in memory go to an unnamed file.
#[derive(Debug)]
pub struct LineSorter(RowSorter);

impl LineSorter {
    /// Makes a sorter that uses `memory` bytes, in addition to the longest line, and files in `directory`.
    pub fn new(directory: PathBuf, memory: usize) -> Self {
        LineSorter(RowSorter::new(directory, memory))
    }

    /// Adds a line.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn push(&mut self, line: &str) -> io::Result<()> {
        self.0.push(&key_of(line), line.as_bytes())
    }

    /// Sorts the remaining lines and returns all lines in order.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(self) -> io::Result<SortedLines> {
        self.0.finish().map(SortedLines)
    }
}

/// Lines in order, each once.
#[derive(Debug)]
pub struct SortedLines(RowsInOrder);

impl SortedLines {
    /// Returns the next line, or `None` after the last.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next_line(&mut self) -> io::Result<Option<&str>> {
        let Some((_, line)) = self.0.next_row()? else { return Ok(None) };
        str::from_utf8(line).map(Some).map_err(io::Error::other)
    }
}

/// Returns the first 32 bytes of a line, padded with zeros.
///
/// Sorting by this key and then by the line gives the order of the lines. Zero is the least byte, so a prefix
/// of a line has a key that is less than or equal to the key of the line.
fn key_of(line: &str) -> SortKey {
    let mut key = [0; 32];
    let len = line.len().min(key.len());
    key[..len].copy_from_slice(&line.as_bytes()[..len]);
    key
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(urlid_testing::proptest_config())]

        #[test]
        fn lines_are_sorted_by_their_bytes_with_any_memory(
            lines in prop::collection::vec("[\0a-bé]{0,40}", 0..60),
            memory in 0_usize..3000
        ) {
            let directory = tempfile::tempdir().expect("a directory");
            let mut sorter = LineSorter::new(directory.path().to_owned(), memory);
            for line in &lines {
                sorter.push(line).expect("there is room");
            }
            let mut sorted = sorter.finish().expect("there is room");
            for expected in lines.into_iter().collect::<BTreeSet<_>>() {
                let line = sorted.next_line().expect("it can be read again").map(str::to_owned);
                prop_assert_eq!(line, Some(expected));
            }
            prop_assert_eq!(sorted.next_line().expect("it can be read again"), None);
        }
    }
}
