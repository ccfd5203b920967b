//! Lines in the order of their bytes, each once, with bounded memory.

use std::io;
use std::path::PathBuf;

use crate::batch::RowBatch;
use crate::merged::SortedRows;
use crate::runs::{Key, RunWriter};

/// The most bytes of a batch. Texts are addressed with 32 bits, and the longest line still has to fit behind this limit.
const MOST_BATCH: usize = 2 << 30;

/// Sorts lines. Sorted runs that do not fit in memory go to an unnamed file.
#[derive(Debug)]
pub struct LineSorter {
    batch: RowBatch,
    runs: Option<RunWriter>,
    directory: PathBuf,
    memory: usize,
}

impl LineSorter {
    /// Begins to sort with `memory` bytes, in addition to the longest line, and files in `directory`.
    pub fn new(directory: PathBuf, memory: usize) -> Self {
        LineSorter { batch: RowBatch::default(), runs: None, directory, memory }
    }

    /// Adds a line.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn push(&mut self, line: &str) -> io::Result<()> {
        self.batch.push(key_of(line), line);
        // Half of the memory: `Vec` and `String` grow by doubling, so the buffers may be twice as large as their content.
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

    /// Sorts the remaining lines and returns all lines in order.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> io::Result<SortedLines> {
        if self.runs.is_some() {
            self.write_run()?;
        }
        let LineSorter { mut batch, runs, directory, memory } = self;
        Ok(SortedLines(match runs {
            None => {
                batch.sort();
                Sorted::Batch { batch, next: 0 }
            }
            Some(runs) => {
                // Frees its memory before the merge allocates as much for its buffers.
                drop(batch);
                Sorted::Rows { rows: SortedRows::read(runs.finish()?, &directory, memory)?, is_begun: false }
            }
        }))
    }
}

/// Lines in order, each once.
#[derive(Debug)]
pub struct SortedLines(Sorted);

#[derive(Debug)]
enum Sorted {
    Batch { batch: RowBatch, next: u32 },
    Rows { rows: SortedRows, is_begun: bool },
}

impl SortedLines {
    /// Returns the next line, or `None` after the last.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next_line(&mut self) -> io::Result<Option<&str>> {
        match &mut self.0 {
            Sorted::Batch { batch, next } => {
                let row = *next;
                if row as usize >= batch.len() {
                    return Ok(None);
                }
                *next += 1;
                Ok(Some(batch.get(row).1))
            }
            Sorted::Rows { rows, is_begun } => {
                if std::mem::replace(is_begun, true) {
                    // Before the next line, not after this one, which is lent to the caller; `SortedRows` begins on its first
                    // row.
                    rows.advance()?;
                }
                rows.row().map(|(_, line)| str::from_utf8(line).map_err(io::Error::other)).transpose()
            }
        }
    }
}

/// Returns the first 32 bytes of a line, filled with zeros.
///
/// Sorting by this key and then by the line is sorting by the line: zero is the least byte, so a line that is a prefix of
/// another has the lesser key or an equal one.
fn key_of(line: &str) -> Key {
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
