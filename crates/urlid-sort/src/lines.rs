//! Lines in the order of their bytes, each once, with bounded memory.

use std::io;
use std::path::PathBuf;

use crate::batch::Batch;
use crate::merged::SortedRows;
use crate::runs::{Key, RunWriter};

/// The most bytes of a batch: its texts are addressed with 32 bits.
const MOST_BATCH: usize = 2 << 30;

/// Sorts lines; what does not fit in memory is in a file without a name.
#[derive(Debug)]
pub struct LineSorter {
    batch: Batch,
    runs: Option<RunWriter>,
    directory: PathBuf,
    memory: usize,
}

impl LineSorter {
    /// Begins to sort with `memory` bytes, in addition to the longest line, and files in `directory`.
    pub fn new(directory: PathBuf, memory: usize) -> Self {
        LineSorter { batch: Batch::default(), runs: None, directory, memory }
    }

    /// Adds a line.
    ///
    /// # Errors
    /// If there is no room for the file.
    pub fn push(&mut self, line: &str) -> io::Result<()> {
        self.batch.push(key_of(line), line);
        // The buffers of a batch may be up to twice as large as what is in them.
        if self.batch.bytes() < (self.memory / 2).min(MOST_BATCH) {
            return Ok(());
        }
        self.write_run()
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

    /// Gives the lines to `take`, in order and each once.
    ///
    /// # Errors
    /// Those of `take`, and if the file cannot be written or read.
    pub fn finish<E: From<io::Error>>(
        mut self,
        mut take: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.runs.is_none() {
            self.batch.sort();
            return self.batch.iter().try_for_each(|(_, line)| take(line));
        }
        self.write_run()?;
        let LineSorter { batch, runs, directory, memory } = self;
        drop(batch);
        let Some(runs) = runs else { return Ok(()) };
        let mut rows = SortedRows::read(runs.finish()?, &directory, memory)?;
        while let Some((_, line)) = rows.row() {
            take(str::from_utf8(line).map_err(io::Error::other)?)?;
            rows.advance()?;
        }
        Ok(())
    }
}

/// Returns the first bytes of a line. Lines in the order of these and then of their bytes are in the order of their bytes:
/// what a short line lacks is the least byte.
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
            let mut sorted = Vec::new();
            let taken = sorter.finish(|line| -> io::Result<()> {
                sorted.push(line.to_owned());
                Ok(())
            });
            taken.expect("it can be read again");
            let expected: Vec<_> = lines.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
            prop_assert_eq!(sorted, expected);
        }
    }
}
