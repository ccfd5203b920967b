//! Lines in the order of their bytes, each once, with bounded memory.

use std::io;
use std::path::PathBuf;

use crate::sort::rows::{RowSorter, RowsInOrder};
use crate::sort::runs::Key;

/// Sorts lines. Sorted runs that do not fit in memory go to an unnamed file.
#[derive(Debug)]
pub struct LineSorter(RowSorter);

impl LineSorter {
    /// Begins to sort with `memory` bytes, in addition to the longest line, and files in `directory`.
    pub fn new(directory: PathBuf, memory: usize) -> Self {
        LineSorter(RowSorter::new(directory, memory))
    }

    /// Adds a line.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn push(&mut self, line: &str) -> io::Result<()> {
        self.0.push(&key_of(line), line)
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
        Ok(self.0.next_row()?.map(|(_, line)| line))
    }
}

/// Returns the first 32 bytes of a line, filled with zeros.
///
/// Sorting by this key and then by the line is sorting by the line: zero is the least byte, so a line that is
/// a prefix of another has the lesser key or an equal one.
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
